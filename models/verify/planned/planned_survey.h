#pragma once
// What all messages of a fabric with multicasts can do, consumption channels included (Boppana et al. 1998,
// 3).

#include "verify/unicast/survey.h"

namespace noctule {

/// A message that is planned.
struct PlannedMessage {
  TerminalId source{};
  std::vector<TerminalId> destinations;
};

struct PlannedSurvey {
  /// Paths are those between two stops of a worm; of unicasts, where nothing plans them.
  RoutingFacts facts;
  DependencyGraph graph;  ///< has every dependency
  /// Those that some message is known to make; nothing: all of `graph`.
  std::optional<DependencyGraph> certain;
  std::vector<PlannedMessage> larger;  ///< messages that make dependencies which smaller ones do not
  bool complete = true;                ///< false: more than allowed; facts and graph are partial
  bool single = true;                  ///< every header has one candidate at each hop
};

/// Follows the worms of all messages by which a planner defines itself (MulticastPlanner::onward), and
/// unicasts. Checks with some larger messages that these do nothing else, which is a ConfigError
/// (multicast.planner). Throws ConfigError too where a relation breaks its contract, or a worm has no class
/// of consumption channels.
PlannedSurvey survey_planned(const FabricPlan& plan, const ChannelIndex& channels,
                             std::uint64_t most_header_states);

/// For each dependency of a cycle of certain ones a smallest message that makes it.
std::vector<Dependency> describe_planned_cycle(const FabricPlan& plan, const ChannelIndex& channels,
                                               const PlannedSurvey& survey,
                                               const std::vector<ChannelId>& cycle);

/// "3 -> {1, 2}".
std::string message_text(TerminalId source, std::span<const TerminalId> destinations);

}  // namespace noctule
