// Message classes with priorities and weights: who goes first, and how much of a link each gets.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fabric/service_support.h"
#include "support/networks.h"

namespace noctule::fabric_test {
namespace {

/// Every way in which blocks work together that can serve classes apart, with four lanes for each of
/// `classes`, so that each can fill a link alone.
std::vector<Kind> kinds(unsigned classes = 2) {
  std::vector<Kind> all;
  for (const Variant& variant : variants()) {
    const Json& set = variant.set;
    if (set.value("link_sharing", "") == "fixed_slot" || set.value("speculative", false)) continue;
    all.push_back({variant.name, set, variant.credit_delay});
    all.back().set["lanes"] = 4 * classes;
  }
  all.push_back({"wide", all.front().set});
  all.back().set["lanes"] = 12 * classes;
  all.push_back({"few_connections", all.front().set});
  all.back().set["connections_per_cycle"] = 1;
  all.push_back({"first_come", all.front().set});
  all.back().set["scan"] = "first_come";
  all.push_back({"drawn", all.front().set});
  all.back().set["scan"] = "random_start";
  all.back().set["selection"] = "random";
  return all;
}

class EveryRouter : public testing::TestWithParam<Kind> {};

/// Source, destination, birth, and cycles of injection and of consumption of a packet.
using Told = std::tuple<std::size_t, std::size_t, Cycle, Cycle, Cycle>;

/// Two fabrics alike, one of which has a low class as well: the high one does not notice. They have terminals
/// of their own, so that the packets of the high class have the same numbers, by which routes are drawn.
void expect_not_slowed(Served& alone, Served& met) {
  Rng rng(7);
  const std::size_t n = alone.fabric->plan().topology->terminals();
  for (std::size_t s = 0; s < n; ++s)
    for (Cycle t = 0; t < 1500; ++t) {
      const auto other = [&] {
        return TerminalId(static_cast<std::uint32_t>((s + 1 + rng.below(n - 1)) % n));
      };
      if (s % 2 == 0 && rng.below(10) == 0) {
        const GeneratedPacket packet{t, other(), 5, kHigh};
        alone.source->add(s, packet);
        met.source->add(s, packet);
      }
      if (s % 2 == 1 && rng.below(4) == 0) met.source->add(s, {t, other(), 6, 1});
    }
  run_cycles(*alone.fabric, 1500);
  EXPECT_TRUE(drain(*met.fabric, 50'000));
  EXPECT_TRUE(alone.fabric->drained());
  const auto told = [](const Served& one) {
    std::vector<Told> list;
    for (const Delivery& d : one.source->deliveries)
      if (d.message_class == kHigh)
        list.emplace_back(index(d.source), index(d.destination), d.birth, d.injected, d.consumed);
    return list;
  };
  EXPECT_GT(told(alone).size(), 1000U);
  EXPECT_EQ(told(alone), told(met));
  EXPECT_GT(met.flits(1), 10'000);
  alone.fabric->check_conservation();
  met.fabric->check_conservation();
}

TEST_P(EveryRouter, ServesAHighClassAsIfThereWereNoOther) {
  const MessageClasses classes = high_and_low(GetParam().set.at("lanes"));
  Served alone(classes, mesh({4, 4}), GetParam());
  Served met(classes, mesh({4, 4}), GetParam());
  expect_not_slowed(alone, met);
}

class EveryModel : public testing::TestWithParam<Model> {};

TEST_P(EveryModel, ServesAHighClassAsIfThereWereNoOther) {
  // Of an even radix some worms may go either way, and ask several crossbars.
  const auto make = [] {
    FabricParts parts{torus({4, 4}), nullptr, node_of(GetParam().node_model, {{"lanes", 4}})};
    parts.relation = relation_on(parts.topology, GetParam().algorithm, GetParam().set);
    parts.message_classes = high_and_low(4);
    return Served(plan_fabric(std::move(parts)));
  };
  Served alone = make();
  Served met = make();
  expect_not_slowed(alone, met);
}

INSTANTIATE_TEST_SUITE_P(Service, EveryModel, testing::ValuesIn(shipped_models()), [](const auto& info) {
  const std::string rule = info.param.set.value("vc_rule", "");
  return info.param.algorithm + (rule.empty() ? "" : "_" + rule);
});

TEST_P(EveryRouter, SharesALinkByWeights) {
  struct Case {
    std::vector<std::uint32_t> weights;
    std::unique_ptr<Served> served = nullptr;
  };
  std::vector<Case> cases;
  for (const auto& weights : std::vector<std::vector<std::uint32_t>>{{1, 1}, {3, 1}, {2, 5}, {4, 2, 1}})
    cases.push_back({weights});
  constexpr Cycle kCycles = 24'000;
  for (Case& c : cases) {
    Kind kind = GetParam();
    const auto count = static_cast<unsigned>(c.weights.size());
    kind.set["lanes"] = kind.set.at("lanes").get<unsigned>() / 2 * count;
    std::vector<MessageClass> classes;
    for (unsigned n = 0; n < count; ++n)
      classes.push_back({std::string(1, static_cast<char>('a' + n)), {}, 0, {}, 0, c.weights[n]});
    c.served = std::make_unique<Served>(apart(std::move(classes), kind.set.at("lanes")), mesh({8}), kind);
    for (Cycle t = 0; t < kCycles; t += 8)
      for (unsigned n = 0; n < count; ++n)
        send_across(*c.served->source, static_cast<std::uint8_t>(n), 8, t, t + 8);
  }
  run_cycles(*cases.front().served->fabric, kCycles);
  for (const Case& c : cases) {
    double all = 0;
    double weights = 0;
    for (std::size_t n = 0; n < c.weights.size(); ++n) {
      all += c.served->flits(static_cast<std::uint8_t>(n));
      weights += c.weights[n];
    }
    EXPECT_GT(all, 0.8 * kCycles);
    for (std::size_t n = 0; n < c.weights.size(); ++n)
      EXPECT_NEAR(c.served->flits(static_cast<std::uint8_t>(n)) / all, c.weights[n] / weights, 0.01)
          << testing::PrintToString(c.weights) << " class " << n;
    c.served->fabric->check_conservation();
  }
}

/// A low class gets what a high one leaves of a link: nothing at overload, however long it lasts; else all of
/// it.
TEST_P(EveryRouter, GivesALowClassWhatIsLeft) {
  const unsigned lanes = GetParam().set.at("lanes");
  Served starved(high_and_low(lanes), mesh({8}), GetParam());
  Served fed(high_and_low(lanes), mesh({8}), GetParam());
  constexpr Cycle kCycles = 4000;
  for (Cycle t = 0; t < kCycles; t += 8) {
    send_across(*starved.source, kHigh, 8, t, t + 8);
    if (t >= 200 && t < 600) send_across(*starved.source, 1, 8, t, t + 8);
    if (t % 64 == 0) send_across(*fed.source, kHigh, 64, t, t + 8);
    send_across(*fed.source, 1, 8, t, t + 8);
  }
  run_cycles(*starved.fabric, kCycles);
  EXPECT_EQ(starved.flits(1), 0);
  EXPECT_GT(starved.flits(kHigh), 0.97 * kCycles);
  EXPECT_NEAR(fed.flits(kHigh), 18.0 * kCycles / 64, 60);
  EXPECT_GT(fed.flits(kHigh) + fed.flits(1), 0.97 * kCycles);
  EXPECT_TRUE(drain(*starved.fabric, 20'000));
  EXPECT_EQ(starved.source->deliveries.size(), 4U * (500 + 50));
  starved.fabric->check_conservation();
  fed.fabric->check_conservation();
}

/// Whatever the order of evaluation, and whether somebody looks on.
TEST_P(EveryRouter, IsDeterministicAndLosesNothingAtTerminalsThatRefuse) {
  const unsigned lanes = GetParam().set.at("lanes");
  const auto all = run_in_every_order(0.6, 600, [&](const LinkedOptions& options) {
    return std::make_unique<Served>(high_and_low(lanes), mesh({4, 4}), GetParam(), options);
  });
  for (const auto& one : all)
    EXPECT_EQ(one->fabric->counters().flit_hops, all[0]->fabric->counters().flit_hops);
}

INSTANTIATE_TEST_SUITE_P(Service, EveryRouter, testing::ValuesIn(kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace noctule::fabric_test
