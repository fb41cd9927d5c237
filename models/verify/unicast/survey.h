#pragma once
// One pass over everything that any worm can do: the facts, and the dependency graph.

#include "verify/certificate.h"
#include "verify/graph/dependency_graph.h"
#include "verify/graph/header_graph.h"

namespace noctule {

struct Survey {
  RoutingFacts facts;
  DependencyGraph direct;
  bool complete = true;       ///< false: more header states than allowed; facts and graph are partial
  bool any_adaptive = false;  ///< some channel is offered otherwise than as an escape channel
  bool single = true;         ///< every header has one candidate at each hop
};

/// Of worms with one destination that follow the relation of the fabric. Where there are multicasts these are
/// unicasts that nothing plans, and consumption channels those that such a worm may have to wait for.
/// Throws ConfigError where the relation breaks its contract (RoutingRelation) or a header finds no output
/// in its crossbar.
/// `among`: only worms between these routers; empty: all.
Survey survey(const FabricPlan& plan, const ChannelIndex& channels, std::uint64_t most_header_states,
              const std::vector<RouterId>& among = {});

/// A graph in numbers; `used` by channel.
DependencyCount count(const DependencyGraph& graph, const std::vector<std::uint8_t>& used);

/// Dependencies between escape channels, direct, indirect and cross (RoutingFacts::escape). An edge is added
/// from the last escape channel that a worm took; what it held before has a path of edges to that one.
DependencyGraph escape_dependencies(const FabricPlan& plan, const ChannelIndex& channels,
                                    const RoutingFacts& facts);

}  // namespace noctule
