// Planes: networks side by side in one fabric are what they are alone.

#include <gtest/gtest.h>

#include <tuple>

#include "closed_loop_support.h"
#include "routing/planes_relation.h"
#include "routing/prescribed_routes.h"
#include "topology/planes.h"
#include "topology/without.h"

namespace noctule::fabric_test {
namespace {

using Networks = std::vector<std::pair<std::string, std::shared_ptr<const Topology>>>;

/// One class for each plane, by its name.
MessageClasses class_per_plane(const Networks& networks) {
  std::vector<MessageClass> classes;
  for (const auto& [name, network] : networks) {
    MessageClass& c = classes.emplace_back(MessageClass{name});
    c.interface = c.attachment = static_cast<std::uint8_t>(classes.size() - 1);
    c.buffer = 1;
  }
  return chain_of(std::move(classes));
}

FabricPlan plan_of_planes(const Networks& networks, const std::string& algorithm,
                          const NodeDescription& node) {
  const auto whole = std::make_shared<const Topology>(join_planes(networks));
  std::vector<std::shared_ptr<const RoutingRelation>> relations;
  for (const auto& [name, network] : networks) relations.push_back(relation_on(network, algorithm));
  FabricParts parts{whole, std::make_shared<const PlanesRelation>(whole, relations), node};
  parts.message_classes = class_per_plane(networks);
  return plan_fabric(std::move(parts));
}

Networks opposed_tori() {
  return {{"there", topology_of("torus", {{"radix", {4, 4}}, {"directions", "plus"}})},
          {"back", topology_of("torus", {{"radix", {4, 4}}, {"directions", "minus"}})}};
}

using Move =
    std::tuple<Cycle, std::size_t, FlitEvent, unsigned, unsigned, unsigned, bool, std::size_t, std::uint64_t>;

/// What happened, with routers from `first` on as 0 and so on, and packets by `number_of`.
template <class F>
std::vector<Move> moves(const Recorder& recorder, std::size_t first, std::size_t routers, F&& number_of) {
  std::vector<Move> list;
  for (const Event& e : recorder.events)
    if (index(e.router) >= first && index(e.router) < first + routers)
      list.emplace_back(e.t, index(e.router) - first, e.event, e.place, e.input, e.flit, e.tail,
                        index(e.source), number_of(e));
  std::ranges::sort(list);
  return list;
}

/// Worms for every terminal, alternately of plane 0 and plane 1, in numbers that make them wait.
struct Worms {
  struct Worm {
    std::size_t source;
    GeneratedPacket packet;
  };
  std::vector<Worm> list;
  explicit Worms(std::size_t terminals) {
    Rng rng(7, "worms");
    std::vector<Cycle> birth(terminals);
    for (int n = 0; n < 25; ++n)
      for (std::size_t s = 0; s < terminals; ++s) {
        const auto d = (s + 1 + rng.below(terminals - 1)) % terminals;
        GeneratedPacket packet{birth[s] += rng.below(20), TerminalId(static_cast<std::uint32_t>(d)),
                               static_cast<std::uint32_t>(1 + rng.below(8)), 0, nullptr};
        packet.message_class = static_cast<std::uint8_t>(rng.below(2));
        list.push_back({s, packet});
      }
  }
};

class TwoPlanes : public testing::TestWithParam<Variant> {};

TEST_P(TwoPlanes, MoveEveryFlitAsTheNetworksDoAlone) {
  const Variant& variant = GetParam();
  const Networks networks = opposed_tori();
  Json set = variant.set;
  if (!set.contains("selection") && !set.contains("vc_allocator")) set["selection"] = "first";
  const NodeDescription node = node_of("generic", set);
  LinkedOptions options;
  options.credit_delay = variant.credit_delay;
  const std::size_t routers = networks.front().second->routers();
  const Worms worms(routers);
  Bench both(plan_of_planes(networks, "dimension_order", node), options);
  std::vector<std::unique_ptr<Bench>> alone;
  for (const auto& [name, network] : networks)
    alone.push_back(std::make_unique<Bench>(
        plan_fabric({network, relation_on(network, "dimension_order"), node}), options));
  // By source: for each packet of the fabric of both, its number in its plane.
  std::map<std::size_t, std::vector<std::uint64_t>> number;
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> next;
  for (auto [source, packet] : worms.list) {
    both.source->add(source, packet);
    number[source].push_back(next[{source, packet.message_class}]++);
    Bench& one = *alone[packet.message_class];
    packet.message_class = 0;
    one.source->add(source, packet);
  }
  run_cycles(*both.fabric, 6000);
  ASSERT_TRUE(both.fabric->drained());
  const bool draws = variant.name == "blind";  // in the second plane from another stream than alone
  for (std::size_t k = 0; k < alone.size(); ++k) {
    if (k > 0 && draws) continue;
    const auto together = moves(both.recorder, k * routers, routers,
                                [&](const Event& e) { return number.at(index(e.source)).at(e.number); });
    const auto apart = moves(alone[k]->recorder, 0, routers, [](const Event& e) { return e.number; });
    EXPECT_GT(apart.size(), 3000U);
    EXPECT_EQ(together, apart) << networks[k].first;
  }
}

/// Networks that nothing joins, once as planes and once as one network with two attachments.
TEST_P(TwoPlanes, AreWhatAttachmentsToOneNetworkAre) {
  const Variant& variant = GetParam();
  if (variant.name == "blind") GTEST_SKIP() << "the second plane draws from streams of its own";
  Json set = variant.set;
  if (!set.contains("selection") && !set.contains("vc_allocator")) set["selection"] = "first";
  LinkedOptions options;
  options.credit_delay = variant.credit_delay;
  const FabricPlan planes = plan_of_planes(opposed_tori(), "dimension_order", node_of("generic", set));
  // The same graph and ways, of which nobody knows that they are of two networks.
  const auto graph = std::make_shared<const Topology>(take_away(*planes.topology, {}));
  ASSERT_EQ(graph->geometry<Planes>(), nullptr);
  const auto ways = std::make_shared<const PrescribedRoutes>(graph, planes.relation,
                                                             std::vector<PrescribedRoutes::Route>{});
  FabricParts parts{graph, ways, planes.nodes};
  parts.message_classes = planes.message_classes;
  const Worms worms(planes.topology->terminals());
  Bench apart(planes, options);
  Bench joined(plan_fabric(std::move(parts)), options);
  for (const auto& [source, packet] : worms.list)
    for (Bench* bench : {&apart, &joined}) bench->source->add(source, packet);
  run_cycles(*apart.fabric, 6000);
  const auto number = [](const Event& e) { return e.number; };
  const std::size_t routers = planes.topology->routers();
  const auto expected = moves(apart.recorder, 0, routers, number);
  EXPECT_GT(expected.size(), 6000U);
  EXPECT_EQ(moves(joined.recorder, 0, routers, number), expected);
  EXPECT_EQ(joined.fabric->digest(), apart.fabric->digest());
}

INSTANTIATE_TEST_SUITE_P(Blocks, TwoPlanes, testing::ValuesIn(variants()),
                         [](const auto& info) { return info.param.name; });

TEST(Planes, DrawFromStreamsOfTheirOwn) {
  const auto network = topology_of("torus", {{"radix", {4, 4}}});
  const Topology whole = join_planes({{"a", network}, {"b", network}});
  EXPECT_EQ(stream_name(*network, RouterId{5}), network->router_name(RouterId{5}));
  EXPECT_EQ(stream_name(whole, RouterId{5}), network->router_name(RouterId{5}));
  EXPECT_EQ(stream_name(whole, RouterId{16 + 5}), "1." + network->router_name(RouterId{5}));
}

TEST(Planes, KeepLittlesLaw) {
  struct Loop {
    unsigned outstanding = 0;
    std::shared_ptr<TrafficSource> source;
    std::unique_ptr<Fabric> fabric;
    TrafficSource::Transactions start = {};
  };
  std::vector<Loop> all;
  for (const unsigned outstanding : {1U, 6U}) {
    const FabricPlan plan =
        plan_of_planes(opposed_tori(), "dimension_order", node_of("input_queued", {{"input_depth", 4}}));
    const auto source = closed_loop(plan, {{"outstanding", outstanding}, {"service_time", 9}}, 4);
    all.push_back({outstanding, source, make_fabric(plan, options_for(source))});
    all.back().fabric->attach(source);
  }
  run_cycles(*all.front().fabric, 2000);
  for (Loop& loop : all) loop.start = *loop.source->transactions();
  constexpr Cycle kWindow = 100'000;
  run_cycles(*all.front().fabric, kWindow);
  for (const Loop& loop : all) {
    const auto end = *loop.source->transactions();
    const auto completed = static_cast<double>(end.count - loop.start.count);
    const double round_trip =
        static_cast<double>(end.cycles - loop.start.cycles) / completed + 1;  // of thought
    EXPECT_GT(completed, 1000);
    EXPECT_NEAR(completed / kWindow * round_trip / 16, loop.outstanding, 0.001 * loop.outstanding);
    loop.fabric->check_conservation();
  }
}

TEST(Planes, RefuseAClassOfNone) {
  const Networks networks = opposed_tori();
  const auto whole = std::make_shared<const Topology>(join_planes(networks));
  std::vector<std::shared_ptr<const RoutingRelation>> relations;
  for (const auto& [name, network] : networks) relations.push_back(relation_on(network, "dimension_order"));
  const auto relation = std::make_shared<const PlanesRelation>(whole, relations);
  EXPECT_THROW((void)plan_fabric({whole, relation, node_of("generic")}), ConfigError);
  std::vector<MessageClass> shared{MessageClass{"a"}, MessageClass{"b"}};
  shared[1].attachment = 1;  // by the interface of the other
  EXPECT_THROW(MessageClasses{shared}, ConfigError);
}

}  // namespace
}  // namespace noctule::fabric_test
