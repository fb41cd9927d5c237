// Does the autopsy find every worm that can never move again, and no other?

#include "fabric/autopsy.h"
#include "core/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "fabric/waits.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

/// Test only: + direction, dimension 0 first, one VC class, so that every ring is a cycle; rows above
/// `safe_from` have a second class for worms beyond the wrap.
class OneWay final : public RoutingRelation {
 public:
  OneWay(std::shared_ptr<const CubeNetwork> cube, unsigned safe_from)
      : cube_(std::move(cube)), safe_from_(safe_from) {}

  [[nodiscard]] unsigned classes(const Link& link) const override {
    return CubeNetwork::is_plus(link.out) ? 2 : 0;
  }
  [[nodiscard]] std::string class_name(const Link&, VcClass c) const override {
    return "class" + std::to_string(index(c));
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    for (unsigned d = 0; d < cube_->dimensions(); ++d) {
      const unsigned at = cube_->coordinate(here, d);
      const unsigned to = cube_->coordinate(destination, d);
      if (at == to) continue;
      const bool safe = d > 0 || row(here) >= safe_from_;
      return list.add(CubeNetwork::plus(d), VcClass(safe && to > at ? 1 : 0));
    }
  }
  [[nodiscard]] unsigned hops(RouterId, RouterId) const override { return 0; }

 private:
  [[nodiscard]] unsigned row(RouterId r) const {
    return cube_->dimensions() > 1 ? cube_->coordinate(r, 1) : 0;
  }
  std::shared_ptr<const CubeNetwork> cube_;
  unsigned safe_from_;
};

constexpr unsigned kNowhere = 1000;

FabricPlan one_way(std::shared_ptr<const CubeNetwork> cube, unsigned safe_from, const NodeDescription& node) {
  return plan_fabric({cube, std::make_shared<OneWay>(cube, safe_from), node});
}

/// Four long worms, each two hops, all at once: each holds the link that another one needs.
std::shared_ptr<ListSource> four_worms(std::uint32_t length) {
  auto source = std::make_shared<ListSource>();
  for (std::size_t t = 0; t < 4; ++t) source->add(t, (t + 2) % 4, length, 0);
  return source;
}

TEST(WhichWormsCanNeverMove, ExactlyTheFourOfARingWithoutDateline) {
  struct Case {
    Json node;
    std::uint32_t length;
  };
  const std::vector<Case> cases{
      {Json::object(), 15},
      {Json{{"release", "tail_left"}}, 15},
      {Json{{"release", "next_buffer_empty"}}, 15},
      {Json{{"input_depth", 4}}, 40},
      {Json{{"input_depth", 4}, {"output_depth", 2}, {"release", "tail_left"}}, 40}};
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const auto& c : cases) {
    fabrics.push_back(make_fabric(one_way(torus({4}), kNowhere, node_of("generic", c.node))));
    fabrics.back()->attach(four_worms(c.length));
  }
  run_cycles(*fabrics[0], 200);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const Autopsy found = autopsy(*fabrics[n]);
    SCOPED_TRACE(cases[n].node.dump() + "\n" + to_text(found));
    ASSERT_TRUE(found.deadlocked);
    EXPECT_EQ(found.cycle, 200U);
    ASSERT_EQ(found.worms.size(), 4U);
    EXPECT_EQ(found.circle.size(), 4U);
    std::set<std::size_t> sources;
    for (const auto& worm : found.worms) {
      const std::size_t t = index(worm.source);
      sources.insert(t);
      EXPECT_EQ(worm.number, 0U);
      EXPECT_EQ(index(worm.destinations.at(0)), (t + 2) % 4);
      // One hop was made; the next one is the link that the next terminal's worm holds.
      EXPECT_EQ(index(worm.router), (t + 1) % 4);
      EXPECT_EQ(worm.buffer, "input x_plus.class0");
      const std::string mine = "router_" + std::to_string(t) + ".";
      EXPECT_EQ(worm.holds, (std::vector<std::string>{mine + "x_plus.class0", mine + "injection"}));
      ASSERT_EQ(worm.waits_for.size(), 1U);
      EXPECT_EQ(worm.waits_for[0].channel, "router_" + std::to_string((t + 1) % 4) + ".x_plus.class0");
      ASSERT_EQ(worm.waits_for[0].owners.size(), 1U);
      EXPECT_EQ(index(found.worms[worm.waits_for[0].owners[0]].source), (t + 1) % 4);
    }
    EXPECT_EQ(sources.size(), 4U);
    // Each waits for the next one of the circle.
    for (std::size_t c = 0; c < 4; ++c)
      EXPECT_EQ(found.worms[found.circle[c]].waits_for[0].owners[0], found.circle[(c + 1) % 4]);
  }
}

TEST(WhichWormsCanNeverMove, TheVerdictIsTrueEver) {
  // Worms that were reported are still there, in the same place, a long time later; and a lone worm that
  // waits for nobody is not reported in any cycle of its life.
  auto stuck = make_fabric(one_way(torus({4}), kNowhere, node_of("generic")));
  stuck->attach(four_worms(15));
  auto flows = make_fabric(one_way(torus({4}), kNowhere, node_of("generic")));
  auto lone = std::make_shared<ListSource>();
  lone->add(0, 3, 30, 5);
  lone->add(1, 3, 30, 5);
  flows->attach(lone);
  Autopsy first;
  for (int t = 0; t < 200; ++t) {
    run_cycles(*stuck, 1);
    EXPECT_FALSE(autopsy(*flows).deadlocked) << to_text(autopsy(*flows));
    if (!first.deadlocked) first = autopsy(*stuck);
  }
  EXPECT_EQ(lone->deliveries.size(), 2U);
  ASSERT_TRUE(first.deadlocked);
  EXPECT_LT(first.cycle, 30U) << "four worms of 15 flits are packed long before";
  run_cycles(*stuck, 5000);
  const Autopsy later = autopsy(*stuck);
  EXPECT_EQ(to_json(later)["circle"], to_json(first)["circle"]);
}

TEST(WhichWormsCanNeverMove, ShortWormsInSharedBuffersWaitForThoseAhead) {
  // Worms far shorter than a buffer: headers wait behind other worms' tails, in input and output buffers.
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const char* release : {"tail_crossed", "tail_left"}) {
    fabrics.push_back(make_fabric(
        one_way(torus({4}), kNowhere,
                node_of("generic", {{"input_depth", 8}, {"output_depth", 3}, {"release", release}}))));
    auto source = std::make_shared<ListSource>();
    for (std::size_t n = 0; n < 40; ++n)
      for (std::size_t t = 0; t < 4; ++t) source->add(t, (t + 3) % 4, 2, 0);
    fabrics.back()->attach(source);
  }
  run_cycles(*fabrics[0], 2000);
  std::vector<std::uint64_t> delivered;
  for (const auto& fabric : fabrics) {
    const Autopsy found = autopsy(*fabric);
    const auto counters = fabric->counters();
    EXPECT_TRUE(found.deadlocked) << "this load locks the ring up";
    EXPECT_LT(counters.packets_delivered, 160U);
    EXPECT_EQ(found.worms.size(), counters.packets_in_flight()) << to_text(found);
    delivered.push_back(counters.packets_delivered);
  }
  run_cycles(*fabrics[0], 2000);
  for (std::size_t n = 0; n < fabrics.size(); ++n)
    EXPECT_EQ(fabrics[n]->counters().packets_delivered, delivered[n]);
}

TEST(WhichWormsCanNeverMove, TheSameWithAndWithoutThoseThatHaveNotEntered) {
  auto fabric = make_fabric(one_way(torus({4}), kNowhere, node_of("fixed_slot")));
  auto source = std::make_shared<ListSource>();
  for (std::size_t n = 0; n < 20; ++n)
    for (std::size_t t = 0; t < 4; ++t) source->add(t, (t + 2) % 4, 15, 40 * n * t);
  fabric->attach(source);
  const auto stuck = [](const Waits& waits) {
    return std::count_if(waits.worms().begin(), waits.worms().end(),
                         [](const Waits::Worm& worm) { return !worm.moves; });
  };
  int first = 0;
  for (int t = 1; t < 400; ++t) {
    run_cycles(*fabric, 1);
    const Waits all(*fabric, false);
    const Waits entered(*fabric, false, false);
    ASSERT_EQ(all.none_stuck(), entered.none_stuck()) << t;
    ASSERT_EQ(autopsy(*fabric).deadlocked, !all.none_stuck()) << t;
    ASSERT_EQ(autopsy(*fabric).worms.size(), static_cast<std::size_t>(stuck(all))) << t;
    if (first == 0 && !all.none_stuck()) first = t;
    if (t == 399) {
      EXPECT_GT(stuck(all), stuck(entered)) << "those that wait at their terminals";
    }
  }
  EXPECT_GT(first, 1) << "the first have to meet";
}

TEST(WhichWormsCanNeverMove, ADeadlockInOneRowWhileTheOthersFlow) {
  const auto topology = torus({4, 4});
  auto fabric = make_fabric(one_way(topology, 1, node_of("generic")));
  auto source = std::make_shared<ListSource>();
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t n = 0; n < 200; ++n) {
      const std::size_t row = t / 4 * 4;
      source->add(t, row + (t + 2) % 4, 15, row == 0 ? 400 : 0);
    }
  fabric->attach(source);
  run_cycles(*fabric, 400);
  EXPECT_FALSE(autopsy(*fabric).deadlocked);
  run_cycles(*fabric, 400);
  const Autopsy found = autopsy(*fabric);
  ASSERT_TRUE(found.deadlocked);
  EXPECT_EQ(found.worms.size(), 4U) << to_text(found);
  for (const auto& worm : found.worms) EXPECT_LT(index(worm.router), 4U) << "row 0 is the one that locks up";
  const auto before = source->deliveries.size();
  run_cycles(*fabric, 400);
  EXPECT_GT(source->deliveries.size(), before + 20) << "the other rows flow on";
}

TEST(WhichWormsCanNeverMove, NobodyInASaturatedNetworkThatFlows) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::string> names;
  const auto add = [&](const Model& model, std::vector<unsigned> radix, std::uint64_t seed, const Json& set,
                       bool discard) {
    const auto topology = torus(std::move(radix));
    FabricOptions options;
    options.seed = seed;
    options.discard = discard;
    fabrics.push_back(make_fabric(plan_of(model, topology, set), options));
    fabrics.back()->attach(traffic(topology, "bernoulli", 1000, seed % 2 == 0 ? 15 : 4, seed));
    names.push_back(model.algorithm + model.set.dump() + set.dump());
  };
  for (const auto& model : shipped_models()) {
    for (const std::uint64_t seed : {1, 2, 3}) add(model, {4, 4}, seed, Json::object(), seed == 2);
    add(model, {8, 8}, 4, Json::object(), true);
  }
  for (const char* release : {"tail_crossed", "tail_left", "next_buffer_empty"})
    add(shipped_models()[0], {4, 4}, 6,
        {{"input_depth", 4}, {"output_depth", 2}, {"lanes", 2}, {"release", release}}, false);
  for (int n = 0; n < 40; ++n) {
    run_cycles(*fabrics[0], 499 + n % 3);
    for (std::size_t f = 0; f < fabrics.size(); ++f)
      ASSERT_FALSE(autopsy(*fabrics[f]).deadlocked) << names[f] << "\n" << to_text(autopsy(*fabrics[f]));
  }
  for (const auto& fabric : fabrics) {
    fabric->check_conservation();
    EXPECT_GT(fabric->counters().packets_delivered, 1000U);
  }
}

TEST(WhichWormsCanNeverMove, ReportsNameWormsAndChannelsAndStayShort) {
  auto fabric = make_fabric(one_way(torus({4}), kNowhere, node_of("generic")));
  fabric->attach(four_worms(15));
  run_cycles(*fabric, 3);
  EXPECT_NE(to_text(autopsy(*fabric)).find("no deadlock"), std::string::npos);
  run_cycles(*fabric, 100);
  Autopsy found = autopsy(*fabric);
  const std::string text = to_text(found);
  EXPECT_NE(text.find("4 worms can never move again"), std::string::npos) << text;
  EXPECT_NE(text.find("packet 0:0 to terminal 2, 15 flits: header in input x_plus.class0 of "
                      "router_1; holds router_0.x_plus.class0, router_0.injection; waits for "
                      "router_1.x_plus.class0 (packet 1:0)"),
            std::string::npos)
      << text;
  const Json json = to_json(found);
  EXPECT_EQ(json["worms"], 4);
  ASSERT_EQ(json["circle"].size(), 4U);
  EXPECT_EQ(json["circle"][0]["waits_for"][0]["owners"][0]["number"], 0);
  EXPECT_EQ(json["waiting"].size(), 0U);
  // Many victims: the list is cut and says so.
  for (int n = 0; n < 30; ++n) found.worms.push_back(found.worms[0]);
  const std::string cut = to_text(found, 7);
  EXPECT_NE(cut.find("and 23 more"), std::string::npos) << cut;
  EXPECT_EQ(std::count(cut.begin(), cut.end(), '\n'), 2 + 4 + 1 + 7 + 1);
  EXPECT_EQ(to_json(found, 7)["waiting"].size(), 7U);
  EXPECT_EQ(to_json(found, 7)["not_listed"], 23);
}

/// Gravano et al. 1994, V.C: without the rule on empty buffers *-Channels locks up.
TEST(WhichWormsCanNeverMoveFull, StarChannelsWithoutItsRule) {
  const auto topology = torus({31, 31});
  FabricOptions options;
  options.discard = true;
  auto fabric =
      make_fabric(plan_of(shipped_models()[3], topology, Json{{"release", "tail_crossed"}}), options);
  // 3 x tau_max = 3 x 4 / (31 x 29 / 2) worms of 15 flits: 0.400 flits per terminal and cycle.
  fabric->attach(traffic(topology, "bernoulli", 400, 15));
  Autopsy found;
  double slowest = 1e9;
  while (!found.deadlocked && fabric->cycles() < 40000) {
    run_cycles(*fabric, 5000);
    const auto start = std::chrono::steady_clock::now();
    found = autopsy(*fabric);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (!found.deadlocked) slowest = std::min(slowest, took.count());
  }
  RecordProperty("autopsy_ms", std::to_string(slowest));
  RecordProperty("cycle", std::to_string(found.cycle));
  RecordProperty("worms", std::to_string(found.worms.size()));
  std::printf("deadlock at cycle %llu, %zu worms, circle of %zu; a search without one took %.2f ms\n",
              static_cast<unsigned long long>(found.cycle), found.worms.size(), found.circle.size(), slowest);
  ASSERT_TRUE(found.deadlocked);
  EXPECT_GE(found.circle.size(), 2U);
  run_cycles(*fabric, 500);
  std::set<std::pair<std::size_t, std::uint64_t>> later;
  for (const auto& worm : autopsy(*fabric).worms) later.insert({index(worm.source), worm.number});
  for (const auto& worm : found.worms)
    EXPECT_TRUE(later.contains({index(worm.source), worm.number})) << "a worm that was reported has moved";
}

}  // namespace
}  // namespace noctule::fabric_test
