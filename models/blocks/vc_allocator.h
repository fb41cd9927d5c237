#pragma once
// VC allocation: waiting headers are connected to output VCs, a limited number per crossbar and cycle
// (Gravano et al. 1994, V.C, task Connect).

#include <algorithm>
#include <vector>

#include "arbitration/lone_input_first.h"
#include "arbitration/separable_input_first.h"
#include "blocks/blind_headers.h"
#include "blocks/open_injection.h"
#include "blocks/output_buffers.h"
#include "blocks/selection.h"
#include "blocks/service_groups.h"
#include "blocks/stop_claims.h"

namespace noctule {

template <class C>
class VcAllocator final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  /// Outputs that a header may be given now. `kShape`: see Router::step.
  template <Shape kShape = Shape::kAny>
  [[gnu::always_inline]] static M free_outputs(const State& s) {
    const auto& layout = *s.layout;
    M available = ~s.out_busy & (layout.link_mask | layout.consumption_mask);
    if constexpr (is_plain(kShape)) return available;
    if (!C::kDirect && layout.release != VcRelease::kTailCrossed) available &= ~s.out_full;
    if (layout.release == VcRelease::kNextBufferEmpty)
      available &= OutputBuffers<C>::drained(s) | layout.consumption_mask;
    if (layout.busy_when_full) [[unlikely]] {
      if constexpr (C::kDirect)
        available &= OutputBuffers<C>::all_open(s);
      else
        available &= with_room(s, available);
    }
    return available;
  }
  /// Headers that bid for a VC now: some output that they may take is free.
  static M bidding(const State& s) {
    const M available = free_outputs(s);
    M bidders;
    s.in_waiting.each([&](std::size_t i) { bidders.set_if(i, (s.feasible(i) & available).any()); });
    return bidders;
  }
  /// Cycle t for all crossbars of the router. Reads outputs as they were at the start of the cycle. `kShape`:
  /// see Router::step.
  template <Shape kShape = Shape::kAny>
  [[gnu::always_inline]] static void allocate(State& s, Cycle t) {
    const auto& layout = *s.layout;
    M available = free_outputs<kShape>(s);
    if constexpr (is_plain(kShape)) return match_lone_headers<kShape>(s, t, available);
    if constexpr (C::kDeep) {
      if (layout.matched_vcs) return match(s, t, available);
      if (layout.scan == Scan::kFirstCome) return scan_in_order(s, t, available);
      if (layout.scan == Scan::kFarthestFirst) return scan_farthest(s, t, available);
    }
    if (layout.selection == Selection::kBlind) [[unlikely]] {
      if constexpr (kShape == Shape::kFew)
        if (BlindHeaders<C>::template find_all_taken<true>(s, available)) return;
      return scan_blindly<kShape == Shape::kFew>(s, t, available);
    }
    scan_all<false>(s, t, available);
  }
  /// The same, group by group (RouterState::service): no two compete for an output, but for the connections
  /// of a crossbar.
  static void allocate_grouped(State& s, Cycle t) {
    const auto& layout = *s.layout;
    const M available = free_outputs(s);
    if constexpr (C::kDeep)
      if (layout.scan == Scan::kFirstCome && layout.ties != Ties::kPort) settle_groups(s);
    std::vector<unsigned>& left = s.service->connections();
    std::ranges::fill(left, layout.connections);
    ServiceGroups<C>::each(s, t, 1, [&](std::size_t g, unsigned) {
      const typename ServiceGroups<C>::Arbiters arbiters(s, g);
      M mine = available & layout.service[g].outputs;
      if (layout.by_age) return serve_by_age(s, t, mine, left);
      if constexpr (C::kDeep) {
        if (layout.matched_vcs) return match(s, t, mine);
        // With as many connections as there are headers: those of other groups find nothing free.
        if (layout.scan == Scan::kFirstCome) return serve_in_order(s, t, mine);
        if (layout.scan == Scan::kFarthestFirst) return scan_farthest(s, t, mine);
      }
      M headers;
      s.in_waiting.each(
          [&](std::size_t i) { headers.set_if(i, (s.feasible(i) & layout.service[g].outputs).any()); });
      const std::size_t count = layout.crossbars.size();
      const std::size_t turn = s.crossbar_turn;
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t x = turn + n < count ? turn + n : turn + n - count;
        const M waiting = headers & s.in_waiting & layout.crossbars[x].inputs;
        if (waiting.none() || left[x] == 0) continue;
        M here = mine & layout.crossbars[x].outputs;
        const M before = here;
        left[x] = layout.selection == Selection::kBlind ? scan<true>(s, t, x, waiting, here, left[x])
                                                        : scan<false>(s, t, x, waiting, here, left[x]);
        mine &= ~(before & ~here);
      }
    });
  }

 private:
  /// Headers that could take some of `available`, the oldest packet first; `left`: connections that each
  /// crossbar can still make.
  static void serve_by_age(State& s, Cycle t, M available, std::vector<unsigned>& left) {
    const auto& layout = *s.layout;
    M headers;
    s.in_waiting.each([&](std::size_t i) { headers.set_if(i, (s.feasible(i) & available).any()); });
    s.service->oldest_first(s, headers, [&](std::size_t i) {
      for (std::size_t x = 0; x < layout.crossbars.size(); ++x) {
        if (left[x] == 0 || !layout.crossbars[x].inputs.test(i)) continue;
        M here = available & layout.crossbars[x].outputs;
        const M before = here;
        const bool connected = layout.selection == Selection::kBlind ? serve<true>(s, t, x, i, here)
                                                                     : serve<false>(s, t, x, i, here);
        available &= ~(before & ~here);
        if (!connected) continue;
        --left[x];
        return;
      }
    });
  }
  /// `kFew`: it is known that some header may take an available output.
  template <bool kFew>
  [[gnu::noinline]] static void scan_blindly(State& s, Cycle t, M& available) {
    if (kFew || !BlindHeaders<C>::template find_all_taken<false>(s, available))
      scan_all<true>(s, t, available);
  }
  /// Crossbar by crossbar, from one that changes from cycle to cycle.
  template <bool kBlind>
  [[gnu::always_inline]] static void scan_all(State& s, Cycle t, M& available) {
    const auto& layout = *s.layout;
    const std::size_t count = layout.crossbars.size();
    if (count == 1) {
      scan<kBlind>(s, t, 0, s.in_waiting, available, layout.connections);
      return;
    }
    const std::size_t turn = s.crossbar_turn;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t x = turn + n < count ? turn + n : turn + n - count;
      const M waiting = s.in_waiting & layout.crossbars[x].inputs;
      if (waiting.none()) continue;
      M mine = available & layout.crossbars[x].outputs;
      const M before = mine;
      scan<kBlind>(s, t, x, waiting, mine, layout.connections);
      available &= ~(before & ~mine);
    }
  }
  /// Scans `waiting` for headers with a free feasible output; takes what it gives from `available`. `left`:
  /// connections that may be made. Returns what remains of them.
  template <bool kBlind>
  static unsigned scan(State& s, Cycle t, std::size_t x, const M& waiting, M& available, unsigned left) {
    waiting.each_from(
        start_of_scan(s, t, x), [&](std::size_t i) __attribute__((always_inline)) {
          return !serve<kBlind>(s, t, x, i, available) || --left != 0;
        });
    return left;
  }

  /// Gives the header of input i what it needs and what is free of it. True: it is connected.
  template <bool kBlind>
  [[gnu::always_inline]] static bool serve(State& s, Cycle t, std::size_t x, std::size_t i, M& available) {
    M feasible = s.feasible(i) & available;
    if constexpr (C::kMulticast) {
      for (; feasible.any(); feasible = s.feasible(i) & available) {
        const std::size_t o = select(s, x, StopClaims<C>::prefer(s, i, feasible), available);
        available.clear(o);
        if (connect(s, t, x, i, o)) return true;
      }
      return false;
    }
    if constexpr (kBlind)
      if (!s.feasible(i).single()) feasible = s.feasible(i);  // one of one is not drawn
    if (feasible.none()) return false;
    const std::size_t o = kBlind ? draw(s, feasible) : select(s, x, feasible, available);
    if (kBlind && !available.test(o)) return false;
    connect(s, t, x, i, o);
    available.clear(o);
    return true;
  }

  static bool serve_either(State& s, Cycle t, std::size_t x, std::size_t i, M& available) {
    return s.layout->selection == Selection::kBlind ? serve<true>(s, t, x, i, available)
                                                    : serve<false>(s, t, x, i, available);
  }

  /// An allocator circuit matches headers with free output VCs.
  [[gnu::always_inline]] static void match(State& s, Cycle t, const M& available) {
    if constexpr (C::kWords == 1)
      if (s.layout->lone_headers) [[likely]]
        return match_lone_headers(s, t, available);
    match_any(s, t, available);
  }
  template <Shape kShape = Shape::kAny>
  [[gnu::always_inline]] static void match_lone_headers(State& s, Cycle t, const M& available) {
    match_lone([&](std::size_t i) -> std::uint8_t& { return s.vc_turns()[s.layout->outputs + i]; },
               s.vc_turns(), s.in_waiting.words[0],
               [&](std::size_t i) __attribute__((always_inline)) {
                 const M able = s.template feasible<kShape>(i) & available;
                 return is_plain(kShape) || s.layout->preferred.empty()
                            ? able.words[0]
                            : preferred_outputs(*s.layout, able).words[0];
               },
               [&](std::size_t i, std::size_t o)
                   __attribute__((always_inline)) { connect<kShape>(s, t, 0, i, o); });
  }
  [[gnu::noinline]] static void match_any(State& s, Cycle t, const M& available) {
    M asking;
    s.in_waiting.each([&](std::size_t i) {
      s.layout->wants[i] = preferred_outputs(*s.layout, s.feasible(i) & available);
      if (s.layout->wants[i].any()) asking.set(i);
    });
    if (asking.none()) return;
    if (s.layout->input_first_vcs)
      return static_cast<SeparableInputFirst<C::kWords>&>(*s.allocators().vc)
          .match(asking, s.layout->wants.data(),
                 [&](std::size_t i, std::size_t o) { connect(s, t, 0, i, o); });
    for (const auto& grant : s.allocators().vc->allocate(asking, s.layout->wants.data()))
      connect(s, t, 0, grant.requester, grant.resource);
  }
  /// The longest paths first; those of one length from a random input on.
  static void scan_farthest(State& s, Cycle t, M available);
  static std::uint16_t path_length(const State& s, std::size_t i);
  /// First come, first served.
  static void scan_in_order(State& s, Cycle t, M available) {
    if constexpr (C::kOpen)
      if (s.open != nullptr) return scan_open(s, t, available);
    if (s.layout->ties != Ties::kPort) settle(s);
    serve_in_order(s, t, available);
  }
  static void serve_in_order(State& s, Cycle t, M available) {
    unsigned left = s.layout->connections;
    for (std::size_t queue = 0; queue < 2; ++queue) {
      std::uint16_t* const order = &s.order()[queue * s.layout->inputs];
      std::uint16_t kept = 0;
      for (std::uint16_t n = 0; n < s.ordered().entries[queue]; ++n) {
        const std::size_t i = order[n];
        if (left != 0 && serve_either(s, t, 0, i, available))
          --left;
        else
          order[kept++] = static_cast<std::uint16_t>(i);
      }
      s.ordered().entries[queue] = s.ordered().settled[queue] = kept;
    }
  }
  /// Headers that came in this cycle get their place among each other.
  [[gnu::noinline]] static void settle(State& s) {
    for (std::size_t queue = 0; queue < 2; ++queue) {
      std::uint16_t* const order = &s.order()[queue * s.layout->inputs];
      break_ties(s, order + s.ordered().settled[queue], order + s.ordered().entries[queue],
                 port_in(*s.layout));
    }
  }
  /// The same among the headers of each group: the ties of one are broken as if it were alone.
  [[gnu::noinline]] static void settle_groups(State& s) {
    const auto& layout = *s.layout;
    for (std::size_t queue = 0; queue < 2; ++queue) {
      std::uint16_t* const order = &s.order()[queue * layout.inputs];
      std::uint16_t* first = order + s.ordered().settled[queue];
      std::uint16_t* const last = order + s.ordered().entries[queue];
      for (std::size_t g = 0; last - first > 1 && g < layout.service.size(); ++g) {
        std::uint16_t* const end = std::stable_partition(
            first, last, [&](std::uint16_t i) { return (s.feasible(i) & layout.service[g].outputs).any(); });
        const typename ServiceGroups<C>::Arbiters arbiters(s, g);
        break_ties(s, first, end, port_in(layout));
        first = end;
      }
    }
  }
  /// For break_ties().
  static auto port_in(const typename State::Layout& layout) {
    return [&layout](std::uint16_t i) {
      return i < layout.link_inputs
                 ? std::size_t{i}
                 : layout.link_inputs + (i - layout.link_inputs) / std::size_t{layout.plan->injection_vcs};
    };
  }
  /// The same with unlimited injection channels, whose headers wait outside of the masks.
  static void scan_open(State& s, Cycle t, M available);

  static std::size_t start_of_scan(State& s, Cycle t, std::size_t x) {
    switch (s.layout->scan) {
      case Scan::kRoundRobin:
        return s.scan_next()[x];
      case Scan::kRotating:
        return static_cast<std::size_t>(t % s.layout->inputs);
      case Scan::kRandomStart:
        return static_cast<std::size_t>(s.rng.below(s.layout->inputs));
      case Scan::kInjectionFirst:
        return s.layout->link_inputs;
      case Scan::kFixed:
      case Scan::kFirstCome:
      case Scan::kFarthestFirst:
        break;
    }
    return 0;
  }

  /// Selection::kBlind.
  [[gnu::always_inline]] static std::size_t draw(State& s, const M& feasible) {
    return random_of(s.layout->preferred.empty() ? feasible : preferred_outputs(*s.layout, feasible), s.rng);
  }
  static std::size_t select(State& s, std::size_t x, const M& feasible, const M& available) {
    return select_output(*s.layout, feasible, available, s.select_next()[x], s.rng);
  }

  /// The header of input i has output o. True: it needs no other, and is connected.
  template <Shape kShape = Shape::kAny>
  [[gnu::always_inline]] static bool connect(State& s, Cycle t, std::size_t x, std::size_t i, std::size_t o) {
    FabricContext& c = *s.context;
    const auto& layout = *s.layout;
    const Flit header = [&] {
      if constexpr (C::kDeep) return s.in_flit()[(i << layout.template shift<kShape>()) + s.in_vc()[i].head];
      return s.in_flit()[i];
    }();
    Packet& packet = c.packets[header.packet];
    s.out_busy.set(o);
    s.out_vc()[o].input = static_cast<std::uint16_t>(i);
    if (o < layout.link_outputs) {
      if constexpr (C::kDirect) fetch_behind<kShape>(s, o);
      ++packet.hops;
      if (c.paths != nullptr) [[unlikely]]
        c.add_to_path(header.packet, packet.hops == 1, s.outbound_ends[layout.out[o].channel].link);
      if (c.relation_has_state) {
        const RoutingRelation* relation = c.relation;
        if constexpr (C::kMulticast)
          if (packet.worm != kNoWorm) relation = c.worms[packet.worm].relation;
        packet.route_state =
            relation->next_state(s.id, packet.destination_router, packet.route_state, layout.candidates[o]);
      }
    } else {
      if constexpr (C::kDirect) fetch_terminal(s, o);
      s.crossbar_turn = static_cast<std::uint16_t>(x + 1 == layout.crossbars.size() ? 0 : x + 1);
    }
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kGrant, o, i, header);
    if constexpr (C::kMulticast) {
      if (packet.worm != kNoWorm) {
        if (!StopClaims<C>::take(s, i, o, packet)) return false;
        o = s.in_vc()[i].output;
      }
    }
    if (!is_plain(kShape) && !layout.matched_vcs) s.scan_next()[x] = static_cast<std::uint16_t>(i + 1);
    s.in_waiting.clear(i);
    s.in_connected.set(i);
    s.template lead<kShape>(i, o);
    if constexpr (C::kDeep) {
      if (const Cycle stage = layout.pipeline.vc_allocation; stage == 0)
        s.in_active.set(i);
      else
        s.arrivals()[(t + stage) & s.arrivals_mask].allocated.set(i);
    }
    if (!has_room(s, o)) s.in_blocked.set(i);
    ++c.connections;
    packet.has_output(t);
    return true;
  }

  /// The worm's flits are going to be written there; in a large network it is in no cache.
  template <Shape kShape>
  [[gnu::always_inline]] static void fetch_behind(const State& s, std::size_t o) {
    const auto place = s.layout->out[o];
    if (auto* const behind = s.outbound()[place.channel].peer_flit; behind != nullptr)
      __builtin_prefetch(behind + (std::size_t{place.vc} << s.layout->template shift<kShape>()), 1);
  }
  /// The worm's flits are going to leave the router by this consumption output.
  [[gnu::always_inline]] static void fetch_terminal(const State& s, std::size_t o) {
    const std::size_t place = OutputBuffers<C>::place_of(s, o);
    __builtin_prefetch(&s.out_flit()[place * s.layout->output_stride], 1);
    __builtin_prefetch(&s.out_ring()[place], 1);
    __builtin_prefetch(&s.receivers()[place], 1);
  }
  [[gnu::noinline]] static M with_room(const State& s, const M& outputs) {
    M room;
    outputs.each([&](std::size_t o) { room.set_if(o, has_room(s, o)); });
    return room;
  }
  static bool has_room(const State& s, std::size_t o) {
    if constexpr (C::kDirect) return OutputBuffers<C>::open(s, o);
    return OutputBuffers<C>::has_room(s, o);
  }
};

}  // namespace noctule

#include "blocks/farthest_first.h"
#include "blocks/open_headers.h"
