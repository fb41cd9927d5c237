#include "config/lost_hops.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "routing/initial_states.h"

namespace noctule {
namespace {

/// Headers looked at; with more of them the search ends.
constexpr std::size_t kMostHeaders = 2'000'000;

class Search {
 public:
  Search(const Topology& whole, const RoutingRelation& relation, const Topology& left)
      : whole_(whole), relation_(relation), link_is_left_(whole.links().size()) {
    std::unordered_set<std::string> names;
    for (const Link& link : left.links()) names.insert(left.link_name(link));
    for (const Link& link : whole.links())
      link_is_left_[index(link.id)] = names.contains(whole.link_name(link));
    std::unordered_set<std::string> routers;
    for (std::uint32_t r = 0; r < left.routers(); ++r) routers.insert(left.router_name(RouterId{r}));
    const auto starts = whole.injects();
    const auto ends = whole.consumes();
    for (std::uint32_t r = 0; r < whole.routers(); ++r) {
      if (!routers.contains(whole.router_name(RouterId{r}))) continue;
      if (starts[r]) sources_.push_back(RouterId{r});
      if (ends[r]) destinations_.push_back(RouterId{r});
    }
  }

  std::string first() {
    for (const RouterId destination : destinations_)
      for (const RouterId source : sources_) {
        if (source == destination || !relation_.serves(source, destination)) continue;
        if (auto text = follow(source, destination); !text.empty() || headers_ > kMostHeaders) return text;
      }
    return {};
  }

 private:
  std::string follow(RouterId source, RouterId destination) {
    std::set<std::pair<RouterId, RouteState>> seen;
    std::vector<std::pair<RouterId, RouteState>> todo;
    for (const RouteState state : InitialStates(relation_, source, destination, 0)) {
      if (todo.size() == kMostHeaders) break;
      todo.emplace_back(source, state);
    }
    CandidateList list;
    while (!todo.empty() && ++headers_ <= kMostHeaders) {
      const auto [here, state] = todo.back();
      todo.pop_back();
      if (here == destination || !seen.emplace(here, state).second) continue;
      list.clear();
      relation_.candidates(here, destination, state, list);
      std::string lost;
      bool some = false;
      for (const Candidate& candidate : list) {
        const Link* link = whole_.outgoing(here, candidate.port);
        if (link == nullptr) continue;
        if (!link_is_left_[index(link->id)]) {
          const std::string name = whole_.link_name(*link);
          if (lost.find(name) == std::string::npos) lost += (lost.empty() ? "" : " or ") + name;
          continue;
        }
        some = true;
        todo.emplace_back(link->to, relation_.next_state(here, destination, state, candidate));
      }
      if (!some && !lost.empty())
        return fmt::format("a packet from {} to {} has no candidate at {}, where it takes {}",
                           whole_.router_name(source), whole_.router_name(destination),
                           whole_.router_name(here), lost);
    }
    return {};
  }

  const Topology& whole_;
  const RoutingRelation& relation_;
  std::vector<bool> link_is_left_;  ///< by link
  std::vector<RouterId> sources_;
  std::vector<RouterId> destinations_;
  std::size_t headers_ = 0;
};

}  // namespace

std::string first_lost_hop(const Topology& whole, const RoutingRelation& relation, const Topology& left) {
  return Search(whole, relation, left).first();
}

}  // namespace noctule
