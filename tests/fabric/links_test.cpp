// Links that differ: a lone worm takes what its path says, a serialiser passes a flit every so many cycles,
// nothing is lost, the order of evaluation does not matter, and only the routers at a slow link pay for it.

#include <gtest/gtest.h>

#include "fabric_support.h"
#include "uneven_support.h"

namespace noctule::fabric_test {
namespace {

/// Those of variants() that links of any delay go with.
std::vector<Variant> mixed_variants() {
  std::vector<Variant> all;
  for (const Variant& variant : variants())
    if (variant.credit_delay > 0) all.push_back(variant);
  return all;
}

FabricPlan uneven(const Network& network, const Json& node_set, std::uint64_t seed) {
  std::vector<LinkDescription> kinds{{1, 1, 1}, {1, 1, 1}, {3, 2, 1}, {1, 1, 3}, {6, 5, 2}, {20, 1, 1}};
  kinds.push_back({1, 1, 1, {3, {}, {}}});
  // Parallel links are ports of the switch: a header that speculates may ask for another one than it gets.
  if (!node_set.contains("speculative")) kinds.push_back({2, 1, 1, {4, 2, {}}});
  if (!node_set.contains("switch_allocator")) {
    kinds.push_back({1, 1, 1, {{}, {}, LinkSharing::kFixedSlot}});
    kinds.push_back({1, 2, 2, {2, {}, LinkSharing::kFixedSlot}});
    kinds.push_back({1, 1, 1, {{}, {}, LinkSharing::kDemand}});
  }
  return plan_fabric({network.topology, relation_on(network.topology, network.algorithm),
                      node_of("generic", node_set), drawn_links(*network.topology, kinds, seed)});
}

TEST(ALoneWormOnUnevenLinks, TakesWhatTheFormulaSaysOfItsPath) {
  LoneWormsByPath worms;
  std::uint64_t seed = 0;
  for (const Network& network : networks())
    for (const Variant& variant : mixed_variants()) {
      // A header that may go several ways may ask the switch for another one than its VC is on.
      if (network.algorithm != "dimension_order" && variant.set.contains("speculative")) continue;
      worms.add(network.name + " " + variant.name, uneven(network, variant.set, seed++));
    }
  worms.run_and_check();
}

TEST(TheFormulaOfAPath, IsThatOfItsHopsWhereLinksAreAlike) {
  const auto topology = mesh({9});
  for (const Variant& variant : variants())
    for (const LinkDescription link : {LinkDescription{1, 1, 1}, {4, 2, 1}, {2, 3, 3}}) {
      SCOPED_TRACE(variant.name);
      LinkDescription described = link;
      if (variant.credit_delay == 0) described.credit_delay = 0;
      auto plan = plan_of(shipped_models()[0], topology, variant.set);
      plan.links = described;
      const ZeroLoad zero_load(plan);
      std::vector<LinkId> path;
      for (std::uint32_t r = 0; r < 8; ++r) {
        path.push_back(topology->outgoing(RouterId{r}, PortId{0})->id);
        for (const std::uint64_t length : {1, 2, 3, 8, 17, 90})
          ASSERT_EQ(zero_load.latency(RouterId{0}, path, length), zero_load.latency(path.size(), length))
              << path.size() << " hops, " << length << " flits";
      }
    }
}

TEST(ASerialiser, PassesAFlitEverySoManyCyclesOfWhateverVc) {
  // Two VCs, two worms at a time from each of two sources: the link is never idle.
  const auto topology = mesh({3});
  std::vector<std::pair<unsigned, std::unique_ptr<Bench>>> runs;
  for (const Variant& variant : mixed_variants()) {
    if (variant.set.contains("link_sharing")) continue;
    for (const unsigned cycles : {1U, 2U, 5U}) {
      Json set = variant.set;
      set.update({{"lanes", 2}, {"input_depth", 16}, {"injection_channels", 2}});
      if (!set.contains("output_depth")) set["output_depth"] = 2;
      auto plan = plan_of(shipped_models()[0], topology, set);
      const LinkId slow = topology->outgoing(RouterId{1}, PortId{0})->id;
      plan.links.set(slow, {2, 1, cycles}, topology->links().size(), "links");
      auto bench = std::make_unique<Bench>(std::move(plan));
      for (unsigned k = 0; k < 40; ++k)
        for (const std::size_t source : {0U, 1U}) bench->source->add(source, 2, 8, k);
      runs.emplace_back(cycles, std::move(bench));
    }
  }
  run_cycles(*runs[0].second->fabric, 5000);
  for (const auto& [cycles, bench] : runs) {
    std::vector<Cycle> sent;
    for (const Event& e : bench->recorder.of(FlitEvent::kLink, 1)) sent.push_back(e.t);
    ASSERT_EQ(sent.size(), 2U * 40U * 8U);
    for (std::size_t n = 1; n < sent.size(); ++n) ASSERT_GE(sent[n], sent[n - 1] + cycles);
    const Cycle taken = sent.back() - sent.front();
    if (cycles > 1) {
      EXPECT_LE(taken, (sent.size() - 1) * cycles * 11 / 10 + 40) << "the link is kept busy";
    }
    EXPECT_TRUE(bench->fabric->drained());
  }
}

TEST(UnevenLinks, LoseNothingAndKeepTheDigestInWhateverOrderRoutersAreEvaluated) {
  InAnyOrder fabrics;
  for (const Network& network : networks())
    for (const Variant& variant : mixed_variants())
      fabrics.add(network.name + " " + variant.name, uneven(network, variant.set, 77));
  fabrics.run_and_check();
}

TEST(ALinkOfItsOwnShape, HasItsVcsAndWiresAtBothEndsWhateverTheRoutersSay) {
  const auto topology = mesh({4});
  const auto relation = relation_on(topology, "dimension_order");
  LinkDescriptions links;
  const auto id = [&](std::uint32_t from) { return topology->outgoing(RouterId{from}, PortId{0})->id; };
  links.set(id(0), {1, 1, 1, {3, {}, {}}}, topology->links().size(), "links");
  links.set(id(1), {1, 1, 1, {4, 2, {}}}, topology->links().size(), "links");
  links.set(id(2), {1, 1, 1, {2, {}, LinkSharing::kFixedSlot}}, topology->links().size(), "links");
  for (const Json& set : {Json::object(), Json{{"output_depth", 0}, {"input_depth", 2}},
                          Json{{"output_depth", 2}, {"input_depth", 4}}}) {
    const auto plan = plan_fabric({topology, relation, node_of("generic", set), links});
    const auto vcs = [](const std::vector<ChannelPlan>& channels, PortId port) {
      std::vector<unsigned> counts;
      for (const auto& c : channels)
        if (c.port == port) counts.push_back(c.count);
      return counts;
    };
    const std::vector<std::vector<unsigned>> expected{{3}, {2, 2}, {2}};
    for (std::uint32_t r = 0; r < 3; ++r) {
      EXPECT_EQ(vcs(plan.routers[r]->outbound, PortId{0}), expected[r]);
      EXPECT_EQ(vcs(plan.routers[r + 1]->inbound, PortId{0}), expected[r]);
      EXPECT_EQ(vcs(plan.routers[r + 1]->outbound, PortId{1}), std::vector<unsigned>{1}) << "the way back";
    }
  }
}

TEST(LinksOfBothSharings, LeaveARouterSideBySide) {
  // Router 1 of a 3x3 mesh: to the right a flit of a VC takes as many cycles as there are VCs, down it does
  // not.
  const auto topology = mesh({3, 3});
  const auto relation = relation_on(topology, "dimension_order");
  const Link& right = *topology->outgoing(RouterId{3}, PortId{0});
  std::vector<std::unique_ptr<Bench>> benches;
  for (const unsigned output_depth : {0U, 2U}) {
    LinkDescriptions links;
    links.set(right.id, {1, 1, 1, {4, {}, LinkSharing::kFixedSlot}}, topology->links().size(), "links");
    const Json set{{"output_depth", output_depth},
                   {"input_depth", 8},
                   {"injection_channels", 2},
                   {"injection_refill", "same_cycle"}};
    benches.push_back(
        std::make_unique<Bench>(plan_fabric({topology, relation, node_of("generic", set), links})));
    benches.back()->source->add(3, 4, 12, 0);
    benches.back()->source->add(3, 0, 12, 0);
  }
  run_cycles(*benches[0]->fabric, 200);
  for (const auto& bench : benches) {
    ASSERT_TRUE(bench->fabric->drained());
    const auto& outputs = bench->fabric->plan().routers[3]->outputs;
    std::vector<Cycle> slotted;
    std::vector<Cycle> shared;
    for (const Event& e : bench->recorder.of(FlitEvent::kLink, 3))
      (outputs[e.place].port == right.out ? slotted : shared).push_back(e.t);
    ASSERT_EQ(slotted.size(), 12U);
    ASSERT_EQ(shared.size(), 12U);
    for (std::size_t n = 1; n < 12; ++n) {
      EXPECT_EQ(slotted[n], slotted[n - 1] + 4);
      EXPECT_EQ(shared[n], shared[n - 1] + 1);
    }
  }
}

TEST(ALongLink, CostsTheRoutersAtItsEndsAndAHubItself) {
  // A hub with 100 leaves: more than 64 inputs. Only the hub has wide masks, only two routers long rings.
  TopologyBuilder builder;
  std::vector<std::string> ports;
  for (int p = 0; p < 100; ++p) ports.push_back("leaf_" + std::to_string(p));
  const RouterId hub = builder.add_routers(1, ports);
  const RouterId first = builder.add_routers(100, {"hub"});
  for (std::uint32_t l = 0; l < 100; ++l) {
    const RouterId leaf{static_cast<std::uint32_t>(index(first)) + l};
    builder.connect(hub, PortId(l), leaf, PortId{0});
    builder.connect(leaf, PortId{0}, hub, PortId(l));
    builder.add_terminal(leaf);
  }
  const auto star = std::make_shared<const Topology>(std::move(builder).build());
  const auto planned = [](const std::shared_ptr<const Topology>& topology) {
    return plan_fabric({topology, relation_on(topology, "up_down"),
                        node_of("generic", {{"input_depth", 4}, {"output_depth", 2}})});
  };
  const auto even = make_fabric(planned(star));
  auto plan = planned(star);
  plan.links.set(star->links()[6].id, {64, 64, 1}, star->links().size(), "links");
  const auto uneven_star = make_fabric(plan);
  // A leaf in a fabric of leaves alone: a pair of routers.
  TopologyBuilder two;
  two.add_routers(2, {"hub"});
  two.connect(RouterId{0}, PortId{0}, RouterId{1}, PortId{0});
  two.connect(RouterId{1}, PortId{0}, RouterId{0}, PortId{0});
  two.add_terminal(RouterId{0});
  two.add_terminal(RouterId{1});
  const auto pair = make_fabric(planned(std::make_shared<const Topology>(std::move(two).build())));
  const std::size_t leaf = pair->state_bytes() / 2;
  const std::size_t wide = even->state_bytes() - 100 * leaf;
  EXPECT_LT(wide, 100 * leaf) << "the hub is not most of it";
  // Rings of 128 cycles, of the hub's wide masks and of one leaf's.
  EXPECT_LE(uneven_star->state_bytes() - even->state_bytes(), 128U * (7 * 32 + 7 * 8 + 64));
  auto source = std::make_shared<ListSource>();
  for (std::size_t s = 0; s < 100; ++s) source->add(s, (s + 3) % 100, 5, s);
  uneven_star->attach(source);
  run_cycles(*uneven_star, 3000);
  EXPECT_EQ(source->deliveries.size(), 100U);
  uneven_star->check_conservation();
}

}  // namespace
}  // namespace noctule::fabric_test
