#pragma once
// What the terminals of a fabric take in a cycle, and what they took: asks their sink at most once.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/flit.h"
#include "core/terminal_sink.h"

namespace noctule {

class Refusals {
 public:
  /// `classes`: message classes; `places`: consumption outputs of all terminals together.
  Refusals(TerminalSink& sink, std::size_t terminals, std::size_t classes, std::size_t places)
      : sink_(sink),
        told_(sink.told()),
        apart_(!sink.shared()),
        classes_(classes),
        shares_(2 * terminals * classes),
        due_(places),
        channel_turns_(places) {}

  /// A flit that waits for its terminal.
  struct Waiting {
    TerminalId terminal;
    std::uint8_t message_class;
    bool head;
  };
  /// Flits of one share share what the terminal takes in a cycle: those of a message class; headers apart
  /// from others, where the sink tells them apart.
  [[nodiscard]] std::size_t share(Waiting flit) const {
    return 2 * (index(flit.terminal) * classes_ + flit.message_class) + (flit.head && apart_ ? 1 : 0);
  }
  /// Where it waits: in the router, or outside, in a worm that never leaves its own router
  /// (OpenInjection::consume_home).
  enum class At : std::uint8_t { kRouter, kHome };
  /// Does the terminal take this flit in cycle t? Counts it as taken: a yes is used, or lost. Those at home
  /// ask last, in every cycle; the last place is theirs after one was taken from the router.
  bool takes(Waiting flit, Cycle t, At at = At::kRouter) {
    Share& share = shares_[this->share(flit)];
    if (share.asked != t) {
      share.asked = t;
      share.room = sink_.room(flit.terminal, flit.message_class, flit.head, t);
    }
    if (at == At::kHome) return takes_home(share);
    if (share.room <= (share.home_waits && !share.home_was_last ? 1U : 0U)) return false;
    if (share.room != TerminalSink::kAll) --share.room;
    share.home_was_last = false;
    return true;
  }
  /// The place (an input or output of the router; at home, a terminal of it) from which on flits of a share
  /// are asked for: the one behind that of the last that was taken.
  [[nodiscard]] std::uint16_t& turn(std::size_t share, At at = At::kRouter) {
    return at == At::kHome ? shares_[share].home_turn : shares_[share].turn;
  }
  /// Is the sink to be told of it?
  [[nodiscard]] bool tells(Flit flit) const {
    return told_ == TerminalSink::Told::kFlits || (told_ == TerminalSink::Told::kHeads && flit.head());
  }
  /// A flit of which it is.
  void took(TerminalId terminal, Flit flit, const Packet& packet) {
    taken_.push_back(
        {terminal, packet.source, packet.number, packet.message_class, flit.head(), flit.tail()});
  }
  /// Tells the sink of cycle t.
  void tell(Cycle t);
  /// Flits that have come through the stages behind the switch and wait for the terminal, by consumption
  /// output of the fabric.
  [[nodiscard]] std::uint16_t& due(std::size_t place) { return due_[place]; }
  /// Several VCs of a consumption channel: the output of the router that comes first, by the channel's first
  /// output.
  [[nodiscard]] std::uint16_t& channel_turn(std::size_t place) { return channel_turns_[place]; }
  void reset();
  [[nodiscard]] TerminalSink& sink() const { return sink_; }

 private:
  struct Share {
    Cycle asked = kNever;
    unsigned room = 0;
    std::uint16_t turn = 0;
    std::uint16_t home_turn = 0;
    bool home_waits = false;     ///< a flit there was refused
    bool home_was_last = false;  ///< to be taken from
  };
  static bool takes_home(Share& share);
  TerminalSink& sink_;
  TerminalSink::Told told_;
  bool apart_;  ///< headers and other flits have room of their own
  std::size_t classes_;
  std::vector<Share> shares_;
  std::vector<TakenFlit> taken_;
  std::vector<std::uint16_t> due_;
  std::vector<std::uint16_t> channel_turns_;
};

}  // namespace noctule
