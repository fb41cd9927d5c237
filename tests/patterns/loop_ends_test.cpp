// Who sends and who is asked in a closed loop, by its requesters, its chain and the pattern.

#include "patterns/loop_ends.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace noctule {
namespace {

/// Each terminal sends to those listed, in equal shares; who has an empty list does not send.
class Listed final : public TrafficPattern {
 public:
  explicit Listed(std::vector<std::vector<std::uint32_t>> to) : to_(std::move(to)) {}
  [[nodiscard]] bool injects(TerminalId source) const override { return !to_[index(source)].empty(); }
  [[nodiscard]] TerminalId destination(TerminalId source, Rng& rng) const override {
    const auto& to = to_[index(source)];
    return TerminalId{to[rng.below(to.size())]};
  }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    std::vector<std::pair<TerminalId, double>> all;
    for (const std::uint32_t to : to_[index(source)])
      all.emplace_back(TerminalId{to}, 1.0 / static_cast<double>(to_[index(source)].size()));
    return all;
  }

 private:
  std::vector<std::vector<std::uint32_t>> to_;
};

ClosedLoop loop_of(std::vector<bool> requesters, std::size_t steps) {
  ClosedLoop loop;
  loop.requesters = std::move(requesters);
  loop.chain.resize(steps);
  return loop;
}

using Bits = std::vector<bool>;

TEST(EndsOfALoop, AreRequestersAndThoseWhoAnswerThem) {
  const Listed all_ask_the_last({{3}, {3}, {3}, {2}});
  const auto ends = ends_of_loop(loop_of({true, false, false, false}, 2), all_ask_the_last);
  EXPECT_EQ(ends.injecting, (Bits{true, false, false, true}));
  EXPECT_EQ(ends.addressed, (Bits{true, false, false, true}));
}

TEST(EndsOfALoop, HaveThoseWhoAnswerThoughThePatternDoesNotLetThemSend) {
  const Listed one_pair({{3}, {}, {}, {}});
  const auto ends = ends_of_loop(loop_of({true, true, true, true}, 2), one_pair);
  EXPECT_EQ(ends.injecting, (Bits{true, false, false, true}));
  EXPECT_EQ(ends.addressed, (Bits{true, false, false, true}));
}

TEST(EndsOfALoop, FollowChainsOverThoseWhoForward) {
  const Listed ring({{1}, {2}, {3}, {0}});
  const auto ends = ends_of_loop(loop_of({true, false, false, false}, 3), ring);
  EXPECT_EQ(ends.injecting, (Bits{true, true, true, false}));
  EXPECT_EQ(ends.addressed, (Bits{true, true, true, false}));
}

TEST(EndsOfALoop, AreAllWhereAllAskAll) {
  const Listed all({{1, 2}, {0, 2}, {0, 1}});
  const auto ends = ends_of_loop(loop_of({true, true, true}, 2), all);
  EXPECT_EQ(std::ranges::count(ends.injecting, true), 3);
  EXPECT_EQ(std::ranges::count(ends.addressed, true), 3);
}

}  // namespace
}  // namespace noctule
