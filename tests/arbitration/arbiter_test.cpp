// Arbiters against their definitions, in plain lists.

#include "arbitration/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/rng.h"

namespace noctule {
namespace {

template <int W>
Mask<W> mask(const std::vector<std::size_t>& bits) {
  Mask<W> m;
  for (const auto b : bits) m.set(b);
  return m;
}

/// A bank of one arbiter over requesters 0 .. n-1.
template <int W>
class Arbiter {
 public:
  using M = Mask<W>;
  Arbiter(ArbiterKind kind, std::size_t n) : bank_(kind) { bank_.add(1, 0, n); }

  [[nodiscard]] std::size_t pick(const M& requests) const { return bank_.pick(0, requests); }
  void served(std::size_t winner) { bank_.served(0, winner); }
  void reset() { bank_.reset(); }

 private:
  ArbiterBank<W> bank_;
};

/// All requesters, the one to be served first in front.
class ListArbiter {
 public:
  ListArbiter(ArbiterKind kind, std::size_t n) : kind_(kind) {
    for (std::size_t i = 0; i < n; ++i) order_.push_back(i);
  }
  [[nodiscard]] std::size_t pick(const std::vector<std::size_t>& requests) const {
    return *std::find_if(order_.begin(), order_.end(), [&](std::size_t i) {
      return std::find(requests.begin(), requests.end(), i) != requests.end();
    });
  }
  void served(std::size_t winner) {
    const auto at = std::find(order_.begin(), order_.end(), winner);
    if (kind_ == ArbiterKind::kMatrix)
      std::rotate(at, at + 1, order_.end());
    else
      std::rotate(order_.begin(), at + 1, order_.end());
  }

 private:
  ArbiterKind kind_;
  std::vector<std::size_t> order_;
};

template <int W>
void compare_with_lists(ArbiterKind kind, std::size_t n) {
  SCOPED_TRACE(std::to_string(W) + " words, " + std::to_string(n) + " requesters");
  Arbiter<W> arbiter(kind, n);
  ListArbiter list(kind, n);
  Rng rng(n, "requests");
  for (unsigned step = 0; step < 500; ++step) {
    std::vector<std::size_t> requests{rng.below(n)};
    const auto sparse = 1 + rng.below(8);
    for (std::size_t i = 0; i < n; ++i)
      if (i != requests[0] && rng.below(sparse) == 0) requests.push_back(i);
    const auto winner = arbiter.pick(mask<W>(requests));
    ASSERT_EQ(winner, list.pick(requests));
    if (rng.below(3) == 0) continue;  // came to nothing
    arbiter.served(winner);
    list.served(winner);
  }
}

TEST(Arbiter, ServesInTheOrderOfItsDefinition) {
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    for (const std::size_t n : {1, 2, 5, 63, 64}) compare_with_lists<1>(kind, n);
    for (const std::size_t n : {5, 64, 65, 128}) compare_with_lists<2>(kind, n);
    for (const std::size_t n : {5, 130, 256}) compare_with_lists<4>(kind, n);
    for (const std::size_t n : {5, 700, 1024}) compare_with_lists<16>(kind, n);
  }
}

TEST(Arbiter, RoundRobinGoesOnBehindTheLastServed) {
  Arbiter<1> arbiter(ArbiterKind::kRoundRobin, 4);
  const auto all = mask<1>({0, 1, 2, 3});
  EXPECT_EQ(arbiter.pick(all), 0U);
  EXPECT_EQ(arbiter.pick(all), 0U) << "a pick moves nothing";
  arbiter.served(0);
  EXPECT_EQ(arbiter.pick(all), 1U);
  arbiter.served(2);
  EXPECT_EQ(arbiter.pick(all), 3U);
  EXPECT_EQ(arbiter.pick(mask<1>({0, 1})), 0U) << "round the end";
  arbiter.served(3);
  EXPECT_EQ(arbiter.pick(all), 0U);
}

TEST(Arbiter, MatrixTakesWhoWasServedLongestAgo) {
  Arbiter<1> matrix(ArbiterKind::kMatrix, 4);
  Arbiter<1> round_robin(ArbiterKind::kRoundRobin, 4);
  for (auto* a : {&matrix, &round_robin})
    for (const std::size_t winner : {0, 3, 1}) a->served(winner);
  // Served longest ago first: 2 (never), 0, 3, 1.
  EXPECT_EQ(matrix.pick(mask<1>({0, 1, 2, 3})), 2U);
  EXPECT_EQ(matrix.pick(mask<1>({0, 1, 3})), 0U);
  EXPECT_EQ(matrix.pick(mask<1>({1, 3})), 3U);
  EXPECT_EQ(round_robin.pick(mask<1>({0, 1, 3})), 3U);
}

TEST(Arbiter, ResetMakesItAsBuilt) {
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    Arbiter<2> arbiter(kind, 100);
    for (const std::size_t winner : {0, 7, 70}) arbiter.served(winner);
    EXPECT_NE(arbiter.pick(mask<2>({0, 7, 70, 99})), 0U);
    arbiter.reset();
    EXPECT_EQ(arbiter.pick(mask<2>({0, 7, 70, 99})), 0U);
    EXPECT_EQ(arbiter.pick(mask<2>({7, 70})), 7U);
  }
}

TEST(ArbiterBank, ChoosesOfTwoAsOfASet) {
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    ArbiterBank<2> bank(kind);
    bank.add(1, 0, 100);
    Rng rng(1);
    for (unsigned step = 0; step < 1000; ++step) {
      const std::size_t a = rng.below(100);
      const std::size_t b = rng.below(100);
      ASSERT_EQ(bank.pick(0, a, b), bank.pick(0, mask<2>({a, b})));
      bank.served(0, rng.below(100));
    }
  }
}

TEST(ArbiterBank, ItsArbitersAreIndependent) {
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    ArbiterBank<1> bank(kind);
    bank.add(2, 0, 3);
    bank.add(1, 40, 43);
    bank.served(1, 0);
    bank.served(2, 41);
    bank.served(2, 40);
    EXPECT_EQ(bank.pick(0, mask<1>({0, 1})), 0U);
    EXPECT_EQ(bank.pick(1, mask<1>({0, 1})), 1U);
    EXPECT_EQ(bank.pick(2, mask<1>({40, 41, 42})), kind == ArbiterKind::kMatrix ? 42U : 41U);
    EXPECT_EQ(bank.pick(2, 40, 41), 41U);
  }
}

}  // namespace
}  // namespace noctule
