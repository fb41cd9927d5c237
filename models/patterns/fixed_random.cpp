// One destination for each terminal, drawn once, uniformly from all terminals, the terminal itself included:
// several terminals may have the same one. What a terminal sends goes there, packet after packet (Greenberg
// and Oh 1997, section III: the flits of a split packet).

#include "core/json.h"
#include "patterns/permutation.h"

namespace noctule {
namespace {

class FixedRandom final : public TrafficPattern {
 public:
  FixedRandom(std::size_t terminals, std::uint64_t seed) : key_(Rng(seed, "fixed_random").next()) {
    destinations_.reserve(terminals);
    for (std::size_t s = 0; s < terminals; ++s)
      destinations_.push_back(static_cast<std::uint32_t>(Rng{key_, std::uint64_t{s}}.below(terminals)));
  }

  [[nodiscard]] TerminalId destination(TerminalId source, Rng&) const override { return of(source); }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    return {{of(source), 1.0}};
  }

 private:
  [[nodiscard]] TerminalId of(TerminalId source) const { return TerminalId{destinations_[index(source)]}; }

  std::uint64_t key_;
  std::vector<std::uint32_t> destinations_;
};

const Registration<PatternRegistry> kFixedRandomRegistered{
    {{"fixed_random", "one destination for each terminal, any terminal, drawn once for the run", {}},
     [](const std::shared_ptr<const Topology>& topology, const Parameters&, std::uint64_t seed) {
       return std::make_unique<FixedRandom>(topology->terminals(), seed);
     }}};

}  // namespace
}  // namespace noctule
