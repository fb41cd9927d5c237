#include "verify/unicast/check_numbering.h"

#include <algorithm>

#include "routing/initial_states.h"
#include "verify/certificate.h"

namespace noctule {
namespace {

struct Header {
  RouterId at;
  RouteState state;
  std::int32_t crossbar;  // of its input; -1: injected here
  std::int64_t highest;   // number among those that it has taken
};

/// Was the header known, with numbers as high? If not, it is now.
bool is_known(std::vector<Header>& known, const Header& header) {
  for (Header& k : known)
    if (k.state == header.state && k.crossbar == header.crossbar) {
      if (k.highest >= header.highest) return true;
      k.highest = header.highest;
      return false;
    }
  known.push_back(header);
  return false;
}

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
    std::vector<std::vector<Header>> known(n);
    std::vector<Header> todo;
    for (RouterId source{0}; index(source) < n; source = RouterId(index(source) + 1)) {
      if (!plan_.injects(source, class_)) continue;
      if (source == destination) {
        if (plan_.message_classes.ends_wait())
          if (auto breach = arrives(destination, entering(source)); !breach.empty()) return breach;
        continue;
      }
      if (!relation.serves(source, destination)) continue;
      for (const RouteState state : initial_states_of(relation, source, destination, class_))
        todo.push_back({source, state, -1, entering(source)});
    }
    while (!todo.empty()) {
      const Header h = todo.back();
      todo.pop_back();
      if (is_known(known[index(h.at)], h)) continue;
      bool way_out = false;
      list_.clear();
      relation.candidates(h.at, destination, h.state, list_);
      for (const Candidate candidate : list_)
        for (unsigned group = 0; group < channels_.groups(); ++group) {
          const Link& link = *plan_.topology->outgoing(h.at, candidate.port);
          const ChannelId c = channels_.of(link.id, candidate.vc_class, group);
          if (group > 0 && group >= channels_.lanes(c)) break;
          if (h.crossbar >= 0 && channels_.crossbar_before(c) != h.crossbar) continue;
          if (!channels_.takes(class_, c)) continue;
          const bool must_rise = !escape_only_ || relation.is_escape(h.at, destination, h.state, candidate);
          const bool numbered = number_[c] != Certificate::kUnnumbered;
          if (must_rise && !rises(h.highest, c)) return channels_.name(c);
          way_out = way_out || must_rise;
          const auto highest = numbered ? std::max<std::int64_t>(h.highest, number_[c]) : h.highest;
          if (link.to != destination)
            todo.push_back({link.to, relation.next_state(h.at, destination, h.state, candidate),
                            channels_.crossbar_behind(c), highest});
          else if (auto breach = arrives(destination, highest); !breach.empty())
            return breach;
        }
      if (!way_out) return plan_.topology->router_name(h.at);
    }
    return "";
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
};

}  // namespace

std::string check_numbering(const FabricPlan& plan, const ChannelIndex& channels,
                            const std::vector<std::uint32_t>& number, bool escape_only) {
  for (unsigned c = 0; c < plan.message_classes.size(); ++c)
    if (auto breach = Check(plan, channels, number, escape_only, c).run(); !breach.empty()) return breach;
  return "";
}

}  // namespace noctule
