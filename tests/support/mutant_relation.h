#pragma once
// A relation with some of its answers changed.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "nodes/router_plan.h"
#include "support/cube_network.h"

namespace noctule::mutants {

using Cube = std::shared_ptr<const CubeNetwork>;
using Relation = std::shared_ptr<const RoutingRelation>;

Cube torus(std::vector<unsigned> radix);
Cube mesh(std::vector<unsigned> radix);
/// A registered relation; keys that are not given have their defaults.
Relation registered(const Cube& cube, const std::string& algorithm, const Json& set = Json::object());
/// A table of turns.
Relation turns(const Cube& cube, const std::vector<std::string>& forbid, unsigned classes = 1,
               const std::vector<std::string>& escape = {});
/// Every shortest path, in each of so many classes.
Relation minimal(const Cube& cube, unsigned classes);

/// What a mutant answers for itself; the rest is left to the relation that it is made from.
struct Changes {
  unsigned classes = 0;  ///< on every port; 0: as before
  std::function<void(RouterId, RouterId, std::vector<RouteState>&)> start;
  std::function<void(RouterId, RouterId, RouteState, CandidateList&)> offer;
  /// Of each candidate that is offered, if `offer` is not changed.
  std::function<Candidate(RouterId, RouterId, RouteState, Candidate)> turn_into;
  std::function<RouteState(RouterId, RouterId, RouteState, Candidate)> next;
  std::function<bool(Candidate)> escape;
};
/// All classes of all links exist in a mutant.
Relation changed(Relation from, Changes changes);

/// Per dimension, the class of the next hop of a worm that corrects dimension 0 first.
struct RingHop {
  RouterId here;
  RouterId destination;
  unsigned d;
  PortId port;
  bool on_wrap;
  bool wrapped;      ///< it has crossed the wrap of this dimension
  bool wrap_ahead;   ///< it will, the hop included
  RouteState state;  ///< bit d: it has crossed the wrap of dimension d
};
/// Dimension order on a torus, with such a class rule; ties go in the + direction.
Relation dimension_order(const Cube& cube, std::function<unsigned(const RingHop&)> class_of);
/// Hops along dimension d as a worm with these wrapped bits sees them; one or, half way round, two.
std::vector<RingHop> ring_hops(const CubeNetwork& cube, RouterId here, RouterId destination, unsigned d,
                               RouteState state);
/// Bit d is set once the wrap of dimension d is crossed.
RouteState with_wrap(const CubeNetwork& cube, RouterId here, RouteState state, Candidate taken);

/// A node of one crossbar; worms enter empty VCs only.
NodeDescription careful();

inline FabricPlan plan(const Cube& cube, Relation relation, const NodeDescription& node = careful()) {
  return plan_fabric({cube, std::move(relation), node});
}

/// "5", "4x4": for names.
inline std::string text_of(const std::vector<unsigned>& radix) {
  std::string text;
  for (const auto k : radix) text += (text.empty() ? "" : "x") + std::to_string(k);
  return text;
}

}  // namespace noctule::mutants
