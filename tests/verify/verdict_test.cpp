// Are the verdicts, channel counts and adaptivity those known from independent enumeration? Every algorithm,
// odd and even radices, two and three dimensions.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/json.h"
#include "verify/report/report.h"
#include "verify_support.h"

namespace noctule::routing_test {
namespace {

struct Row {
  const char* algorithm;
  const char* key;  ///< of the relation, or null
  const char* value;
  const char* method;
  bool adaptive;          ///< every shortest path on offer, at every hop, for even radices
  bool at_injection;      ///< the same, counting what is drawn at injection
  bool at_injection_odd;  ///< for odd radices, where nothing is drawn
  bool minimal;
  unsigned most_dimensions;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.algorithm;
}

class Table : public testing::TestWithParam<Row> {
 protected:
  template <class F>
  void on_every_shape(F&& f) const {
    const Row& row = GetParam();
    Json set = Json::object();
    if (row.key != nullptr) set[row.key] = row.value;
    for (unsigned n = 2; n <= row.most_dimensions; ++n)
      for (unsigned k = 3; k <= (n == 2 ? 8U : 6U); ++k) {
        SCOPED_TRACE(torus(n, k).text());
        f(n, k, network(row.algorithm, torus(n, k), set));
      }
  }
};

TEST_P(Table, GivesTheVerdictsOfEnumeration) {
  const Row& row = GetParam();
  on_every_shape([&](unsigned n, unsigned k, const Network& net) {
    const auto c = verify_relation(net);
    EXPECT_EQ(c.verdict, Verdict::kProved);
    EXPECT_EQ(c.method, row.method);
    // Two ways round a ring of three are the same two links; from four on the full graph of *-Channels is
    // cyclic.
    EXPECT_EQ(c.facts.direct.acyclic(), c.method == "acyclic");
    EXPECT_EQ(c.facts.fully_adaptive, k % 2 == 0 ? row.adaptive : row.at_injection_odd);
    EXPECT_EQ(c.facts.fully_adaptive_at_injection, k % 2 == 0 ? row.at_injection : row.at_injection_odd);
    EXPECT_EQ(c.facts.minimal, row.minimal);
    EXPECT_TRUE(c.facts.hops_exact);
    EXPECT_EQ(c.facts.longest_path, row.minimal ? n * (k / 2) : n * (k - 1));
    EXPECT_TRUE(c.witness.cycle.empty());
  });
}

TEST_P(Table, IsProvedUnderAnyReleaseIfAcyclicAndOnlyUnderTheCarefulOneIfNot) {
  const Row& row = GetParam();
  on_every_shape([&](unsigned n, unsigned k, const Network& net) {
    if (n == 3 && k > 4) return;
    for (const auto release : {VcRelease::kTailCrossed, VcRelease::kTailLeft}) {
      NodeDescription node;
      node.release = release;
      VerifyOptions options;
      options.find_witness = false;
      EXPECT_EQ(verify_relation(net, node, options).proved(), std::string(row.method) == "acyclic");
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, Table,
    testing::Values(
        Row{"star_channels", nullptr, nullptr, "escape_network", true, true, true, true, 3},
        Row{"star_channels", "star_class", "wrap_ahead", "escape_network", true, true, true, true, 3},
        Row{"four_classes", nullptr, nullptr, "acyclic", true, true, true, true, 2},
        Row{"linder_harden", nullptr, nullptr, "acyclic", false, true, true, true, 2},
        Row{"oblivious", nullptr, nullptr, "acyclic", false, false, false, false, 3},
        Row{"dimension_order", nullptr, nullptr, "acyclic", false, false, false, true, 3},
        Row{"dimension_order", "vc_rule", "wrapped_bit", "acyclic", false, false, false, true, 3}),
    [](const auto& info) {
      return std::string(info.param.algorithm) +
             (info.param.value != nullptr ? std::string("_") + info.param.value : "");
    });

TEST(LinderHarden, OffersEveryShortestPathAtEveryHopWhereNothingIsDrawn) {
  for (unsigned k = 3; k <= 8; ++k)
    EXPECT_EQ(verify_relation(network("linder_harden", torus(2, k))).facts.fully_adaptive, k % 2 == 1) << k;
}

TEST(StarChannels, HaveACyclicGraphOfTheKnownSize) {
  const auto c = verify_relation(network("star_channels", torus(2, 7)));
  EXPECT_EQ(c.facts.direct.channels_in_cycles, 336U);
  EXPECT_TRUE(c.facts.escape->acyclic());
}

TEST(ChannelUse, CountsBothEndsAndTheDrivenSide) {
  const auto star = channel_use(verify_relation(network("star_channels", torus(2, 7))));
  EXPECT_EQ(star.per_link[0].second.most, 3U);
  EXPECT_EQ(star.per_link[1].second.most, 5U);
  EXPECT_EQ(star.per_link[1].second.least, 4U);
  EXPECT_EQ(star.both_ends.most, 16U);
  EXPECT_EQ(star.driven.most, 8U);
  const auto harden = channel_use(verify_relation(network("linder_harden", torus(2, 8))));
  EXPECT_EQ(harden.per_link[0].second.most, 8U);
  EXPECT_EQ(harden.per_link[1].second.most, 5U);
  EXPECT_EQ(harden.both_ends.most, 26U);
}

TEST(Reports, CarryTheContractsFields) {
  const auto json = to_json(verify_relation(network("star_channels", torus(2, 5))), "a label");
  EXPECT_EQ(json.at("label"), "a label");
  EXPECT_EQ(json.at("verdict"), "proved");
  EXPECT_EQ(json.at("method"), "escape_network");
  EXPECT_EQ(json.at("channels"), 170);
  EXPECT_EQ(json.at("fully_adaptive"), true);
  EXPECT_EQ(json.at("minimal"), true);
  EXPECT_EQ(json.at("longest_path"), 4);
  EXPECT_TRUE(json.at("witness").empty());
  EXPECT_EQ(json.at("virtual_channels_used").at("per_node_both_ends").at("max"), 14);
  for (const auto& condition : json.at("conditions")) EXPECT_EQ(condition.at("holds"), true);
}

TEST(Certificates, NumberEveryUsedChannel) {
  const auto c = verify_relation(network("four_classes", torus(2, 5)));
  const auto document = certificate_document(c, "four_classes");
  const auto& number = document.at("numbering").at("number");
  EXPECT_EQ(number.size(), c.facts.direct.channels + c.plan->topology->terminals());
  EXPECT_TRUE(number.contains("router_0_0.consumption"));
}

TEST(Limits, AreNamedWhereTheyAreReached) {
  VerifyOptions options;
  options.header_states = 1000;
  const auto c = verify_relation(network("star_channels", torus(2, 7)), careful_node(), options);
  EXPECT_EQ(c.verdict, Verdict::kUnknown);
  EXPECT_EQ(c.limit, "limits.verify_states");
  EXPECT_NE(c.reason.find("limits.verify_states"), std::string::npos);
}

TEST(Conditions, SayWhetherArbitersAreFair) {
  NodeDescription node = careful_node();
  node.scan = Scan::kFixed;
  const auto c = verify_relation(network("star_channels", torus(2, 5)), node);
  EXPECT_TRUE(c.proved());  // a worm may starve, but none of it is a deadlock
  bool broken = false;
  for (const auto& condition : c.conditions)
    if (!condition.holds) {
      EXPECT_EQ(condition.key, "node.scan");
      EXPECT_FALSE(condition.for_deadlock_freedom);
      broken = true;
    }
  EXPECT_TRUE(broken);
}

TEST(Conditions, SayWhichAllocatorsMayPassAHeaderOver) {
  const auto fair = [](const char* vcs, const char* ports, ArbiterKind arbiter) {
    NodeDescription node = careful_node();
    node.output_depth = 0;
    node.vc_allocator = vcs;
    node.switch_allocator = ports;
    node.arbiter = arbiter;
    const auto c = verify_relation(network("star_channels", torus(2, 4)), node);
    EXPECT_TRUE(c.proved());
    return std::ranges::all_of(c.conditions, [](const ProofCondition& condition) { return condition.holds; });
  };
  const auto rotating = ArbiterKind::kRoundRobin;
  EXPECT_TRUE(fair("separable_input_first", "separable_input_first", rotating));
  EXPECT_TRUE(fair("scan", "islip", rotating));
  EXPECT_FALSE(fair("separable_input_first", "maximum", rotating));
  EXPECT_FALSE(fair("maximum", "separable_input_first", rotating));
  // Round robin among the VCs of a port that was offered several outputs may starve one of them.
  EXPECT_FALSE(fair("scan", "separable_output_first", rotating));
  EXPECT_TRUE(fair("scan", "separable_output_first", ArbiterKind::kMatrix));
}

TEST(Conditions, SayHowTiesAreDecidedWhereTheFirstComeIsFirstServed) {
  const std::vector<std::pair<Ties, std::string>> cases{
      {Ties::kRandom, "first come, first served, ties drawn"},
      {Ties::kRotating, "first come, first served, ties by a rotating priority"},
      {Ties::kPort, "first come, first served, ties by port"}};
  for (const auto& [ties, words] : cases) {
    NodeDescription node = careful_node();
    node.scan = Scan::kFirstCome;
    node.ties = ties;
    const auto c = verify_relation(network("star_channels", torus(2, 4)), node);
    EXPECT_TRUE(c.proved());
    const auto fair = std::ranges::find_if(
        c.conditions, [](const ProofCondition& condition) { return condition.key == "node.scan"; });
    ASSERT_NE(fair, c.conditions.end());
    EXPECT_TRUE(fair->holds);
    EXPECT_EQ(fair->given, words);
  }
}

TEST(Ranks, AreCheckedOfRelationsDerivedFromBufferClasses) {
  for (const char* algorithm : {"positive_hop", "negative_hop"}) {
    const auto c = verify_relation(network(algorithm, torus(2, 4)));
    ASSERT_TRUE(c.rank_breach.has_value());
    EXPECT_EQ(*c.rank_breach, "");
    EXPECT_EQ(to_json(c, "x").at("rank_condition").at("holds"), true);
    EXPECT_NE(to_text(c, "x").find("lemma 1"), std::string::npos);
  }
  EXPECT_FALSE(verify_relation(network("star_channels", torus(2, 4))).rank_breach.has_value());
}

}  // namespace
}  // namespace noctule::routing_test
