// Destination functions against their definitions, and their distributions against enumeration and draws.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/json.h"
#include "patterns/permutation.h"
#include "support/cube_network.h"

namespace noctule {
namespace {

std::shared_ptr<const CubeNetwork> cube(std::vector<unsigned> radix, bool wrap = true) {
  const std::vector<bool> wraps(radix.size(), wrap);
  return std::make_shared<CubeNetwork>(std::move(radix), wraps);
}

std::unique_ptr<TrafficPattern> build(const std::string& name,
                                      const std::shared_ptr<const Topology>& topology,
                                      const Json& keys = Json::object(), std::uint64_t seed = 1) {
  const auto& entry = PatternRegistry::instance().at(name);
  auto resolved = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : keys.items()) resolved.set(key, value);
  return entry.make(topology, resolved, seed);
}

TerminalId terminal(std::size_t t) {
  return TerminalId{static_cast<std::uint32_t>(t)};
}

std::uint32_t to(const TrafficPattern& pattern, std::uint32_t source) {
  Rng rng(1);
  return static_cast<std::uint32_t>(pattern.destination(TerminalId{source}, rng));
}

double brute_force_mean(const Topology& t, const TrafficPattern& p) {
  double sum = 0;
  double injecting = 0;
  for (std::size_t s = 0; s < t.terminals(); ++s) {
    if (!p.injects(terminal(s))) continue;
    ++injecting;
    for (const auto& [d, probability] : p.distribution(terminal(s)))
      sum += probability * t.distance(t.injection_router(terminal(s)), t.consumption_router(d));
  }
  return sum / injecting;
}

/// A network without coordinates: what the patterns see of it is its number of terminals.
std::shared_ptr<const Topology> bare(std::size_t terminals) {
  TopologyBuilder builder;
  const RouterId router = builder.add_routers(1, {});
  for (std::size_t t = 0; t < terminals; ++t) builder.add_terminal(router);
  return std::make_shared<const Topology>(std::move(builder).build());
}

TEST(PatternRuns, EveryPatternDeclaresItselfAndBuildsOrSaysWhy) {
  EXPECT_TRUE(Catalog::instance().problems().empty());
  const auto entries = PatternRegistry::instance().entries();
  std::set<std::string> names;
  for (const auto* e : entries) {
    names.insert(e->name);
    EXPECT_FALSE(e->description.empty()) << e->name;
    for (const auto& shape : {cube({4, 4}), cube({31, 31}), cube({3, 5}), cube({2, 2, 2}, false)}) try {
        build(e->name, shape);
      } catch (const ConfigError& error) {
        EXPECT_EQ(error.diagnostics().front().key, "traffic.pattern") << e->name;
        EXPECT_GT(error.diagnostics().front().message.size(), 30U) << e->name;
      }
  }
  for (const char* expected :
       {"uniform", "bit_reversal", "bit_complement", "transpose", "shuffle", "bit_rotation", "tornado",
        "neighbor", "hotspot", "permutation_random", "permutation_file"})
    EXPECT_TRUE(names.contains(expected)) << expected;
}

TEST(PatternObeysItsContract, DistributionsSumToOneAndMeansMatchBruteForce) {
  for (const auto* e : PatternRegistry::instance().entries())
    for (const auto& shape :
         {cube({4, 4}), cube({8, 8}, false), cube({3, 5}), cube({2, 2, 2, 2}, false), cube({7})})
      for (const bool inject : {false, true}) {
        std::unique_ptr<TrafficPattern> p;
        try {
          p = build(e->name, shape,
                    {{"fixed_points", inject ? "inject" : "silent"}, {"fraction", 0.3}, {"nodes", {1, 5}}});
        } catch (const ConfigError&) {
          continue;
        }
        SCOPED_TRACE(e->name + " on " + std::to_string(shape->terminals()));
        for (std::size_t s = 0; s < shape->terminals(); ++s) {
          double sum = 0;
          std::set<TerminalId> seen;
          const auto distribution = p->distribution(terminal(s));
          for (const auto& [d, probability] : distribution) {
            ASSERT_LT(index(d), shape->terminals());
            ASSERT_TRUE(seen.insert(d).second) << "terminal listed twice";
            ASSERT_GT(probability, 0);
            sum += probability;
          }
          if (p->injects(terminal(s))) {
            ASSERT_NEAR(sum, 1, 1e-12);
          }
        }
        ASSERT_NEAR(mean_distance(*shape, *p), brute_force_mean(*shape, *p), 1e-9);
      }
}

TEST(PatternObeysItsContract, DrawsFollowTheDistribution) {
  const auto shape = cube({4, 4});
  constexpr unsigned kDraws = 20000;
  for (const auto& [name, keys] :
       std::vector<std::pair<std::string, Json>>{{"uniform", Json::object()},
                                                 {"uniform", {{"allow_self", true}}},
                                                 {"hotspot", {{"nodes", {3}}, {"fraction", 0.04}}},
                                                 {"hotspot", {{"nodes", {3, 9}}, {"fraction", 0.5}}},
                                                 {"hotspot", {{"nodes", {3}}, {"fraction", 1.0}}},
                                                 {"hotspot", {{"nodes", {3}}, {"fraction", 0.0}}}}) {
    const auto p = build(name, shape, keys);
    for (const std::uint32_t s : {0U, 3U, 15U}) {
      SCOPED_TRACE(name + " from " + std::to_string(s));
      std::vector<unsigned> count(16, 0);
      for (unsigned i = 0; i < kDraws; ++i) {
        Rng rng(77, std::uint64_t{i});
        ++count[index(p->destination(TerminalId{s}, rng))];
      }
      double chi_square = 0;
      unsigned cells = 0;
      unsigned listed = 0;
      for (const auto& [d, probability] : p->distribution(TerminalId{s})) {
        const double expected = probability * kDraws;
        chi_square += std::pow(count[index(d)] - expected, 2) / expected;
        listed += count[index(d)];
        ++cells;
      }
      EXPECT_EQ(listed, kDraws) << "a destination outside the distribution";
      const double freedom = cells - 1;
      EXPECT_LE(chi_square, freedom + 4.5 * std::sqrt(2 * freedom));
    }
  }
}

TEST(PatternMatchesItsDefinition, BitReversalOfGravano) {
  const auto t = cube({31, 31});
  const auto silent = build("bit_reversal", t);
  const auto injecting = build("bit_reversal", t, {{"fixed_points", "inject"}});
  const auto reversed = [](unsigned v) {
    return (v & 1) << 4 | (v & 2) << 2 | (v & 4) | (v & 8) >> 2 | (v & 16) >> 4;
  };
  std::set<std::uint32_t> images;
  unsigned fixed = 0;
  for (std::uint32_t s = 0; s < 961; ++s) {
    const std::uint32_t image = to(*injecting, s);
    EXPECT_EQ(image, reversed(s / 31) + 31 * reversed(s % 31));
    images.insert(image);
    fixed += image == s;
    EXPECT_EQ(silent->injects(TerminalId{s}), image != s);
    EXPECT_TRUE(injecting->injects(TerminalId{s}));
  }
  EXPECT_EQ(images.size(), 961U);
  EXPECT_EQ(fixed, 31U);
  EXPECT_NEAR(mean_distance(*t, *silent), 16.0, 1e-9);
  EXPECT_NEAR(mean_distance(*t, *injecting), 16.0 * 930 / 961, 1e-9);
  EXPECT_NEAR(mean_distance(*t, *build("uniform", t)), 15.5, 1e-9);
}

TEST(PatternMatchesItsDefinition, BitReversalAgreesWithThePlainOneOnPowersOfTwo) {
  const auto square = build("bit_reversal", cube({8, 8}), {{"fixed_points", "inject"}});
  const auto plain = build("bit_reversal", cube({64}), {{"fixed_points", "inject"}});
  for (std::uint32_t s = 0; s < 64; ++s) EXPECT_EQ(to(*square, s), to(*plain, s));
  EXPECT_EQ(to(*plain, 0b000011), 0b110000U);
}

TEST(PatternMatchesItsDefinition, BitPermutations) {
  const auto h = cube({2, 2, 2, 2}, false);
  const Json inject{{"fixed_points", "inject"}};
  for (std::uint32_t s = 0; s < 16; ++s) {
    EXPECT_EQ(to(*build("bit_complement", h, inject), s), 15 - s);
    EXPECT_EQ(to(*build("shuffle", h, inject), s), (2 * s) % 16 + s / 8);
    EXPECT_EQ(to(*build("bit_rotation", h, inject), s), s / 2 + 8 * (s % 2));
    EXPECT_EQ(to(*build("transpose", h, inject), s), s / 4 + 4 * (s % 4));
  }
  for (std::uint32_t s = 0; s < 25; ++s)
    EXPECT_EQ(to(*build("transpose", cube({5, 5}), inject), s), s / 5 + 5 * (s % 5));
  EXPECT_NEAR(mean_distance(*h, *build("bit_complement", h)), 4, 1e-12);
}

TEST(PatternMatchesItsDefinition, TornadoAndNeighbor) {
  const auto t = cube({5, 6});
  const auto tornado = build("tornado", t);
  const auto neighbor = build("neighbor", t);
  for (std::uint32_t s = 0; s < 30; ++s) {
    EXPECT_EQ(to(*tornado, s), (s % 5 + 2) % 5 + 5 * ((s / 5 + 2) % 6));
    EXPECT_EQ(to(*neighbor, s), (s % 5 + 1) % 5 + 5 * ((s / 5 + 1) % 6));
  }
  EXPECT_NEAR(mean_distance(*t, *tornado), 4, 1e-12);
  EXPECT_NEAR(mean_distance(*t, *neighbor), 2, 1e-12);
  EXPECT_EQ(to(*build("tornado", cube({8, 8})), 0), 3U + 8 * 3);
}

TEST(PatternMatchesItsDefinition, HotspotOfBoppana) {
  const auto p = build("hotspot", cube({16, 16}), {{"nodes", {255}}, {"fraction", 0.04}});
  for (const auto& [d, probability] : p->distribution(TerminalId{7}))
    EXPECT_NEAR(probability, d == TerminalId{255} ? 0.04 + 0.96 / 255 : 0.96 / 255, 1e-12);
  for (const auto& [d, probability] : p->distribution(TerminalId{255}))
    EXPECT_NEAR(probability, 1.0 / 255, 1e-12);
}

TEST(PatternIsDeterministic, RandomPermutationDependsOnItsSeedAlone) {
  const auto t = cube({8, 8});
  const Json inject{{"fixed_points", "inject"}};
  const auto table = [&](const Json& keys, std::uint64_t seed) {
    const auto p = build("permutation_random", t, keys, seed);
    std::vector<std::uint32_t> list;
    for (std::uint32_t s = 0; s < 64; ++s) list.push_back(to(*p, s));
    EXPECT_EQ(std::set<std::uint32_t>(list.begin(), list.end()).size(), 64U);
    return list;
  };
  EXPECT_EQ(table(inject, 1), table(inject, 1));
  EXPECT_NE(table(inject, 1), table(inject, 2));
  const Json fixed{{"fixed_points", "inject"}, {"permutation_seed", 2}};
  EXPECT_EQ(table(fixed, 1), table(inject, 2));
}

/// Every permutation of 4 terminals is drawn, each about equally often.
TEST(PatternIsDeterministic, RandomPermutationIsUniform) {
  const auto t = cube({4});
  std::map<std::vector<std::uint32_t>, unsigned> count;
  constexpr unsigned kDraws = 4800;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto p = build("permutation_random", t, {{"fixed_points", "inject"}}, seed);
    ++count[{to(*p, 0), to(*p, 1), to(*p, 2), to(*p, 3)}];
  }
  ASSERT_EQ(count.size(), 24U);
  double chi_square = 0;
  for (const auto& [unused, c] : count) chi_square += std::pow(c - kDraws / 24.0, 2) / (kDraws / 24.0);
  EXPECT_LE(chi_square, 23 + 4.5 * std::sqrt(46));
}

std::string complaint(const std::string& name, const std::shared_ptr<const Topology>& topology,
                      const Json& keys = Json::object()) {
  try {
    build(name, topology, keys);
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics().front().key, "traffic.pattern");
    return e.what();
  }
  return "accepted";
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const auto& w : words) EXPECT_NE(text.find(w), std::string::npos) << text << "\nlacks: " << w;
}

TEST(PatternSurvivesBadInput, UndefinedPatternsSayWhy) {
  expect_words(complaint("bit_reversal", cube({6, 6})), {"radix 6", "terminal 3 (router_3_0)", "is 6"});
  expect_words(complaint("bit_reversal", cube({3, 5})), {"power of two", "15"});
  expect_words(complaint("bit_complement", cube({31, 31})), {"power of two", "961"});
  expect_words(complaint("shuffle", cube({6})), {"power of two", "6"});
  expect_words(complaint("bit_rotation", cube({6})), {"power of two", "6"});
  expect_words(complaint("transpose", cube({4, 8})), {"two equal radices", "32 terminals", "5 bits"});
  expect_words(complaint("transpose", cube({3, 4})), {"power of two", "12"});
  expect_words(complaint("tornado", cube({2, 2})), {"itself", "inject"});
  EXPECT_EQ(complaint("tornado", cube({2, 2}), {{"fixed_points", "inject"}}), "accepted");
  expect_words(complaint("tornado", bare(16)), {"coordinates"});
  EXPECT_EQ(complaint("transpose", bare(16)), "accepted");
  EXPECT_EQ(complaint("transpose", cube({2, 8})), "accepted");
  expect_words(complaint("hotspot", cube({4}), {{"nodes", {4, 1, 1}}}),
               {"terminal 4", "0 to 3", "terminal 1 is given twice"});
  expect_words(complaint("hotspot", cube({4}), {{"fraction", 1.5}}), {"1.5", "0 to 1"});
}

}  // namespace
}  // namespace noctule
