#pragma once
// Do settings fit each other and the fabric?

#include <optional>
#include <string>
#include <vector>

#include "nodes/router_plan.h"
#include "tlm/sockets.h"
#include "transactions/settings.h"

namespace noctule::tlm {

/// Throws ConfigError with all that is wrong.
void check_settings(const TlmSettings& settings, const AddressMap& map, const FabricPlan& plan);
/// Why requests or responses of some pair may overtake each other; nothing: they cannot.
[[nodiscard]] std::optional<std::string> order_obstacle_of(const TlmSettings& settings,
                                                           const FabricPlan& plan);
/// " Sockets at these terminals: ...", for the terminals that a text names; else empty.
[[nodiscard]] std::string sockets_text(const TlmSettings& settings, const std::string& text);
/// 8, 16, 32, ... 1024 bits.
[[nodiscard]] std::vector<BusWidth> usual_widths();

}  // namespace noctule::tlm
