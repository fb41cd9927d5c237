#include "verify/planned/worm_follower.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {
namespace {

template <class T>
void make_set(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

FabricPlan with_relation(FabricPlan plan, std::shared_ptr<const RoutingRelation> relation) {
  plan.relation = std::move(relation);
  plan.multicast.reset();
  return plan;
}

WormFollower::WormFollower(const FabricPlan& plan, const ChannelIndex& channels,
                           std::shared_ptr<const RoutingRelation> relation)
    : plan_(plan),
      channels_(channels),
      between_stops_(with_relation(plan, relation)),
      legs_between_(between_stops_, channels),
      rule_(*plan.multicast->consumption),
      absorbs_(plan.common_node().retransmission_buffers > 0),
      output_first_(plan.common_node().acquisition == Acquisition::kOutputFirst) {
  for (unsigned c = 0; c < rule_.classes(); ++c)
    for (const bool several : {false, true})
      choices_.push_back(consumption_choice(channels, rule_, c, several));
}

std::uint16_t WormFollower::port_into(ChannelId c) const {
  return static_cast<std::uint16_t>(plan_.topology->links()[index(channels_.link(c))].in);
}

ChannelId WormFollower::first_channel(RouterId source, const PlannedWorm& worm) {
  for (const Stop& stop : worm.stops)
    if (stop.router != source) return entries_[leg(source, stop.router).entry - 1].front().channel;
  return kNoChannel;
}

WormFollower::Leg& WormFollower::leg(RouterId from, RouterId to) {
  const auto key = std::uint64_t{index(from)} << 32 | index(to);
  const auto known = legs_.find(key);
  return known != legs_.end() ? known->second : legs_.emplace(key, explore(from, to)).first->second;
}

WormFollower::Leg WormFollower::explore(RouterId from, RouterId to) {
  const HeaderGraph& graph = legs_between_;
  legs_between_.explore(to, {from});
  states_ += graph.size();
  std::vector<bool> starts(graph.size());
  std::vector<bool> reached(graph.size());
  for (const auto& start : graph.starts()) starts[start.state] = true;
  for (const auto& move : graph.all_moves())
    if (move.next != HeaderGraph::kDelivered) reached[move.next] = true;
  single_ = single_ && std::count(starts.begin(), starts.end(), true) == 1;
  Leg result;
  Entry entry;
  HeldSet last;
  HeldSet behind;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    single_ = single_ && graph.moves(s).size() == 1;
    for (const auto& move : graph.moves(s)) {
      std::vector<ChannelId> next;
      if (move.next == HeaderGraph::kDelivered) {
        last.emplace_back(move.channel, port_into(move.channel));
        if (reached[s]) behind.push_back(last.back());
      } else {
        for (const auto& then : graph.moves(move.next)) next.push_back(then.channel);
      }
      if (reached[s])
        for (const ChannelId c : next) result.inner.edges.emplace_back(move.channel, c);
      if (starts[s]) entry.push_back({move.channel, next.empty(), std::move(next)});
    }
  }
  result.entry = entry_id(std::move(entry));
  result.last = held_id(std::move(last));
  result.last_behind = held_id(std::move(behind));
  return result;
}

std::uint32_t WormFollower::entry_id(Entry entry) {
  const auto [found, added] =
      entry_ids_.emplace(std::move(entry), static_cast<std::uint32_t>(entries_.size() + 1));
  if (added) entries_.push_back(found->first);
  return found->second;
}

WormFollower::HeldId WormFollower::held_id(HeldSet held) {
  if (held.empty()) return 0;
  make_set(held);
  const auto [found, added] =
      held_ids_.emplace(std::move(held), static_cast<std::uint32_t>(held_.size() + 1));
  if (added) held_.push_back(found->first);
  return found->second;
}

WormFollower::HeldId WormFollower::merged(const Step& step, HeldId others) {
  HeldSet all = step.arrived;
  if (others != 0) all.insert(all.end(), held_[others - 1].begin(), held_[others - 1].end());
  return held_id(std::move(all));
}

/// What is held behind a leg that was begun with the output, consumption channels behind it.
WormFollower::HeldId WormFollower::unknown(const Leg& leg) {
  HeldSet all = leg.last_behind != 0 ? held_[leg.last_behind - 1] : HeldSet{};
  for (const Held& h : held_[leg.last - 1]) all.emplace_back(kNoChannel, h.second);
  return held_id(std::move(all));
}

std::uint32_t WormFollower::terminal_list(const PlannedWorm& worm, std::size_t from, std::size_t to) {
  const auto is_terminal = [](const Stop& stop) { return stop.serves(); };
  const auto begin = worm.stops.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = worm.stops.begin() + static_cast<std::ptrdiff_t>(to);
  const auto count = std::count_if(begin, end, is_terminal);
  if (count == 0) return 0;
  const auto first = std::find_if(begin, end, is_terminal);
  if (count == 1) return static_cast<std::uint32_t>(1 + index(first->terminal));
  std::vector<TerminalId> list;
  for (auto stop = first; stop != end; ++stop)
    if (is_terminal(*stop)) list.push_back(stop->terminal);
  const auto base = 1 + plan_.topology->terminals();
  const auto [found, added] =
      list_ids_.emplace(std::move(list), static_cast<std::uint32_t>(base + lists_.size()));
  if (added) lists_.push_back(found->first);
  return found->second;
}

WormFollower::Step& WormFollower::step(HeldId held, const Visiting& visiting, std::uint32_t served) {
  const StepKey key{std::uint64_t{held} << 32 | visiting.entry,
                    std::uint64_t{served} << 16 | std::uint64_t{visiting.group} << 8 |
                        (visiting.several ? 2U : 0U) | (visiting.absorbed ? 1U : 0U)};
  const auto known = steps_.find(key);
  if (known != steps_.end()) return known->second;
  std::vector<TerminalId> terminals;
  const auto base = 1 + plan_.topology->terminals();
  if (served >= base)
    terminals = lists_[served - base];
  else if (served > 0)
    terminals.assign(1, TerminalId(served - 1));
  return steps_.emplace(key, make_step(held, visiting, terminals)).first->second;
}

WormFollower::Step WormFollower::make_step(HeldId held, const Visiting& visiting,
                                           const std::vector<TerminalId>& served) {
  Step result;
  const Entry none;
  const Entry& entry = visiting.entry != 0 ? entries_[visiting.entry - 1] : none;
  const bool outputs_first = output_first_ && !entry.empty() && !served.empty();
  auto& edges = result.part.edges;
  const HeldSet before = held != 0 ? held_[held - 1] : HeldSet{{kNoChannel, rule_.no_port()}};
  for (const Held& h : before) {
    HeldSet holds{h};
    if (!served.empty()) {
      Visit visit{visiting.group, h.second, rule_.no_port(), visiting.several};
      if (!entry.empty())
        visit.outgoing = static_cast<std::uint16_t>(
            plan_.topology->links()[index(channels_.link(entry.front().channel))].out);
      const unsigned consumption_class = rule_.class_of(visit);
      if (outputs_first) {
        output_first(result, h, consumption_class, visiting, served);
        continue;
      }
      consume(result, holds, consumption_class, visiting, served);
    }
    for (const auto& [vertex, port] : holds) {
      if (visiting.absorbed) edges.emplace_back(vertex, channels_.retransmission(served.back()));
      for (const First& first : entry) edges.emplace_back(vertex, first.channel);
    }
  }
  if (!outputs_first)
    for (const First& first : entry)
      for (const ChannelId next : first.next) edges.emplace_back(first.channel, next);
  std::erase_if(edges, [](const auto& edge) { return edge.first == kNoChannel; });
  make_set(edges);
  return result;
}

/// The worm takes a channel at each terminal, one after the other. `held`: what it acquired last.
void WormFollower::consume(Step& step, HeldSet& held, unsigned consumption_class, const Visiting& visiting,
                           const std::vector<TerminalId>& served) const {
  const auto& choice = choices_[2 * consumption_class + (visiting.several ? 1 : 0)];
  const std::uint16_t port = held.front().second;
  for (const TerminalId terminal : served) {
    HeldSet after;
    for (const unsigned channel : choice.asked) {
      after.emplace_back(channels_.consumption(terminal, channel), port);
      for (const Held& h : held) step.part.edges.emplace_back(h.first, after.back().first);
    }
    for (const unsigned channel : choice.besides)
      after.emplace_back(channels_.consumption(terminal, channel), port);
    // It may have taken one that it never had to wait for: what it waits for next follows what it held then.
    if (!choice.besides.empty()) after.insert(after.end(), held.begin(), held.end());
    held = std::move(after);
  }
}

void WormFollower::output_first(Step& step, const Held& held, unsigned consumption_class,
                                const Visiting& visiting, const std::vector<TerminalId>& served) const {
  for (const First& first : entries_[visiting.entry - 1]) {
    step.part.edges.emplace_back(held.first, first.channel);
    HeldSet holds{{first.channel, held.second}};
    consume(step, holds, consumption_class, visiting, served);
    for (const auto& [vertex, port] : holds) {
      for (const ChannelId next : first.next) step.part.edges.emplace_back(vertex, next);
      if (first.arrives) step.arrived.emplace_back(vertex, port_into(first.channel));
    }
  }
}

}  // namespace noctule
