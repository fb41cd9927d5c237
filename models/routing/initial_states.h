#pragma once
// The states that a header may start with, one after the other; none is stored.

#include <cstdint>
#include <ranges>

#include "routing/relation.h"

namespace noctule {

/// A range of RouteState, in the order of their numbers; empty if the relation breaks its contract and gives
/// none. The relation must outlive it.
[[nodiscard]] inline auto initial_states_of(const RoutingRelation& relation, RouterId source,
                                            RouterId destination) {
  return std::views::iota(std::uint64_t{0}, relation.initial_states(source, destination)) |
         std::views::transform([&relation, source, destination](std::uint64_t n) {
           return relation.initial_state(source, destination, n);
         });
}

}  // namespace noctule
