// Bernoulli source: in every cycle a terminal generates a packet with probability `packet_rate` (Gravano et
// al. 1994, V.B). Births are drawn as geometric gaps, at least one cycle apart; the first may be cycle 0.

#include <vector>

#include "traffic/geometric.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

class Bernoulli final : public TrafficSource {
 public:
  explicit Bernoulli(const SourceContext& context)
      : draws_(context),
        gap_(context.packet_rate == 0 ? 1 : context.packet_rate),
        silent_(context.packet_rate == 0),
        progress_(context.topology->terminals()) {}

  [[nodiscard]] bool listens() const override { return false; }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (silent_ || !draws_.injects(source)) return std::nullopt;
    return draws_.next_after_gaps(
        progress_[index(source)], source, number, [] { return Progress{}; },
        [this](Progress& p, Rng& rng) { advance(p, rng); });
  }

 private:
  /// Packets born and the cycles up to and including the last birth; kNever: beyond the end of time.
  struct Progress {
    std::uint64_t born = 0;
    Cycle cycles = 0;
  };
  void advance(Progress& p, Rng& rng) const {
    const std::uint64_t gap = gap_(rng.next());
    p.cycles = gap < kNever - p.cycles ? p.cycles + gap : kNever;
  }

  PacketDraws draws_;
  GeometricGap gap_;
  bool silent_;
  std::vector<Progress> progress_;
};

const Registration<SourceRegistry> kBernoulliRegistered{
    {{"bernoulli", "a packet in every cycle with a fixed probability", {}},
     [](const SourceContext& context, const Parameters&) { return std::make_unique<Bernoulli>(context); }}};

}  // namespace
}  // namespace noctule
