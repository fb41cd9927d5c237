#pragma once
// The state of one router: one contiguous, cache-aligned record that all its blocks work on. What a cycle
// touches on every visit comes first. Behind it are the arrays, of which there are those that the router
// needs; RouterLayout knows where.
//
// Input space: bit i of a mask is input i of the plan. Output space: bit o is output o.

#include <array>
#include <cstdint>
#include <type_traits>

#include "arbitration/allocator.h"
#include "blocks/fabric_context.h"
#include "blocks/router_layout.h"
#include "core/flit.h"
#include "core/mask_counters.h"
#include "core/pages.h"
#include "core/rng.h"
#include "kernel/calendar.h"
#include "kernel/interfaces.h"

namespace noctule {

/// What a router is made of, as far as it decides which code its blocks are compiled to.
enum class Build : std::uint8_t {
  kUnit,      ///< buffers of one flit at inputs and outputs, no pipeline, one injection channel per terminal
  kDeep,      ///< buffers of any depth at inputs and outputs
  kDirect,    ///< no output buffers: the crossbar feeds the links
  kMulticast  ///< likewise; worms may have several destinations, and classes of consumption channels
};

/// How the blocks of a router are compiled together.
/// Words: 64-bit words per mask: 1, 4 or 16. Observed: events are reported, if there is an observer.
template <int Words, Build Kind, bool Observed>
struct RouterConfig {
  static constexpr int kWords = Words;
  static constexpr bool kDeep = Kind != Build::kUnit;  ///< buffers are rings; delays, slots and allocators
  static constexpr bool kDirect = Kind == Build::kDirect || Kind == Build::kMulticast;
  static constexpr bool kMulticast = Kind == Build::kMulticast;
  static constexpr bool kOpen = kDeep && !kMulticast;  ///< injection channels may be unlimited
  static constexpr bool kObserved = Observed;
};

template <class C>
class OpenInjection;
template <class C>
class ServiceGroups;

/// Deep buffers: lines of it are fetched ahead. Others need less than three, and what follows lies closer.
template <class C>
struct alignas(C::kDeep ? kLine : 8) RouterState {
  using M = Mask<C::kWords>;
  using Layout = RouterLayout<C::kWords>;
  /// As buffers hold it. Observers see whole numbers.
  using StoredFlit = std::conditional_t<C::kObserved, Flit, PackedFlit>;

  struct NoStages {};
  /// `which`: members without a size have each its own type.
  template <int which>
  struct Nothing {};
  template <class T, int which>
  using OfDeep = std::conditional_t<C::kDeep, T, Nothing<which>>;
  template <class T, int which>
  using OfMulticast = std::conditional_t<C::kMulticast, T, Nothing<which>>;
  using Counters = MaskCounters<C::kWords>;
  /// What the router posts to itself.
  struct Stages {
    M routed;                   ///< inputs whose waiting header bids for a VC from then on
    M allocated;                ///< inputs whose connection can be used from then on
    M slots;                    ///< outputs whose fixed slot, or whose link's serialiser, is free again
    M consumed;                 ///< consumption outputs whose foremost flit leaves the router
    Cycle credited = 0;         ///< the cycle of the credits, which may be over in a router that sleeps
    std::uint32_t stalled = 0;  ///< 1 + position of a router whom credits wake (Stall), or 0
  };
  /// What takes effect at the start of one later cycle.
  struct alignas(C::kDeep&& C::kWords == 1 ? 64 : alignof(M)) Arrivals
      : std::conditional_t<C::kDeep, Stages, NoStages> {
    M arrived;  ///< inputs that a flit reaches
    M credits;  ///< outputs that a slot behind becomes free for
  };
  /// A physical link to another router. Where the port is bound to a router of the same kind with as long a
  /// ring of arrivals, the peer's these are known here and the call is made without touching the peer's
  /// objects; else through OutboundEnd::sink. Deep buffers: likewise only where the link is a usual one and
  /// the buffers at both ends are alike.
  struct Outbound {
    Arrivals* peer_arrivals = nullptr;  ///< null: call
    StoredFlit* peer_flit = nullptr;    ///< the peer's buffers of this link; null: call
    std::uint64_t flits = 0;            ///< sent so far
    std::uint32_t peer_position = 0;    ///< in the calendar
    std::uint16_t peer_first = 0;       ///< the peer's first input of this link
    std::uint16_t next = 0;             ///< round robin: first output to consider
  };
  /// What else is known of it, which a flit seldom needs.
  struct OutboundEnd {
    RouterState* peer = nullptr;  ///< where it is of the same kind
    flit_if* sink = nullptr;
    std::uint16_t delay = 1;        ///< cycles from here to the peer
    std::uint16_t slot_cycles = 1;  ///< until the next flit of the VC, or with a serialiser of any VC, may go
    LinkId link{};
  };
  /// Where the credits of an inbound link go: into the arrivals of the peer, null: call. In the bits that an
  /// aligned pointer does not need: by how many cycles they take longer than RouterState::credit_delay; 0
  /// where the router has Seldom::kNone, or output buffers.
  class WayBack {
   public:
    static constexpr std::uintptr_t kMostLater = alignof(Arrivals) - 1;
    explicit WayBack(Arrivals* arrivals, std::uintptr_t later = 0)
        : place_(reinterpret_cast<std::byte*>(arrivals) + later) {}
    [[nodiscard]] bool call() const { return place_ == nullptr; }
    [[nodiscard]] std::uintptr_t later() const {
      return reinterpret_cast<std::uintptr_t>(place_) & kMostLater;
    }
    /// `later`: later(), or 0 where it is known to be.
    [[nodiscard]] Arrivals* arrivals(std::uintptr_t later) const {
      return reinterpret_cast<Arrivals*>(place_ - later);
    }

   private:
    std::byte* place_;
  };
  struct InboundEnd {
    RouterState* peer = nullptr;  ///< where it is of the same kind
    credit_if* sink = nullptr;
    std::uint32_t delay = 1;  ///< cycles from here to the peer
  };
  /// An output buffer of several flits.
  struct Ring {
    std::uint16_t head = 0;   ///< oldest flit
    std::uint16_t count = 0;  ///< flits that it holds; the next one goes behind them
  };
  /// Of an input or an output, or of a bid for a port (PortAllocator).
  using Number = std::conditional_t<C::kWords == 1, std::uint8_t, std::uint16_t>;
  struct UnitInput {
    Number output = 0;  ///< to which it is connected, if it is
    Number behind = 0;  ///< the peer's output that leads here
    void clear() { output = 0; }
  };
  struct alignas(C::kWords == 1 ? 8 : 2) DeepInput {
    std::uint16_t head = 0;  ///< oldest flit in the buffer; counts say how many it holds
    std::uint16_t tail = 0;  ///< next slot to write, behind the flits under way; counts where the writer does
                             ///< not keep its own (OutputVc::tail)
    std::uint16_t output = 0;  ///< to which it is connected, if it is
    Number bid = 0;            ///< for the port of that output
    Number behind = 0;         ///< the peer's output that leads here
    void clear() { head = tail = output = bid = 0; }
  };
  /// An input VC.
  using InputVc = std::conditional_t<C::kDeep, DeepInput, UnitInput>;
  struct UnitOutput {
    std::uint16_t input = kNoSlot;  ///< that is connected to it, or kNoSlot
    /// The worm's tail has gone, if `tail`.
    void end_if(bool tail) { input |= static_cast<std::uint16_t>(-static_cast<int>(tail)); }
    static_assert(kNoSlot == 0xffff);
  };
  struct DeepOutput : UnitOutput {
    std::uint16_t tail = 0;  ///< next slot to write behind a usual link: the sender alone writes there
    std::uint32_t due = PackedFlit().due();  ///< what is to be written there
  };
  using OutputVc = std::conditional_t<C::kDeep, DeepOutput, UnitOutput>;
  /// When flits that leave in one cycle on usual links get there.
  struct Departure {
    std::size_t slot;      ///< of the arrivals
    std::uint64_t* awake;  ///< of the calendar
    void wake(std::uint32_t position) const { awake[position >> 6] |= 1ULL << (position & 63); }
  };
  /// An injection channel: the worm whose flits enter, one per cycle, if they do not at once (busy_until).
  struct Sender {
    PacketHandle packet = kNoPacket;
    std::uint32_t next_flit = 0;
    std::uint32_t length = 0;
    std::uint16_t input = 0;    ///< the injection buffer that it enters
    std::uint16_t next_vc = 0;  ///< first one to consider for the next worm
    std::uint16_t turn = 0;     ///< of the first of a shared channel: who sends next
    /// Where a packet has entered as a whole: the first cycle for another one.
    [[no_unique_address]] OfDeep<Cycle, 21> busy_until{};
  };
  /// A consumption output: the worm whose flits come out.
  struct Receiver {
    PacketHandle packet = kNoPacket;
    std::uint32_t expected = 0;  ///< number of its next flit
    std::uint32_t terminal = 0;
  };

  /// Allocators that are objects; null: the node asks for none, or what it remembers is in the record.
  struct Allocators {
    Allocator<C::kWords>* vc = nullptr;
    Allocator<C::kWords>* ports = nullptr;
    Allocator<C::kWords>* speculative = nullptr;
  };

  /// What is kept with Shape::kFew.
  struct Few {
    LeadTable leads;          ///< in_vc[i].output of all inputs
    M seeking;                ///< waiting headers of whom the following is known
    M sought;                 ///< outputs that some of them may take
    std::uint32_t draws = 0;  ///< random numbers for them, if all those are taken (Selection::kBlind)
  };
  static constexpr bool kFew = C::kDirect && C::kWords == 1 && !C::kMulticast;
  union Memory {
    PortTurns turns{};  ///< of RouterLayout::port_allocator
    Memory() {}
    std::conditional_t<kFew, Few, Nothing<22>> few;
  };

  /// Waiting headers in order, those of links and those of terminals (RouterLayout::transit_first), or all.
  struct Ordered {
    std::array<std::uint16_t, 2> entries{};  ///< of each list
    std::array<std::uint16_t, 2> settled{};  ///< of which have their place: the others came in this cycle
  };
  /// The arrays that every flit touches, so that they are found as fast as can be.
  struct Bases {
    InputVc* in_vc = nullptr;
    StoredFlit* in_flit = nullptr;
    OutputVc* out_vc = nullptr;
    Outbound* outbound = nullptr;
    [[no_unique_address]] std::conditional_t<C::kDeep, Nothing<1>, StoredFlit*> out_flit{};
  };

  /// Multicast: what the header at the front of an input acquires here, one thing after the other.
  struct Claim {
    std::uint64_t own = 0;      ///< channels of each of the terminals, as bits: its own class's,
    std::uint64_t allowed = 0;  ///< and all that it may take
    std::uint32_t worm = kNoWorm;
    std::uint32_t at = 0;   ///< next stop here that it takes a consumption channel for
    std::uint32_t end = 0;  ///< behind the last stop here
    bool onward = false;    ///< it goes on from here
    bool linked = false;    ///< and has the output VC for that
    bool absorbed = false;  ///< it goes on later: the consumption channel keeps it until then
  };

  [[nodiscard]] Seldom seldom() const { return context->trains ? Seldom::kAll : layout->seldom(); }

  /// Input i is connected to output o.
  template <Shape kShape = Shape::kAny>
  void lead(std::size_t i, std::size_t o) {
    auto& in = in_vc()[i];
    in.output = static_cast<decltype(in.output)>(o);
    if constexpr (C::kDeep) in.bid = static_cast<Number>(layout->field_of_output[o] + layout->in_port[i]);
    if constexpr (kFew && !is_plain(kShape))
      if (layout->shape == Shape::kFew) [[unlikely]] {
        memory.few.leads.lead(i, o);
        memory.few.seeking = {};
      }
  }

  // Every visit touches these: a line of masks, and with deep buffers one of counters.
  M in_full;       ///< holds a flit
  M in_waiting;    ///< its foremost flit is a header without an output
  M in_connected;  ///< is connected to in_vc[i].output
  /// Connected, and past the stage of VC allocation.
  [[no_unique_address]] OfDeep<M, 20> in_active;
  M in_blocked;  ///< connected, but the output buffer, or the one behind the link, has no room
  M out_full;    ///< output buffer holds a flit
  M out_busy;    ///< allocated to a worm that has not crossed completely
  M out_credit;  ///< the input buffer behind has room
  /// Visible flits in each input buffer, and free slots behind each output.
  [[no_unique_address]] OfDeep<Counters, 7> counts;
  Cycle evaluated = kNever;   ///< the cycle performed last
  std::uint64_t pending = 0;  ///< interfaces, by slot, with flits to inject
  FabricContext* context = nullptr;
  const Layout* layout = nullptr;
  std::uint32_t arrivals_mask = 0;
  std::uint16_t credit_delay = 1;  ///< the least InboundEnd::delay of the inbound links, and mostly of all
  bool slotted = false;            ///< flits occupy some link for more than a cycle: fixed slots, serialisers
  bool awaits_credits = false;     ///< does not sleep before all its credits are home (deep buffers; those of
                                   ///< one flit never do: it costs more than it saves)
  std::uint32_t position = 0;      ///< in the calendar
  RouterId id{};
  // Those touch these in which a flit moves.
  Bases bases;
  [[no_unique_address]] OfDeep<Memory, 2> memory;
  // Some visits do.
  Rng rng;
  std::uint16_t crossbar_turn =
      0;                          ///< crossbar that scans first: after the last to take a consumption channel
  std::uint16_t tie_next = 0;     ///< Ties::kRotating: port that comes first in the next tie
  std::uint16_t slot_cycles = 0;  ///< OutboundEnd::slot_cycles of all links with fixed slots; 0: they differ
  std::uint16_t idle_draws = 0;   ///< random numbers that each cycle draws of those that it sleeps (Stall)
  OutboundEnd* outbound_ends = nullptr;  ///< [outbound channel]; behind them are those of inbound_ends
  ServiceGroups<C>* service = nullptr;   ///< null: arbiters know no message classes
  // Deep buffers only:
  /// Outputs whose fixed slot, or whose link's serialiser, is free.
  [[no_unique_address]] OfDeep<M, 3> out_slot;
  [[no_unique_address]] OfDeep<OpenInjection<C>*, 4> open{};  ///< null: injection channels have numbers
  /// Inputs whose foremost flit came from the terminal in the cycle performed last.
  [[no_unique_address]] OfDeep<M, 5> in_pushed;
  /// Trains: credits that came before this cycle was performed here.
  [[no_unique_address]] OfDeep<M, 6> credit_now;
  // Multicast only:
  /// Inputs whose worm is consumed here and goes on: their `taps` are not empty.
  [[no_unique_address]] OfMulticast<M, 16> in_tapped;
  /// Shared consumption channels: input that is served first.
  [[no_unique_address]] OfMulticast<std::uint16_t, 19> together_next{};

  // The arrays behind it. To find one by its place takes two instructions more than by a pointer, and no
  // space: a pointer to each would be a twelfth of the record.
  [[gnu::always_inline]] Arrivals* arrivals() const { return at<Arrivals>(RecordPlace{sizeof(RouterState)}); }
  [[gnu::always_inline]] InputVc* in_vc() const { return bases.in_vc; }
  [[gnu::always_inline]] StoredFlit* in_flit() const { return bases.in_flit; }
  [[gnu::always_inline]] OutputVc* out_vc() const { return bases.out_vc; }
  [[gnu::always_inline]] Outbound* outbound() const { return bases.outbound; }
  [[gnu::always_inline]] StoredFlit* out_flit() const {
    if constexpr (C::kDeep)
      return at<StoredFlit>(layout->places.out_flit);
    else
      return bases.out_flit;
  }
  [[gnu::always_inline]] Receiver* receivers() const { return at<Receiver>(layout->places.receivers); }
  [[gnu::always_inline]] Sender* senders() const { return at<Sender>(layout->places.senders); }
  [[gnu::always_inline]] std::uint32_t* interface() const {
    return at<std::uint32_t>(layout->places.interface);
  }
  [[gnu::always_inline]] std::uint16_t* scan_next() const {
    return at<std::uint16_t>(layout->places.scan_next);
  }
  [[gnu::always_inline]] std::uint16_t* select_next() const {
    return at<std::uint16_t>(layout->places.select_next);
  }
  [[gnu::always_inline]] WayBack* ways_back() const { return at<WayBack>(layout->places.ways_back); }
  [[gnu::always_inline]] std::uint8_t* vc_turns() const { return at<std::uint8_t>(layout->places.vc_turns); }
  [[gnu::always_inline]] Ring* out_ring() const { return at<Ring>(layout->places.out_ring); }
  [[gnu::always_inline]] Ordered& ordered() const { return *at<Ordered>(layout->places.ordered); }
  [[gnu::always_inline]] std::uint16_t* order() const { return at<std::uint16_t>(layout->places.order); }
  [[gnu::always_inline]] Allocators& allocators() const { return *at<Allocators>(layout->places.allocators); }
  [[gnu::always_inline]] M* taps() const { return at<M>(layout->places.taps); }
  [[gnu::always_inline]] Claim* claims() const { return at<Claim>(layout->places.claims); }
  /// Outputs that the header at the front of input i may take.
  template <Shape kShape = Shape::kAny>
  [[gnu::always_inline]] M feasible(std::size_t i) const {
    if constexpr (C::kWords == 1)
      if (is_plain(kShape) || layout->half_words()) [[likely]]
        return {{at<std::uint32_t>(layout->places.feasible)[i]}};
    return at<M>(layout->places.feasible)[i];
  }
  [[gnu::always_inline]] void set_feasible(std::size_t i, const M& outputs) {
    if constexpr (C::kWords == 1)
      if (layout->half_words()) [[likely]] {
        at<std::uint32_t>(layout->places.feasible)[i] = static_cast<std::uint32_t>(outputs.words[0]);
        return;
      }
    at<M>(layout->places.feasible)[i] = outputs;
  }
  /// [inbound channel]
  [[nodiscard]] InboundEnd* inbound_ends() const {
    return reinterpret_cast<InboundEnd*>(outbound_ends + layout->plan->outbound.size());
  }

  template <class T>
  [[gnu::always_inline]] T* at(RecordPlace place) const {
    // Arrays of many types lie behind the state. NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(this) + static_cast<std::uint32_t>(place));
  }
};

}  // namespace noctule
