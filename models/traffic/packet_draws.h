#pragma once
// What all sources that draw their packets share: one stream of draws per packet, keyed by (seed, terminal,
// packet number), taken in the order gap, length, destination.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/rng.h"
#include "topology/elsewhere.h"
#include "traffic/geometric.h"
#include "traffic/lengths.h"
#include "traffic/source.h"

namespace noctule {

/// Key under which sources report what is wrong with them.
inline constexpr const char* kSourceKey = "traffic.source";

/// An integer key of a source, for contexts that are made without a file. Throws ConfigError.
inline std::uint64_t source_key_within(const Parameters& keys, const std::string& source,
                                       const std::string& key, std::int64_t least, std::int64_t most) {
  const auto value = keys.get<std::int64_t>(key, least);
  if (value < least || value > most)
    throw ConfigError(kSourceKey, source + ": " + key + " is " + std::to_string(value) + "; allowed are " +
                                      std::to_string(least) + " to " + std::to_string(most));
  return static_cast<std::uint64_t>(value);
}

/// Streams of draws, and births that are gaps apart.
class PacketStreams {
 public:
  explicit PacketStreams(const SourceContext& context) : key_(Rng(context.seed, "traffic").next()) {}

  /// The draws of a packet.
  [[nodiscard]] Rng stream(TerminalId source, std::uint64_t number) const {
    return Rng{stream_key(source), number};
  }
  /// Draws that belong to the terminal itself, such as a phase; no packet's stream has the same key.
  [[nodiscard]] Rng own_stream(TerminalId source) const { return Rng{stream_key(source)}; }

  /// Packet `number` of a source whose packets are gaps apart. A Progress says how many packets were born
  /// (`born`) and the cycles up to and including the last birth (`cycles`; kNever: beyond the end of time);
  /// `start()` gives that of a terminal before its first packet, `advance(progress, rng)` goes on to the next
  /// birth, `packet(birth, rng)` makes the packet of the draws that are left. A packet that is asked for
  /// again is drawn again, with the same draws.
  template <class Progress, class Start, class Advance, class Make>
  [[nodiscard]] std::optional<GeneratedPacket> next_after_gaps(Progress& p, TerminalId source,
                                                               std::uint64_t number, Start&& start,
                                                               Advance&& advance, Make&& packet) const {
    if (p.born == 0 || number < p.born) p = start();
    for (; p.born < number; ++p.born) {
      Rng rng = stream(source, p.born);
      advance(p, rng);
    }
    Progress now = p;
    Rng rng = stream(source, number);
    advance(now, rng);
    if (now.cycles == kNever) return std::nullopt;
    p = now;
    p.born = number + 1;
    return packet(now.cycles - 1, rng);
  }

 private:
  [[nodiscard]] std::uint64_t stream_key(TerminalId source) const {
    return Rng{key_, static_cast<std::uint64_t>(index(source))}.next();
  }

  std::uint64_t key_;
};

/// A birth in every cycle with a fixed probability: PacketStreams' Progress and how it advances.
struct BernoulliProgress {
  std::uint64_t born = 0;
  Cycle cycles = 0;

  void advance(const GeometricGap& gaps, Rng& rng) {
    const std::uint64_t gap = gaps(rng.next());
    cycles = gap < kNever - cycles ? cycles + gap : kNever;
  }
};

/// Packets whose length and destination are those of the configuration's traffic.
class PacketDraws : public PacketStreams {
 public:
  /// Throws InternalError for a context without topology or pattern.
  explicit PacketDraws(const SourceContext& context)
      : PacketStreams(context),
        topology_(context.topology),
        pattern_(context.pattern),
        lengths_(context.lengths),
        multicasts_(context.multicasts) {
    if (context.topology == nullptr || pattern_ == nullptr)
      throw InternalError("a source of drawn packets needs a topology and a pattern");
    if (multicasts_.share > 0) require_enough_terminals();
  }

  [[nodiscard]] bool injects(TerminalId source) const { return pattern_->injects(source); }
  [[nodiscard]] TerminalId destination(TerminalId source, Rng& rng) const {
    return pattern_->destination(source, rng);
  }
  /// The packet born at `birth`; `rng` is its stream with the gap already drawn.
  [[nodiscard, gnu::always_inline]] GeneratedPacket packet(TerminalId source, Cycle birth, Rng& rng) const {
    GeneratedPacket p;
    p.birth = birth;
    p.length = lengths_.draw(rng);
    p.destination = pattern_->destination(source, rng);
    p.preparation = multicasts_.unicast_preparation;
    if (multicasts_.share > 0 && (rng.next() >> 32) < multicasts_.share) draw_destinations(source, p, rng);
    return p;
  }

  /// As PacketStreams, with packets of these draws.
  template <class Progress, class Start, class Advance>
  [[nodiscard]] std::optional<GeneratedPacket> next_after_gaps(Progress& p, TerminalId source,
                                                               std::uint64_t number, Start&& start,
                                                               Advance&& advance) const {
    return PacketStreams::next_after_gaps(p, source, number, start, advance,
                                          [&](Cycle birth, Rng& rng) { return packet(source, birth, rng); });
  }

 private:
  /// As many different terminals of other routers as there are to be, each set with the same probability.
  void draw_destinations(TerminalId source, GeneratedPacket& p, Rng& rng) const {
    const std::size_t count = multicasts_.least + rng.below(multicasts_.most - multicasts_.least + 1);
    std::vector<bool> chosen(topology_->terminals());
    while (p.destinations.size() < count) {
      const TerminalId t{static_cast<std::uint32_t>(rng.below(chosen.size()))};
      if (chosen[index(t)] || !is_elsewhere(*topology_, source, t)) continue;
      chosen[index(t)] = true;
      p.destinations.push_back(t);
    }
    p.destination = p.destinations.front();
    p.preparation = multicasts_.preparation;
  }

  void require_enough_terminals() const {
    std::vector<std::size_t> at(topology_->routers());
    for (std::size_t t = 0; t < topology_->terminals(); ++t)
      ++at[index(topology_->consumption_router(TerminalId{static_cast<std::uint32_t>(t)}))];
    std::size_t others = topology_->terminals();
    for (std::uint32_t t = 0; t < topology_->terminals(); ++t) {
      const RouterId home = topology_->injection_router(TerminalId{t});
      const bool apart = topology_->consumption_router(TerminalId{t}) != home;
      others = std::min(others, topology_->terminals() - at[index(home)] - (apart ? 1 : 0));
    }
    if (multicasts_.most > others)
      throw ConfigError("traffic.multicast.most", "a multicast cannot have " +
                                                      std::to_string(multicasts_.most) +
                                                      " destinations: there are " + std::to_string(others) +
                                                      " terminals at other routers");
  }

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const TrafficPattern> pattern_;
  LengthMixture lengths_;
  SourceContext::Multicasts multicasts_;
};

/// Sources that send nothing but such packets, all of the first message class.
class DrawnSource : public TrafficSource {
 public:
  [[nodiscard]] bool listens() const final { return false; }

 protected:
  explicit DrawnSource(const SourceContext& context) : draws_(context) {
    require_lengths(context.carried, context.lengths);
  }

  PacketDraws draws_;
};

}  // namespace noctule
