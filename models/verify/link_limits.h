#pragma once
// What links let through at most: as a whole, and the parts of them that some VC classes use.

#include <string>
#include <vector>

#include "nodes/router_plan.h"
#include "nodes/service_rates.h"

namespace noctule {

/// Of each of its parallel links.
[[nodiscard]] LinkRates link_rates(const FabricPlan& plan, const Link& link);

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

/// Why a link lets no more through.
struct LinkCause {
  LinkRates::Narrow narrow = LinkRates::Narrow::kWires;
  double flits_per_cycle = 0;  ///< that it lets through
  double wires = 0;            ///< flits per cycle that the wires carry: of all parallel links
  unsigned cycles_per_flit = 1;
  unsigned vcs = 0;     ///< that may hold these flits
  unsigned places = 0;  ///< flits in the buffer of each, behind the link
  double credit_cycles = 0;
  unsigned enough = 0;  ///< places with which these VCs fill the wires
};
/// Of the whole link, or of those of its VCs that are of this class.
[[nodiscard]] LinkCause link_cause(const FabricPlan& plan, const Link& link, int vc_class = -1);

/// That of the whole link first.
[[nodiscard]] std::vector<LinkLimit> link_limits(const FabricPlan& plan, const Link& link);
/// Of all links that packets of any of these message classes may come to, together; flits per cycle.
[[nodiscard]] double all_links(const FabricPlan& plan, const std::vector<bool>& message_classes);

}  // namespace noctule
