// Arbiters side by side in a word: do they choose as arbiters one by one do?

#include "arbitration/port_allocator.h"

#include <gtest/gtest.h>

#include "arbitration_support.h"
#include "core/rng.h"

namespace noctule::arbitration_test {
namespace {

/// Bits from `first` up to before `end`.
template <class Word>
Word bits(std::size_t first, std::size_t end) {
  Word word = 0;
  for (std::size_t b = first; b < end; ++b) word |= Word{1} << b;
  return word;
}
unsigned lowest(WideWord word) {
  const auto near = static_cast<std::uint64_t>(word);
  return static_cast<unsigned>(near != 0 ? std::countr_zero(near)
                                         : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64)));
}
Mask<4> as_mask(WideWord word) {
  return {{static_cast<std::uint64_t>(word), static_cast<std::uint64_t>(word >> 64), 0, 0}};
}

template <class Word>
void choose_as_one_by_one(unsigned count, unsigned width) {
  Rng rng(1, "fields");
  const FieldArbiters<Word> fields(count, width);
  ArbiterBank<4> one_by_one(ArbiterKind::kRoundRobin);
  for (unsigned a = 0; a < count; ++a) one_by_one.add(1, a * width, (a + 1) * width);
  const Word all = bits<Word>(0, count * width);
  Word first = 0;
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    const WideWord drawn = WideWord{rng.next() & rng.next()} << 64 | (rng.next() & rng.next());
    const Word requests = static_cast<Word>(drawn) & all;
    Word expected = 0;
    Word served = 0;
    for (unsigned a = 0; a < count; ++a) {
      const Word mine = requests & bits<Word>(std::size_t{a} * width, std::size_t{a + 1} * width);
      if (mine == 0) continue;
      const std::size_t winner = one_by_one.pick(a, as_mask(mine));
      expected |= Word{1} << winner;
      if (rng.below(3) == 0) continue;  // its choice comes to nothing
      one_by_one.served(a, winner);
      served |= Word{1} << winner;
    }
    ASSERT_TRUE(fields.pick(requests, first) == expected) << count << " x " << width << ", cycle " << cycle;
    Word in_steps = first;
    for (Word left = served; left != 0; left &= left - 1) {
      const unsigned granted = lowest(left);
      in_steps = fields.after_one(granted, granted / width * width, in_steps);
    }
    first = fields.after(served, first);
    ASSERT_TRUE(in_steps == first) << count << " x " << width << ", cycle " << cycle;
  }
}

TEST(FieldArbiters, ChooseAsRoundRobinArbitersOneByOneDo) {
  for (const auto& [count, width] :
       {std::pair{1U, 1U}, {1U, 64U}, {64U, 1U}, {5U, 4U}, {8U, 8U}, {9U, 7U}, {3U, 5U}}) {
    choose_as_one_by_one<std::uint64_t>(count, width);
    choose_as_one_by_one<WideWord>(count, width);
  }
  for (const auto& [count, width] : {std::pair{1U, 128U}, {128U, 1U}, {9U, 9U}, {11U, 11U}, {16U, 8U}})
    choose_as_one_by_one<WideWord>(count, width);
}

struct Shape {
  std::size_t input_ports, vcs, output_ports;
};

template <class Ports>
void grant_as_separable_input_first(const Shape& shape) {
  Rng rng(2, "ports");
  ASSERT_TRUE(Ports::holds(shape.input_ports, shape.vcs, shape.output_ports));
  const Ports ports(shape.input_ports, shape.vcs, shape.output_ports);
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
  for (const Shape& shape : {Shape{5, 4, 5}, {3, 2, 4}, {1, 1, 1}, {8, 8, 8}, {9, 7, 7}, {2, 5, 32}}) {
    grant_as_separable_input_first<NearPortAllocator>(shape);
    grant_as_separable_input_first<FarPortAllocator>(shape);
  }
  for (const Shape& shape : {Shape{9, 4, 9}, {9, 7, 14}, {11, 5, 11}, {16, 4, 8}, {2, 32, 64}})
    grant_as_separable_input_first<FarPortAllocator>(shape);
}

TEST(PortAllocator, HoldsNoMoreThanAWordForEachStage) {
  EXPECT_TRUE(NearPortAllocator::holds(8, 8, 8));
  EXPECT_FALSE(NearPortAllocator::holds(9, 8, 2)) << "requesters";
  EXPECT_FALSE(NearPortAllocator::holds(9, 1, 8)) << "bids";
  EXPECT_TRUE(FarPortAllocator::holds(11, 5, 11));
  EXPECT_FALSE(FarPortAllocator::holds(11, 6, 11)) << "requesters";
  EXPECT_FALSE(FarPortAllocator::holds(11, 1, 12)) << "bids";
}

}  // namespace
}  // namespace noctule::arbitration_test
