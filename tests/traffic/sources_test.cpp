// Traffic sources: what they generate, and that it depends on seed, terminal and packet number alone.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/json.h"
#include "support/cube_network.h"
#include "traffic/source.h"

namespace noctule {
namespace {

constexpr std::uint64_t kOne32 = std::uint64_t{1} << 32;

std::uint64_t rate_of(double p) {
  return static_cast<std::uint64_t>(std::ldexp(p, 64));
}
TerminalId terminal(std::size_t t) {
  return TerminalId{static_cast<std::uint32_t>(t)};
}

SourceContext context(double rate, const std::string& pattern = "uniform", std::uint64_t seed = 1) {
  SourceContext c;
  c.topology = std::make_shared<CubeNetwork>(std::vector<unsigned>{8, 8}, std::vector<bool>{true, true});
  const auto& entry = PatternRegistry::instance().at(pattern);
  c.pattern = entry.make(c.topology, Parameters::defaults(entry.parameters), seed);
  c.packet_rate = rate_of(rate);
  c.lengths = {{4, kOne32 / 4}, {16, kOne32}};
  c.seed = seed;
  return c;
}

std::unique_ptr<TrafficSource> build(const std::string& name, const SourceContext& c,
                                     const Json& keys = Json::object()) {
  const auto& entry = SourceRegistry::instance().at(name);
  auto resolved = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : keys.items()) resolved.set(key, value);
  return entry.make(c, resolved);
}

std::vector<GeneratedPacket> first(TrafficSource& source, std::size_t t, std::uint64_t packets) {
  std::vector<GeneratedPacket> list;
  for (std::uint64_t n = 0; n < packets; ++n)
    if (const auto p = source.next(terminal(t), n)) list.push_back(*p);
  return list;
}

bool same(const GeneratedPacket& a, const GeneratedPacket& b) {
  return a.birth == b.birth && a.destination == b.destination && a.length == b.length &&
         a.message_class == b.message_class;
}

const std::vector<std::string> kDrawn{"bernoulli", "on_off", "periodic", "static"};

TEST(SourceRuns, AllAreRegistered) {
  EXPECT_TRUE(Catalog::instance().problems().empty());
  for (const char* name : {"bernoulli", "on_off", "periodic", "request_reply", "static", "trace_file"})
    EXPECT_NE(SourceRegistry::instance().find(name), nullptr) << name;
}

TEST(SourceIsDeterministic, OrderOfAskingChangesNothing) {
  constexpr std::uint64_t kPackets = 50;
  for (const auto& name : kDrawn) {
    SCOPED_TRACE(name);
    const Json keys{{"messages", kPackets}};
    const auto reference = build(name, context(0.1), keys);
    std::vector<std::vector<GeneratedPacket>> expected;
    for (std::size_t t = 0; t < 64; ++t) {
      expected.push_back(first(*reference, t, kPackets));
      ASSERT_EQ(expected.back().size(), kPackets);
    }
    // Interleaved, and then anything at random, forwards, backwards and repeatedly.
    const auto other = build(name, context(0.1), keys);
    for (std::uint64_t n = 0; n < kPackets; ++n)
      for (std::size_t t = 64; t-- > 0;) ASSERT_TRUE(same(*other->next(terminal(t), n), expected[t][n]));
    Rng rng(3);
    for (int i = 0; i < 2000; ++i) {
      const auto t = rng.below(64);
      const auto n = rng.below(kPackets);
      ASSERT_TRUE(same(*other->next(terminal(t), n), expected[t][n])) << t << " " << n;
    }
  }
}

TEST(SourceIsDeterministic, SeedsAndTerminalsDiffer) {
  const auto a = build("bernoulli", context(0.1, "uniform", 1));
  const auto b = build("bernoulli", context(0.1, "uniform", 2));
  std::set<Cycle> at;
  unsigned alike = 0;
  for (std::size_t t = 0; t < 64; ++t) {
    const auto x = first(*a, t, 20);
    const auto y = first(*b, t, 20);
    at.insert(x.back().birth);
    alike += x.back().birth == y.back().birth;
  }
  EXPECT_GT(at.size(), 40U);
  EXPECT_LT(alike, 8U);
}

/// Common random numbers: what a change of configuration does not concern stays.
TEST(SourceIsDeterministic, MixtureAndPatternDoNotDisturbTheRest) {
  auto c = context(0.1);
  const auto mixed = build("bernoulli", c);
  c.lengths = {{15, kOne32}};
  const auto fixed = build("bernoulli", c);
  const auto hot = build("bernoulli", context(0.1, "hotspot"));
  for (std::size_t t = 0; t < 64; ++t) {
    const auto m = first(*mixed, t, 20);
    const auto f = first(*fixed, t, 20);
    const auto h = first(*hot, t, 20);
    for (std::size_t n = 0; n < 20; ++n) {
      EXPECT_EQ(m[n].birth, f[n].birth);
      EXPECT_EQ(m[n].destination, f[n].destination);
      EXPECT_EQ(f[n].length, 15U);
      EXPECT_EQ(m[n].birth, h[n].birth);
      EXPECT_EQ(m[n].length, h[n].length);
    }
  }
}

/// Packets in windows of 100 cycles: their mean, and their variance over it.
std::pair<double, double> in_windows(TrafficSource& source, Cycle windows) {
  double sum = 0;
  double squares = 0;
  for (std::size_t t = 0; t < 64; ++t) {
    std::vector<double> count(windows);
    for (std::uint64_t n = 0;; ++n) {
      const auto packet = source.next(terminal(t), n);
      if (!packet || packet->birth >= 100 * windows) break;
      ++count[packet->birth / 100];
    }
    for (const double c : count) {
      sum += c;
      squares += c * c;
    }
  }
  const double n = 64.0 * static_cast<double>(windows);
  const double mean = sum / n;
  return {mean, (squares / n - mean * mean) / mean};
}

TEST(SourceMatchesTheory, BurstsHaveTheRateOfTheLoadAndMoreVariance) {
  for (const double share : {0.1, 0.5, 1.0}) {
    SCOPED_TRACE(share);
    constexpr double kRate = 0.05;
    constexpr double kOn = 80;
    const auto source = build("on_off", context(kRate), {{"on_share", share}, {"on_cycles", kOn}});
    const auto [mean, dispersion] = in_windows(*source, 3000);
    // Between two windows the state is nearly forgotten, so that the mean of 192,000 of them is within some
    // percent.
    EXPECT_NEAR(mean, 100 * kRate, 0.03 * 100 * kRate);
    // Two-state process, correlation c per cycle: variance of the counts over 100 cycles.
    const double peak = kRate / share;
    const double c = 1 - 1 / kOn - (share < 1 ? share / (1 - share) / kOn : 0);
    const double joint = share < 1 ? 2 * peak * peak * share * (1 - share) * c / (1 - c) *
                                         (100 - (1 - std::pow(c, 100)) / (1 - c))
                                   : 0;
    const double variance = 100 * kRate * (1 - kRate) + joint;
    EXPECT_NEAR(dispersion, variance / (100 * kRate), 0.06 * variance / (100 * kRate));
  }
}

TEST(SourceSurvivesBadInput, BurstsThatCannotBe) {
  for (const Json& keys : {Json{{"on_share", 0.0}}, Json{{"on_share", 1.5}}, Json{{"on_cycles", 0.5}},
                           Json{{"on_share", 0.05}}, Json{{"on_share", 0.99}, {"on_cycles", 10}}})
    EXPECT_THROW((void)build("on_off", context(0.1), keys), ConfigError) << keys.dump();
}

TEST(SourceMatchesTheory, BernoulliRatePerCycle) {
  for (const double p : {0.002, 0.1, 0.6}) {
    SCOPED_TRACE(p);
    const auto source = build("bernoulli", context(p));
    constexpr Cycle kCycles = 2000;
    double births = 0;
    double at_zero = 0;
    double adjacent = 0;
    for (std::size_t t = 0; t < 64; ++t) {
      Cycle last = kNever;
      for (std::uint64_t n = 0;; ++n) {
        const auto packet = source->next(terminal(t), n);
        ASSERT_TRUE(packet);
        if (n > 0) {
          ASSERT_GT(packet->birth, last);
        }
        if (packet->birth >= kCycles) break;
        ++births;
        at_zero += packet->birth == 0;
        adjacent += n > 0 && packet->birth == last + 1;
        last = packet->birth;
      }
    }
    const double trials = 64.0 * kCycles;
    EXPECT_NEAR(births / trials, p, 4 * std::sqrt(p * (1 - p) / trials));
    EXPECT_NEAR(at_zero / 64, p, 4 * std::sqrt(p * (1 - p) / 64));
    // Memory-less: a birth follows a birth as often as any other cycle.
    EXPECT_NEAR(adjacent / births, p, 5 * std::sqrt(p * (1 - p) / births));
  }
}

TEST(SourceMatchesTheory, LengthsFollowTheMixture) {
  for (const auto& name : kDrawn) {
    const auto source = build(name, context(0.1), {{"messages", 500}});
    double small = 0;
    double all = 0;
    for (std::size_t t = 0; t < 64; ++t)
      for (const auto& p : first(*source, t, 500)) {
        ASSERT_TRUE(p.length == 4 || p.length == 16);
        small += p.length == 4;
        ++all;
      }
    EXPECT_NEAR(small / all, 0.25, 4 * std::sqrt(0.25 * 0.75 / all)) << name;
  }
}

TEST(SourceMatchesTheory, DestinationsFollowThePattern) {
  for (const auto& name : kDrawn) {
    const auto source = build(name, context(0.1), {{"messages", 1000}});
    std::vector<double> count(64, 0);
    for (const auto& p : first(*source, 5, 1000)) ++count[index(p.destination)];
    EXPECT_EQ(count[5], 0);
    double chi_square = 0;
    for (std::size_t t = 0; t < 64; ++t)
      if (t != 5) chi_square += std::pow(count[t] - 1000 / 63.0, 2) / (1000 / 63.0);
    EXPECT_LE(chi_square, 62 + 4.5 * std::sqrt(124)) << name;
  }
}

TEST(SourceMatchesTheory, PeriodicKeepsItsRateWithoutDrift) {
  const double p = 0.3;  // a period of 3 1/3 cycles
  const auto source = build("periodic", context(p));
  std::set<Cycle> phases;
  for (std::size_t t = 0; t < 64; ++t) {
    const auto list = first(*source, t, 3001);
    phases.insert(list[0].birth);
    EXPECT_LT(list[0].birth, 4U);
    EXPECT_NEAR(static_cast<double>(list[3000].birth - list[0].birth), 10000, 1);
    for (std::size_t n = 1; n < list.size(); ++n) {
      const Cycle gap = list[n].birth - list[n - 1].birth;
      ASSERT_TRUE(gap == 3 || gap == 4) << gap;
    }
  }
  EXPECT_EQ(phases.size(), 4U);
}

TEST(SourceObeysItsContract, TerminalsThatDoNotInjectAreSilent) {
  for (const auto& name : kDrawn) {
    const auto c = context(0.5, "bit_reversal");
    const auto source = build(name, c, {{"on_share", 0.9}});
    unsigned silent = 0;
    for (std::size_t t = 0; t < 64; ++t) {
      EXPECT_EQ(source->next(terminal(t), 0).has_value(), c.pattern->injects(terminal(t))) << name;
      silent += !c.pattern->injects(terminal(t));
    }
    EXPECT_EQ(silent, 8U);
  }
}

TEST(SourceObeysItsContract, ExtremeRates) {
  for (const std::string name : {"bernoulli", "periodic"}) {
    SCOPED_TRACE(name);
    auto c = context(0);
    EXPECT_FALSE(build(name, c)->next(TerminalId{0}, 0));
    c.packet_rate = ~std::uint64_t{0};
    const auto busy = build(name, c);
    const auto list = first(*busy, 3, 1000);
    ASSERT_EQ(list.size(), 1000U);
    for (std::size_t n = 1; n < list.size(); ++n) ASSERT_GT(list[n].birth, list[n - 1].birth);
    EXPECT_LE(list[999].birth, 1001U);
    // A packet in 2^64 cycles: soon beyond the end of time, without wrapping round.
    c.packet_rate = 1;
    const auto idle = build(name, c);
    Cycle last = 0;
    std::uint64_t n = 0;
    for (; n < 100; ++n) {
      const auto p = idle->next(TerminalId{0}, n);
      if (!p) break;
      ASSERT_GE(p->birth, last);
      last = p->birth;
    }
    EXPECT_LT(n, 100U);
    EXPECT_FALSE(idle->next(TerminalId{0}, n + 1));
  }
}

TEST(SourceObeysItsContract, StaticHasItsMessagesAtCycleZeroAndEnds) {
  const auto source = build("static", context(0), {{"messages", 7}});
  EXPECT_TRUE(source->finite());
  for (std::size_t t = 0; t < 64; ++t) {
    const auto list = first(*source, t, 10);
    ASSERT_EQ(list.size(), 7U);
    for (const auto& p : list) EXPECT_EQ(p.birth, 0U);
  }
  EXPECT_FALSE(build("bernoulli", context(0.1))->finite());
  EXPECT_FALSE(build("periodic", context(0.1))->finite());
}

TEST(SourceSurvivesBadInput, ContradictionsAreNamed) {
  for (const int messages : {0, -1}) try {
      build("static", context(0.1), {{"messages", messages}});
      FAIL() << "accepted";
    } catch (const ConfigError& e) {
      EXPECT_NE(std::string(e.what()).find("allowed are 1 to"), std::string::npos);
    }
  auto c = context(0.1);
  c.lengths = {{15, kOne32 - 1}};
  EXPECT_THROW(build("bernoulli", c), InternalError);
  c.lengths = {};
  EXPECT_THROW(build("bernoulli", c), InternalError);
  c.lengths = {{0, kOne32}};
  EXPECT_THROW(build("bernoulli", c), InternalError);
  c = context(0.1);
  c.pattern = nullptr;
  EXPECT_THROW(build("bernoulli", c), InternalError);
}

}  // namespace
}  // namespace noctule
