// Uniform random traffic over all terminals but the source (or, on demand, the source too).

#include "patterns/pattern.h"

namespace noctule {
namespace {

class Uniform final : public TrafficPattern {
 public:
  Uniform(std::size_t terminals, bool allow_self) : terminals_(terminals), allow_self_(allow_self) {}

  [[nodiscard]] TerminalId destination(TerminalId source, Rng& rng) const override {
    if (allow_self_) return TerminalId(static_cast<std::uint32_t>(rng.below(terminals_)));
    const auto other = static_cast<std::uint32_t>(rng.below(terminals_ - 1));
    return TerminalId(other + (other >= index(source) ? 1U : 0U));
  }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    const double each = 1.0 / static_cast<double>(terminals_ - (allow_self_ ? 0 : 1));
    std::vector<std::pair<TerminalId, double>> list;
    list.reserve(terminals_);
    for (std::uint32_t t = 0; t < terminals_; ++t)
      if (allow_self_ || t != index(source)) list.emplace_back(TerminalId{t}, each);
    return list;
  }
  [[nodiscard]] Spread spread(TerminalId source) const override {
    if (!allow_self_) return {1, {}};
    const double self = 1.0 / static_cast<double>(terminals_);
    return {1 - self, {{source, self}}};
  }

 private:
  std::size_t terminals_;
  bool allow_self_;
};

const Registration<PatternRegistry> kUniformRegistered{
    {{"uniform",
      "every terminal but the source with equal probability",
      {Parameter::boolean("allow_self", false, "the source is a destination like any other")}},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       return std::make_unique<Uniform>(topology->terminals(), keys.get<bool>("allow_self", false));
     }}};

}  // namespace
}  // namespace noctule
