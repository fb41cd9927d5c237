// Does a modelled sink take what its buffer and its server allow, and no more?

#include "traffic/sink.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace noctule {
namespace {

std::shared_ptr<TerminalSink> server(std::uint32_t buffer, std::uint64_t service, const char* kind = "fixed",
                                     std::size_t classes = 1, std::uint64_t seed = 1) {
  const Json keys{{"buffer", buffer}, {"service_time", service}, {"service", kind}};
  return SinkRegistry::instance().at("server").make({4, classes, seed}, Parameters(keys));
}

/// Offers a flit in every cycle; gives the cycles in which one was taken.
std::vector<Cycle> taken(TerminalSink& sink, Cycle cycles, std::uint8_t message_class = 0) {
  std::vector<Cycle> list;
  for (Cycle t = 0; t < cycles; ++t)
    if (sink.room(TerminalId{2}, message_class, true, t) > 0) {
      sink.took({.terminal = TerminalId{2}, .message_class = message_class}, t);
      list.push_back(t);
    }
  return list;
}

TEST(AServer, TakesAFlitPerServiceOnceItsBufferIsFull) {
  EXPECT_EQ(taken(*server(1, 3), 10), (std::vector<Cycle>{0, 3, 6, 9}));
  EXPECT_EQ(taken(*server(3, 3), 10), (std::vector<Cycle>{0, 1, 2, 3, 6, 9}));
  EXPECT_EQ(taken(*server(1, 1), 5), (std::vector<Cycle>{0, 1, 2, 3, 4}));
}

TEST(AServer, BeginsAnewAfterABreak) {
  const auto sink = server(2, 5);
  EXPECT_EQ(taken(*sink, 2).size(), 2U);  // served in 5 and 10
  EXPECT_EQ(sink->room(TerminalId{2}, 0, true, 4), 0U);
  EXPECT_EQ(sink->room(TerminalId{2}, 0, true, 5), 1U);
  EXPECT_EQ(sink->room(TerminalId{2}, 0, true, 10), 2U);
  sink->took({.terminal = TerminalId{2}}, 100);
  EXPECT_EQ(sink->room(TerminalId{2}, 0, true, 104), 1U);
  EXPECT_EQ(sink->room(TerminalId{2}, 0, true, 105), 2U);
}

TEST(AServer, BelongsToOneTerminalAndClass) {
  const auto sink = server(1, 50, "fixed", 2);
  EXPECT_EQ(taken(*sink, 10), std::vector<Cycle>{0});
  EXPECT_EQ(sink->room(TerminalId{2}, 1, true, 9), 1U);
  EXPECT_EQ(sink->room(TerminalId{3}, 0, true, 9), 1U);
  EXPECT_DOUBLE_EQ(sink->rate(), 2.0 / 50);
}

TEST(AServer, ForgetsAllAtAReset) {
  const auto sink = server(1, 1000, "geometric");
  const auto first = taken(*sink, 5000);
  sink->reset();
  EXPECT_EQ(taken(*sink, 5000), first);
}

TEST(AGeometricServer, HasTheMeanThatIsAskedFor) {
  const auto sink = server(1, 8, "geometric");
  const double count = 400'000.0 / static_cast<double>(taken(*sink, 400'000).size());
  EXPECT_NEAR(count, 8, 0.15);  // 50,000 services with a deviation of 7.5
  EXPECT_NE(taken(*server(1, 8, "geometric", 1, 1), 1000), taken(*server(1, 8, "geometric", 1, 2), 1000));
}

TEST(AnOpenSink, IsNone) {
  EXPECT_EQ(SinkRegistry::instance().at("open").make({4, 1, 1}, Parameters()), nullptr);
}

}  // namespace
}  // namespace noctule
