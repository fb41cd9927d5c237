#pragma once
// Service groups: message classes that are served before others, or that share links by weights. Each group
// has arbiters and allocators of its own, so that what one group is given moves none of another's. Within a
// group packets are served by age where the node says so; then one group is enough for there to be some.
// Groups share no VC, injection channel or consumption channel (RouterPlan::service): they compete for links,
// for the ports of a switch, and for the connections that a crossbar can make in a cycle.
//
// Where groups compete, the highest priority goes first. At a link, groups of one priority take turns, flit
// by flit; each may send as many flits per round as its weight. A round ends when no group of the priority
// with a flit that could leave has any left (weighted round robin: Katevenis, Sidiropoulos and Courcoubetis
// 1991). So a flit that could leave sees at most the sum of the other weights, and one of each other group
// but one, go before its group is served.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "blocks/age_order.h"
#include "blocks/router_state.h"

namespace noctule {

template <class C>
class ServiceGroups {
  struct Own;

 public:
  using State = RouterState<C>;
  using Layout = typename State::Layout;
  using M = Mask<C::kWords>;

  /// Random choices of group g are drawn from the stream (seed, "NAME.g"), the first group's from (seed,
  /// NAME).
  ServiceGroups(const Layout& layout, std::uint64_t seed, const std::string& name)
      : own_(layout.service.size()), inputs_(layout.service.size()) {
    const std::size_t links = layout.channel_mask.size();
    asking_.resize(links);
    chosen_.resize(links);
    connections_.resize(layout.crossbars.size());
    left_.resize(links * own_.size());
    turn_.resize(links * own_.size());
    for (std::size_t g = 0; g < own_.size(); ++g) {
      own_[g].next.resize(links);
      own_[g].scans.resize(2 * layout.crossbars.size());
      own_[g].rng = Rng(seed, g == 0 ? name : name + "." + std::to_string(g));
    }
    reset(layout);
  }
  /// The allocators of `s` are those of group g from now on.
  void give(const State& s, std::size_t g) {
    if (s.layout->has_allocators()) own_[g].allocators = s.allocators();
  }
  void reset(const Layout& layout) {
    for (Own& own : own_) {
      std::ranges::fill(own.next, std::uint16_t{0});
      std::ranges::fill(own.scans, std::uint16_t{0});
      own.crossbar_turn = 0;
      own.tie_next = 0;
      own.turns = {};
      for (auto* allocator : {own.allocators.vc, own.allocators.ports})
        if (allocator != nullptr) allocator->reset();
    }
    for (std::size_t n = 0; n < left_.size(); ++n) left_[n] = layout.service[n % own_.size()].weight;
    std::ranges::fill(turn_, std::uint8_t{0});
  }

  /// While it lives, the router's arbiters and allocators, but for those of links, are those of group g.
  class Arbiters {
   public:
    Arbiters(State& s, std::size_t g) : s_(s), own_(s.service->own_[g]) { exchange(); }
    ~Arbiters() { exchange(); }
    Arbiters(const Arbiters&) = delete;
    Arbiters& operator=(const Arbiters&) = delete;

   private:
    void exchange() {
      const auto crossbars = static_cast<std::ptrdiff_t>(own_.scans.size() / 2);
      std::swap_ranges(own_.scans.begin(), own_.scans.begin() + crossbars, s_.scan_next());
      std::swap_ranges(own_.scans.begin() + crossbars, own_.scans.end(), s_.select_next());
      std::swap(s_.crossbar_turn, own_.crossbar_turn);
      std::swap(s_.tie_next, own_.tie_next);
      std::swap(s_.rng, own_.rng);
      if constexpr (C::kDeep) {
        std::swap(s_.memory.turns, own_.turns);
        if (s_.layout->has_allocators()) std::swap(s_.allocators(), own_.allocators);
      }
    }
    State& s_;
    Own& own_;
  };

  /// Calls f(group, round) for each round and each group, priority by priority; in a round the groups of one
  /// priority from one on that changes with t.
  template <class F>
  static void each(const State& s, Cycle t, unsigned rounds, F&& f) {
    const auto& groups = s.layout->service;
    for (std::size_t first = 0; first < groups.size();) {
      const auto peers = static_cast<std::size_t>(std::popcount(groups[first].peers));
      for (unsigned round = 0; round < rounds; ++round)
        for (std::size_t n = 0; n < peers; ++n) f(first + (t + n) % peers, round);
      first += peers;
    }
  }

  /// Whose flit goes on an outbound link, of the outputs `asking`: the group's turn, then round robin.
  std::size_t next(const State& s, std::size_t link, const M& asking) {
    const auto& groups = s.layout->service;
    std::uint32_t who = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      who |= static_cast<std::uint32_t>((asking & groups[g].outputs).any()) << g;
    const std::size_t g = choose(s, link, who);
    served(s, link, g);
    if (s.layout->by_age) return AgeOrder<C>::oldest_output(s, asking & groups[g].outputs);
    const std::size_t o = (asking & groups[g].outputs).next_from(own_[g].next[link]);
    own_[g].next[link] = static_cast<std::uint16_t>(o + 1);
    return o;
  }

  /// Of connected inputs with a flit to send, those of the group whose turn it is at the link that they ask
  /// for. Consumption channels belong to one group each.
  M first_choice(const State& s, const M& moves) {
    const auto& layout = *s.layout;
    std::ranges::fill(asking_, 0U);
    std::ranges::fill(inputs_, M{});
    moves.each([&](std::size_t i) {
      const std::size_t o = s.in_vc()[i].output;
      const std::size_t g = layout.served_by[o];
      inputs_[g].set(i);
      if (o < layout.link_outputs) asking_[layout.out[o].channel] |= 1U << g;
    });
    for (std::size_t link = 0; link < asking_.size(); ++link)
      if (asking_[link] != 0) chosen_[link] = static_cast<std::uint8_t>(choose(s, link, asking_[link]));
    M first;
    moves.each([&](std::size_t i) {
      const std::size_t o = s.in_vc()[i].output;
      first.set_if(i, o >= layout.link_outputs || chosen_[layout.out[o].channel] == layout.served_by[o]);
    });
    return first;
  }
  /// Of the inputs of the last first_choice, those of group g.
  [[nodiscard]] const M& inputs(std::size_t g) const { return inputs_[g]; }

  /// Calls f(input) for each of `inputs`, the oldest packet first (RouterLayout::by_age).
  template <class F>
  void oldest_first(const State& s, const M& inputs, F&& f) {
    ages_.each_input(s, inputs, f);
  }

  /// [crossbar], scratch: connections that it can still make in this cycle.
  [[nodiscard]] std::vector<unsigned>& connections() { return connections_; }

  /// A flit of group g goes on the link.
  void served(const State& s, std::size_t link, std::size_t g) {
    const auto& group = s.layout->service[g];
    if (std::has_single_bit(group.peers)) return;
    auto& left = left_[link * own_.size() + g];
    left = std::max(left - 1, -group.weight);
    turn(link, group.peers) = static_cast<std::uint8_t>(g + 1);
  }

 private:
  friend class Arbiters;
  /// Of a group; while it is served, those of another (Arbiters).
  struct Own {
    std::vector<std::uint16_t> next;   ///< [outbound channel]: RouterState::Outbound::next
    std::vector<std::uint16_t> scans;  ///< RouterState::scan_next, then select_next
    std::uint16_t crossbar_turn = 0;
    std::uint16_t tie_next = 0;
    PortTurns turns;
    Rng rng;
    typename RouterState<C>::Allocators allocators;
  };

  std::uint8_t& turn(std::size_t link, std::uint32_t peers) {
    return turn_[link * own_.size() + static_cast<std::size_t>(std::countr_zero(peers))];
  }
  /// Whose turn it is at a link, of the groups `asking`, as bits. Begins a round where that is due.
  std::size_t choose(const State& s, std::size_t link, std::uint32_t asking) {
    const auto& groups = s.layout->service;
    const auto best = static_cast<std::size_t>(std::countr_zero(asking));
    const std::uint32_t peers = groups[best].peers;
    asking &= peers;
    if (std::has_single_bit(peers)) return best;
    std::int32_t* const left = &left_[link * own_.size()];
    std::uint32_t ready = 0;
    for (;;) {
      for (std::uint32_t rest = asking; rest != 0; rest &= rest - 1)
        if (left[std::countr_zero(rest)] > 0) ready |= rest & -rest;
      if (ready != 0) break;
      for (std::uint32_t rest = peers; rest != 0; rest &= rest - 1) {
        const int g = std::countr_zero(rest);
        const std::int32_t weight = groups[static_cast<std::size_t>(g)].weight;
        left[g] = std::min(left[g] + weight, weight);
      }
    }
    const std::uint32_t ahead = ready & ~0U << turn(link, peers);
    return static_cast<std::size_t>(std::countr_zero(ahead != 0 ? ahead : ready));
  }

  std::vector<Own> own_;               ///< [group]
  std::vector<std::int32_t> left_;     ///< [outbound channel * groups + group]: flits in this round
  std::vector<std::uint8_t> turn_;     ///< [outbound channel * groups + first of the level]: who comes next
  std::vector<M> inputs_;              ///< [group], scratch
  std::vector<std::uint32_t> asking_;  ///< [outbound channel], scratch
  std::vector<unsigned> connections_;  ///< [crossbar], scratch
  std::vector<std::uint8_t> chosen_;   ///< [outbound channel], scratch
  AgeOrder<C> ages_;
};

}  // namespace noctule
