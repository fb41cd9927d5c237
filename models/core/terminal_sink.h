#pragma once
// Who owns the terminals of a fabric: decides, cycle by cycle, which flits they take.

#include <cstdint>
#include <limits>

#include "core/ids.h"

namespace noctule {

/// A flit that a terminal took.
struct TakenFlit {
  TerminalId terminal{};
  TerminalId source{};       ///< of its packet
  std::uint64_t number = 0;  ///< of its packet, at the source
  std::uint8_t message_class = 0;
  bool head = false;
  bool tail = false;
};

/// Answers for all terminals of a fabric. Without one they take every flit that comes.
///
/// The answer is read once in a cycle and counts for the whole of it, as a credit does: what `took` tells of
/// cycle t can change answers from cycle t + 1 on. A flit that is refused stays where it is, with its VC and
/// its place in the buffer, and is offered again in every later cycle. Where consumption is unlimited,
/// terminals without a sink give the credit of a flit already when that is sent; with one, when it has been
/// taken.
class TerminalSink {
 public:
  static constexpr unsigned kAll = ~0U;
  enum class Told : std::uint8_t { kNothing, kHeads, kFlits };

  virtual ~TerminalSink() = default;
  /// Flits of this class that the terminal takes at most in cycle t, over all of its consumption channels;
  /// headers and other flits are asked for apart (but see shared), so that a sink can accept a packet as a
  /// whole. Asked only while such a flit is there.
  virtual unsigned room(TerminalId terminal, std::uint8_t message_class, bool head, Cycle t) = 0;
  /// Headers and other flits share the room of a cycle: it is asked for once, for whichever comes first.
  [[nodiscard]] virtual bool shared() const { return false; }
  /// At the end of cycle t, for each flit that was taken in it (but see told): in the order of terminals, of
  /// one terminal in the order of sources.
  virtual void took(const TakenFlit& flit, Cycle t) {
    (void)flit;
    (void)t;
  }
  /// What `took` is called for: asked once.
  [[nodiscard]] virtual Told told() const { return Told::kFlits; }
  /// Answers change only after something was taken, or by chance that does not go on for ever: while nothing
  /// moves, what is refused stays refused.
  [[nodiscard]] virtual bool settled() const { return false; }
  /// Flits per cycle that a terminal takes at most in the long run, of all classes together.
  [[nodiscard]] virtual double rate() const { return std::numeric_limits<double>::infinity(); }
  /// The same of each class alone.
  [[nodiscard]] virtual double class_rate() const { return rate(); }
  /// The fabric forgets all that was under way.
  virtual void reset() {}
};

}  // namespace noctule
