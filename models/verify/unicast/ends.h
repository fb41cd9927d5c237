#pragma once
// Where the network ends: terminals that wait with what they take until they have sent something, as part of
// the dependency graph (Dally and Towles 2004, 14.1.4: message-dependent deadlock).

#include <vector>

#include "verify/certificate.h"
#include "verify/graph/dependency_graph.h"
#include "verify/graph/header_graph.h"

namespace noctule {

/// Edges between the resources of terminals: from consumption to the injection of what the terminal has to
/// send first; and from injection to consumption where a message goes to a terminal of the same router.
void add_ends(const FabricPlan& plan, const ChannelIndex& channels, DependencyGraph& graph);

/// A cycle of the graph, told: with a packet, or the terminal, that makes each dependency. `graphs`: of every
/// destination and message class.
std::vector<Dependency> describe_end_cycle(const FabricPlan& plan, const ChannelIndex& channels,
                                           const std::vector<HeaderGraph>& graphs,
                                           const std::vector<ChannelId>& cycle);

/// f(injection channel, header state) for every way in which a worm of an explored graph may enter.
template <class F>
void each_entry(const FabricPlan& plan, const ChannelIndex& channels, const HeaderGraph& graph, F&& f) {
  for (const auto& start : graph.starts())
    plan.each_injecting(start.source, graph.message_class(), [&](TerminalId t) {
      f(channels.injection_of(t, graph.message_class()), start.state);
    });
}

}  // namespace noctule
