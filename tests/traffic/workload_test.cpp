// Tasks from text files: what is read, in which order packets are born, and that every error names its line.

#include <gtest/gtest.h>

#include "support/traffic_file.h"

namespace noctule {
namespace {

std::unique_ptr<TrafficSource> read(const std::string& text, const Json& set = Json::object()) {
  return read_traffic("workload", text, set);
}

/// What the fabric tells of a packet that was consumed in this cycle.
std::vector<TerminalId> consume(TrafficSource& source, const GeneratedPacket& packet, std::uint32_t from,
                                Cycle cycle) {
  Delivery delivery;
  delivery.source = TerminalId{from};
  delivery.destination = packet.destination;
  delivery.birth = packet.birth;
  delivery.consumed = cycle;
  delivery.user = packet.user;
  std::vector<TerminalId> wake;
  source.delivered(delivery, wake);
  return wake;
}

TEST(WorkloadRuns, TasksAfterThoseTheyWaitFor) {
  const auto source = read(
      "# a request and its answer\n"
      "1 2 5 id=ask class=request compute=7\n"
      "2 1 9 after=ask compute=30 class=response\n"
      "2 0 1 at=4\n");
  EXPECT_TRUE(source->finite());
  const auto ask = source->next(TerminalId{1}, 0);
  ASSERT_TRUE(ask);
  EXPECT_EQ(ask->birth, 7U);
  EXPECT_EQ(ask->length, 5U);
  EXPECT_EQ(ask->destination, TerminalId{2});
  EXPECT_EQ(ask->message_class, 0);
  EXPECT_FALSE(source->next(TerminalId{1}, 1));
  const auto other = source->next(TerminalId{2}, 0);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->birth, 4U);
  EXPECT_FALSE(source->next(TerminalId{2}, 1));
  EXPECT_EQ(consume(*source, *ask, 1, 20), std::vector<TerminalId>{TerminalId{2}});
  const auto answer = source->next(TerminalId{2}, 1);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->birth, 50U);
  EXPECT_EQ(answer->length, 9U);
  EXPECT_EQ(answer->message_class, 1);
  EXPECT_TRUE(consume(*source, *answer, 2, 70).empty());
}

TEST(WorkloadRuns, AnswersWithoutComputingInTheNextCycle) {
  const auto source = read("0 1 1 id=a\n1 0 1 after=a\n");
  const auto a = source->next(TerminalId{0}, 0);
  consume(*source, *a, 0, 11);
  EXPECT_EQ(source->next(TerminalId{1}, 0)->birth, 12U);
}

TEST(WorkloadRuns, BarriersThroughTasksWithoutAMessage) {
  const auto source = read(
      "0 1 1 id=a\n"
      "1 2 1 id=b\n"
      "3 - after=* compute=100 id=all\n"
      "4 5 1 after=all\n"
      "5 6 1 after=*\n"
      "6 - after=last\n"
      "7 - id=last compute=3\n");
  const auto a = source->next(TerminalId{0}, 0);
  const auto b = source->next(TerminalId{1}, 0);
  EXPECT_FALSE(source->next(TerminalId{4}, 0));
  EXPECT_TRUE(consume(*source, *b, 1, 30).empty());
  EXPECT_EQ(consume(*source, *a, 0, 20), std::vector<TerminalId>{TerminalId{4}});
  const auto then = source->next(TerminalId{4}, 0);
  ASSERT_TRUE(then);
  EXPECT_EQ(then->birth, 130U) << "from the later of the two on";
  EXPECT_FALSE(source->next(TerminalId{5}, 0));
  consume(*source, *then, 4, 140);
  EXPECT_EQ(source->next(TerminalId{5}, 0)->birth, 141U);
}

TEST(WorkloadRuns, LargeMessagesAsSeveralPackets) {
  const auto source = read("0 1 100B id=m\n0 2 7\n1 0 1 after=m\n",
                           {{"flit_bytes", 8}, {"header_flits", 1}, {"packet_flits", 5}});
  // 13 flits of 8 bytes, 4 to a packet; a size in flits includes the headers.
  const std::vector<std::uint32_t> lengths{5, 5, 5, 2, 5, 2};
  std::vector<GeneratedPacket> sent;
  for (const auto length : lengths) {
    const auto p = source->next(TerminalId{0}, sent.size());
    ASSERT_TRUE(p);
    EXPECT_EQ(p->length, length) << sent.size();
    EXPECT_EQ(p->birth, 0U);
    sent.push_back(*p);
  }
  EXPECT_FALSE(source->next(TerminalId{0}, 6));
  for (const int n : {2, 0, 3}) EXPECT_TRUE(consume(*source, sent[n], 0, 10).empty());
  EXPECT_EQ(consume(*source, sent[1], 0, 15), std::vector<TerminalId>{TerminalId{1}});
}

TEST(WorkloadRuns, WhatComesEarlierBeforeWhatWasGivenAlready) {
  const auto source = read("0 1 1 at=500\n2 0 1 id=a\n0 3 1 after=a\n0 4 1 after=a compute=600\n");
  const auto late = source->next(TerminalId{0}, 0);
  EXPECT_EQ(late->birth, 500U);
  consume(*source, *source->next(TerminalId{2}, 0), 2, 9);
  for (const auto& [birth, to] : {std::pair{10U, 3U}, {500U, 1U}, {609U, 4U}}) {
    const auto p = source->next(TerminalId{0}, 0);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->birth, birth);
    EXPECT_EQ(p->destination, TerminalId{to});
  }
}

TEST(WorkloadRuns, AnewAfterAReset) {
  const auto source = read("0 1 1 id=a compute=2\n1 0 1 after=a\n");
  consume(*source, *source->next(TerminalId{0}, 0), 0, 9);
  ASSERT_TRUE(source->next(TerminalId{1}, 0));
  EXPECT_TRUE(source->restart(40));
  EXPECT_FALSE(source->next(TerminalId{1}, 1));
  EXPECT_EQ(source->next(TerminalId{0}, 1)->birth, 42U);
}

TEST(WorkloadRuns, EndsAreThoseOfTheMessages) {
  const auto source = read("0 1,6 4\n3 - compute=5\n2 1 4\n");
  const auto ends = source->ends();
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->injecting, (std::vector<bool>{true, false, true, false, false, false, false, false}));
  EXPECT_EQ(ends->addressed, (std::vector<bool>{false, true, false, false, false, false, true, false}));
  EXPECT_EQ(source->next(TerminalId{0}, 0)->destinations.size(), 2U);
}

struct Wrong {
  const char* text;
  const char* place;
  const char* says;
};

class WrongTasks : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTasks, NameTheirLineAndTheRemedy) {
  try {
    (void)read(GetParam().text);
    FAIL() << "accepted";
  } catch (const ConfigError& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find(GetParam().place), std::string::npos) << what;
    EXPECT_NE(what.find(GetParam().says), std::string::npos) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, WrongTasks,
    testing::Values(
        Wrong{"", "", "has no line"}, Wrong{"0\n", ":1", "1 words; expected"},
        Wrong{"0 1\n", ":1", "no size"},
        Wrong{"0 1 4\n8 1 4\n", ":2", "terminal 8 does not exist; terminals are 0 to 7"},
        Wrong{"0 9 4\n", ":1", "destination 9 does not exist"},
        Wrong{"zero 1 4\n", ":1", "expected the number of a terminal"},
        Wrong{"0 1, 4\n", ":1", "the destination is ''"},
        Wrong{"3 3 4\n", ":1", "is the source of this message"}, Wrong{"0 1,1 4\n", ":1", "given twice"},
        Wrong{"0 1 0\n", ":1", "the size is '0'"}, Wrong{"0 1 -4\n", ":1", "the size is '-4'"},
        Wrong{"0 1 4k\n", ":1", "the size is '4k'"}, Wrong{"0 1 64B\n", ":1", "traffic.source.flit_bytes"},
        Wrong{"0 1 18446744073709551616\n", ":1", "the size is"},
        Wrong{"0 1 18446744073709551615\n", ":1", "would be"},
        Wrong{"0 1 4 wait=2\n", ":1", "'wait=2' is not known here"},
        Wrong{"0 1 4 5\n", ":1", "'5' is not known here"},
        Wrong{"0 1 4 at=3 at=5\n", ":1", "'at=3' and 'at=5'; give one of them"},
        Wrong{"0 1 4 compute=x\n", ":1", "allowed are 0 to"}, Wrong{"0 1 4 at=\n", ":1", "allowed are 0 to"},
        Wrong{"0 1 4 id=\n", ":1", "gives no name"}, Wrong{"0 1 4 id=*\n", ":1", "gives no name"},
        Wrong{"0 1 4 id=a\n1 0 4 id=a\n", ":2", "the other one is at"},
        Wrong{"0 1 4 id=a id=a\n", ":1", "'id=a' and 'id=a'; give one of them"},
        Wrong{"1 0 4 at=1000000000000001\n", ":1", "allowed are 0 to 1000000000000000 cycles"},
        Wrong{"0 1 4 after=b\n", ":1", "give one the name with id=b"},
        Wrong{"0 1 4 after=\n", ":1", "names no task"},
        Wrong{"0 1 4 class=reply\n", ":1", "no message class 'reply'"},
        Wrong{"0 1 4 id=a after=a\n", ":1", "in a circle"},
        Wrong{"0 - id=x\n0 1 4 id=a after=c,x\n1 0 4 id=b after=a\n2 0 4 id=c after=b\n3 0 1 after=c\n", ":2",
              "wait for each other in a circle"}));

TEST(WrongPackets, WithoutRoomAreRefused) {
  EXPECT_THROW((void)read("0 1 4\n", {{"header_flits", 5}, {"packet_flits", 5}}), ConfigError);
  EXPECT_THROW((void)read("0 1 4\n", {{"packet_flits", 0}}), ConfigError);
}

}  // namespace
}  // namespace noctule
