#include "patterns/check_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/foreign_code.h"
#include "patterns/permutation.h"

namespace noctule {
namespace {

constexpr double kRounding = 1e-6;
constexpr unsigned kDraws = 4;                 ///< by terminal
constexpr std::size_t kMostEntries = 4 << 20;  ///< of distributions that are looked at
constexpr std::size_t kSpeltOut = 64;  ///< terminals up to which both forms of a distribution are read

class PatternCheck {
 public:
  PatternCheck(const Topology& topology, const TrafficPattern& pattern)
      : terminals_(topology.terminals()), pattern_(pattern), probability_(terminals_) {}

  void run() {
    bool any = false;
    std::size_t entries = 0;
    for (std::size_t s = 0; s < terminals_; ++s) {
      const TerminalId source{static_cast<std::uint32_t>(s)};
      if (!pattern_.injects(source)) continue;
      any = true;
      if (entries > kMostEntries) continue;
      const auto spread = pattern_.spread(source);
      entries += spread.rest.size();
      check(source, spread);
      if (terminals_ <= kSpeltOut) check(source, {0, pattern_.distribution(source)});
    }
    if (!any) refuse("no terminal sends anything");
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw ConfigError(kPatternKey, "the pattern breaks its contract: " + what);
  }

  void check(TerminalId source, const TrafficPattern::Spread& spread) {
    const auto wrong = [](double p) { return !(p >= 0 && p <= 1 + kRounding); };
    double sum = spread.uniform;
    if (wrong(spread.uniform))
      refuse(fmt::format("terminal {} sends uniformly with probability {}", index(source), spread.uniform));
    for (const auto& [to, p] : spread.rest) {
      if (index(to) >= terminals_)
        refuse(fmt::format("terminal {} sends to terminal {}; there are 0 to {}", index(source), index(to),
                           terminals_ - 1));
      if (wrong(p))
        refuse(
            fmt::format("terminal {} sends to terminal {} with probability {}", index(source), index(to), p));
      sum += p;
    }
    if (std::abs(sum - 1) > kRounding)
      refuse(fmt::format("the probabilities of terminal {} sum to {}, not to 1", index(source), sum));
    for (const auto& [to, p] : spread.rest) probability_[index(to)] += p;
    draw(source, spread.uniform);
    for (const auto& [to, p] : spread.rest) probability_[index(to)] = 0;
  }

  void draw(TerminalId source, double uniform) const {
    for (unsigned n = 0; n < kDraws; ++n) {
      Rng rng{hash_name("check_pattern") + index(source), n};
      const TerminalId to = pattern_.destination(source, rng);
      if (index(to) >= terminals_)
        refuse(fmt::format("a packet of terminal {} goes to terminal {}; there are 0 to {}", index(source),
                           index(to), terminals_ - 1));
      if (!(probability_[index(to)] > 0) && (!(uniform > 0) || to == source))
        refuse(
            fmt::format("a packet of terminal {} goes to terminal {}, which its distribution does not have",
                        index(source), index(to)));
    }
  }

  std::size_t terminals_;
  const TrafficPattern& pattern_;
  std::vector<double> probability_;  ///< of the terminal that is looked at; else 0
};

}  // namespace

void check_pattern(const Topology& topology, const TrafficPattern& pattern) {
  ask_part(kPatternKey, "the pattern", [&] { PatternCheck(topology, pattern).run(); });
}

}  // namespace noctule
