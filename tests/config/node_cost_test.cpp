// Do the figures of the cost table stand for the routers that they were made for, and for no others?

#include "config/node_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace noctule {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTable =
    "kind,name,parameters,tied,model,set,tuning,library,corner,recipe,area_um2,flops,gates,depth,reg_reg_ns,"
    "link_ns,cycle_ns,tools,source\n"
    "node,f,Rotating=1,last_x_i=30,four_classes,topology.kind=torus "
    "node.selection=rotating,as_written,a,c,one,2,7,"
    "5,9,2,3,3,y,d\n"
    "node,g,Rotating=0,last_x_i=30,four_classes,topology.kind=torus "
    "node.selection=first,as_written,a,c,one,1,7,5,"
    "9,2,3,3,y,d\n"
    "node,f,Rotating=1,last_x_i=30,four_classes,topology.kind=torus "
    "node.selection=rotating,tuned,a,c,one,3,7,5,9,"
    "1,2,2,y,d\n"
    "node,q,,last_x_i=30,input_queued,topology.kind=mesh "
    "node.routing_delay=0,as_written,a,c,one,9,7,5,9,2,3,3,y,"
    "d\n"
    "node,z,,,of_a_plug_in,node.thing=3,as_written,a,c,one,9,7,5,9,2,3,3,y,d\n";

class NodeCosts : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() / ("node-cost-" + std::to_string(getpid()) + ".csv");
    std::ofstream(file_) << kTable;
  }
  void TearDown() override { std::filesystem::remove(file_); }

  std::vector<CostOfKind> all(const std::string& yaml) {
    const auto points = expand(decode_text("cost: {library: a}\n" + yaml, "file"));
    return book_.find(points.at(0));
  }
  CostAnswer answer(const std::string& yaml) { return all(yaml).front().answer; }
  CostAnswer of(const std::string& node, const std::string& topology = "{kind: torus, radix: [31, 31]}") {
    return answer("topology: " + topology + "\nnode: " + node + "\n");
  }
  [[nodiscard]] std::string file() const { return file_.string(); }

 private:
  std::filesystem::path file_;
  CostBook book_{
      (std::filesystem::temp_directory_path() / ("node-cost-" + std::to_string(getpid()) + ".csv")).string()};
};

TEST_F(NodeCosts, AreThoseOfTheSameRouter) {
  const auto first = of("{model: four_classes, selection: first}");
  ASSERT_NE(first.figures, nullptr) << first.obstacle;
  EXPECT_EQ(first.figures->name, "g");
  EXPECT_THAT(first.notes, IsEmpty());
  EXPECT_EQ(of("{model: four_classes, selection: rotating}").figures->name, "f");
}

TEST_F(NodeCosts, SayWhatStandsForSomethingElse) {
  const auto random = of("{model: four_classes}");
  ASSERT_NE(random.figures, nullptr) << random.obstacle;
  EXPECT_EQ(random.figures->name, "f");
  EXPECT_THAT(random.notes, Contains(HasSubstr("node.selection rotating instead of random")));
  const auto smaller = of("{model: four_classes, selection: first}", "{kind: torus, radix: [15, 15]}");
  ASSERT_NE(smaller.figures, nullptr);
  EXPECT_THAT(smaller.notes, Contains(HasSubstr("made for radix 31, here it is [15,15]")));
}

TEST_F(NodeCosts, AreNotThoseOfAnotherRouter) {
  const auto deeper = of("{model: four_classes, selection: first, input_depth: 4}");
  EXPECT_EQ(deeper.figures, nullptr);
  EXPECT_THAT(deeper.obstacle, HasSubstr("node.input_depth is 4, of the router in the table 1"));
  EXPECT_THAT(deeper.remedy, HasSubstr("--model four_classes --set node.input_depth=4"));
  EXPECT_THAT(of("{model: star_channels}").obstacle,
              HasSubstr("no node model star_channels; it has four_classes"));
  EXPECT_THAT(of("{model: input_queued}", "{kind: mesh, radix: [8, 8]}").obstacle,
              HasSubstr("node.routing_delay is 1, of the router in the table 0"));
  EXPECT_THAT(of("{model: input_queued, routing_delay: 0}").obstacle, HasSubstr("topology.kind is torus"));
  EXPECT_NE(of("{model: input_queued, routing_delay: 0}", "{kind: mesh, radix: [8, 8]}").figures, nullptr);
  EXPECT_THAT(of("input_queued", "{kind: mesh, radix: [4, 4, 4]}").obstacle, HasSubstr("3 dimensions"));
}

TEST_F(NodeCosts, NameACommandThatAShellTakes) {
  const auto remedy =
      answer(
          "topology: {kind: torus, radix: [31, 31]}\nnode: {model: four_classes, selection: first}\n"
          "message_classes: {a: {vcs: {}}, b: {}}\n")
          .remedy;
  EXPECT_THAT(remedy, HasSubstr(" --set 'message_classes={\"a\":{"));
  // What the wanted router does not have is no value.
  EXPECT_THAT(
      answer("topology: {kind: torus, radix: [31, 31]}\nnode: four_classes\nrouting: up_down\n").remedy,
      ::testing::AllOf(HasSubstr("--set routing.algorithm=up_down --set 'routing.root=\"\"'"),
                       ::testing::Not(HasSubstr("absent"))));
}

TEST_F(NodeCosts, SayThatTheUsersRtlWasNotLookedAt) {
  const std::string yaml =
      "topology: {kind: torus, radix: [31, 31]}\nnode: {model: four_classes, selection: first}\n";
  EXPECT_THAT(answer(yaml + "nodes: [{routers: ['*'], rtl: {}}]\n").notes, IsEmpty());
  EXPECT_THAT(answer(yaml + "nodes: [{routers: ['*'], rtl: {top: mine, files: [mine.sv]}}]\n").notes,
              Contains(HasSubstr("RTL of your own was not looked at")));
}

TEST_F(NodeCosts, FollowLibraryAndTuning) {
  const std::string node = "topology: {kind: torus, radix: [31, 31]}\nnode: four_classes\n";
  EXPECT_EQ(answer(node + "compare: [{label: t, set: {cost.tuning: tuned}}]\n").figures->mappings[0].area_um2,
            3);
  EXPECT_THAT(
      answer(node + "compare: [{label: t, set: {cost.library: other}}]\n").obstacle,
      HasSubstr(
          "not with library other, tuning as_written, but with library a, tuning as_written; library a, "
          "tuning tuned"));
}

TEST_F(NodeCosts, AreThoseOfEveryKindOfRouter) {
  const std::string yaml =
      "topology: {kind: torus, radix: [31, 31]}\nnode: {model: four_classes, selection: first}\n";
  EXPECT_EQ(all(yaml).size(), 1U);
  const auto kinds = all(yaml +
                         "nodes:\n- {routers: [router_0_*], set: {selection: rotating}}\n"
                         "- {routers: [router_0_0], set: {input_depth: 4}}\n");
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].kind.members.size(), 31U * 30U);
  EXPECT_EQ(kinds[0].answer.figures->name, "g");
  EXPECT_THAT(kinds[0].answer.notes, IsEmpty());
  EXPECT_EQ(kinds[1].kind.members.size(), 30U);
  EXPECT_EQ(kinds[1].answer.figures->name, "f");
  EXPECT_EQ(kinds[2].kind.members.size(), 1U);
  EXPECT_EQ(kinds[2].answer.figures, nullptr);
  EXPECT_THAT(kinds[2].answer.obstacle, HasSubstr("node.input_depth is 4"));
}

TEST_F(NodeCosts, OfAnotherModelAreLookedUpByThatModel) {
  const auto kinds =
      all("topology: {kind: torus, radix: [31, 31]}\nnode: {model: four_classes, selection: first}\n"
          "nodes: [{routers: [router_0_0], set: {model: star_channels}}]\n");
  ASSERT_EQ(kinds.size(), 3U) << "and the four to which it sends on two lanes";
  EXPECT_NE(kinds[0].answer.figures, nullptr);
  EXPECT_THAT(kinds[2].answer.obstacle, HasSubstr("no node model star_channels"));
}

TEST_F(NodeCosts, OfARouterWhoseLinksDifferAreThoseOfItsNode) {
  const auto kinds =
      all("topology: {kind: torus, radix: [31, 31]}\nnode: {model: four_classes, selection: first}\n"
          "links: [{links: [router_0_0.x_plus], set: {lanes: 2}}]\n");
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[1].kind.members.size(), 2U) << "at both ends of the link";
  ASSERT_NE(kinds[1].answer.figures, nullptr);
  EXPECT_THAT(kinds[1].answer.notes, Contains(HasSubstr("lanes, parallel links or sharing differ")));
}

TEST_F(NodeCosts, NeedATable) {
  const auto points = expand(decode_text("node: generic\n", "file"));
  EXPECT_THROW((void)CostBook("").find(points[0]), ConfigError);
  EXPECT_THROW((void)CostBook("/nowhere.csv").find(points[0]), ConfigError);
  const auto mine = expand(decode_text("cost: {table: mine.csv}\n", "folder/file.yaml", {}, "folder"));
  EXPECT_THAT(CostBook("shipped").table_of(mine[0]), HasSubstr("mine.csv"));
}

}  // namespace
}  // namespace noctule
