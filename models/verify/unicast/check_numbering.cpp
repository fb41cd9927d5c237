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

}  // namespace

std::string check_numbering(const FabricPlan& plan, const ChannelIndex& channels,
                            const std::vector<std::uint32_t>& number, bool escape_only) {
  const auto& relation = *plan.relation;
  const std::size_t n = plan.topology->routers();
  CandidateList list;
  for (RouterId destination{0}; index(destination) < n; destination = RouterId(index(destination) + 1)) {
    if (plan.consuming[index(destination)].empty()) continue;
    std::vector<std::vector<Header>> known(n);
    std::vector<Header> todo;
    for (RouterId source{0}; index(source) < n; source = RouterId(index(source) + 1)) {
      if (source == destination || plan.injecting[index(source)].empty()) continue;
      for (const RouteState state : initial_states_of(relation, source, destination))
        todo.push_back({source, state, -1, -1});
    }
    while (!todo.empty()) {
      const Header h = todo.back();
      todo.pop_back();
      if (is_known(known[index(h.at)], h)) continue;
      bool way_out = false;
      list.clear();
      relation.candidates(h.at, destination, h.state, list);
      for (const Candidate candidate : list)
        for (unsigned group = 0; group < channels.groups(); ++group) {
          const Link& link = *plan.topology->outgoing(h.at, candidate.port);
          const ChannelId c = channels.of(link.id, candidate.vc_class, group);
          if (h.crossbar >= 0 && channels.crossbar_before(c) != h.crossbar) continue;
          const bool must_rise = !escape_only || relation.is_escape(h.at, destination, h.state, candidate);
          const bool numbered = number[c] != Certificate::kUnnumbered;
          if (must_rise && (!numbered || number[c] <= h.highest)) return channels.name(c);
          way_out = way_out || must_rise;
          const auto highest = numbered ? std::max<std::int64_t>(h.highest, number[c]) : h.highest;
          if (link.to != destination)
            todo.push_back({link.to, relation.next_state(h.at, destination, h.state, candidate),
                            channels.crossbar_behind(c), highest});
          else if (!escape_only)
            for (const TerminalId terminal : plan.consuming[index(destination)])
              if (number[channels.consumption(terminal)] <= highest)
                return channels.name(channels.consumption(terminal));
        }
      if (!way_out) return plan.topology->router_name(h.at);
    }
  }
  return "";
}

}  // namespace noctule
