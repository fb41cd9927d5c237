#pragma once
// Terminals that refuse flits: which consumption outputs and inputs have to hold theirs back in a cycle.

#include <algorithm>
#include <tuple>

#include "blocks/input_buffers.h"
#include "blocks/output_buffers.h"

namespace noctule {

/// Used where FabricContext::refusals is set, and only there.
template <class C>
struct Refusing {
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// Of the consumption outputs that hold flits, or (without output buffers) that one more flit has come to,
  /// those whose foremost flit the terminal takes in cycle t.
  static M admitted(State& s, const M& offered, Cycle t) {
    if constexpr (C::kDirect)
      if (s.layout->to_consumption == 0) return offered;
    // Without output buffers none but consumption outputs are full.
    return (C::kDirect ? offered | s.out_full : offered).any() ? ask(s, offered, t) : M{};
  }

  /// Of worms at home, in the order of their terminals: takes out those whose foremost flit the terminal that
  /// it goes to does not take in cycle t.
  template <class Worms>
  [[gnu::noinline]] static void keep_taken(State& s, Worms& worms, Cycle t) {
    Refusals& refusals = *s.context->refusals;
    constexpr auto kHome = Refusals::At::kHome;
    const auto turn = [&](const auto& worm) {
      const std::size_t share = refusals.share(waiting(s, worm.flit));
      return std::tuple(share, worm.slot < refusals.turn(share, kHome), worm.slot);
    };
    std::ranges::stable_sort(worms, {}, turn);
    std::erase_if(worms, [&](const auto& worm) {
      const Refusals::Waiting flit = waiting(s, worm.flit);
      if (!refusals.takes(flit, t, kHome)) return true;
      refusals.turn(refusals.share(flit), kHome) = static_cast<std::uint16_t>(worm.slot + 1);
      return false;
    });
  }
  /// Without output buffers: inputs of `moves` whose flit would reach a terminal that does not take it, or
  /// the stages before one while they are full.
  static M held(State& s, const M& moves, Cycle t) {
    const M bound = to_terminals(s, moves);
    return bound.any() ? refused(s, bound, t) : M{};
  }

 private:
  [[gnu::noinline]] static M ask(State& s, const M& offered, Cycle t) {
    M taken;
    M waiting = offered;
    if constexpr (C::kDirect) {
      offered.each([&](std::size_t o) { ++due(s, o); });
      waiting = {};
      (s.out_full & s.layout->consumption_mask).each([&](std::size_t o) {
        waiting.set_if(o, due(s, o) != 0);
      });
    }
    const auto flit = [&](std::size_t o) { return waiting_at(s, o, OutputBuffers<C>::front(s, o)); };
    const auto serve = [&](std::size_t o) {
      if (!s.context->refusals->takes(flit(o), t)) return false;
      if constexpr (C::kDirect) --due(s, o);
      taken.set(o);
      return true;
    };
    if (!s.layout->shared_consumption) {
      in_turn(s, waiting, flit, serve);
      return taken;
    }
    // A channel gives one flit in a cycle: of the VC whose turn it is, or of the next one that the terminal
    // takes.
    const auto serve_shared = [&](std::size_t o) {
      if (!serve(o)) return false;
      const M channel = channel_of(s, o);
      waiting &= ~channel;
      channel_turn(s, channel) = static_cast<std::uint16_t>(o + 1);
      return true;
    };
    while (waiting.any()) {
      M offers;
      for (M left = waiting; left.any();) {
        const M channel = channel_of(s, left.lowest());
        offers.set((waiting & channel).next_from(channel_turn(s, channel)));
        left &= ~channel;
      }
      waiting &= ~offers;
      in_turn(s, offers, flit, serve_shared);
    }
    return taken;
  }
  /// The VCs of the consumption channel that output o belongs to.
  static M channel_of(const State& s, std::size_t o) {
    const auto& layout = *s.layout;
    M vcs;
    const M& terminal = layout.consumption_of[(o - layout.link_outputs) / layout.plan->consumption_vcs];
    terminal.each(
        [&](std::size_t other) { vcs.set_if(other, layout.out_port[other] == layout.out_port[o]); });
    return vcs;
  }
  /// The VC of the channel that comes first; kept with its lowest one.
  static std::uint16_t& channel_turn(const State& s, const M& channel) {
    return s.context->refusals->channel_turn(place_of(s, channel.lowest()));
  }
  /// Of the inputs `moves`, those that lead to a terminal, as far as one can tell without reading flits.
  static M to_terminals(const State& s, const M& moves) {
    if (C::kMulticast || s.layout->unlimited_consumption) return moves;
    M inputs;
    (s.out_busy & s.layout->consumption_mask).each([&](std::size_t o) { inputs.set(s.out_vc()[o].input); });
    return inputs & moves;
  }
  [[gnu::noinline]] static M refused(State& s, const M& inputs, Cycle t) {
    M asking;
    inputs.each([&](std::size_t i) {
      asking.set_if(i, s.in_vc()[i].output >= s.layout->link_outputs || tapped(s, i));
    });
    M held = asking;
    const auto leaves = [&](std::size_t i) {
      const bool free = may_leave(s, i, t);
      if (free) held.clear(i);
      return free;
    };
    const auto& layout = *s.layout;
    if (!layout.unlimited_consumption && (layout.consumption_credits || layout.to_consumption != 0)) {
      asking.each(leaves);  // no terminal is asked here
      return held;
    }
    const auto flit = [&](std::size_t i) {
      std::size_t o = s.in_vc()[i].output;
      if constexpr (C::kMulticast)
        if (tapped(s, i)) o = s.taps()[i].lowest();
      const Flit foremost = InputBuffers<C>::front(s, i);
      return o == kNoSlot ? waiting(s, foremost) : waiting_at(s, o, foremost);
    };
    in_turn(s, asking, flit, leaves);
    return held;
  }
  static bool may_leave(State& s, std::size_t i, Cycle t) {
    const Flit foremost = InputBuffers<C>::front(s, i);
    const std::size_t o = s.in_vc()[i].output;
    bool free = true;
    if (o == kNoSlot) {
      free = s.context->refusals->takes(waiting(s, foremost), t);
    } else if (o >= s.layout->link_outputs) {
      free = may_enter(s, o, foremost, t);
    }
    if constexpr (C::kMulticast)
      if (tapped(s, i))
        s.taps()[i].each([&](std::size_t tap) { free = free && may_enter(s, tap, foremost, t); });
    return free;
  }
  /// Calls serve(place) for all places, which says whether the terminal took the flit `flit(place)` there:
  /// those that share what it takes in a cycle by round robin.
  template <class FlitAt, class Serve>
  static void in_turn(State& s, M places, FlitAt&& flit, Serve&& serve) {
    Refusals& refusals = *s.context->refusals;
    while (places.any()) {
      const std::size_t share = refusals.share(flit(places.lowest()));
      M rivals = M::bit(places.lowest());
      places &= ~rivals;
      places.each([&](std::size_t place) { rivals.set_if(place, refusals.share(flit(place)) == share); });
      places &= ~rivals;
      const std::size_t first = refusals.turn(share);
      const auto ask = [&](std::size_t place) {
        if (serve(place)) refusals.turn(share) = static_cast<std::uint16_t>(place + 1);
      };
      (rivals & M::from(first)).each(ask);
      (rivals & ~M::from(first)).each(ask);
    }
  }
  static bool tapped(const State& s, std::size_t i) {
    if constexpr (C::kMulticast) return s.in_tapped.test(i);
    return false;
  }
  static bool may_enter(State& s, std::size_t o, Flit flit, Cycle t) {
    const auto& layout = *s.layout;
    if (layout.consumption_credits) return true;  // they say
    if (layout.to_consumption == 0) return s.context->refusals->takes(waiting_at(s, o, flit), t);
    return OutputBuffers<C>::has_room(s, o);
  }
  /// A flit for the consumption output o.
  static Refusals::Waiting waiting_at(const State& s, std::size_t o, Flit flit) {
    return {TerminalId{s.receivers()[o - s.layout->link_outputs].terminal},
            s.context->packets[flit.packet].message_class, flit.head()};
  }
  /// A flit for the terminal that its packet goes to.
  static Refusals::Waiting waiting(const State& s, Flit flit) {
    const Packet& packet = s.context->packets[flit.packet];
    return {packet.destination, packet.message_class, flit.head()};
  }
  static std::uint16_t& due(State& s, std::size_t o) { return s.context->refusals->due(place_of(s, o)); }
  /// The consumption output o among those of the fabric.
  static std::size_t place_of(const State& s, std::size_t o) {
    const auto& layout = *s.layout;
    const std::size_t n = o - layout.link_outputs;
    const std::size_t vcs = layout.plan->consumption_vcs;
    return s.interface()[layout.consumers() + n / vcs] * std::size_t{s.context->consumption_places} + n % vcs;
  }
};

}  // namespace noctule
