// Periodic source: a packet every 1 / packet_rate cycles, each terminal with a random phase of its own.
// Births are the cycles in which multiples of the exact period fall, so the rate holds without drift.

#include "traffic/caption.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

class Periodic final : public DrawnSource {
 public:
  explicit Periodic(const SourceContext& context) : DrawnSource(context), rate_(context.packet_rate) {}

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (rate_ == 0 || !draws_.injects(source)) return std::nullopt;
    // Birth = floor((number + phase) / p), phase uniform in [0, 1) and p = rate / 2^64.
    __extension__ using Wide = unsigned __int128;
    const Wide birth = ((static_cast<Wide>(number) << 64) + draws_.own_stream(source).next()) / rate_;
    if (birth >= kNever) return std::nullopt;
    Rng rng = draws_.stream(source, number);
    return draws_.packet(source, static_cast<Cycle>(birth), rng);
  }

 private:
  std::uint64_t rate_;
};

const CaptionOf kPeriodicCaption{{"periodic", [](const Parameters&) { return "at equal distances"; }}};

const Registration<SourceRegistry> kPeriodicRegistered{
    {{"periodic", "packets at equal distances, a random phase per terminal", {}},
     [](const SourceContext& context, const Parameters&) { return std::make_unique<Periodic>(context); }}};

}  // namespace
}  // namespace noctule
