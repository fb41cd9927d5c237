// Arbiters side by side in a word: do they choose as arbiters one by one do?

#include "arbitration/port_allocator.h"

#include <gtest/gtest.h>

#include "arbitration_support.h"
#include "core/rng.h"

namespace noctule::arbitration_test {
namespace {

TEST(FieldArbiters, ChooseAsRoundRobinArbitersOneByOneDo) {
  Rng rng(1, "fields");
  for (const auto& [count, width] :
       {std::pair{1U, 1U}, {1U, 64U}, {64U, 1U}, {5U, 4U}, {8U, 8U}, {9U, 7U}, {3U, 5U}}) {
    const FieldArbiters fields(count, width);
    ArbiterBank<1> one_by_one(ArbiterKind::kRoundRobin);
    for (unsigned a = 0; a < count; ++a) one_by_one.add(1, a * width, (a + 1) * width);
    const std::uint64_t all = count * width == 64 ? ~0ULL : (1ULL << (count * width)) - 1;
    std::uint64_t first = fields.start();
    for (unsigned cycle = 0; cycle < 400; ++cycle) {
      const std::uint64_t requests = rng.next() & rng.next() & all;
      std::uint64_t expected = 0;
      std::uint64_t served = 0;
      for (unsigned a = 0; a < count; ++a) {
        const Mask<1> mine = Mask<1>{requests} & Mask<1>::from(std::size_t{a} * width) &
                             ~Mask<1>::from(std::size_t{a + 1} * width);
        if (mine.none()) continue;
        const std::size_t winner = one_by_one.pick(a, mine);
        expected |= 1ULL << winner;
        if (rng.below(3) == 0) continue;  // its choice comes to nothing
        one_by_one.served(a, winner);
        served |= 1ULL << winner;
      }
      ASSERT_EQ(fields.pick(requests, first), expected) << count << " x " << width << ", cycle " << cycle;
      first = fields.after(served, first);
    }
  }
}

TEST(PortAllocator, GrantsWhatSeparableInputFirstGrants) {
  struct Shape {
    std::size_t input_ports, vcs, output_ports;
  };
  Rng rng(2, "ports");
  for (const Shape& shape : {Shape{5, 4, 5}, {3, 2, 4}, {1, 1, 1}, {8, 8, 8}, {9, 7, 7}, {2, 5, 32}}) {
    ASSERT_TRUE(PortAllocator::holds(shape.input_ports, shape.vcs, shape.output_ports));
    const PortAllocator ports(shape.input_ports, shape.vcs, shape.output_ports);
    auto turns = ports.start();
    const std::size_t requesters = shape.input_ports * shape.vcs;
    AllocatorShape same{{}, shape.output_ports};
    for (std::size_t r = 0; r < requesters; ++r)
      same.group_of.push_back(static_cast<std::uint16_t>(r / shape.vcs));
    const auto other =
        AllocatorRegistry::instance().at("separable_input_first").make.factory.make<1>(same, {});
    std::vector<std::size_t> port(requesters);
    std::vector<Mask<1>> wants(requesters);
    for (unsigned cycle = 0; cycle < 1000; ++cycle) {
      Mask<1> asking;
      for (std::size_t r = 0; r < requesters; ++r) {
        if (rng.below(4) == 0) asking.set(r);
        port[r] = rng.below(shape.output_ports);
        wants[r] = Mask<1>::bit(port[r]);
      }
      if (asking.none()) continue;
      Mask<1> expected;
      for (const auto& grant : other->allocate(asking, wants.data())) expected.set(grant.requester);
      const std::uint64_t granted = ports.allocate(
          turns, asking.words[0], [&](std::size_t r) { return ports.field(port[r]) + r / shape.vcs; });
      ASSERT_EQ(granted, expected.words[0]) << "cycle " << cycle;
    }
  }
}

TEST(PortAllocator, HoldsNoMoreThanAWordForEachStage) {
  EXPECT_TRUE(PortAllocator::holds(8, 8, 8));
  EXPECT_FALSE(PortAllocator::holds(9, 8, 2)) << "requesters";
  EXPECT_FALSE(PortAllocator::holds(9, 1, 8)) << "bids";
}

}  // namespace
}  // namespace noctule::arbitration_test
