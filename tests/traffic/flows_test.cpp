// Flows at given rates: who sends what, how often, and that every error names its line.

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "support/traffic_file.h"

namespace noctule {
namespace {

constexpr std::uint32_t kTerminals = 8;

std::unique_ptr<TrafficSource> read_flows(const std::string& text, const Json& set = Json::object()) {
  return read_traffic("flows", text, set);
}

/// Packets that a terminal generates in so many cycles.
std::vector<GeneratedPacket> packets_of(TrafficSource& source, std::uint32_t terminal, Cycle cycles) {
  std::vector<GeneratedPacket> all;
  for (;;) {
    auto packet = source.next(TerminalId{terminal}, all.size());
    if (!packet || packet->birth >= cycles) return all;
    all.push_back(std::move(*packet));
  }
}

TEST(FlowsRun, AtTheirRatesWithTheirLengthsAndClasses) {
  const auto source = read_flows(
      "0 1 0.2 length=2 class=response\n"
      "0 5 0.05\n"
      "3 * 0.1 length=1\n"
      "0,2 6,7,2 0.06 length=3\n");
  constexpr Cycle kCycles = 200'000;
  struct Seen {
    std::uint64_t flits = 0;
    std::uint32_t length = 0;
    unsigned message_class = 0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Seen> seen;
  for (std::uint32_t t = 0; t < kTerminals; ++t)
    for (const auto& packet : packets_of(*source, t, kCycles)) {
      Seen& flow = seen[{t, index(packet.destination)}];
      flow.flits += packet.length;
      flow.length = packet.length;
      flow.message_class = packet.message_class;
    }
  const auto expect = [&](std::uint32_t from, std::uint32_t to, double rate, std::uint32_t length,
                          unsigned c) {
    const Seen flow = seen.at({from, to});
    seen.erase({from, to});
    const double mean = rate * kCycles / length;  // packets
    EXPECT_NEAR(static_cast<double>(flow.flits) / length, mean, 4 * std::sqrt(mean)) << from << " to " << to;
    EXPECT_EQ(flow.length, length);
    EXPECT_EQ(flow.message_class, c);
  };
  expect(0, 1, 0.2, 2, 1);
  expect(0, 5, 0.05, 5, 0);
  for (const std::uint32_t to : {0U, 1U, 2U, 4U, 5U, 6U, 7U}) expect(3, to, 0.1 / 7, 1, 0);
  for (const std::uint32_t to : {2U, 6U, 7U}) expect(0, to, 0.02, 3, 0);
  for (const std::uint32_t to : {6U, 7U}) expect(2, to, 0.03, 3, 0);
  EXPECT_TRUE(seen.empty());
}

TEST(FlowsRun, KnowTheirLoadAndTheirEnds) {
  const auto source = read_flows("0 1 0.2 length=2\n3 * 0.1 length=1\n5 2 0\n", {{"scale", 2.0}});
  const auto offered = source->offered();
  ASSERT_TRUE(offered);
  EXPECT_DOUBLE_EQ(offered->packets_per_node_cycle, 0.2);
  EXPECT_DOUBLE_EQ(offered->mean_length_flits, 1.5);
  const auto ends = source->ends();
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->injecting, (std::vector<bool>{true, false, false, true, false, false, false, false}));
  EXPECT_EQ(ends->addressed, (std::vector<bool>{true, true, true, false, true, true, true, true}));
  EXPECT_FALSE(source->finite());
  const auto to_all = read_flows("* * 0.1\n")->ends();
  EXPECT_EQ(to_all->injecting, std::vector<bool>(kTerminals, true));
  EXPECT_EQ(to_all->addressed, std::vector<bool>(kTerminals, true));
}

TEST(FlowsRun, FromRangesAsFromTerminalsOneByOne) {
  const auto ranges = read_flows("0-2,5 3-4,7 0.3 length=3\n6-6 0-7 0.1\n");
  const auto single = read_flows("0,1,2,5 3,4,7 0.3 length=3\n6 0,1,2,3,4,5,6,7 0.1\n");
  for (std::uint32_t t = 0; t < kTerminals; ++t) {
    const auto these = packets_of(*ranges, t, 5000);
    const auto those = packets_of(*single, t, 5000);
    ASSERT_EQ(these.size(), those.size());
    EXPECT_EQ(these.empty(), t == 3 || t == 4 || t == 7);
    for (std::size_t n = 0; n < these.size(); ++n) EXPECT_EQ(these[n].destination, those[n].destination);
  }
}

TEST(FlowsRun, SayWhatTheySendByClass) {
  const auto demand =
      read_flows("0-1 2,3 0.3 length=3\n2 1,2 0.2 class=response\n0 * 0.07\n", {{"scale", 2.0}})->demand();
  ASSERT_EQ(demand.size(), 2U);
  EXPECT_EQ(demand[0].message_class, 0U);
  EXPECT_EQ(demand[1].message_class, 1U);
  EXPECT_DOUBLE_EQ(demand[0].sent[0].uniform, 0.14);
  ASSERT_EQ(demand[0].sent[1].rest.size(), 2U);
  EXPECT_EQ(demand[0].sent[1].rest[1].first, TerminalId{3});
  EXPECT_DOUBLE_EQ(demand[0].sent[1].rest[1].second, 0.3) << "half of 0.6";
  ASSERT_EQ(demand[1].sent[2].rest.size(), 1U) << "nobody sends to himself";
  EXPECT_DOUBLE_EQ(demand[1].sent[2].rest[0].second, 0.4);
  EXPECT_EQ(senders(demand), (std::vector<bool>{true, true, true, false, false, false, false, false}));
}

TEST(FlowsRun, RegularlyWhereABurstIsGiven) {
  const auto source = read_flows(
      "0 1 0.1 length=3 burst=2 phase=4\n"
      "0 2 0.25 length=1 burst=1\n"
      "3 2 0.4 length=3 burst=1\n");
  std::vector<std::tuple<Cycle, std::uint32_t>> born;
  for (const auto& packet : packets_of(*source, 0, 36))
    born.emplace_back(packet.birth, index(packet.destination));
  // The flow to 1: two at 4, then one at 34; that to 2: one every 4 cycles. In a cycle by their lines.
  const std::vector<std::tuple<Cycle, std::uint32_t>> expected{
      {0, 2}, {4, 1}, {4, 1}, {4, 2}, {8, 2}, {12, 2}, {16, 2}, {20, 2}, {24, 2}, {28, 2}, {32, 2}, {34, 1}};
  EXPECT_EQ(born, expected);
  const auto flows = source->regulated();
  ASSERT_EQ(flows.size(), 3U);
  EXPECT_EQ(flows[0].period, 30U);
  EXPECT_EQ(flows[0].burst, 2U);
  EXPECT_EQ(flows[1].period, 4U);
  EXPECT_EQ(flows[2].period, TokenPeriod::of(7.5));
  EXPECT_TRUE(read_flows("0 1 0.1 burst=2\n2 1 0.1\n")->regulated().empty());
  EXPECT_THROW((void)read_flows("0 1 0.1 burst=2\n0 2 0.1\n"), ConfigError);
  EXPECT_THROW((void)read_flows("0 1,2 0.1 burst=2\n"), ConfigError);
  EXPECT_THROW((void)read_flows("0 1 0.1 phase=2\n"), ConfigError);
  EXPECT_THROW((void)read_flows("0 1 0.1 burst=0\n"), ConfigError);
  EXPECT_THROW((void)read_flows("0 1 0.1 length=2 length=3\n"), ConfigError);
}

TEST(FlowsRun, AtTheirRateWhereAPeriodIsNotWhole) {
  const auto source = read_flows("0 1 0.4 length=3 burst=2\n3 2 0.3 length=1 burst=1\n");
  std::vector<Cycle> born;
  for (const auto& packet : packets_of(*source, 0, 46)) born.push_back(packet.birth);
  EXPECT_EQ(born, (std::vector<Cycle>{0, 0, 8, 15, 23, 30, 38, 45}))
      << "every 7.5 cycles, in the next whole one";
  EXPECT_NEAR(source->offered()->packets_per_node_cycle, (0.4 / 3 + 0.3) / 2, 1e-6);
  const auto flows = source->regulated();
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_FALSE(flows[0].period.whole());
  // In no x cycles in a row come more than is stated, and for each x that many in some.
  const std::uint64_t all = 30'000;
  const auto packets = packets_of(*source, 3, all);
  EXPECT_NEAR(static_cast<double>(packets.size()), 0.3 * static_cast<double>(all), 1.5);
  for (const std::uint64_t x : {1U, 2U, 3U, 4U, 5U, 7U, 10U, 11U, 20U, 100U}) {
    std::uint64_t most = 0;
    for (std::size_t first = 0, end = 0; first < packets.size(); ++first) {
      while (end < packets.size() && packets[end].birth < packets[first].birth + x) ++end;
      most = std::max<std::uint64_t>(most, end - first);
    }
    EXPECT_EQ(most, flows[1].burst + flows[1].period.within(x)) << x << " cycles";
  }
}

TEST(FlowsRun, TheSameWheneverTheyAreAsked) {
  const auto source = read_flows("* * 0.3 length=2\n* 0 0.1 class=response\n");
  const auto once = packets_of(*source, 4, 3000);
  const auto again = packets_of(*source, 4, 3000);  // from the first packet on
  ASSERT_GT(once.size(), 300U);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t n = 0; n < once.size(); ++n) {
    EXPECT_EQ(once[n].birth, again[n].birth);
    EXPECT_EQ(once[n].destination, again[n].destination);
    EXPECT_EQ(once[n].message_class, again[n].message_class);
    if (n > 0) {
      EXPECT_GT(once[n].birth, once[n - 1].birth);
    }
  }
  EXPECT_TRUE(packets_of(*source, 0, 3000).size() < once.size()) << "terminal 0 does not send to itself";
}

TEST(FlowsRun, UpToAPacketInEveryCycle) {
  const auto source = read_flows("1 2 0.5 length=1\n1 3 1 length=2\n");
  EXPECT_EQ(packets_of(*source, 1, 1000).size(), 1000U);
}

struct WrongFlow {
  const char* text;
  const char* says;
};
class BadFlows : public testing::TestWithParam<WrongFlow> {};

TEST_P(BadFlows, AreNamedWithTheirLine) {
  try {
    (void)read_flows(GetParam().text);
    FAIL() << "was read";
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find(GetParam().says), std::string::npos) << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadFlows,
    testing::Values(
        WrongFlow{"", "has no line 'source[,...]"}, WrongFlow{"0 1\n", ".txt:1: "},
        WrongFlow{"0 1 0.1\n9 1 0.1\n", ".txt:2: traffic.source: source 9 does not exist"},
        WrongFlow{"0 8 0.1\n", "destination 8 does not exist; terminals are 0 to 7"},
        WrongFlow{"0 x 0.1\n", "the destination is 'x'"},
        WrongFlow{"0 1,1 0.1\n", "destination 1 is given twice"},
        WrongFlow{"0 1 0.1\n0-3,2 5 0.1\n", ".txt:2: traffic.source: source 2 is given twice"},
        WrongFlow{"3-1 5 0.1\n", "the range '3-1' ends before it begins; write 1-3"},
        WrongFlow{"0 4-8 0.1\n", "destination 8 does not exist; terminals are 0 to 7"},
        WrongFlow{"0 4- 0.1\n", "the destination is '4-'"}, WrongFlow{"-4 1 0.1\n", "the source is '-4'"},
        WrongFlow{"2 2 0.1\n", "terminal 2 would send to itself alone"},
        WrongFlow{"0 1 fast\n", "the rate is 'fast'"}, WrongFlow{"0 1 -0.1\n", "the rate is '-0.1'"},
        WrongFlow{"0 1 nan\n", "the rate is 'nan'"}, WrongFlow{"0 1 1e999\n", "the rate is '1e999'"},
        WrongFlow{"0 1 0 burst=4\n", "a flow with a burst sends at least every"},
        WrongFlow{"0 1 0.1 length=0\n", "'length=0': allowed are 1 to"},
        WrongFlow{"0 1 0.1 length=\n", "'length=': allowed are 1 to"},
        WrongFlow{"0 1 0.1 class=reply\n", "there is no message class 'reply'"},
        WrongFlow{"0 1 0.1 colour=red\n", "'colour=red' is not known here"},
        WrongFlow{"0 1 3 length=5\n0 2 3 length=5\n", "more than one packet per cycle"},
        WrongFlow{"0 1 1.01 length=1\n", "more than one packet per cycle"}));

TEST(BadFlowsOfAContext, AreRefused) {
  EXPECT_THROW((void)read_flows("0 1 0.1\n", {{"scale", -1.0}}), ConfigError);
  EXPECT_THROW((void)read_flows("0 1 0.1\n", {{"length", 0}}), ConfigError);
}

}  // namespace
}  // namespace noctule
