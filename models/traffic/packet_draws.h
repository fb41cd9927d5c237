#pragma once
// What all sources that draw their packets share: one stream of draws per packet, keyed by (seed, terminal,
// packet number), taken in the order gap, length, destination.

#include <cstdint>
#include <memory>

#include "core/error.h"
#include "core/rng.h"
#include "traffic/lengths.h"
#include "traffic/source.h"

namespace noctule {

/// Key under which sources report what is wrong with them.
inline constexpr const char* kSourceKey = "traffic.source";

class PacketDraws {
 public:
  /// Throws InternalError for a context without topology or pattern.
  explicit PacketDraws(const SourceContext& context)
      : pattern_(context.pattern), lengths_(context.lengths), key_(Rng(context.seed, "traffic").next()) {
    if (context.topology == nullptr || pattern_ == nullptr)
      throw InternalError("a source of drawn packets needs a topology and a pattern");
  }

  [[nodiscard]] bool injects(TerminalId source) const { return pattern_->injects(source); }
  /// The draws of a packet.
  [[nodiscard]] Rng stream(TerminalId source, std::uint64_t number) const {
    return Rng{stream_key(source), number};
  }
  /// Draws that belong to the terminal itself, such as a phase; no packet's stream has the same key.
  [[nodiscard]] Rng own_stream(TerminalId source) const { return Rng{stream_key(source)}; }
  /// The packet born at `birth`; `rng` is its stream with the gap already drawn.
  [[nodiscard]] GeneratedPacket packet(TerminalId source, Cycle birth, Rng& rng) const {
    GeneratedPacket p;
    p.birth = birth;
    p.length = lengths_.draw(rng);
    p.destination = pattern_->destination(source, rng);
    return p;
  }

 private:
  [[nodiscard]] std::uint64_t stream_key(TerminalId source) const {
    return Rng{key_, static_cast<std::uint64_t>(index(source))}.next();
  }
  std::shared_ptr<const TrafficPattern> pattern_;
  LengthMixture lengths_;
  std::uint64_t key_;
};

}  // namespace noctule
