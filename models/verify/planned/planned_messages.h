#pragma once
// The messages from which all is known that planned worms do (MulticastPlanner::onward).

#include <span>
#include <vector>

#include "multicast/plan_worms.h"
#include "nodes/router_plan.h"

namespace noctule {

/// All messages with one destination that are planned, then all with two, and then those with three that
/// these do not stand for: two of the three lie so close together that the worm that goes on from the one
/// acquires what it needs at the other right behind it.
class PlannedMessages {
 public:
  explicit PlannedMessages(const FabricPlan& plan);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const std::vector<TerminalId>& of(TerminalId source) const { return others_[index(source)]; }

  /// Calls f(source, destinations, worms) for each, until it returns false.
  template <class F>
  void each(const MulticastPlanner& planner, F&& f) const {
    std::vector<PlannedWorm> worms;
    const auto tell = [&](TerminalId source, std::span<const TerminalId> destinations) {
      plan_worms(planner, *plan_.topology, source, destinations, worms);
      return f(source, destinations, worms);
    };
    const bool several = planner.several_destinations();
    const bool pairs_alone = several && !plan_.multicast->plans_unicasts;
    for (std::size_t size = pairs_alone ? 2 : 1; size <= (several ? 3U : 1U); ++size)
      for (std::size_t s = 0; s < others_.size(); ++s)
        if (!each_of(size, s, [&](auto destinations) { return tell(TerminalId(s), destinations); })) return;
  }

 private:
  template <class F>
  bool each_of(std::size_t size, std::size_t source, F&& f) const {
    const auto& others = others_[source];
    for (std::size_t a = 0; a < others.size(); ++a) {
      if (size == 1 && !f(std::span(&others[a], 1))) return false;
      for (std::size_t b = a + 1; size == 2 && b < others.size(); ++b)
        if (const TerminalId pair[] = {others[a], others[b]}; !f(std::span(pair))) return false;
      if (size < 3) continue;
      for (const TerminalId b : close_[index(others[a])]) {
        if (!may_reach(source, b)) continue;
        for (const TerminalId c : others)
          if (const TerminalId triple[] = {others[a], b, c};
              c != others[a] && c != b && !f(std::span(triple)))
            return false;
      }
    }
    return true;
  }
  [[nodiscard]] bool may_reach(std::size_t source, TerminalId terminal) const;

  const FabricPlan& plan_;
  std::vector<std::vector<TerminalId>> others_;  ///< by source: all that are not at its router
  std::vector<std::vector<TerminalId>> close_;   ///< by terminal: those behind it in number, close by
  std::uint64_t count_ = 0;
};

}  // namespace noctule
