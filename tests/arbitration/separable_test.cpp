// Separable allocators and iSLIP: cases worked out by hand.

#include <gtest/gtest.h>

#include "arbitration_support.h"
#include "core/error.h"

namespace noctule::arbitration_test {
namespace {

constexpr const char* kInputFirst = "separable_input_first";
constexpr const char* kOutputFirst = "separable_output_first";
constexpr std::size_t kA = 0, kB = 1, kC = 2;
constexpr ArbiterKind kKinds[] = {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix};

TEST(SeparableInputFirst, TwoGroupsBidForOneResourceWhileAnotherIsLeft) {
  for (const auto kind : kKinds) {
    // Group 0: requesters 0, 1; group 1: requesters 2, 3.
    Bench<1> once(kInputFirst, shape(2, 2, 2), {kind, 1});
    Bench<1> twice(kInputFirst, shape(2, 2, 2), {kind, 2});
    for (auto* bench : {&once, &twice}) {
      bench->ask(0, {kA});
      bench->ask(2, {kA});
      bench->ask(3, {kB});
    }
    EXPECT_EQ(once.allocate(), (Grants{{0, kA}}));
    EXPECT_EQ(twice.allocate(), (Grants{{0, kA}, {3, kB}}));
  }
}

TEST(SeparableInputFirst, OnlyGrantsMoveArbiters) {
  for (const auto kind : kKinds) {
    Bench<1> bench(kInputFirst, shape(2, 2, 2), {kind, 1});
    bench.ask(0, {kA});
    bench.ask(2, {kA});
    bench.ask(3, {kB});
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}}));
    // Group 1 lost: requester 2 bids again, and A has served group 0.
    EXPECT_EQ(bench.allocate(), (Grants{{2, kA}}));
    // Group 1 was served: requester 3 is next.
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}, {3, kB}}));
    EXPECT_EQ(bench.allocate(), (Grants{{2, kA}}));
  }
}

TEST(SeparableInputFirst, ARequesterBidsForTheSameResourceUntilItGetsOne) {
  for (const auto kind : kKinds) {
    Bench<1> bench(kInputFirst, shape(3, 1, 3), {kind, 1});
    bench.ask(0, {kA});
    bench.ask(1, {kA, kB});
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}}));
    EXPECT_EQ(bench.allocate(), (Grants{{1, kA}}));
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}, {1, kB}}));
    EXPECT_EQ(bench.allocate(), (Grants{{1, kA}}));
  }
}

TEST(SeparableInputFirst, ASecondIterationMovesNoArbiter) {
  for (const auto kind : kKinds) {
    Bench<1> bench(kInputFirst, shape(2, 3, 3), {kind, 2});
    bench.ask(0, {kA});
    bench.ask(3, {kA});
    bench.ask(4, {kB});
    bench.ask(5, {kC});
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}, {4, kB}}));
    EXPECT_EQ(bench.allocate(), (Grants{{3, kA}})) << "requester 3 is still the next of its group";
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}, {4, kB}}));
    EXPECT_EQ(bench.allocate(), (Grants{{0, kA}, {5, kC}}));
  }
}

TEST(SeparableOutputFirst, TwoResourcesAreOfferedToOneGroupWhileAnotherGetsNone) {
  for (const auto kind : kKinds) {
    Bench<1> once(kOutputFirst, shape(2, 1, 2), {kind, 1});
    Bench<1> twice(kOutputFirst, shape(2, 1, 2), {kind, 2});
    for (auto* bench : {&once, &twice}) bench->ask_all({kA, kB});
    EXPECT_EQ(once.allocate(), (Grants{{0, kA}}));
    EXPECT_EQ(twice.allocate(), (Grants{{0, kA}, {1, kB}}));
    // B was not taken in the first iteration: its arbiter is where it was, and so is requester 1's.
    EXPECT_EQ(once.allocate(), (Grants{{0, kB}, {1, kA}}));
    EXPECT_EQ(twice.allocate(), (Grants{{0, kB}, {1, kA}}));
  }
}

TEST(SeparableOutputFirst, AGroupTakesAnOfferForItsMemberThatIsNext) {
  for (const auto kind : kKinds) {
    Bench<1> bench(kOutputFirst, shape(2, 2, 2), {kind, 1});
    bench.ask(0, {kB});
    bench.ask(1, {kA});
    bench.ask(2, {kA});
    // Both are offered to group 0, which takes B: requester 0 comes first there. A's arbiter has not moved.
    EXPECT_EQ(bench.allocate(), (Grants{{0, kB}}));
    EXPECT_EQ(bench.allocate(), (Grants{{1, kA}}));
    EXPECT_EQ(bench.allocate(), (Grants{{0, kB}, {2, kA}}));
  }
}

TEST(Islip, IsRoundRobinByDefinition) {
  try {
    Bench<1> bench("islip", shape(2, 2, 2), {ArbiterKind::kMatrix, 1});
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, "node.arbiter");
  }
}

/// Grants per cycle when every input wants every output: a lone requester each, or one for each output.
std::vector<std::size_t> full_load(std::size_t n, bool lone, std::size_t cycles) {
  Bench<4> bench("islip", shape(n, lone ? 1 : n, n));
  Mask<4> all;
  for (std::size_t o = 0; o < n; ++o) all.set(o);
  for (std::size_t r = 0; r < bench.shape().group_of.size(); ++r)
    bench.ask(r, lone ? all : Mask<4>::bit(r % n));
  std::vector<std::size_t> sizes;
  for (std::size_t t = 0; t < cycles; ++t) sizes.push_back(bench.allocate().size());
  return sizes;
}

TEST(Islip, DriftsApartUnderFullLoad) {
  for (const std::size_t n : {2, 4, 5, 8, 11})
    for (const bool lone : {true, false}) {
      SCOPED_TRACE(std::to_string(n) + (lone ? " lone requesters" : " queues per input"));
      const auto sizes = full_load(n, lone, 6 * n);
      // As built, all resources grant to group 0; every cycle one more pointer goes its own way.
      for (std::size_t t = 0; t < sizes.size(); ++t) EXPECT_EQ(sizes[t], std::min(t + 1, n)) << t;
    }
}

TEST(Islip, ServesEveryPairEquallyUnderFullLoad) {
  constexpr unsigned n = 6;
  Bench<1> bench("islip", shape(n, n, n), {});
  for (std::size_t r = 0; r < n * n; ++r) bench.ask(r, {r % n});
  for (unsigned t = 0; t < n; ++t) bench.allocate();
  std::set<unsigned> served;
  for (unsigned t = 0; t < n; ++t)
    for (const auto& [r, o] : bench.allocate()) EXPECT_TRUE(served.insert(r).second) << r << " twice";
  EXPECT_EQ(served.size(), n * n);
}

TEST(Islip, PointersMoveByWhatIsAcceptedInTheFirstIteration) {
  Bench<1> once("islip", shape(3, 1, 2), {ArbiterKind::kRoundRobin, 1});
  Bench<1> twice("islip", shape(3, 1, 2), {ArbiterKind::kRoundRobin, 2});
  for (auto* bench : {&once, &twice}) bench->ask_all({kA, kB});
  // A and B grant to group 0, which accepts A; with a second iteration B grants to group 1.
  EXPECT_EQ(once.allocate(), (Grants{{0, kA}}));
  EXPECT_EQ(twice.allocate(), (Grants{{0, kA}, {1, kB}}));
  // A's pointer is at group 1, B's still at group 0.
  for (auto* bench : {&once, &twice}) {
    EXPECT_EQ(bench->allocate(), (Grants{{0, kB}, {1, kA}}));
    EXPECT_EQ(bench->allocate(), (Grants{{1, kB}, {2, kA}}));
  }
}

TEST(Islip, MembersThatWantTheSameResourceTakeTurns) {
  Bench<1> bench("islip", shape(1, 3, 2), {});
  bench.ask(0, {kA});
  bench.ask(1, {kB});
  bench.ask(2, {kA});
  std::vector<unsigned> order;
  for (unsigned t = 0; t < 6; ++t) order.push_back(bench.allocate().begin()->first);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 1, 0, 1}));
}

}  // namespace
}  // namespace noctule::arbitration_test
