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
        asked_(2 * terminals * classes),
        due_(places) {}

  /// Does the terminal take this flit in cycle t? Counts it as taken: a yes is used, or lost.
  bool takes(TerminalId terminal, std::uint8_t message_class, bool head, Cycle t) {
    Asked& asked = asked_[2 * (index(terminal) * classes_ + message_class) + (head && apart_ ? 1 : 0)];
    if (asked.at != t) asked = {t, sink_.room(terminal, message_class, head, t)};
    if (asked.room == 0) return false;
    if (asked.room != TerminalSink::kAll) --asked.room;
    return true;
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
  void reset();
  [[nodiscard]] TerminalSink& sink() const { return sink_; }

 private:
  struct Asked {
    Cycle at = kNever;
    unsigned room = 0;
  };
  TerminalSink& sink_;
  TerminalSink::Told told_;
  bool apart_;  ///< headers and other flits have room of their own
  std::size_t classes_;
  std::vector<Asked> asked_;  ///< [(terminal * classes + class) * 2 + head]
  std::vector<TakenFlit> taken_;
  std::vector<std::uint16_t> due_;
};

}  // namespace noctule
