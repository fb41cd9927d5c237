#include "verify/unicast/check_numbering.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "routing/initial_states.h"
#include "verify/certificate.h"

namespace noctule {
namespace {

/// What worms at a router are like, as far as it matters to what comes.
struct Header {
  RouteState state;
  std::int32_t crossbar;  // of its input; -1: injected here
  std::int64_t highest;   // number among those that it has taken; of all such worms
  bool due;               // to be followed, with that number
};

/// The second opinion on the worms of one message class.
class Check {
 public:
  Check(const FabricPlan& plan, const ChannelIndex& channels, const std::vector<std::uint32_t>& number,
        bool escape_only, unsigned message_class)
      : plan_(plan),
        channels_(channels),
        number_(number),
        escape_only_(escape_only),
        class_(message_class),
        ends_(!escape_only || plan.message_classes.ends_wait()) {}

  std::string run() {
    for (RouterId r{0}; index(r) < plan_.topology->routers(); r = RouterId(index(r) + 1)) {
      if (!plan_.consumes(r, class_)) continue;
      if (auto breach = towards(r); !breach.empty()) return breach;
      if (auto breach = at_end(r); !breach.empty()) return breach;
    }
    return "";
  }

 private:
  [[nodiscard]] bool rises(std::int64_t highest, ChannelId c) const {
    return number_[c] != Certificate::kUnnumbered && number_[c] > highest;
  }
  /// Where a terminal has to send before it takes more.
  [[nodiscard]] std::string at_end(RouterId router) const {
    std::string breach;
    plan_.each_consuming(router, class_, [&](TerminalId t) {
      for (const std::uint8_t awaited : plan_.message_classes.awaited_by(class_))
        if (const ChannelId c = channels_.injection_of(t, awaited); !rises(number_of_end(t), c))
          breach = channels_.name(c);
    });
    return breach;
  }
  [[nodiscard]] std::int64_t number_of_end(TerminalId t) const {
    const ChannelId c = channels_.consumption_of(t, class_);
    return number_[c] == Certificate::kUnnumbered ? -1 : std::int64_t{number_[c]};
  }
  /// Number that a worm holds when it enters at a router.
  [[nodiscard]] std::int64_t entering(RouterId source) const {
    std::int64_t highest = -1;
    if (plan_.message_classes.ends_wait())
      plan_.each_injecting(source, class_, [&](TerminalId t) {
        if (const auto n = number_[channels_.injection_of(t, class_)]; n != Certificate::kUnnumbered)
          highest = std::max<std::int64_t>(highest, n);
      });
    return highest;
  }
  std::string towards(RouterId destination) {
    const auto& relation = *plan_.relation;
    const std::size_t n = plan_.topology->routers();
    known_.resize(n);
    for (const auto& [router, header] : todo_) known_[index(router)].clear();
    todo_.clear();
    for (RouterId source{0}; index(source) < n; source = RouterId(index(source) + 1)) {
      if (!plan_.injects(source, class_)) continue;
      if (source == destination) {
        if (plan_.message_classes.ends_wait())
          if (auto breach = arrives(destination, entering(source)); !breach.empty()) return breach;
        continue;
      }
      if (!relation.serves(source, destination)) continue;
      for (const RouteState state : initial_states_of(relation, source, destination, class_))
        comes_to(source, state, -1, entering(source));
    }
    // First come, first followed: where all ways are equally long, each header is followed once.
    for (std::size_t next = 0; next < todo_.size(); ++next) {
      const RouterId at = todo_[next].first;
      known_[index(at)][todo_[next].second].due = false;
      const Header h = known_[index(at)][todo_[next].second];
      bool way_out = false;
      list_.clear();
      relation.candidates(at, destination, h.state, list_);
      for (const Candidate candidate : list_) {
        const Link& link = *plan_.topology->outgoing(at, candidate.port);
        const bool must_rise = !escape_only_ || relation.is_escape(at, destination, h.state, candidate);
        for (unsigned group = 0; group < channels_.groups(); ++group) {
          const ChannelId c = channels_.of(link.id, candidate.vc_class, group);
          if (group > 0 && group >= channels_.lanes(c)) break;
          if (h.crossbar >= 0 && channels_.crossbar_before(c) != h.crossbar) continue;
          if (!channels_.takes(class_, c)) continue;
          const bool numbered = number_[c] != Certificate::kUnnumbered;
          if (must_rise && !rises(h.highest, c)) return channels_.name(c);
          way_out = way_out || must_rise;
          const auto highest = numbered ? std::max<std::int64_t>(h.highest, number_[c]) : h.highest;
          if (link.to != destination)
            comes_to(link.to, relation.next_state(at, destination, h.state, candidate),
                     channels_.crossbar_behind(c), highest);
          else if (ends_)
            if (auto breach = arrives(destination, highest); !breach.empty()) return breach;
        }
      }
      if (!way_out) return plan_.topology->router_name(at);
    }
    return "";
  }
  /// To be followed, unless one like it with a number as high has been.
  void comes_to(RouterId router, RouteState state, std::int32_t crossbar, std::int64_t highest) {
    auto& known = known_[index(router)];
    auto header = std::ranges::find_if(
        known, [&](const Header& k) { return k.state == state && k.crossbar == crossbar; });
    if (header == known.end())
      header = known.insert(known.end(), {state, crossbar, highest, false});
    else if (header->highest >= highest)
      return;
    header->highest = highest;
    if (!std::exchange(header->due, true))
      todo_.emplace_back(router, static_cast<std::uint32_t>(header - known.begin()));
  }
  [[nodiscard]] std::string arrives(RouterId destination, std::int64_t highest) const {
    std::string breach;
    if (!ends_) return breach;
    plan_.each_consuming(destination, class_, [&](TerminalId t) {
      if (const ChannelId c = channels_.consumption_of(t, class_); !rises(highest, c))
        breach = channels_.name(c);
    });
    return breach;
  }

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  const std::vector<std::uint32_t>& number_;
  bool escape_only_;
  unsigned class_;
  bool ends_;  ///< consumption has numbers
  CandidateList list_;
  std::vector<std::vector<Header>> known_;                ///< by RouterId, towards one destination
  std::vector<std::pair<RouterId, std::uint32_t>> todo_;  ///< of these, in the order in which they came
};

}  // namespace

std::string check_numbering(const FabricPlan& plan, const ChannelIndex& channels,
                            const std::vector<std::uint32_t>& number, bool escape_only) {
  for (unsigned c = 0; c < plan.message_classes.size(); ++c)
    if (auto breach = Check(plan, channels, number, escape_only, c).run(); !breach.empty()) return breach;
  return "";
}

}  // namespace noctule
