// Are multicasts drawn as declared: their share, how many destinations, which ones? And do they leave the
// draws of everything else alone?

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "support/cube_network.h"
#include "traffic/source.h"

namespace noctule {
namespace {

constexpr std::uint64_t kOne32 = std::uint64_t{1} << 32;
const std::vector<std::string> kDrawn{"bernoulli", "periodic", "static"};

TerminalId terminal(std::size_t t) {
  return TerminalId{static_cast<std::uint32_t>(t)};
}

SourceContext context(std::vector<unsigned> radix, SourceContext::Multicasts multicasts,
                      std::uint64_t seed = 1) {
  SourceContext c;
  const std::vector<bool> wrap(radix.size(), false);
  c.topology = std::make_shared<CubeNetwork>(std::move(radix), wrap);
  const auto& entry = PatternRegistry::instance().at("uniform");
  c.pattern = entry.make(c.topology, Parameters::defaults(entry.parameters), seed);
  c.packet_rate = static_cast<std::uint64_t>(0x1p64 * 0.05);
  c.lengths = {{4, kOne32 / 4}, {16, kOne32}};
  c.seed = seed;
  c.multicasts = multicasts;
  return c;
}

std::unique_ptr<TrafficSource> build(const std::string& name, const SourceContext& c) {
  const auto& entry = SourceRegistry::instance().at(name);
  auto keys = Parameters::defaults(entry.parameters);
  if (name == "static") keys.set("messages", 100000);
  return entry.make(c, keys);
}

/// Chi-square of counts that should all be alike; `sigmas` above its mean.
double sigmas(const std::vector<double>& counts) {
  double sum = 0;
  for (const double c : counts) sum += c;
  const double expected = sum / static_cast<double>(counts.size());
  double chi_square = 0;
  for (const double c : counts) chi_square += (c - expected) * (c - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

TEST(MulticastsAreDrawn, WithTheirShareAndNumberOfDestinations) {
  constexpr int kPackets = 400;
  for (const auto& name : kDrawn) {
    SCOPED_TRACE(name);
    const auto source = build(name, context({8, 8}, {kOne32 / 4, 3, 12, 50, 5}));
    std::vector<double> by_count(10);
    double multicasts = 0;
    for (std::size_t t = 0; t < 64; ++t)
      for (std::uint64_t n = 0; n < kPackets; ++n) {
        const auto p = source->next(terminal(t), n);
        ASSERT_TRUE(p);
        EXPECT_EQ(p->preparation, p->destinations.empty() ? 5U : 50U);
        if (p->destinations.empty()) continue;
        ++multicasts;
        ASSERT_GE(p->destinations.size(), 3U);
        ASSERT_LE(p->destinations.size(), 12U);
        ++by_count[p->destinations.size() - 3];
        EXPECT_EQ(p->destination, p->destinations.front());
      }
    constexpr double kAll = 64.0 * kPackets;
    EXPECT_NEAR(multicasts / kAll, 0.25, 4 * std::sqrt(0.25 * 0.75 / kAll));
    EXPECT_LT(sigmas(by_count), 4.5);
  }
}

TEST(MulticastsAreDrawn, ToDifferentTerminalsNeverTheSource) {
  // Up to all others: 63.
  const auto source = build("bernoulli", context({8, 8}, {kOne32, 1, 63}));
  std::vector<double> drawn(64);
  for (std::size_t t = 0; t < 64; ++t)
    for (std::uint64_t n = 0; n < 60; ++n) {
      auto list = source->next(terminal(t), n)->destinations;
      for (const TerminalId d : list) {
        ASSERT_LT(index(d), 64U);
        ASSERT_NE(index(d), t);
        ++drawn[index(d)];
      }
      std::sort(list.begin(), list.end());
      EXPECT_EQ(std::adjacent_find(list.begin(), list.end()), list.end());
    }
  EXPECT_LT(sigmas(drawn), 4.5) << "without replacement the counts differ even less";
}

TEST(MulticastsAreDrawn, WithTheSameProbabilityForEverySet) {
  // 3 of the 5 other terminals: 10 sets, from each source.
  const auto source = build("bernoulli", context({3, 2}, {kOne32, 3, 3}));
  for (std::size_t t = 0; t < 6; ++t) {
    std::map<std::vector<TerminalId>, double> sets;
    std::map<TerminalId, double> first;
    for (std::uint64_t n = 0; n < 5000; ++n) {
      auto list = source->next(terminal(t), n)->destinations;
      ++first[list.front()];
      std::sort(list.begin(), list.end());
      ++sets[list];
    }
    ASSERT_EQ(sets.size(), 10U);
    ASSERT_EQ(first.size(), 5U);
    std::vector<double> counts;
    for (const auto& [set, count] : sets) counts.push_back(count);
    EXPECT_LT(sigmas(counts), 4.5);
    counts.clear();
    for (const auto& [who, count] : first) counts.push_back(count);
    EXPECT_LT(sigmas(counts), 4.5);
  }
}

bool same_apart_from_destinations(const GeneratedPacket& a, const GeneratedPacket& b) {
  return a.birth == b.birth && a.length == b.length;
}

TEST(Multicasts, DisturbNoOtherDraws) {
  // Whatever their share: births and lengths stay, and destinations of messages that have one.
  for (const auto& name : kDrawn) {
    const auto without = build(name, context({8, 8}, {}));
    const auto none = build(name, context({8, 8}, {0, 2, 500, 9, 0}));
    const auto some = build(name, context({8, 8}, {kOne32 / 2, 2, 9, 70, 0}));
    const auto others = build(name, context({8, 8}, {kOne32 / 2, 1, 63, 0, 0}));
    for (std::size_t t = 0; t < 64; ++t)
      for (std::uint64_t n = 0; n < 40; ++n) {
        const auto a = *without->next(terminal(t), n);
        const auto b = *none->next(terminal(t), n);
        const auto c = *some->next(terminal(t), n);
        const auto d = *others->next(terminal(t), n);
        EXPECT_TRUE(same_apart_from_destinations(a, b));
        EXPECT_TRUE(same_apart_from_destinations(a, c));
        EXPECT_EQ(a.destination, b.destination);
        EXPECT_TRUE(b.destinations.empty());
        EXPECT_EQ(b.preparation, 0U);
        if (c.destinations.empty()) {
          EXPECT_EQ(a.destination, c.destination);
        }
        EXPECT_EQ(c.destinations.empty(), d.destinations.empty()) << "the same messages are multicasts";
      }
  }
}

TEST(Multicasts, AreTheSameInWhateverOrderTheyAreAskedFor) {
  const auto c = context({4, 4}, {kOne32 / 2, 1, 15, 3, 4}, 9);
  const auto one = build("bernoulli", c);
  const auto other = build("bernoulli", c);
  std::vector<std::vector<GeneratedPacket>> expected(16);
  for (std::size_t t = 0; t < 16; ++t)
    for (std::uint64_t n = 0; n < 30; ++n) expected[t].push_back(*one->next(terminal(t), n));
  const auto seeded = build("bernoulli", context({4, 4}, {kOne32 / 2, 1, 15, 3, 4}, 10));
  unsigned different = 0;
  for (std::uint64_t n = 0; n < 30; ++n)
    for (std::size_t t = 16; t-- > 0;) {
      const auto p = *other->next(terminal(t), n);
      EXPECT_EQ(p.birth, expected[t][n].birth);
      EXPECT_EQ(p.destination, expected[t][n].destination);
      EXPECT_EQ(p.destinations, expected[t][n].destinations);
      EXPECT_EQ(p.preparation, expected[t][n].preparation);
      different += seeded->next(terminal(t), n)->destinations != p.destinations ? 1 : 0;
    }
  EXPECT_GT(different, 200U);
}

TEST(Multicasts, WithMoreDestinationsThanThereAreAreRefused) {
  for (const auto& name : kDrawn) {
    EXPECT_NO_THROW(build(name, context({4, 4}, {1, 1, 15})));
    try {
      build(name, context({4, 4}, {1, 1, 16}));
      FAIL();
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.diagnostics()[0].key, "traffic.multicast.most");
      EXPECT_NE(e.diagnostics()[0].message.find("15"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace noctule
