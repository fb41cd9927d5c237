// Latencies of lone packets that are long: what is found by the period in which flits follow is what is found
// flit by flit.

#include <gtest/gtest.h>

#include <array>

#include "analytic/zero_load.h"
#include "core/json.h"
#include "support/networks.h"

namespace noctule {
namespace {

struct Line {
  std::shared_ptr<const Topology> topology = topology_of("mesh", {{"radix", Json::array({6})}});
  std::vector<LinkId> path;

  explicit Line(std::size_t hops) {
    RouterId here{0};
    while (path.size() < hops)
      for (const Link& link : topology->links())
        if (link.from == here && index(link.to) == index(here) + 1) {
          path.push_back(link.id);
          here = link.to;
          break;
        }
  }
  [[nodiscard]] FabricPlan plan(NodeDescription node, LinkDescriptions links) const {
    return plan_fabric({topology, relation_on(topology, "dimension_order"), node, std::move(links)});
  }
};

NodeDescription node_of_depth(unsigned input_depth, unsigned output_depth) {
  NodeDescription node;
  node.input_depth = input_depth;
  node.output_depth = output_depth;
  return node;
}

TEST(ALongPacket, TakesByItsPathWhatItTakesByItsHops) {
  const Line line(3);
  for (const unsigned depth : {1U, 2U, 3U, 5U, 8U})
    for (const unsigned output : {0U, 1U, 3U})
      for (const unsigned delay : {1U, 2U, 7U}) {
        SCOPED_TRACE(testing::Message() << depth << ' ' << output << ' ' << delay);
        const FabricPlan plan = line.plan(node_of_depth(depth, output), LinkDescription{delay, delay});
        const ZeroLoad zero_load(plan);
        for (const std::uint64_t length : {1U, 2U, 3U, 7U, 63U, 200U, 4000U, 4096U, 4097U, 6000U})
          ASSERT_EQ(zero_load.latency(RouterId{0}, line.path, length), zero_load.latency(3, length))
              << length;
      }
}

TEST(ALongPacket, FollowsAsFastAsTheSlowestBufferLetsIt) {
  // Ways whose buffers let flits through in periods of their own. All lengths up to one; then as many more
  // flits take as many more cycles, whatever the length.
  const Line line(4);
  const std::array<unsigned, 4> delays{3, 1, 5, 2};
  for (const unsigned depth : {1U, 2U, 3U, 4U}) {
    LinkDescriptions links;
    for (std::size_t n = 0; n < line.path.size(); ++n)
      links.set(line.path[n], LinkDescription{delays[n], delays[n]}, line.topology->links().size(), "links");
    const FabricPlan plan = line.plan(node_of_depth(depth, 1), links);
    const ZeroLoad zero_load(plan);
    const auto latency = [&](std::uint64_t length) {
      return zero_load.latency(RouterId{0}, line.path, length);
    };
    const std::uint64_t slowest = zero_load.credit_round_trip(line.path[2]);
    ASSERT_GT(slowest, depth);
    for (std::uint64_t length = 50; length < 120; ++length)
      ASSERT_EQ(latency(length + depth), latency(length) + slowest) << "depth " << depth << ", " << length;
    constexpr std::uint64_t kMost = 1'000'000'000;
    const std::uint64_t periods = (kMost - 50) / depth;
    EXPECT_EQ(latency(kMost), latency(kMost - periods * depth) + periods * slowest);
  }
}

TEST(ALongPacket, IsKnownAtOnceByItsHops) {
  const Line line(1);
  constexpr std::uint64_t kMost = 1'000'000'000;
  const FabricPlan plan = line.plan(node_of_depth(2, 0), LinkDescription{4, 4});
  const ZeroLoad slow(plan);
  const std::uint64_t trip = slow.credit_round_trip(line.path[0]);
  EXPECT_EQ(slow.latency(2, kMost), slow.latency(2, 100) + (kMost - 100) / 2 * trip);
  NodeDescription node = node_of_depth(16, 0);
  const FabricPlan fast = line.plan(node, LinkDescription{});
  EXPECT_EQ(ZeroLoad(fast).latency(2, kMost), ZeroLoad(fast).latency(2, 1) + kMost - 1);
}

}  // namespace
}  // namespace noctule
