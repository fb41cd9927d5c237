// A traffic source of one's own: packets in bursts of a fixed number, back to back, the bursts at equal
// distances, so that the mean rate is the one that was asked for.

#include <cstdint>
#include <memory>
#include <optional>

#include "core/error.h"
#include "traffic/source.h"

namespace {

using namespace noctule;

class Bursty final : public TrafficSource {
 public:
  Bursty(const SourceContext& context, std::uint64_t burst) : context_(context), burst_(burst) {
    if (context_.lengths.size() != 1)
      throw ConfigError("traffic.packet_length", "the source 'bursty' sends packets of one length");
    // A burst must be over before the next one starts: length * rate at most 1 flit per cycle.
    if (context_.packet_rate > ~std::uint64_t{0} / context_.lengths.front().first)
      throw ConfigError("traffic.offered_load", "the source 'bursty' can offer at most 1 flit per cycle");
  }

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (context_.packet_rate == 0 || !context_.pattern->injects(source)) return std::nullopt;
    const std::uint64_t length = context_.lengths.front().first;
    GeneratedPacket packet;
    packet.birth = start_of_burst(source, number / burst_) + number % burst_ * length;
    packet.length = context_.lengths.front().first;
    Rng rng{stream_of(source), number};
    packet.destination = context_.pattern->destination(source, rng);
    return packet;
  }

 private:
  /// floor((burst + phase) / rate) * packets per burst, the phase of a terminal being random in [0, 1).
  [[nodiscard]] Cycle start_of_burst(TerminalId source, std::uint64_t burst) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t phase = Rng{stream_of(source)}.next();
    const Wide start = ((static_cast<Wide>(burst) << 64) + phase) / context_.packet_rate * burst_;
    return static_cast<Cycle>(start);
  }
  [[nodiscard]] std::uint64_t stream_of(TerminalId source) const {
    return Rng{Rng{context_.seed, "bursty"}.next(), static_cast<std::uint64_t>(index(source))}.next();
  }

  SourceContext context_;
  std::uint64_t burst_;
};

const Registration<SourceRegistry> kRegistered{
    {{"bursty",
      "packets in bursts, back to back",
      {Parameter::integer("burst", 4, 1, 1000, "packets", "packets in a burst")}},
     [](const SourceContext& context, const Parameters& parameters) {
       return std::make_unique<Bursty>(context, parameters.get<std::uint64_t>("burst"));
     }}};

}  // namespace
