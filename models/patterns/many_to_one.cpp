// Many to one (Greenberg and Oh 1997, section III): the first half of the terminals sends to the last one,
// the others to the first one. Broadcasts read backwards, reductions, a census.

#include <fmt/format.h>

#include "patterns/permutation.h"

namespace noctule {
namespace {

class ManyToOne final : public TrafficPattern {
 public:
  explicit ManyToOne(std::size_t terminals) : terminals_(static_cast<std::uint32_t>(terminals)) {}

  [[nodiscard]] TerminalId destination(TerminalId source, Rng&) const override { return of(source); }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    return {{of(source), 1.0}};
  }

 private:
  [[nodiscard]] TerminalId of(TerminalId source) const {
    return TerminalId{index(source) < terminals_ / 2 ? terminals_ - 1 : 0U};
  }

  std::uint32_t terminals_;
};

const Registration<PatternRegistry> kManyToOneRegistered{
    {{"many_to_one",
      "the first half of the terminals sends to the last one, the others to the first one (Greenberg and Oh "
      "1997)",
      {}},
     [](const std::shared_ptr<const Topology>& topology, const Parameters&, std::uint64_t) {
       if (topology->terminals() < 2)
         throw ConfigError(kPatternKey,
                           fmt::format("many_to_one needs two terminals or more; this network has {}",
                                       topology->terminals()));
       return std::make_unique<ManyToOne>(topology->terminals());
     }}};

}  // namespace
}  // namespace noctule
