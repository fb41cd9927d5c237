// Static workload: every terminal that injects has all its messages at cycle 0; the run ends when the network
// has drained. The offered load has no meaning here.

#include <fmt/format.h>

#include <limits>

#include "core/json.h"
#include "core/key_effect.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr std::int64_t kMostMessages = std::numeric_limits<std::uint32_t>::max();

class Static final : public TrafficSource {
 public:
  Static(const SourceContext& context, std::uint64_t messages) : draws_(context), messages_(messages) {}

  [[nodiscard]] bool listens() const override { return false; }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (number >= messages_ || !draws_.injects(source)) return std::nullopt;
    Rng rng = draws_.stream(source, number);
    return draws_.packet(source, 0, rng);
  }
  [[nodiscard]] bool finite() const override { return true; }

 private:
  PacketDraws draws_;
  std::uint64_t messages_;
};

const EffectOf kLoad{
    {{"traffic.offered_load", "traffic.load_unit"},
     "",
     "packets are generated over time: with traffic.source static all are there at cycle 0",
     [](const Json& resolved) { return resolved.at("traffic").at("source").at("kind") != "static"; }}};

const Registration<SourceRegistry> kStaticRegistered{
    {{"static",
      "every terminal has its messages at cycle 0; time to drain",
      {Parameter::integer("messages", 1, 1, kMostMessages, "packets", "messages of each terminal")}},
     [](const SourceContext& context, const Parameters& keys) {
       const auto messages = keys.get<std::int64_t>("messages");
       if (messages < 1 || messages > kMostMessages)
         throw ConfigError(
             kSourceKey, fmt::format("static: messages is {}; allowed are 1 to {}", messages, kMostMessages));
       return std::make_unique<Static>(context, static_cast<std::uint64_t>(messages));
     }}};

}  // namespace
}  // namespace noctule
