// Is a difference found in the cycle in which it is, and told so that one can look for the reason?

#include "rtl/lockstep.h"

#include <gmock/gmock.h>

#include "rtl/rtl_support.h"

namespace noctule::rtl_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LockstepOfTwo : public testing::Test {
 protected:
  LockstepOfTwo() : bench(unit(), {1, 1}), step(bench.map, bench.id, "router_1_1") {}

  /// The present cycle; `change` is made to the actual pins. Then the next one.
  bool compare(const std::vector<std::pair<std::string, std::uint64_t>>& change = {}) {
    auto actual = bench.out;
    for (const auto& [name, value] : change)
      for (std::size_t p = 0; p < actual.size(); ++p)
        if (bench.map->outputs()[p].name == name) actual[p] = value;
    const bool equal = step.compare(bench.cycle, bench.in.data(), bench.out.data(), actual.data());
    bench.tick();
    return equal;
  }

  Bench<> bench;
  Lockstep step;
};

TEST_F(LockstepOfTwo, CountsWhatItCompares) {
  for (int c = 0; c < 100; ++c) EXPECT_TRUE(compare());
  EXPECT_EQ(step.count().router_cycles, 100U);
  EXPECT_EQ(step.count().values, 100U * bench.map->outputs().size());
  EXPECT_EQ(step.count().moving, 0U);
  EXPECT_FALSE(step.divergence().has_value());
  step.reset();
  EXPECT_EQ(step.count().values, 0U);
}

// A flit of one hop is on the pins in two cycles: as it comes and as it goes. Its credits do not count.
TEST_F(LockstepOfTwo, CountsCyclesInWhichAFlitMoves) {
  bench.send("x_plus", 1, {7, {3, 1}});
  EXPECT_TRUE(compare());
  EXPECT_EQ(step.count().moving, 1U);
  for (int c = 0; c < 20; ++c) EXPECT_TRUE(compare());
  EXPECT_EQ(step.count().moving, 2U);
  step.reset();
  EXPECT_EQ(step.count().moving, 0U);
}

// One that the terminal does not take waits; it moves in the cycle in which it is taken, and inputs may be
// told after the comparison.
TEST_F(LockstepOfTwo, AFlitThatIsNotTakenDoesNotMove) {
  const PinMap& map = *bench.map;
  std::vector<std::uint64_t> in = map.at_rest(bench.id);
  std::vector<std::uint64_t> out(map.outputs().size());
  out[map.consumption().valid] = 1;
  for (const std::uint64_t ready : {0U, 0U, 1U}) {
    in[map.consumption().credit] = ready;
    EXPECT_TRUE(step.compare(0, map.at_rest(bench.id).data(), out.data(), out.data()));
    step.inputs_of_last(in.data());
    EXPECT_EQ(step.count().moving, ready);
  }
}

TEST_F(LockstepOfTwo, KeepsTheFirstDifferenceAndWhatWasBefore) {
  for (int c = 0; c < 70; ++c) compare();
  bench.send("x_plus", 1, {7, {3, 1}});
  compare();
  compare();
  const std::uint64_t flit = bench.get("x_plus_flit_o");
  const std::uint64_t wrong = bench.map->format().with_state(flit, 5);
  EXPECT_FALSE(compare({{"x_plus_flit_o", wrong}, {"y_plus_credit_o", 1}}));
  EXPECT_FALSE(compare()) << "equal again, but no longer compared";

  ASSERT_TRUE(step.divergence().has_value());
  const Divergence& d = *step.divergence();
  EXPECT_EQ(d.router, bench.id);
  EXPECT_EQ(d.router_name, "router_1_1");
  EXPECT_EQ(d.cycle, 72U);
  EXPECT_EQ(d.port, "x_plus_flit_o");
  EXPECT_EQ(d.expected, flit);
  EXPECT_EQ(d.actual, wrong);
  ASSERT_EQ(d.differences.size(), 2U);
  EXPECT_EQ(d.differences[1].pin, "y_plus_credit_o");
  EXPECT_EQ(d.differences[1].expected, 0U);
  EXPECT_EQ(d.differences[1].actual, 1U);
  ASSERT_EQ(d.history.size(), Lockstep::kHistory);
  EXPECT_EQ(d.history.front().cycle, 9U);
  EXPECT_EQ(d.history.back().cycle, 72U);
  EXPECT_EQ(d.history.back().actual, wrong);
  EXPECT_EQ(d.history[62].actual, d.history[62].expected);
  ASSERT_EQ(d.cycles.size(), Lockstep::kHistory);
  EXPECT_NE(d.cycles[61].inputs, bench.map->at_rest(bench.id));
  EXPECT_EQ(step.count().router_cycles, 73U);
}

TEST_F(LockstepOfTwo, TellsInWords) {
  compare();
  bench.send("x_plus", 1, {0x17, {3, 1}});
  compare();
  compare();
  compare({{"x_plus_valid_o", 0}, {"x_plus_vc_o", 0}, {"x_plus_flit_o", 0}});
  ASSERT_TRUE(step.divergence().has_value());
  const std::string text = describe(*step.divergence(), *bench.map);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("router_1_1: x_plus_valid_o differs in cycle 3"), HasSubstr("expected 0x1"),
            HasSubstr("actual   0x0"), HasSubstr("All 3 pins that differ"),
            HasSubstr("head and tail of packet 0x17 to (3,1), state 0"),
            HasSubstr("in:  x_plus_valid_i=0x1, x_plus_vc_i=0x1, x_plus_flit_i="),
            HasSubstr("out: x_plus_credit_o=0x1"), HasSubstr("in:  nothing"), Not(HasSubstr("last_x_i"))));
}

}  // namespace
}  // namespace noctule::rtl_test
