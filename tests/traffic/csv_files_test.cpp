// Packets and tasks from tables with a header: what is read, and that every error names file, line and
// column.

#include <gtest/gtest.h>

#include "support/traffic_file.h"
#include "traffic/leaves_out.h"

namespace noctule {
namespace {

std::unique_ptr<TrafficSource> packets(const std::string& text) {
  return read_traffic("trace_file", text);
}
std::unique_ptr<TrafficSource> tasks(const std::string& text, const Json& set = {{"flit_bytes", 8}}) {
  return read_traffic("workload", text, set);
}

std::string left_out(const TrafficSource& source) {
  return dynamic_cast<const LeavesOut&>(source).left_out();
}

void expect_packet(TrafficSource& source, std::uint32_t from, std::uint64_t number, Cycle birth,
                   std::uint32_t destination, std::uint32_t length, int message_class) {
  const auto p = source.next(TerminalId{from}, number);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->birth, birth);
  EXPECT_EQ(p->destination, TerminalId{destination});
  EXPECT_EQ(p->length, length);
  EXPECT_EQ(p->message_class, message_class);
}

TEST(PacketTable, HasItsColumnsInAnyOrder) {
  const auto source = packets(
      "flits,class,destination,cycle,source\n"
      "4,response,0,3,1\n"
      "15,,2,10,1\n");
  EXPECT_TRUE(source->finite());
  expect_packet(*source, 1, 0, 3, 0, 4, 1);
  expect_packet(*source, 1, 1, 10, 2, 15, 0);
  EXPECT_FALSE(source->next(TerminalId{1}, 2));
}

TEST(PacketTable, SaysTheSameAsLines) {
  const std::string lines = "10 1 2 15 x_plus.class0 y_plus\n5 0 7,2,4 1\n10 1 3 2\n";
  const std::string rows =
      "cycle,source,destination,length,hops\n10,1,2,15,x_plus.class0 y_plus\n5,0,7 2 4,1,\n10,1,3,2,\n";
  const auto a = packets(lines);
  const auto b = packets(rows);
  for (std::uint32_t t = 0; t < 8; ++t)
    for (std::uint64_t n = 0; n < 3; ++n) {
      const auto one = a->next(TerminalId{t}, n);
      const auto other = b->next(TerminalId{t}, n);
      ASSERT_EQ(one.has_value(), other.has_value());
      if (!one) continue;
      EXPECT_EQ(one->birth, other->birth);
      EXPECT_EQ(one->destination, other->destination);
      EXPECT_EQ(one->destinations, other->destinations);
      EXPECT_EQ(one->length, other->length);
      EXPECT_EQ(one->route, other->route);
    }
  ASSERT_EQ(b->routes().size(), 1U);
  EXPECT_EQ(b->routes()[0].hops, a->routes()[0].hops);
  EXPECT_TRUE(b->routes()[0].place.ends_with(":2")) << b->routes()[0].place;
  EXPECT_EQ(a->ends()->injecting, b->ends()->injecting);
  EXPECT_EQ(a->ends()->addressed, b->ends()->addressed);
}

TEST(PacketTable, IsReadAsProgramsWriteIt) {
  // A byte order mark, blanks, quotes, ends of lines of another system, comments, empty lines and rows.
  const auto source = packets(
      "\xEF\xBB\xBF# mine\r\n\r\n\"cycle\", source ,destination,flits\r\n# the "
      "first\r\n7,1,\"2,3\",4\r\n,,,\r\n"
      " 9 ,1, 0 ,1");
  ASSERT_TRUE(source->next(TerminalId{1}, 0));
  EXPECT_EQ(source->next(TerminalId{1}, 0)->destinations,
            (std::vector<TerminalId>{TerminalId{2}, TerminalId{3}}));
  expect_packet(*source, 1, 1, 9, 0, 1, 0);
}

TEST(PacketTable, NamesTerminalsByTheirRouter) {
  const auto source =
      packets("cycle,source,destination,flits\n0,router_1_0,router_3_1,1\n0,router_0_1.terminal_0,0,2\n");
  expect_packet(*source, 1, 0, 0, 7, 1, 0);
  expect_packet(*source, 4, 0, 0, 0, 2, 0);
}

TEST(EventLogAsATrace, HasThePacketsThatItHoldsWhole) {
  const auto source = packets(
      "cycle,router,port,vc,event,packet,flit,source,destination,message_class\n"
      "0,router_0_0,injection,0,inject,0:0,1,0,1,request\n"  // generated before the log
      "1,router_1_0,consumption,0,consume,0:0,1,0,1,request\n"
      "5,router_0_0,injection,0,generate,0:1,0,0,2,response\n"
      "5,router_1_0,injection,0,generate,1:0,0,1,2,request\n"
      "6,router_0_0,injection,0,inject,0:1,0,0,2,response\n"
      "6,router_1_0,injection,0,inject,1:0,0,1,2,request\n"
      "7,router_0_0,injection,0,inject,0:1,1,0,2,response\n"
      "8,router_2_0,consumption,0,consume,0:1,0,0,2,response\n"
      "9,router_2_0,consumption,0,consume,0:1,1,0,2,response\n"
      "9,router_0_0,injection,0,generate,0:2,0,0,3,request\n");  // still under way at its end, as is 1:0
  expect_packet(*source, 0, 0, 5, 2, 2, 1);
  EXPECT_FALSE(source->next(TerminalId{0}, 1));
  EXPECT_FALSE(source->next(TerminalId{1}, 0));
  EXPECT_NE(left_out(*source).find("3 of 4 packets"), std::string::npos) << left_out(*source);
}
TEST(EventLogAsATrace, SaysNothingWhereItIsWhole) {
  const auto source = packets(
      "cycle,router,port,vc,event,packet,flit,source,destination,message_class\n"
      "5,router_0_0,injection,0,generate,0:0,0,0,2,response\n"
      "6,router_0_0,injection,0,inject,0:0,0,0,2,response\n"
      "8,router_2_0,consumption,0,consume,0:0,0,0,2,response\n");
  EXPECT_EQ(left_out(*source), "");
}

TEST(TaskTable, SaysTheSameAsLines) {
  const auto source = tasks(
      "id,terminal,destination,class,flits,bytes,after,compute,at\n"
      "ask,1,2,request,5,,,7,\n"
      ",router_2_0,1,response,,64,ask,30,\n"
      ",3,,,,,ask *,2,\n"
      ",2,0,,1,,,,4\n");
  expect_packet(*source, 1, 0, 7, 2, 5, 0);
  expect_packet(*source, 2, 0, 4, 0, 1, 0);
  Delivery delivery;
  delivery.source = TerminalId{1};
  delivery.consumed = 20;
  delivery.user = source->next(TerminalId{1}, 1) ? nullptr : reinterpret_cast<void*>(std::uintptr_t{1});
  std::vector<TerminalId> wake;
  source->delivered(delivery, wake);
  expect_packet(*source, 2, 1, 50, 1, 8, 1);
}

struct Wrong {
  bool packets;
  const char* text;
  const char* line;
  const char* says;
};

class WrongTables : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTables, NameLineColumnAndRemedy) {
  const auto& c = GetParam();
  const std::string header = c.packets ? "cycle,source,destination,flits,class\n"
                                       : "id,terminal,destination,flits,bytes,after,compute,at,class\n";
  const std::string text = std::string_view(c.text).starts_with('+') ? header + (c.text + 1) : c.text;
  try {
    (void)(c.packets ? packets(text) : tasks(text));
    FAIL() << "accepted: " << text;
  } catch (const ConfigError& e) {
    const auto& d = e.diagnostics().front();
    EXPECT_TRUE(d.place.ends_with(c.line)) << e.what();
    EXPECT_NE(d.message.find(c.says), std::string::npos) << d.message;
    EXPECT_EQ(d.key, "traffic.source");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Packets, WrongTables,
    testing::Values(
        Wrong{true, "cycle,sorce,destination,flits\n", ":1",
              "unknown column 'sorce'; did you mean 'source'?"},
        Wrong{true, "cycle,src,destination,flits\n", ":1", "unknown column 'src'; did you mean 'source'?"},
        Wrong{true, "# mine\ncycle,source,destination,flits,colour\n", ":2",
              "unknown column 'colour'; columns are cycle, source, destination, flits (or length)"},
        Wrong{true, "cycle,source,flits\n", ":1", "there is no column 'destination'; columns are"},
        Wrong{true, "cycle,source,destination,flits,length\n", ":1", "'flits' and 'length' mean the same"},
        Wrong{true, "cycle,source,source,destination,flits\n", ":1", "'source' and 'source' mean the same"},
        Wrong{true, "cycle;source;destination;flits\n0;1;2;3\n", ":1",
              "separated by semicolons; save the table with commas"},
        Wrong{true, "cycle\tsource\tdestination\tflits\n", ":1", "separated by tabs"},
        Wrong{true, "+", "", "has no row below its header"},
        Wrong{true, "+0,1,2\n", ":2", "3 cells, and the header has 5 columns"},
        Wrong{true, "+0,1,2,3,,\n", ":2", "6 cells, and the header has 5 columns"},
        Wrong{true, "+0,1,\"2,3,\n", ":2", "a quote is not closed"},
        Wrong{true, "+\n0,1,2,x,\n", ":3", "column 'flits': 'x'; a whole number from 0 to 2^64-1 is needed"},
        Wrong{true, "+0.5,1,2,3,\n", ":2", "column 'cycle': '0.5'; a whole number"},
        Wrong{true, "+,1,2,3,\n", ":2", "column 'cycle': ''; a whole number"},
        Wrong{true, "+-1,1,2,3,\n", ":2", "column 'cycle': '-1'; a whole number"},
        Wrong{true, "+18446744073709551615,1,2,3,\n", ":2",
              "column 'cycle': 18446744073709551615; allowed are"},
        Wrong{true, "+0,1,2,0,\n", ":2", "column 'flits': 0; allowed are 1 to"},
        Wrong{true, "+0,8,2,3,\n", ":2", "column 'source': terminal 8 does not exist; terminals are 0 to 7"},
        Wrong{true, "+0,1,2 9,3,\n", ":2", "column 'destination': terminal 9 does not exist"},
        Wrong{true, "+0,,2,3,\n", ":2", "column 'source': it is empty; a terminal is needed"},
        Wrong{true, "+0,1,,3,\n", ":2", "column 'destination': it is empty; a terminal is needed"},
        Wrong{
            true, "+0,router_9_9,2,3,\n", ":2",
            "column 'source': there is no terminal 'router_9_9'; give a number from 0 to 7, or the name of a "
            "router with a terminal, as router_0_0"},
        Wrong{true, "+0,1,router_0_0.terminal_1,3,\n", ":2",
              "column 'destination': 'router_0_0.terminal_1' is none of the 1 terminals there"},
        Wrong{true, "+0,1,1,3,\n", ":2", "column 'destination': terminal 1 is the source of this message"},
        Wrong{true, "+0,1,2 2,3,\n", ":2", "column 'destination': destination 2 is given twice"},
        Wrong{true, "+0,1,2,3,reply\n", ":2", "column 'class': there is no message class 'reply'"},
        Wrong{true, "cycle,source,destination,flits,hops\n0,1,2 3,4,x_plus.class0\n", ":2",
              "hops are prescribed to messages with one destination"},
        Wrong{true, "cycle,event,packet,flit,source,destination\n0,generate,0:0,0,0,1\n", "",
              "holds no packet from its generation to the consumption of its tail; log more cycles"},
        Wrong{true, "cycle,event,packet,source,destination\n", ":1", "there is no column 'flit'"}));

INSTANTIATE_TEST_SUITE_P(
    Tasks, WrongTables,
    testing::Values(
        Wrong{false, "terminal,destination,flitts\n", ":1", "unknown column 'flitts'; did you mean 'flits'?"},
        Wrong{false, "terminal,destination,dependencies\n", ":1", "did you mean 'after'?"},
        Wrong{false, "destination,flits\n", ":1", "there is no column 'terminal'"},
        Wrong{false, "+", "", "has no row below its header"},
        Wrong{false, "+a,0,1,5\n", ":2", "4 cells, and the header has 9 columns"},
        Wrong{false, "+,8,1,5,,,,,\n", ":2",
              "column 'terminal': terminal 8 does not exist; terminals are 0 to 7"},
        Wrong{false, "+,,1,5,,,,,\n", ":2", "column 'terminal': it is empty"},
        Wrong{false, "+,0,cpu,5,,,,,\n", ":2", "column 'destination': there is no terminal 'cpu'"},
        Wrong{false, "+,0,0,5,,,,,\n", ":2", "column 'destination': terminal 0 is the source"},
        Wrong{false, "+,0,1,,,,,,\n", ":2", "there is no size; give it in the column 'flits' or 'bytes'"},
        Wrong{false, "+,0,,5,,,,,\n", ":2", "column 'destination': it is empty, and there is a size"},
        Wrong{false, "+,0,1,5,64,,,,\n", ":2", "column 'bytes': '64', and column 'flits' is '5'; give one"},
        Wrong{false, "+,0,1,0,,,,,\n", ":2", "column 'flits': the size is '0'"},
        Wrong{false, "+,0,1,,x,,,,\n", ":2", "column 'bytes': the size is 'xB'"},
        Wrong{false, "+a b,0,1,5,,,,,\n", ":2", "column 'id': 'a b'; one word is needed"},
        Wrong{false, "+*,0,1,5,,,,,\n", ":2", "column 'id': 'id=*' gives no name"},
        Wrong{false, "+a,0,1,5,,,,,\na,0,1,5,,,,,\n", ":3", "column 'id': two tasks are called 'a'"},
        Wrong{false, "+a,0,1,5,,b,,,\n", ":2", "there is no task 'b'"},
        Wrong{false, "+a,0,1,5,,a,,,\n", "", "in a circle"},
        Wrong{false, "+,0,1,5,,,soon,,\n", ":2", "column 'compute': 'compute=soon': allowed are 0 to"},
        Wrong{false, "+,0,1,5,,,,-3,\n", ":2", "column 'at': 'at=-3': allowed are 0 to"},
        Wrong{false, "+,0,1,5,,,,,reply\n", ":2", "column 'class': there is no message class 'reply'"}));

TEST(WrongRows, AreWrongOnAllTheirLinesAtOnce) {
  try {
    (void)packets("cycle,source,destination,flits\n0,9,2,3\n0,1,2,3\nx,1,y,3\n");
    FAIL();
  } catch (const ConfigError& e) {
    ASSERT_EQ(e.diagnostics().size(), 3U) << e.what();
    EXPECT_TRUE(e.diagnostics()[0].place.ends_with(":2"));
    EXPECT_TRUE(e.diagnostics()[2].place.ends_with(":4"));
  }
}

TEST(WrongRows, InBytesNeedTheSizeOfAFlit) {
  try {
    (void)tasks("terminal,destination,bytes\n0,1,64\n", Json::object());
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "column 'bytes': the size is 64 bytes; say with traffic.source.flit_bytes"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace noctule
