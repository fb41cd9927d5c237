#pragma once
// How far ahead of a cycle things take effect: what sizes the rings of arrivals.

#include <cstdint>
#include <vector>

#include "analytic/zero_load.h"
#include "core/ids.h"
#include "nodes/router_plan.h"

namespace noctule {

/// Delays of the links of a fabric as its routers see them. Keeps a reference to the plan. In cycles.
class FabricTiming {
 public:
  explicit FabricTiming(const FabricPlan& plan);

  [[nodiscard]] const ZeroLoad& zero_load() const { return zero_load_; }
  [[nodiscard]] Cycle flight(LinkId link) const { return zero_load_.flight(link); }
  [[nodiscard]] Cycle credit_delay(LinkId link) const { return plan_.links[link].credit_delay; }
  [[nodiscard]] Cycle slot_cycles(LinkId link) const { return zero_load_.slot_cycles(link); }
  /// Of links of the first kind, behind routers of the first kind, which in most fabrics all are.
  [[nodiscard]] Cycle usual_flight() const { return zero_load_.usual_flight(); }
  /// Has a link that leaves the router a serialiser?
  [[nodiscard]] bool serialises(RouterId router) const;
  /// Anything that happens at the router or on its links takes effect there at most so many cycles later; in
  /// the whole fabric.
  [[nodiscard]] Cycle horizon(RouterId router) const;
  [[nodiscard]] Cycle horizon() const { return horizon_; }

 private:
  const FabricPlan& plan_;
  ZeroLoad zero_load_;
  Cycle horizon_ = 1;
};

}  // namespace noctule
