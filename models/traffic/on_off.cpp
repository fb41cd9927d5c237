// Bursts: every terminal is on or off, and generates packets only while it is on, like a Bernoulli source (a
// Markov-modulated Bernoulli process of two states; Dally and Towles 2004, 24.2.2). Both kinds of period have
// geometric lengths; the mean rate is the offered load.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/fixed_point.h"
#include "core/json.h"
#include "traffic/caption.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr double kMostPeriod = 1e9;  ///< cycles

/// For GeometricGap: a probability above 0.
std::uint64_t at_least_a_unit(double probability) {
  return std::max<std::uint64_t>(to_fixed_point(probability), 1);
}

class OnOff final : public DrawnSource {
 public:
  /// `share`: of the cycles in which a terminal is on; `period`: mean length of being on, in cycles.
  OnOff(const SourceContext& context, double share, double period)
      : DrawnSource(context),
        silent_(context.packet_rate == 0),
        share_(at_least_a_unit(share)),
        gap_(at_least_a_unit(from_fixed_point(context.packet_rate) / share)),
        on_(at_least_a_unit(1 / period)),
        off_(at_least_a_unit(share < 1 ? share / (1 - share) / period : 1)),
        always_(share >= 1),
        progress_(context.topology->terminals()) {}

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (silent_ || !draws_.injects(source)) return std::nullopt;
    return draws_.next_after_gaps(
        progress_[index(source)], source, number, [&] { return start(source); },
        [this](Progress& p, Rng& rng) { advance(p, rng); });
  }

 private:
  struct Progress {
    std::uint64_t born = 0;
    Cycle cycles = 0;  ///< up to and including the last birth; kNever: beyond the end of time
    Cycle left = 0;    ///< of the period of being on, after that
  };
  /// In the middle of a period, of which the rest is as long as a whole one in the mean.
  [[nodiscard]] Progress start(TerminalId source) const {
    Rng rng = draws_.own_stream(source);
    Progress p;
    if (rng.next() < share_ || always_)
      p.left = on_(rng.next());
    else
      p.cycles = off_(rng.next());
    if (p.left == 0) p.left = on_(rng.next());
    return p;
  }
  void advance(Progress& p, Rng& rng) const {
    // What is left of the gap when a period ends is drawn anew: it does not depend on what has passed.
    for (std::uint64_t gap = gap_(rng.next());; gap = gap_(rng.next())) {
      if (always_ || gap <= p.left) {
        if (!always_) p.left -= gap;
        p.cycles = plus(p.cycles, gap);
        return;
      }
      p.cycles = plus(p.cycles, plus(p.left, off_(rng.next())));
      if (p.cycles == kNever) return;
      p.left = on_(rng.next());
    }
  }
  static Cycle plus(Cycle a, Cycle b) { return b < kNever - a ? a + b : kNever; }

  bool silent_;
  std::uint64_t share_;  ///< of 2^64
  GeometricGap gap_;     ///< between packets, in cycles of being on
  GeometricGap on_;
  GeometricGap off_;
  bool always_;
  std::vector<Progress> progress_;
};

const CaptionOf kOnOffCaption{{"on_off", [](const Parameters& keys) {
                                 return fmt::format("in bursts of {:g} cycles, {:.3g} % of the time",
                                                    keys.get<double>("on_cycles"),
                                                    100 * keys.get<double>("on_share"));
                               }}};

const Registration<SourceRegistry> kOnOffRegistered{
    {{"on_off",
      "bursts: each terminal is on or off for a while, and generates only while it is on",
      {Parameter::real("on_share", 0.25, 0, 1, "", "share of the cycles in which a terminal is on")
           .exclusive_minimum(),
       Parameter::real("on_cycles", 100.0, 1, kMostPeriod, "cycles", "mean length of a period of being on")}},
     [](const SourceContext& context, const Parameters& keys) -> std::unique_ptr<TrafficSource> {
       const auto share = keys.get<double>("on_share");
       const auto period = keys.get<double>("on_cycles");
       if (!(share > 0 && share <= 1))
         throw ConfigError("traffic.source.on_share",
                           fmt::format("{} is no share above 0 and at most 1", share));
       if (!(period >= 1 && period <= kMostPeriod))
         throw ConfigError("traffic.source.on_cycles",
                           fmt::format("{} cycles; allowed are 1 to {}", period, kMostPeriod));
       if (share < 1 && (1 - share) / share * period < 1)
         throw ConfigError(
             "traffic.source.on_cycles",
             fmt::format("{} cycles on, in a share of {}, leave less than a cycle between two periods; "
                         "make the periods longer, or the share smaller",
                         period, share));
       const double rate = from_fixed_point(context.packet_rate);
       if (rate > share)
         throw ConfigError(
             "traffic.source.on_share",
             fmt::format("{} packets per cycle need a terminal that is on in that share of the cycles at "
                         "least, and on_share is {}; raise it, or offer less",
                         rate, share));
       return std::make_unique<OnOff>(context, share, period);
     }}};

}  // namespace
}  // namespace noctule
