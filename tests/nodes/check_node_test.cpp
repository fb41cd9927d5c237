// Does a node whose keys contradict each other get a message that names the key and the remedy?

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "nodes/node_description.h"
#include "support/nodes.h"

namespace noctule {
namespace {

struct Case {
  const char* name;
  const char* model;
  Json set;
  const char* key;     ///< that the message is about
  const char* remedy;  ///< that it names
};

class Contradiction : public testing::TestWithParam<Case> {};

TEST_P(Contradiction, IsRefusedWithItsKeyAndARemedy) {
  const Case& c = GetParam();
  try {
    node_of(c.model, c.set);
    FAIL() << "accepted";
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics()[0].key, std::string("node.") + c.key) << e.what();
    EXPECT_NE(std::string(e.what()).find(c.remedy), std::string::npos) << e.what();
  }
}

const std::vector<Case> kCases{
    {"links", "generic", {{"parallel_links", 2}}, "parallel_links", "raise node.lanes"},
    {"limit",
     "input_queued",
     {{"connections_per_cycle", 2}},
     "connections_per_cycle",
     "connections_per_cycle: all"},
    {"order", "input_queued", {{"scan", "first_come"}}, "scan", "vc_allocator scan"},
    {"choice", "input_queued", {{"selection", "first"}}, "selection", "selection: random"},
    {"transit", "generic", {{"transit_first", true}}, "transit_first", "first_come"},
    {"ties", "generic", {{"ties", "port"}}, "ties", "scan first_come"},
    {"any_scan", "generic", {{"injection_channels", "unlimited"}}, "injection_channels", "scan first_come"},
    {"any_scan_number",
     "fixed_slot",
     {{"scan", "round_robin"}, {"transit_first", false}},
     "injection_channels",
     "1 to 64"},
    {"any_allocated",
     "input_queued",
     {{"injection_channels", "unlimited"}},
     "injection_channels",
     "vc_allocator scan"},
    {"any_switched",
     "generic",
     {{"injection_channels", "unlimited"},
      {"scan", "first_come"},
      {"output_depth", 0},
      {"switch_allocator", "islip"}},
     "injection_channels",
     "switch_allocator none"},
    {"any_vcs", "fixed_slot", {{"injection_vcs", 2}}, "injection_vcs", "injection_vcs: 1"},
    {"any_again",
     "fixed_slot",
     {{"retransmission_buffers", 1}},
     "injection_channels",
     "retransmission_buffers 0"},
    {"partition", "four_classes", {{"scan", "first_come"}}, "scan", "one crossbar"},
    {"traversal", "generic", {{"traversal_delay", 2}}, "traversal_delay", "output_depth 0"},
    {"stages", "generic", {{"switch_allocation_delay", 1}}, "switch_allocation_delay", "output_depth 0"},
    {"tail_left", "input_queued", {{"release", "tail_left"}}, "release", "next_buffer_empty"},
    {"unlimited",
     "generic",
     {{"consumption_channels", "unlimited"}},
     "consumption_channels",
     "output_depth 0"},
    {"shared", "generic", {{"consumption_vcs", 2}}, "consumption_vcs", "switch_allocator"},
    {"unshared", "fixed_slot", {{"consumption_vcs", 2}}, "consumption_vcs", "unlimited"},
    {"slots", "input_queued", {{"link_sharing", "fixed_slot"}}, "link_sharing", "switch_allocator none"},
    {"switch", "generic", {{"switch_allocator", "islip"}}, "switch_allocator", "output_depth 0"},
    {"of_round_robin",
     "input_queued",
     {{"switch_allocator", "islip"}, {"arbiter", "matrix"}},
     "arbiter",
     "arbiter: round_robin"},
    {"bypass",
     "input_queued",
     {{"consumption_channels", "unlimited"}, {"consumption_vcs", 1}},
     "consumption_channels",
     "switch_allocator none"},
    {"guess", "generic", {{"speculative", true}}, "speculative", "switch_allocator"},
    {"nothing_to_guess",
     "input_queued",
     {{"speculative", true}, {"vc_allocation_delay", 0}},
     "speculative",
     "vc_allocation_delay 0"},
    {"refill", "fixed_slot", {{"injection_refill", "same_cycle"}}, "injection_refill", "next_cycle"},
    {"unknown", "generic", {{"vc_allocator", "wavefrond"}}, "vc_allocator", "wavefront"},
    {"range", "generic", {{"routing_delay", 17}}, "routing_delay", "0 to 16"},
    {"channels", "generic", {{"injection_channels", 65}}, "injection_channels", "1 to 64"}};

INSTANTIATE_TEST_SUITE_P(Keys, Contradiction, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(NodeKeys, ThatNoNodeHasAreRefused) {
  EXPECT_NO_THROW((void)node_from_parameters(Parameters({{"model", "generic"}, {"lanes", 2}})));
  try {
    (void)node_from_parameters(Parameters({{"model", "generic"}, {"lane", 2}}));
    FAIL() << "accepted";
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics()[0].key, "node.lane");
    EXPECT_NE(std::string(e.what()).find("there is no such key; there are model, "), std::string::npos);
  }
}

TEST(FixedSlot, StandsForAnyNumberOfInjectionChannelsAndFairTies) {
  const NodeDescription node = node_of("fixed_slot", {});
  EXPECT_EQ(node.injection_channels, kUnlimited);
  EXPECT_EQ(node.scan, Scan::kFirstCome);
  EXPECT_EQ(node.ties, Ties::kRandom);
  EXPECT_EQ(node_of("fixed_slot", {{"injection_channels", 8}, {"ties", "port"}}).injection_channels, 8U);
}

}  // namespace
}  // namespace noctule
