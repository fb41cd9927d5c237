// A host and its slaves: who sends what, and when?

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "support/networks.h"
#include "traffic/source.h"

namespace noctule::traffic_test {
namespace {

std::unique_ptr<TrafficSource> host_slave(unsigned processors, const Json& set) {
  SourceContext context;
  context.topology = topology_of("mesh", {{"radix", {processors}}});
  const auto& entry = SourceRegistry::instance().at("host_slave");
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  return entry.make(context, parameters);
}

Delivery delivery(std::uint32_t from, std::uint32_t to, Cycle consumed) {
  Delivery d{};
  d.source = TerminalId{from};
  d.destination = TerminalId{to};
  d.consumed = consumed;
  return d;
}

TEST(TheHost, SendsEverySlaveAMessageInOrderAtOnce) {
  const auto source = host_slave(5, {{"host", 2}, {"message_flits", 7}, {"answer_flits", 3}});
  for (const std::uint32_t slave : {0U, 1U, 3U, 4U}) {
    const auto packet = source->next(TerminalId{2}, 0);
    ASSERT_TRUE(packet);
    EXPECT_EQ(index(packet->destination), slave);
    EXPECT_EQ(packet->birth, 0U);
    EXPECT_EQ(packet->length, 7U);
    EXPECT_FALSE(source->next(TerminalId{slave}, 0)) << "slaves have nothing to say yet";
  }
  EXPECT_FALSE(source->next(TerminalId{2}, 4));
}

TEST(ASlave, WorksItsShareAndAnswers) {
  // 10 cycles among 4: 2.5 each, the nearest whole number is 3.
  for (const auto& [work, cycles] : std::vector<std::pair<int, Cycle>>{{0, 1}, {1, 1}, {10, 3}, {400, 100}}) {
    const auto source = host_slave(5, {{"work", work}, {"answer_flits", 3}});
    std::vector<TerminalId> wake;
    source->delivered(delivery(0, 3, 50), wake);
    ASSERT_EQ(wake, std::vector{TerminalId{3}});
    const auto answer = source->next(TerminalId{3}, 0);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->birth, 50 + cycles) << work;
    EXPECT_EQ(index(answer->destination), 0U);
    EXPECT_EQ(answer->length, 3U);
    wake.clear();
    source->delivered(delivery(3, 0, 90), wake);
    EXPECT_TRUE(wake.empty());
    EXPECT_EQ(source->transactions()->count, 1U);
    EXPECT_EQ(source->transactions()->cycles, 90U);
  }
}

TEST(TheHost, IsATerminalOfTheNetwork) {
  EXPECT_THROW(host_slave(5, {{"host", 5}}), ConfigError);
  EXPECT_NO_THROW(host_slave(5, {{"host", 4}}));
}

TEST(AHostAndItsSlaves, StartAnewAfterAReset) {
  const auto source = host_slave(3, Json::object());
  static_cast<void>(source->next(TerminalId{0}, 0));
  EXPECT_TRUE(source->restart(100));
  for (const std::uint32_t slave : {1U, 2U}) {
    const auto packet = source->next(TerminalId{0}, 0);
    ASSERT_TRUE(packet);
    EXPECT_EQ(index(packet->destination), slave);
    EXPECT_EQ(packet->birth, 100U);
  }
}

}  // namespace
}  // namespace noctule::traffic_test
