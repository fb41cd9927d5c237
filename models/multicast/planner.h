#pragma once
// Multicast planners: from a message with several destinations to the worms that carry it. Pure, plain C++:
// what is simulated is what is verified.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/registry.h"
#include "multicast/planned_worm.h"
#include "routing/relation.h"
#include "topology/topology.h"

namespace noctule {

/// Key under which planners report what is wrong with them.
inline constexpr const char* kPlannerKey = "multicast.planner";

/// Which class of consumption channels a worm uses at a destination: class `number` if every field that is
/// named holds one of its values. Fields: "group" (one of MulticastPlanner::groups, or "unicast"), "incoming"
/// and "outgoing" (names of ports: the one that the worm arrives by, "injection" at its source; the one that
/// it goes on by, "none" at its last destination), "destinations" ("one" or "several": of the worm).
struct ConsumptionClassRule {
  unsigned number = 0;
  std::map<std::string, std::vector<std::string>> when;
  friend bool operator==(const ConsumptionClassRule&, const ConsumptionClassRule&) = default;
};

class MulticastPlanner {
 public:
  virtual ~MulticastPlanner() = default;

  /// Kinds of worms, for classes of consumption channels: {"up", "down"}. At least one.
  [[nodiscard]] virtual std::span<const std::string> groups() const = 0;
  /// Appends the worms that carry a message from `source` to `destinations` (distinct, none at the source's
  /// router, at least one), in the order in which they are injected. Each destination is served once. A worm
  /// depends on the set of destinations, not on their order in the list.
  virtual void plan(TerminalId source, std::span<const TerminalId> destinations,
                    std::vector<PlannedWorm>& worms) const = 0;
  /// Routing between the stops of a worm, from one to the next; null: that of the fabric.
  [[nodiscard]] virtual std::shared_ptr<const RoutingRelation> relation() const { return nullptr; }
  /// May worms have more than one destination?
  [[nodiscard]] virtual bool several_destinations() const { return true; }
  /// Worms go on from a destination as a worm that this planner makes there: the stops of a worm behind its
  /// first destination d are those of a worm of `onward().plan(d, their terminals)`, of the same group name.
  /// So all that any worm can do is known from messages with at most two destinations.
  [[nodiscard]] virtual const MulticastPlanner& onward() const { return *this; }
  /// Which class of consumption channels worms use, unless the node says otherwise: the first rule that
  /// fits. There is one for every worm that the planner makes, and for unicasts. Free of deadlock for this
  /// planner and its routing.
  [[nodiscard]] virtual std::vector<ConsumptionClassRule> consumption_classes() const = 0;
};

/// Makes planners; says which relation is routing.algorithm where a configuration names a planner alone: the
/// one that unicasts are compatible with. Empty: that of the node model.
struct PlannerFactory {
  using Make = std::function<std::shared_ptr<const MulticastPlanner>(std::shared_ptr<const Topology>,
                                                                     const Parameters&)>;
  template <class F>
  PlannerFactory(F function, std::string relation = {})
      : make(std::move(function)), routing(std::move(relation)) {}
  PlannerFactory() = default;
  Make make;
  std::string routing;
};

struct PlannerTraits {
  static constexpr const char* kind = "multicast";
  /// Throws ConfigError (key "multicast.planner") where the planner is not defined on the topology; says
  /// why. Null: no multicasts.
  using Factory = PlannerFactory;
};
using PlannerRegistry = Registry<PlannerTraits>;
template <>
PlannerRegistry& PlannerRegistry::instance();

}  // namespace noctule
