#include "verify/graph/header_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "routing/initial_states.h"

namespace noctule {
namespace {

constexpr std::size_t kMostFaults = 10;
constexpr const char* kRelation = "routing.algorithm";
constexpr const char* kPartition = "node.crossbars";

}  // namespace

void HeaderGraph::fault(const char* key, std::string text) {
  const bool known =
      std::any_of(faults_.begin(), faults_.end(), [&](const auto& other) { return other.message == text; });
  if (faults_.size() < kMostFaults && !known) faults_.push_back({key, std::move(text), ""});
}

std::string HeaderGraph::place(RouterId here) const {
  return fmt::format("at {} for {}", plan_.topology->router_name(here),
                     plan_.topology->router_name(destination_));
}

/// "of terminal 3": whose worm comes to this state, which is being expanded.
std::string HeaderGraph::source_of(std::uint32_t s) const {
  for (const Start& start : starts_) {
    if (first_from(start.state, [s](std::uint32_t other) { return other == s; }) != s) continue;
    const std::string name = plan_.topology->router_name(start.source);
    const auto& ends = plan_.injecting[index(start.source)];
    return ends.empty() ? "of " + name
                        : fmt::format("of terminal {} ({})", index(ends.front().terminal), name);
  }
  return "that comes there";
}

std::uint32_t HeaderGraph::state(RouterId here, RouteState route_state, std::int32_t crossbar) {
  constexpr unsigned kFew = 24;
  if (here == destination_) return kDelivered;
  unsigned looked_at = 0;
  std::uint32_t last = kDelivered;
  for (auto s = first_here_[index(here)]; s != kDelivered && looked_at < kFew; s = states_[s].next_here) {
    if (states_[s].route_state == route_state && states_[s].crossbar == crossbar) return s;
    last = s;
    ++looked_at;
  }
  if (looked_at == kFew) {
    if (const auto known = many_.find(key(here, crossbar, route_state)); known != many_.end())
      return known->second;
    // A new state pushes this one out of the part of the list that is looked at.
    many_.emplace(key(states_[last].here, states_[last].crossbar, states_[last].route_state), last);
  }
  const auto s = static_cast<std::uint32_t>(states_.size());
  states_.push_back({here, route_state, crossbar, 0, 0, first_here_[index(here)]});
  first_here_[index(here)] = s;
  return s;
}

void HeaderGraph::explore(RouterId destination, unsigned message_class) {
  std::vector<RouterId> sources;
  for (std::size_t r = 0; r < plan_.topology->routers(); ++r)
    if (plan_.injects(RouterId(static_cast<std::uint32_t>(r)), message_class))
      sources.push_back(RouterId(static_cast<std::uint32_t>(r)));
  explore(destination, sources, message_class);
}

void HeaderGraph::explore(RouterId destination, const std::vector<RouterId>& sources,
                          unsigned message_class) {
  message_class_ = message_class;
  for (const State& s : states_) first_here_[index(s.here)] = kDelivered;
  states_.clear();
  moves_.clear();
  starts_.clear();
  order_.clear();
  many_.clear();
  faults_.clear();
  destination_ = destination;
  if (!plan_.consumes(destination, message_class)) return;
  for (const RouterId source : sources) {
    if (source == destination || !plan_.relation->serves(source, destination)) continue;
    const auto initial = initial_states_of(*plan_.relation, source, destination, message_class);
    if (initial.empty()) fault(kRelation, "the relation gives no initial state " + place(source));
    const auto crossbar = plan_.routers[index(source)]->crossbars > 1 ? kAnyCrossbar : 0;
    for (const RouteState s : initial) {
      if (!complete()) break;
      starts_.push_back({source, state(source, s, crossbar)});
    }
  }
  for (std::uint32_t s = 0; s < states_.size() && complete(); ++s) expand(s);
  if (!faults_.empty()) throw ConfigError(faults_);
}

void HeaderGraph::expand(std::uint32_t s) {
  const RouterId here = states_[s].here;
  states_[s].first_move = static_cast<std::uint32_t>(moves_.size());
  candidates_.clear();
  plan_.relation->candidates(here, destination_, states_[s].route_state, candidates_);
  if (offers_too_many(here)) {
    fault(kRelation, fmt::format("the relation offers {} channels, more than there are, {}",
                                 candidates_.size(), place(here)));
    return;
  }
  for (const Candidate candidate : candidates_) {
    const Link* const link = link_of(here, candidate);
    if (candidate.lane != kAnyLane)
      fault(kRelation, "the relation names a lane, which only prescribed routes may, " + place(here));
    else if (link == nullptr)
      fault(kRelation, fmt::format("the relation offers a channel that is none, port {} class {}, {}",
                                   index(candidate.port), index(candidate.vc_class), place(here)));
    else
      add_move(s, *link, candidate);
  }
  states_[s].moves = static_cast<std::uint32_t>(moves_.size()) - states_[s].first_move;
  if (states_[s].moves > 0) return;
  if (candidates_.empty())
    fault(kRelation, "the relation offers nothing " + place(here) + "; a worm " + source_of(s) +
                         " is stuck there for ever");
  else if (!any_for_class(here))
    fault(fmt::format("message_classes.{}.vcs", plan_.message_classes[message_class_].name).c_str(),
          fmt::format("a packet of class {} may take none of the VCs that the relation offers it {}; let the "
                      "class have some of each link",
                      plan_.message_classes[message_class_].name, place(here)));
  else
    fault(kPartition, unreachable(s));
}

/// Does the relation offer more candidates than there are channels, so that some are there twice?
bool HeaderGraph::offers_too_many(RouterId here) const {
  constexpr std::size_t kFew = 64;
  if (candidates_.size() <= kFew) return false;
  std::size_t channels = 0;
  for (std::uint16_t port = 0; port < plan_.topology->ports(here); ++port)
    if (const Link* const link = plan_.topology->outgoing(here, PortId(port)))
      channels += plan_.relation->classes(*link);
  return candidates_.size() > channels;
}

/// That of the channel which is offered; null: there is none.
const Link* HeaderGraph::link_of(RouterId here, Candidate candidate) const {
  if (index(candidate.port) >= plan_.topology->ports(here)) return nullptr;
  const Link* const link = plan_.topology->outgoing(here, candidate.port);
  return link != nullptr && index(candidate.vc_class) < plan_.relation->classes(*link) ? link : nullptr;
}

/// Is one of the candidates for this message class, or none that a relation may offer, which is told of?
bool HeaderGraph::any_for_class(RouterId here) const {
  if (!plan_.message_classes.restricted()) return true;
  return std::ranges::any_of(candidates_, [&](Candidate candidate) {
    const Link* const link = link_of(here, candidate);
    if (link == nullptr || candidate.lane != kAnyLane) return true;
    for (unsigned group = 0; group < channels_.groups(); ++group)
      if (channels_.takes(message_class_, channels_.of(link->id, candidate.vc_class, group))) return true;
    return false;
  });
}

std::string HeaderGraph::unreachable(std::uint32_t s) const {
  const RouterPlan& router = *plan_.routers[index(states_[s].here)];
  std::string inputs;
  for (const VcPlan& vc : router.inputs)
    if (vc.crossbar == states_[s].crossbar) inputs += (inputs.empty() ? "" : ", ") + vc.name;
  return fmt::format(
      "a header at an input of crossbar {} ({}) finds none of the outputs that it needs there, {}; let the "
      "crossbar "
      "contain the outputs that the routing relation needs",
      states_[s].crossbar, inputs, place(states_[s].here));
}

void HeaderGraph::add_move(std::uint32_t s, const Link& link, Candidate candidate) {
  const RouteState before = states_[s].route_state;
  const RouteState after = plan_.relation->next_state(link.from, destination_, before, candidate);
  if (after != before && !plan_.relation->has_state())
    fault(kRelation, "the relation changes a state that it says it does not have " + place(link.from));
  const bool escape = plan_.relation->is_escape(link.from, destination_, before, candidate);
  for (unsigned group = 0; group < channels_.groups(); ++group) {
    const ChannelId c = channels_.of(link.id, candidate.vc_class, group);
    if (group > 0 && group >= channels_.lanes(c)) break;
    if (!channels_.takes(message_class_, c)) continue;
    const auto own = states_[s].crossbar;
    const auto needed = channels_.crossbar_before(c);
    if (needed < 0) {
      fault(kRelation, fmt::format("the relation offers {}, which it says does not exist, {}",
                                   channels_.name(c), place(link.from)));
      continue;
    }
    if (own != kAnyCrossbar && own != needed) continue;
    const auto next = state(link.to, after, channels_.crossbar_behind(c));
    moves_.push_back({c, next, escape});
  }
}

const std::vector<std::uint32_t>& HeaderGraph::order() {
  if (!order_.empty() || states_.empty()) return order_;
  // Kahn's way, from the headers that can only be delivered back to the sources.
  std::vector<std::uint32_t> open(states_.size());
  std::vector<std::uint32_t> first(states_.size() + 1);
  for (const Move& m : moves_)
    if (m.next != kDelivered) ++first[m.next + 1];
  for (std::size_t s = 0; s < states_.size(); ++s) first[s + 1] += first[s];
  std::vector<std::uint32_t> from(first.back());
  std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    for (const Move& m : moves(s))
      if (m.next != kDelivered) {
        ++open[s];
        from[fill[m.next]++] = s;
      }
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    if (open[s] == 0) order_.push_back(s);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (auto e = first[order_[i]]; e < first[order_[i] + 1]; ++e)
      if (--open[from[e]] == 0) order_.push_back(from[e]);
  return order_;
}

}  // namespace noctule
