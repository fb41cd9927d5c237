// Bernoulli source: in every cycle a terminal generates a packet with probability `packet_rate` (Gravano et
// al. 1994, V.B). Births are drawn as geometric gaps, at least one cycle apart; the first may be cycle 0.

#include <vector>

#include "traffic/caption.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

class Bernoulli final : public DrawnSource {
 public:
  explicit Bernoulli(const SourceContext& context)
      : DrawnSource(context),
        gap_(context.packet_rate == 0 ? 1 : context.packet_rate),
        silent_(context.packet_rate == 0),
        progress_(context.topology->terminals()) {}

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (silent_ || !draws_.injects(source)) return std::nullopt;
    return draws_.next_after_gaps(
        progress_[index(source)], source, number, [] { return BernoulliProgress{}; },
        [this](BernoulliProgress& p, Rng& rng) { p.advance(gap_, rng); });
  }

 private:
  GeometricGap gap_;
  bool silent_;
  std::vector<BernoulliProgress> progress_;
};

const CaptionOf kBernoulliCaption{{"bernoulli", [](const Parameters&) { return ""; }}};

const Registration<SourceRegistry> kBernoulliRegistered{
    {{"bernoulli", "a packet in every cycle with a fixed probability", {}},
     [](const SourceContext& context, const Parameters&) { return std::make_unique<Bernoulli>(context); }}};

}  // namespace
}  // namespace noctule
