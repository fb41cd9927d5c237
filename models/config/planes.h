#pragma once
// Fabrics of several networks: the section `planes`, and what it makes of the other sections.

#include <memory>
#include <string>
#include <vector>

#include "config/model.h"
#include "config/rules.h"
#include "core/json.h"

namespace noctule {

/// Contradictions of a complete configuration that has planes (Rule::check).
void check_planes(const Json& resolved, const ReportContradiction& report);

/// Of a fabric_part: for each plane its name, classes and settings, and as `network` the sections of its
/// network, resolved. Of such a part, its planes. Throws ConfigError with keys of the section `planes`.
[[nodiscard]] Json planes_part(const Json& resolved);

/// The number of the plane that carries a class, in a planes_part; 0 if there are none.
[[nodiscard]] std::uint8_t plane_of_class(const Json& planes, const std::string& message_class);

/// What traffic patterns speak of: the network of the first message class, whose packets they send. Else the
/// fabric's.
struct TrafficNetwork {
  std::shared_ptr<const Topology> topology;
  LinkDescriptions links;
};
[[nodiscard]] TrafficNetwork traffic_network(const FabricConfig& fabric,
                                             std::shared_ptr<const Topology> topology,
                                             const LinkDescriptions& links);

}  // namespace noctule
