// Static workload: every terminal that injects has all its messages at cycle 0, or after an initial delay;
// the run ends when the network has drained. The offered load has no meaning here.

#include <fmt/format.h>

#include "core/json.h"
#include "core/key_effect.h"
#include "traffic/caption.h"
#include "traffic/holds_memory.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr auto kMostMessages = static_cast<std::int64_t>(kMostPacketsAtOnce);
constexpr std::int64_t kMostDelays = 1'000'000'000;

class Static final : public DrawnSource, public HoldsMemory {
 public:
  Static(const SourceContext& context, std::uint64_t messages, std::uint64_t delays, Cycle step)
      : DrawnSource(context), messages_(messages), delays_(delays), step_(step) {
    for (std::uint32_t t = 0; t < context.topology->terminals(); ++t)
      if (draws_.injects(TerminalId{t})) ++injecting_;
  }

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (number >= messages_ || !draws_.injects(source)) return std::nullopt;
    Rng rng = draws_.stream(source, number);
    return draws_.packet(source, delays_ == 1 ? 0 : step_ * draws_.own_stream(source).below(delays_), rng);
  }
  [[nodiscard]] bool finite() const override { return true; }
  /// Of its packets, which all wait in source queues at the start.
  [[nodiscard]] double memory_bytes() const override {
    return kQueuedBytes * static_cast<double>(injecting_) * static_cast<double>(messages_);
  }

 private:
  std::uint64_t messages_;
  std::uint64_t delays_;
  Cycle step_;
  std::uint64_t injecting_ = 0;  ///< terminals
};

const EffectOf kDelayStep{
    {{"traffic.source.delay_step"}, "", "traffic.source.initial_delays is above 1", [](const Json& resolved) {
       const Json& source = resolved.at("traffic").at("source");
       return source.at("kind") != "static" || source.at("initial_delays") > 1;
     }}};

const CaptionOf kStaticCaption{
    {"static", [](const Parameters& keys) {
       const auto messages = keys.get<std::uint64_t>("messages");
       return fmt::format("{} packet{} of each terminal at {}", messages, messages == 1 ? "" : "s",
                          keys.get<std::uint64_t>("initial_delays") == 1 ? "cycle 0" : "the start");
     }}};

const Registration<SourceRegistry> kStaticRegistered{
    {{"static",
      "every terminal has its messages at cycle 0; time to drain",
      {Parameter::integer("messages", 1, 1, kMostMessages, "packets", "messages of each terminal"),
       Parameter::integer(
           "initial_delays", 1, 1, kMostDelays, "",
           "each terminal waits 0, 1, ... or this number less one times delay_step, drawn, before "
           "its first message (Greenberg and Oh 1997, R); 1: none waits"),
       Parameter::integer("delay_step", 1, 1, kMostDelays, "cycles", "see initial_delays")}},
     {[](const SourceContext& context, const Parameters& keys) {
        const auto number = [&](const char* key, std::int64_t most) {
          return source_key_within(keys, "static", key, 1, most);
        };
        return std::make_unique<Static>(context, number("messages", kMostMessages),
                                        number("initial_delays", kMostDelays),
                                        number("delay_step", kMostDelays));
      },
      SourceKind::Traffic::kWorkload}}};

}  // namespace
}  // namespace noctule
