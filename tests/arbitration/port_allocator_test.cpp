// Arbiters side by side in a word: do they choose as arbiters one by one do?

#include "arbitration/port_allocator.h"

#include <gtest/gtest.h>

#include "arbitration_support.h"
#include "core/rng.h"

namespace noctule::arbitration_test {
namespace {

/// Bits from `first` up to before `end`.
std::uint64_t bits(std::size_t first, std::size_t end) {
  std::uint64_t word = 0;
  for (std::size_t b = first; b < end; ++b) word |= std::uint64_t{1} << b;
  return word;
}

void choose_as_one_by_one(unsigned count, unsigned width) {
  Rng rng(1, "fields");
  const FieldArbiters fields(count, width);
  ArbiterBank<1> one_by_one(ArbiterKind::kRoundRobin);
  for (unsigned a = 0; a < count; ++a) one_by_one.add(1, a * width, (a + 1) * width);
  const std::uint64_t all = bits(0, count * width);
  std::uint64_t first = 0;
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    const std::uint64_t requests = rng.next() & rng.next() & all;
    std::uint64_t expected = 0;
    std::uint64_t served = 0;
    for (unsigned a = 0; a < count; ++a) {
      const std::uint64_t mine = requests & bits(std::size_t{a} * width, std::size_t{a + 1} * width);
      if (mine == 0) continue;
      const std::size_t winner = one_by_one.pick(a, Mask<1>{{mine}});
      expected |= std::uint64_t{1} << winner;
      if (rng.below(3) == 0) continue;  // its choice comes to nothing
      one_by_one.served(a, winner);
      served |= std::uint64_t{1} << winner;
    }
    ASSERT_EQ(fields.pick(requests, first), expected) << count << " x " << width << ", cycle " << cycle;
    std::uint64_t in_steps = first;
    for (std::uint64_t left = served; left != 0; left &= left - 1) {
      const auto granted = static_cast<unsigned>(std::countr_zero(left));
      in_steps = fields.after_one(granted, granted / width * width, in_steps);
    }
    first = fields.after(served, first);
    ASSERT_EQ(in_steps, first) << count << " x " << width << ", cycle " << cycle;
  }
}

TEST(FieldArbiters, ChooseAsRoundRobinArbitersOneByOneDo) {
  for (const auto& [count, width] :
       {std::pair{1U, 1U}, {1U, 64U}, {64U, 1U}, {5U, 4U}, {8U, 8U}, {9U, 7U}, {7U, 9U}, {5U, 11U}, {3U, 5U}})
    choose_as_one_by_one(count, width);
}

struct Shape {
  std::size_t input_ports, vcs, output_ports;
};

void grant_as_separable_input_first(const Shape& shape) {
  Rng rng(2, "ports");
  ASSERT_TRUE(PortAllocator::holds(shape.input_ports, shape.vcs, shape.output_ports));
  const PortAllocator ports(shape.input_ports, shape.vcs, shape.output_ports);
  PortTurns turns;
  const std::size_t requesters = shape.input_ports * shape.vcs;
  AllocatorShape same{{}, shape.output_ports};
  for (std::size_t r = 0; r < requesters; ++r)
    same.group_of.push_back(static_cast<std::uint16_t>(r / shape.vcs));
  const auto other = AllocatorRegistry::instance().at("separable_input_first").make.factory.make<1>(same, {});
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

TEST(PortAllocator, GrantsWhatSeparableInputFirstGrants) {
  for (const Shape& shape : {Shape{5, 4, 5}, {3, 2, 4}, {1, 1, 1}, {8, 8, 8}, {9, 7, 7}, {2, 5, 32}})
    grant_as_separable_input_first(shape);
}

TEST(PortAllocator, GrantsTheSameWithBidsInSeveralWords) {
  for (const Shape& shape :
       {Shape{9, 4, 9}, {9, 7, 14}, {11, 5, 11}, {16, 4, 8}, {2, 32, 64}, {64, 1, 3}, {33, 1, 2}})
    grant_as_separable_input_first(shape);
}

TEST(PortAllocator, HoldsAWordOfRequestersAndThreeOfBids) {
  EXPECT_TRUE(PortAllocator::holds(8, 8, 8));
  EXPECT_FALSE(PortAllocator::holds(9, 8, 2)) << "requesters";
  EXPECT_FALSE(PortAllocator::holds(65, 1, 1)) << "no field in a word";
  EXPECT_TRUE(PortAllocator::holds(11, 5, 15)) << "five fields in a word";
  EXPECT_FALSE(PortAllocator::holds(11, 5, 16)) << "bids";
  EXPECT_FALSE(PortAllocator::holds(33, 1, 4)) << "one field in a word";
}

}  // namespace
}  // namespace noctule::arbitration_test
