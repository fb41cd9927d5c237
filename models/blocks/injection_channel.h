#pragma once
// Injection channel: feeds the flits of a terminal's packets, one packet after the other, into an injection
// buffer, one flit per cycle if that was empty (Gravano et al. 1994, V.C, task Inject). Where nobody can
// tell, the flits of a packet enter at once (kWhole). A terminal may have several channels, which take
// packets from one queue; a channel may have several buffers, of which a worm takes the next one with room.

#include "blocks/input_buffers.h"

namespace noctule {

static_assert(sizeof(NetworkInterface) == 64, "one line");

template <class C>
class InjectionChannel final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  using typename Block<C>::StoredFlit;

  /// Cycle t for the interface in `slot`; the flits are in their buffers from the start of cycle `from` on.
  /// `full`: the router's injection buffers that had no room at the start of t. Returns whether flits remain.
  /// In the midst of a packet nothing is read but the router's own record. `kHas`: RouterState::seldom.
  template <Seldom kHas>
  [[gnu::always_inline]] static bool inject(State& s, std::size_t slot, std::uint64_t full, Cycle t,
                                            Cycle from) {
    FabricContext& c = *s.context;
    NetworkInterface& source = c.interfaces[s.interface()[slot]];
    if constexpr (C::kOpen && kHas == Seldom::kAll)
      if (s.open != nullptr) [[unlikely]] {
        feed_open(s, source, slot, t, from);
        return source.pending();
      }
    if constexpr (C::kDeep)
      if (!s.layout->lone_channel) [[unlikely]]
        return feed_all(s, source, slot, full, t, from);
    auto& sender = s.senders()[slot];
    if (room_for_next<kHas>(s, source, sender, slot, full, t)) {
      if (sender.packet == kNoPacket) {
        begin(s, source, sender, t);
        if constexpr (kWhole<kHas>)
          if (enters_whole(s, sender)) [[likely]]
            return enter_whole(s, source, sender, t, from);
      }
      send<kHas>(s, source, sender, C::kDeep ? sender.input : s.layout->link_inputs + slot, t, from);
    }
    return sender.packet != kNoPacket || source.pending();
  }

  /// Flits in an injection buffer that, one by one, would not be there yet, between two cycles: the youngest.
  [[nodiscard]] static std::size_t flits_ahead(const State& s, std::size_t input) {
    if constexpr (C::kDeep) {
      const auto& layout = *s.layout;
      if (input < layout.link_inputs || !layout.lone_channel) return 0;
      const auto& sender = s.senders()[(input - layout.link_inputs) / layout.entry_vcs];
      // A router that holds flits is awake: it has performed the last cycle.
      if (sender.input == input && sender.busy_until > s.evaluated + 1)
        return static_cast<std::size_t>(sender.busy_until - s.evaluated - 1);
    }
    return 0;
  }

 private:
  /// A packet that has room may enter in one cycle: of a buffer one flit leaves in a cycle, so that no flit
  /// leaves before it would have come. Observers see flits one by one, and where sources discard the state of
  /// the channel is asked for from cycle to cycle.
  template <Seldom kHas>
  static constexpr bool kWhole = kHas == Seldom::kNone&& C::kDeep && !C::kObserved;
  [[gnu::always_inline]] static bool enters_whole(const State& s, const typename State::Sender& sender) {
    return !s.in_full.test(sender.input) && sender.length <= s.layout->input_depth &&
           sender.length <= InputBuffers<C>::kMostAtOnce && s.context->births.empty();
  }
  /// All flits of the packet that the channel begins with. Returns whether others remain.
  [[gnu::always_inline]] static bool enter_whole(State& s, NetworkInterface& source,
                                                 typename State::Sender& sender, Cycle t, Cycle from) {
    InputBuffers<C>::push_whole(s, sender.input, sender.packet, sender.length, from);
    s.context->flits_injected += sender.length;
    sender.packet = kNoPacket;
    sender.busy_until = t + sender.length;
    --source.sending;
    return source.pending();
  }
  /// One flit into every channel of a terminal that is in the midst of a worm, and the next worms of the
  /// queue each into the lowest one with room, or a new one.
  [[gnu::noinline]] static void feed_open(State& s, NetworkInterface& source, std::size_t slot, Cycle t,
                                          Cycle from) {
    auto& at = s.open->terminal(slot);
    const std::size_t entering = at.entering.size();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < entering; ++k) {
      const std::uint32_t n = at.entering[k];
      if (enter(s, source, slot, n, t, from)) at.entering[kept++] = n;
    }
    at.entering.resize(kept);
    while (source.queue_size != 0) {
      const std::uint32_t n = s.open->terminal(slot).take_idle();
      begin(s, source, at.channels[n].sender, t);
      if (enter(s, source, slot, n, t, from)) at.entering.push_back(n);
    }
  }
  /// The next flit of the worm in channel n. True: there are more, and there is room for the next one.
  static bool enter(State& s, NetworkInterface& source, std::size_t slot, std::uint32_t n, Cycle t,
                    Cycle from) {
    auto& at = s.open->terminal(slot);
    auto& sender = at.channels[n].sender;
    const StoredFlit flit = StoredFlit::of(sender.packet, sender.next_flit, sender.length);
    s.open->free_seat(s, at, n);
    const std::size_t seat = at.channels[n].seat;
    if (seat != kNoSlot)
      InputBuffers<C>::template push<Seldom::kAll>(s, seat, flit, from);
    else
      s.open->hold(s, slot, n, flit, from);
    ++s.context->flits_injected;
    if constexpr (C::kObserved)
      Block<C>::report(s, t, FlitEvent::kInject, seat != kNoSlot ? seat : s.layout->plan->injection(slot),
                       kNoSlot, flit);
    if (++sender.next_flit == sender.length) {
      sender.packet = kNoPacket;
      --source.sending;
    }
    at.channels[n].listed = sender.packet != kNoPacket && s.open->has_room(s, at.channels[n]);
    if (sender.packet == kNoPacket) s.open->note_room(s, at, n);
    return at.channels[n].listed && sender.packet != kNoPacket;
  }
  /// Of a terminal with a lone channel: is there a next flit, and room for it in the buffer of its worm, or
  /// in one that a new worm may enter?
  template <Seldom kHas>
  [[gnu::always_inline]] static bool room_for_next(State& s, const NetworkInterface& source,
                                                   typename State::Sender& sender, std::size_t slot,
                                                   std::uint64_t full, Cycle t) {
    const bool idle = sender.packet == kNoPacket;
    if constexpr (kWhole<kHas>)
      if (t < sender.busy_until) return false;
    if constexpr (!C::kDeep) return (full >> slot & 1) == 0 && (!idle || source.pending());
    if (!idle) return (full >> (sender.input - s.layout->link_inputs) & 1) == 0;
    const std::size_t first = s.layout->link_inputs + slot * s.layout->entry_vcs;
    return source.queue_size != 0 && find_room(s, sender, first, full);
  }
  /// One flit into every channel of a terminal that has several, or several worms in one.
  [[gnu::noinline]] static bool feed_all(State& s, NetworkInterface& source, std::size_t slot,
                                         std::uint64_t full, Cycle t, Cycle from) {
    const std::size_t injected = s.layout->injection_entries();
    auto* const senders = &s.senders()[slot * s.layout->entries()];
    for (std::size_t n = 0; n < injected; n += s.layout->channel_entries)
      feed(s, source, senders, slot, n, full, t, from);
    for (std::size_t n = injected; n < s.layout->entries(); ++n)
      if (senders[n].packet != kNoPacket && (full >> (senders[n].input - s.layout->link_inputs) & 1) == 0)
        send<Seldom::kAll>(s, source, senders[n], senders[n].input, t, from);
    for (std::size_t n = 0; n < injected; ++n)
      if (senders[n].packet != kNoPacket) return true;
    return source.pending();
  }
  /// One flit into the channel that consists of entry n and those that share it, in turn.
  static void feed(State& s, NetworkInterface& source, typename State::Sender* senders, std::size_t slot,
                   std::size_t n, std::uint64_t full, Cycle t, Cycle from) {
    const std::size_t shared = s.layout->channel_entries;
    for (std::size_t k = 0; k < shared; ++k) {
      const std::size_t turn =
          senders[n].turn + k < shared ? senders[n].turn + k : senders[n].turn + k - shared;
      auto& sender = senders[n + turn];
      if (sender.packet == kNoPacket) {
        if (source.queue_size == 0 || !find_room(s, sender, s.layout->entry(slot, n + turn), full)) continue;
        begin(s, source, sender, t);
      } else if ((full >> (sender.input - s.layout->link_inputs) & 1) != 0) {
        continue;
      }
      send<Seldom::kAll>(s, source, sender, sender.input, t, from);
      senders[n].turn = static_cast<std::uint16_t>(turn + 1 == shared ? 0 : turn + 1);
      return;
    }
  }
  template <Seldom kHas>
  [[gnu::always_inline]] static void send(State& s, NetworkInterface& source, typename State::Sender& sender,
                                          std::size_t input, Cycle t, Cycle from) {
    const StoredFlit flit = StoredFlit::of(sender.packet, sender.next_flit, sender.length);
    InputBuffers<C>::template push<kHas>(s, input, flit, from);
    ++s.context->flits_injected;
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kInject, input, kNoSlot, flit);
    if (++sender.next_flit == sender.length) {
      sender.packet = kNoPacket;
      --source.sending;
    }
  }
  /// Chooses the injection buffer of a channel's next worm, round robin among those with room. `input`: the
  /// channel's first.
  static bool find_room(State& s, typename State::Sender& sender, std::size_t input, std::uint64_t full) {
    const std::size_t vcs = s.layout->entry_vcs;
    const std::size_t first = input - s.layout->link_inputs;
    if (vcs == 1) {
      sender.input = static_cast<std::uint16_t>(input);
      return (full >> first & 1) == 0;
    }
    for (std::size_t n = 0; n < vcs; ++n) {
      const std::size_t vc = sender.next_vc + n < vcs ? sender.next_vc + n : sender.next_vc + n - vcs;
      if ((full >> (first + vc) & 1) != 0) continue;
      sender.input = static_cast<std::uint16_t>(input + vc);
      sender.next_vc = static_cast<std::uint16_t>(vc + 1 == vcs ? 0 : vc + 1);
      return true;
    }
    return false;
  }
  [[gnu::noinline]] static void begin(State& s, NetworkInterface& source, typename State::Sender& sender,
                                      Cycle t) {
    FabricContext& c = *s.context;
    sender.packet = source.dequeue();
    ++source.sending;
    Packet& packet = c.packets[sender.packet];
    packet.injected = t;
    sender.length = packet.length;
    sender.next_flit = 0;
    if (c.begun != nullptr) [[unlikely]]
      c.begun->push_back(sender.packet);
    if (packet.worm != kNoWorm) {
      Message& message = c.messages[c.worms[packet.worm].message];
      if (message.injected != kNever) return;
      message.injected = t;
    }
    ++c.packets_injected;
    c.injection_cycles += t;
  }
};

}  // namespace noctule
