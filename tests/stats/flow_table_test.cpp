// Does each flow count what is its own, and a window what is in it?

#include "stats/flow_table.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

Packet packet(std::uint32_t source, std::uint8_t message_class, Cycle birth, Cycle injected,
              std::uint32_t length) {
  Packet p;
  p.source = TerminalId{source};
  p.message_class = message_class;
  p.birth = birth;
  p.injected = injected;
  p.length = length;
  return p;
}

TEST(IsEachRuleObeyed, FlowsAreOfSourceDestinationAndClass) {
  FlowTable table;
  table.generated(TerminalId{3}, TerminalId{1}, 0);
  table.generated(TerminalId{3}, TerminalId{1}, 1);
  table.generated(TerminalId{1}, TerminalId{3}, 0);
  table.generated(TerminalId{1}, TerminalId{3}, 0);
  table.delivered(packet(1, 0, 10, 15, 5), TerminalId{3}, 30);
  table.delivered(packet(1, 0, 12, 12, 2), TerminalId{3}, 22);
  const std::vector<FlowCounters> wanted{{TerminalId{1}, TerminalId{3}, 0, 2, 2, 7, 30, 25, 20},
                                         {TerminalId{3}, TerminalId{1}, 0, 1, 0, 0, 0, 0, 0},
                                         {TerminalId{3}, TerminalId{1}, 1, 1, 0, 0, 0, 0, 0}};
  EXPECT_EQ(table.flows(), wanted);
}

TEST(IsEachRuleObeyed, AWindowOfFlowsBeginsEmpty) {
  FlowTable table;
  table.generated(TerminalId{0}, TerminalId{1}, 0);
  table.begin_window();
  EXPECT_TRUE(table.flows().empty());
  table.delivered(packet(0, 0, 1, 2, 4), TerminalId{1}, 9);
  const std::vector<FlowCounters> wanted{{TerminalId{0}, TerminalId{1}, 0, 0, 1, 4, 8, 7, 8}};
  EXPECT_EQ(table.flows(), wanted);
}

TEST(IsEachRuleObeyed, TerminalsAndClassesWithHighNumbersAreKeptApart) {
  FlowTable table;
  for (const std::uint32_t end : {0U, 1U, 0xffU, 0x100U, 0xffffffU, 0x1000000U})
    for (const int message_class : {0, 1, 255})
      table.generated(TerminalId{end}, TerminalId{end + 1}, static_cast<std::uint8_t>(message_class));
  EXPECT_EQ(table.flows().size(), 18U);
}

}  // namespace
}  // namespace noctule
