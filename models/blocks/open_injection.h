#pragma once
// Any number of injection channels (node.injection_channels unlimited). They do what numbered ones do: each
// has a buffer of node.input_depth flits, takes one flit per cycle, and the lowest one with room takes the
// next worm of the source queue. But they live outside of the router's record and masks, in memory that
// follows their number. A worm is an input of the router only while it has an output: output o has a seat for
// the worm of this terminal that holds it, input `injection(terminal) + 1 + o` of the plan. What waits is
// seen as input `injection(terminal)`, the waiting input.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "blocks/open_terminal.h"
#include "blocks/outside_buffer.h"
#include "blocks/route_computation.h"
#include "blocks/tie_break.h"
#include "blocks/waiting_lines.h"

namespace noctule {

template <class C>
class OpenInjection {
 public:
  using State = RouterState<C>;
  using M = Mask<C::kWords>;
  using Channel = OpenChannel<C>;
  using Terminal = OpenTerminal<C>;
  using StoredFlit = typename State::StoredFlit;
  static constexpr std::uint64_t kLast = Channel::kLast;

  void reset(const State& s) {
    terminals_.assign(s.layout->plan->injecting, {});
    channel_of_.assign(s.layout->inputs - s.layout->link_inputs, 0);
    link_ticket_.assign(s.layout->link_inputs, 0);
    lines_.clear();
    newcomers_.clear();
    later_.clear();
    next_ticket_ = 0;
  }

  /// Start of cycle t: whose header bids from now on, who has room. Before anything is decided.
  [[gnu::noinline]] void begin_cycle(State& s, Cycle t) {
    refresh(s);
    std::size_t kept = 0;
    for (const Later& header : later_)
      if (header.bids <= t)
        newcomers_.push_back({kRouted, outside(s, header.who), header.who});
      else
        later_[kept++] = header;
    later_.resize(kept);
    if (kept == 0) empty(later_);
    mark(s);
  }
  /// Who has room now. Seats of worms that are through come free.
  [[gnu::noinline]] void refresh(const State& s) {
    for (std::uint32_t slot = 0; slot < terminals_.size(); ++slot) {
      Terminal& at = terminals_[slot];
      for (std::size_t k = at.seated.size(); k-- > 0;) {
        const std::uint32_t n = at.seated[k];
        free_seat(s, at, n);
        note_room(s, at, n);
      }
      for (const std::uint32_t n : at.roomy) {
        if (at.channels[n].sender.packet != kNoPacket)
          at.entering.push_back(n);
        else
          at.add_idle(n);
      }
      at.roomy.clear();
      at.shrink();
    }
  }

  [[nodiscard]] Terminal& terminal(std::size_t slot) { return terminals_[slot]; }
  /// A flit enters channel n, which has no seat; it is there from the start of cycle `from` on.
  void hold(State& s, std::size_t slot, std::uint32_t n, StoredFlit flit, Cycle from) {
    Terminal& at = terminals_[slot];
    at.channels[n].flits.push_back(flit);
    count(s, slot, 1);
    if (flit.head() && at.channels[n].flits.size() == 1)
      come_to_front(s, {static_cast<std::uint32_t>(slot), n}, from,
                    from + s.layout->pipeline.before_vc_allocation());
  }
  [[nodiscard]] static bool has_room(const State& s, const Channel& channel) {
    return held(s, channel) < s.layout->input_depth;
  }
  /// A flit has entered channel n, or left it. Notes that it has room, for the next cycle.
  void note_room(const State& s, Terminal& at, std::uint32_t n) {
    Channel& channel = at.channels[n];
    if (channel.listed || !has_room(s, channel)) return;
    channel.listed = true;
    at.roomy.push_back(n);
  }
  /// Takes the seat from channel n if its worm is through.
  void free_seat(const State& s, Terminal& at, std::uint32_t n) {
    Channel& channel = at.channels[n];
    if (channel.seat == kNoSlot || s.in_connected.test(channel.seat)) return;
    channel.seat = kNoSlot;
    std::erase(at.seated, n);
  }
  /// The tail of a worm has left the seat `input`, where a next one follows: that one has no output yet.
  [[gnu::noinline]] void leave_seat(State& s, std::size_t input, Cycle from, Cycle bids) {
    const auto slot = static_cast<std::uint32_t>(slot_of(s, input));
    Terminal& at = terminals_[slot];
    const std::uint32_t n = channel_of_[input - s.layout->link_inputs];
    Channel& channel = at.channels[n];
    auto& ring = s.in_vc()[input];
    for (std::size_t k = 0; k < s.counts.input(input); ++k)
      channel.flits.push_back(
          s.in_flit()[(input << s.layout->in_shift) + ((ring.head + k) & s.layout->in_mask)]);
    ring.clear();
    s.counts.set_input(input, 0);
    s.in_full.clear(input);
    channel.seat = kNoSlot;
    std::erase(at.seated, n);
    count(s, slot, static_cast<std::ptrdiff_t>(channel.flits.size()));
    note_room(s, at, n);
    come_to_front(s, {slot, n}, from, bids);
  }

  // --- the order of service ---

  /// The header of link input i bids from this cycle on. `arrived`: it came to the front in it.
  [[gnu::noinline]] void join(std::size_t i, bool arrived) {
    newcomers_.push_back({arrived ? kArrived : kRouted, static_cast<std::uint32_t>(i), {kLink, 0}});
  }
  /// All that came in this cycle get their place behind those that came before.
  void settle(State& s, Cycle t) {
    if (newcomers_.empty()) return;
    if (s.layout->ties == Ties::kPort) {
      sort_by_port(s, t);
    } else {
      std::sort(newcomers_.begin(), newcomers_.end(), [](const Newcomer& a, const Newcomer& b) {
        return std::tie(a.group, a.input, a.who.channel) < std::tie(b.group, b.input, b.who.channel);
      });
    }
    const auto later = s.layout->transit_first
                           ? std::stable_partition(newcomers_.begin(), newcomers_.end(),
                                                   [](const Newcomer& n) { return n.who.slot == kLink; })
                           : newcomers_.end();
    if (s.layout->ties != Ties::kPort) {
      const auto port = [&](const Newcomer& n) {
        return n.who.slot == kLink ? std::size_t{n.input} : std::size_t{s.layout->link_inputs} + n.who.slot;
      };
      break_ties(s, newcomers_.begin(), later, port);
      break_ties(s, later, newcomers_.end(), port);
    }
    for (const Newcomer& n : newcomers_) stand_in_line(s, n);
    empty(newcomers_);
  }
  [[nodiscard]] std::uint64_t link_ticket(std::size_t i) const { return link_ticket_[i]; }
  /// The first header outside, before place `before`, that may take one of the outputs. False: there is none.
  bool first(const M& available, std::uint64_t before, Waiting& who) const {
    return lines_.first(available, before, who);
  }
  [[nodiscard]] const M& feasible(Waiting who) const { return at(who).feasible; }
  /// The header, which is the first of its line, has output o: its worm becomes an input. Returns which.
  std::size_t take_seat(State& s, Waiting who, std::size_t o) {
    Terminal& at = terminals_[who.slot];
    Channel& channel = at.channels[who.channel];
    const std::size_t seat = s.layout->plan->injection(who.slot) + 1 + o;
    std::copy(channel.flits.begin(), channel.flits.end(), &s.in_flit()[seat << s.layout->in_shift]);
    const auto flits = static_cast<std::uint16_t>(channel.flits.size());
    s.in_vc()[seat].clear();
    s.in_vc()[seat].tail = static_cast<std::uint16_t>(flits & s.layout->in_mask);
    s.counts.set_input(seat, flits);
    s.in_full.set(seat);
    s.context->packets[Flit(channel.flits.front()).packet].bids_from(channel.since);
    s.set_feasible(seat, channel.feasible);
    lines_.leave(channel.feasible, channel.ticket);
    channel.ticket = kLast;
    channel.seat = static_cast<std::uint16_t>(seat);
    channel.flits.clear();
    channel_of_[seat - s.layout->link_inputs] = who.channel;
    at.seated.push_back(who.channel);
    --at.bidding;
    if (at.bidding == 0) s.in_waiting.clear(waiting_input(s, who.slot));
    count(s, who.slot, -static_cast<std::ptrdiff_t>(flits));
    return seat;
  }

  // --- worms to a terminal of this router, where consumption is unlimited ---

  struct Home {
    std::uint32_t slot;  ///< of its terminal
    std::uint32_t channel;
    StoredFlit flit;  ///< its foremost
  };
  /// f(waiting input, flit) for the foremost flit of every such worm that `admit`, given all of them, leaves:
  /// it is consumed in cycle t.
  template <class Admit, class F>
  void consume_home(State& s, Cycle t, Admit&& admit, F&& f) {
    ready_.clear();
    for (std::uint32_t slot = 0; slot < terminals_.size(); ++slot)
      for (const std::uint32_t n : terminals_[slot].home)
        if (const Channel& channel = terminals_[slot].channels[n];
            !channel.flits.empty() &&
            static_cast<std::int32_t>(static_cast<std::uint32_t>(t) - channel.since) >= 0)
          ready_.push_back({slot, n, channel.flits.front()});
    admit(ready_);
    for (const auto& [slot, n, flit] : ready_) {
      Terminal& at = terminals_[slot];
      Channel& channel = at.channels[n];
      channel.flits.erase(channel.flits.begin());
      count(s, slot, -1);
      f(waiting_input(s, slot), flit);
      note_room(s, at, n);
      if (!flit.tail()) continue;
      std::erase(at.home, n);
      const Pipeline& pipeline = s.layout->pipeline;
      if (!channel.flits.empty())
        come_to_front(s, {slot, n}, t + 1,
                      t + 1 + (pipeline.early_routing ? 0 : pipeline.before_vc_allocation()));
    }
  }
  [[nodiscard]] bool any_home() const {
    return std::any_of(terminals_.begin(), terminals_.end(),
                       [](const Terminal& at) { return !at.home.empty(); });
  }
  /// Such worms, which are connected to their terminal.
  [[nodiscard]] std::size_t at_home() const {
    std::size_t sum = 0;
    for (const Terminal& at : terminals_) sum += at.home.size();
    return sum;
  }

  // --- for observers ---

  /// Is this input the waiting input of a terminal?
  [[nodiscard]] static bool is_waiting_input(const State& s, std::size_t input) {
    return input >= s.layout->link_inputs && input == waiting_input(s, slot_of(s, input));
  }
  /// The buffers without a seat that hold flits, in the order of service; those that do not bid yet come
  /// last.
  void outside(const State& s, std::vector<OutsideBuffer>& buffers) const {
    std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> order;
    for (std::uint32_t slot = 0; slot < terminals_.size(); ++slot)
      for (std::uint32_t n = 0; n < terminals_[slot].channels.size(); ++n)
        if (const Channel& channel = terminals_[slot].channels[n]; !channel.flits.empty())
          order.emplace_back(channel.ticket, slot, n);
    std::sort(order.begin(), order.end());
    buffers.clear();
    for (const auto& [ticket, slot, n] : order) {
      const Channel& channel = terminals_[slot].channels[n];
      OutsideBuffer& buffer = buffers.emplace_back();
      buffer.input = static_cast<std::uint16_t>(waiting_input(s, slot));
      buffer.bids = ticket != kLast;
      buffer.flits.assign(channel.flits.begin(), channel.flits.end());
      channel.feasible.each([&](std::size_t o) { buffer.feasible.push_back(static_cast<std::uint16_t>(o)); });
    }
  }
  /// Bytes that are in use.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = sizeof *this + channel_of_.capacity() * sizeof(std::uint32_t) +
                      link_ticket_.capacity() * sizeof(std::uint64_t) + ready_.capacity() * sizeof(Home) +
                      newcomers_.capacity() * sizeof(Newcomer) + later_.capacity() * sizeof(Later) +
                      lines_.bytes();
    for (const Terminal& at : terminals_) sum += at.bytes();
    return sum;
  }

 private:
  static constexpr std::uint32_t kLink = ~0U;     ///< slot of a link input
  static constexpr std::uint32_t kNumbered = 64;  ///< channels of a terminal that Ties::kPort tells apart
  enum Group : std::uint32_t { kRouted, kArrived, kBorn };

  struct Newcomer {
    Group group;          ///< how it came, for a canonical order
    std::uint32_t input;  ///< link input; number of link inputs + 64 * slot + channel
    Waiting who;          ///< slot kLink: a link input
  };
  struct Later {
    Cycle bids;
    Waiting who;
  };
  static std::size_t slot_of(const State& s, std::size_t input) {
    return (input - s.layout->link_inputs) / s.layout->plan->injection_vcs;
  }
  static std::size_t waiting_input(const State& s, std::size_t slot) {
    return s.layout->plan->injection(slot);
  }
  [[nodiscard]] const Channel& at(Waiting who) const { return terminals_[who.slot].channels[who.channel]; }
  static std::size_t held(const State& s, const Channel& channel) {
    return channel.seat == kNoSlot ? channel.flits.size() : s.counts.input(channel.seat);
  }
  static std::uint32_t outside(const State& s, Waiting who) {
    return s.layout->link_inputs + kNumbered * who.slot + std::min(who.channel, kNumbered - 1);
  }

  /// A list that was long once gives its memory back.
  template <class T>
  static void empty(std::vector<T>& list) {
    list.clear();
    if (list.capacity() > 4 * Terminal::kSpare) list.shrink_to_fit();
  }
  /// So many flits more, or less, wait without a seat.
  void count(State& s, std::size_t slot, std::ptrdiff_t flits) {
    Terminal& at = terminals_[slot];
    at.flits += static_cast<std::size_t>(flits);
    if (at.flits != 0)
      s.in_full.set(waiting_input(s, slot));
    else
      s.in_full.clear(waiting_input(s, slot));
  }
  /// The VC allocator has to look at what waits at these terminals.
  void mark(State& s) const {
    for (const Newcomer& n : newcomers_)
      if (n.who.slot != kLink) s.in_waiting.set(waiting_input(s, n.who.slot));
  }
  /// As InputBuffers::come_to_front, with the route at once: WaitingLines go by it.
  void come_to_front(State& s, Waiting who, Cycle from, Cycle bids) {
    Channel& channel = terminals_[who.slot].channels[who.channel];
    const std::size_t place = waiting_input(s, who.slot);
    compute_route(s, place, channel.flits.front());
    channel.feasible = s.feasible(place);
    channel.since = static_cast<std::uint32_t>(bids);
    if (C::kDirect && s.layout->unlimited_consumption && channel.feasible.none()) {
      channel.since = static_cast<std::uint32_t>(from);
      terminals_[who.slot].home.push_back(who.channel);
    } else if (bids != from || s.evaluated + 1 == from) {
      later_.push_back({bids, who});
    } else {
      newcomers_.push_back({kBorn, outside(s, who), who});
      s.in_waiting.set(place);
    }
  }
  /// In the order in which numbered inputs are looked at, from one that moves every cycle; what is born in
  /// the cycle comes last.
  void sort_by_port(const State& s, Cycle t) {
    const auto start = static_cast<std::uint32_t>(t % s.layout->tie_span);
    const auto key = [start](const Newcomer& n) {
      return std::tuple(n.group, n.group != kBorn && n.input < start, n.input, n.who.channel);
    };
    std::sort(newcomers_.begin(), newcomers_.end(),
              [&](const Newcomer& a, const Newcomer& b) { return key(a) < key(b); });
  }
  void stand_in_line(State& s, const Newcomer& n) {
    const std::uint64_t ticket = next_ticket_++;
    if (n.who.slot == kLink) {
      link_ticket_[n.input] = ticket;
      s.order()[s.ordered().entries[0]++] = static_cast<std::uint16_t>(n.input);
      return;
    }
    Terminal& at = terminals_[n.who.slot];
    Channel& channel = at.channels[n.who.channel];
    channel.ticket = ticket;
    ++at.bidding;
    lines_.add(channel.feasible, n.who, ticket);
  }

  std::vector<Terminal> terminals_;
  std::vector<std::uint32_t> channel_of_;   ///< [seat - first one]
  std::vector<std::uint64_t> link_ticket_;  ///< [link input]
  WaitingLines<M> lines_;
  std::vector<Home> ready_;          ///< of consume_home
  std::vector<Newcomer> newcomers_;  ///< begin to bid in this cycle
  std::vector<Later> later_;         ///< do so in a later one
  std::uint64_t next_ticket_ = 0;
};

}  // namespace noctule
