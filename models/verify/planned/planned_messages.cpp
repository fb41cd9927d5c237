#include "verify/planned/planned_messages.h"

namespace noctule {

PlannedMessages::PlannedMessages(const FabricPlan& plan)
    : plan_(plan), others_(plan.topology->terminals()), close_(plan.topology->terminals()) {
  const auto& topology = *plan.topology;
  const bool several = plan.multicast->planner->several_destinations();
  const bool output_first = plan.common_node().acquisition == Acquisition::kOutputFirst;
  std::uint64_t close_pairs = 0;
  for (std::size_t s = 0; s < others_.size(); ++s)
    for (std::size_t t = 0; t < others_.size(); ++t) {
      const unsigned apart = topology.distance(topology.injection_router(TerminalId(s)),
                                               topology.consumption_router(TerminalId(t)));
      if (apart > 0) others_[s].push_back(TerminalId(t));
      if (t <= s || apart > (output_first ? 1U : 0U)) continue;
      close_[s].push_back(TerminalId(t));
      ++close_pairs;
    }
  for (const auto& others : others_) {
    const std::uint64_t n = others.size();
    count_ += several ? n + n * (n - 1) / 2 + close_pairs * n : n;
  }
}

bool PlannedMessages::may_reach(std::size_t source, TerminalId terminal) const {
  return plan_.topology->consumption_router(terminal) != plan_.topology->injection_router(TerminalId(source));
}

}  // namespace noctule
