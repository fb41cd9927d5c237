#pragma once
// What links let through at most: as a whole, and the parts of them that some VC classes use.

#include <string>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

struct LinkLimit {
  double flits_per_cycle = 0;
  std::vector<bool> classes;  ///< by VC class of the link: whose flits count
  int vc_class = -1;          ///< it is that of this class
  int replica = -1;           ///< it is that of this one of the parallel links

  /// Is it that of the whole link?
  [[nodiscard]] bool whole() const { return vc_class < 0 && replica < 0; }
  /// Of `by_class`, flits by VC class, those that count.
  [[nodiscard]] double load(const std::vector<double>& by_class) const;
  /// "router_3_0.x_plus", "router_3_0.x_plus.class1", "router_3_0.x_plus link 1".
  [[nodiscard]] std::string name(const FabricPlan& plan, const Link& link) const;
};

/// That of the whole link first.
[[nodiscard]] std::vector<LinkLimit> link_limits(const FabricPlan& plan, const Link& link);
/// Of all links that packets of any of these message classes may come to, together; flits per cycle.
[[nodiscard]] double all_links(const FabricPlan& plan, const std::vector<bool>& message_classes);

}  // namespace noctule
