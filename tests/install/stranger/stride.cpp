// A pattern of one's own: every terminal sends to the one so many numbers further on.

#include "patterns/pattern.h"

namespace {

using namespace noctule;

class Stride final : public TrafficPattern {
 public:
  Stride(std::size_t terminals, unsigned step)
      : terminals_(static_cast<std::uint32_t>(terminals)), step_(step) {}

  [[nodiscard]] TerminalId destination(TerminalId source, Rng&) const override { return of(source); }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    return {{of(source), 1.0}};
  }

 private:
  [[nodiscard]] TerminalId of(TerminalId source) const {
    return TerminalId{static_cast<std::uint32_t>((index(source) + step_) % terminals_)};
  }

  std::uint32_t terminals_;
  unsigned step_;
};

const Registration<PatternRegistry> kStride{
    {{"stride",
      "every terminal sends to the one so many numbers further on",
      {Parameter::integer("step", 1, 1, 1'000'000, "terminals", "how many")}},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       return std::make_unique<Stride>(topology->terminals(), keys.get<unsigned>("step"));
     }}};

}  // namespace
