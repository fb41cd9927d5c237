#pragma once
// How long packets take at most, from their birth until their tail is consumed, where it is stated how many
// of them come (RegulatedFlow).
//
// Flows that share an injection channel, a link or a consumption channel, or do so by way of others, are a
// group: what holds a packet up is a packet of its group. Such a bound is the longest busy period of the
// group, as of one server that works whenever there is work, in whatever order (blind multiplexing: Cruz, A
// calculus for network delay, part I, IEEE Trans. Information Theory 37(1), 1991; busy periods: Lehoczky,
// Fixed priority scheduling of periodic task sets with arbitrary deadlines, Real-Time Systems Symposium
// 1990):
//
//   W = least W > 0 with W = sum over the flows of (burst + floor((W - 1) / period)) work
//
// The work of a packet is what it takes alone, the cycles until what it leaves can be taken again, and, where
// worms share a link flit by flit, its flits there. That is enough: in a fabric without deadlock some packet
// of those for which another waits, at the end of that chain, is held by nothing but a flit that goes in this
// cycle, or by nothing, and comes a cycle nearer to its end. A worm with credits is a timed event graph: what
// is held for a cycle comes a cycle later, at most. So the work that is left falls in every cycle.
//
// It holds for every arbiter, and is near what happens where one link or terminal is what a group shares.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analytic/zero_load.h"
#include "core/regulated_flow.h"
#include "nodes/router_plan.h"

namespace noctule {

struct LatencyBounds {
  /// Flows that can hold each other up.
  struct Group {
    std::vector<std::size_t> flows;       ///< their places, ascending
    double load = 0;                      ///< cycles of work that come per cycle
    std::optional<std::uint64_t> cycles;  ///< from birth to the consumption of the tail, at most
    std::string none;                     ///< why there is no bound; empty: there is one
  };
  std::vector<Group> groups;
  std::vector<std::size_t> group_of;  ///< by flow
  std::string none;                   ///< why nothing can be said of any flow; empty: there are groups
};

/// `proved`: no deadlock is possible. `refuses`: terminals may refuse flits. The flows are all that is sent.
/// Throws ConfigError "routing.algorithm" where a way does not end.
[[nodiscard]] LatencyBounds bound_latencies(const FabricPlan& plan, const std::vector<RegulatedFlow>& flows,
                                            bool proved, bool refuses);

}  // namespace noctule
