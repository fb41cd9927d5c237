// Is the table of hardware cost read as it is meant, and refused where it is none?

#include "analytic/cost_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace noctule {
namespace {

constexpr const char* kHeader =
    "kind,name,parameters,tied,model,set,tuning,library,corner,recipe,area_um2,flops,gates,depth,reg_reg_ns,"
    "link_ns,cycle_ns,tools,source\n";

class CostTable : public ::testing::Test {
 protected:
  std::string written(const std::string& text) {
    file_ = std::filesystem::temp_directory_path() / ("cost-table-" + std::to_string(getpid()) + ".csv");
    std::ofstream(file_) << text;
    return file_.string();
  }
  std::string refusal(const std::string& text) {
    try {
      (void)read_cost_table(written(text));
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.diagnostics().at(0).key, "cost.table");
      return error.what();
    }
    return "accepted";
  }
  void TearDown() override { std::filesystem::remove(file_); }

 private:
  std::filesystem::path file_;
};

TEST_F(CostTable, RowsThatDifferInTheRecipeAreOneRouter) {
  const auto nodes =
      read_cost_table(written(std::string("# made by hand\n") + kHeader +
                              "node,r,A=1 B=2,last_x_i=30,m,node.lanes=2,as_written,lib,\"typical, 25 "
                              "C\",one,100,7,50,9,2.5,3.5,3.5,y,d\n"
                              "block,b,,,,,as_written,lib,c,one,5,0,1,1,,,,y,d\r\n"
                              "node,r,A=1 B=2,last_x_i=30,m,node.lanes=2,as_written,lib,\"typical, 25 "
                              "C\",two,90,7,50,9,2.75,3,3,y,d\n"
                              "node,r,A=1 B=2,last_x_i=30,m,,as_written,lib,c,one,80,7,50,9,2,3,3,y,d\n"));
  ASSERT_EQ(nodes.size(), 2U);
  const NodeCost& first = nodes[0];
  EXPECT_EQ(first.name, "r");
  EXPECT_EQ(first.corner, "typical, 25 C");
  EXPECT_EQ(first.set, (std::map<std::string, std::string>{{"node.lanes", "2"}}));
  EXPECT_EQ(first.flops, 7U);
  EXPECT_EQ(first.gates, 50U);
  EXPECT_EQ(first.depth, 9U);
  ASSERT_EQ(first.mappings.size(), 2U);
  EXPECT_EQ(first.mappings[1].recipe, "two");
  EXPECT_EQ(first.area_um2().low, 90);
  EXPECT_EQ(first.area_um2().high, 100);
  EXPECT_EQ(first.range(&Mapping::cycle_ns)->low, 3);
  EXPECT_EQ(first.range(&Mapping::cycle_ns)->middle(), 3.25);
  EXPECT_TRUE(first.timed());
  EXPECT_EQ(nodes[1].mappings.size(), 1U);
}

TEST_F(CostTable, WithoutATimingAnalyzerThereAreNoDelays) {
  const auto nodes =
      read_cost_table(written(std::string(kHeader) + "node,r,,,m,,as_written,lib,c,one,100,7,50,9,,,,y,d\n"));
  EXPECT_FALSE(nodes.at(0).timed());
  EXPECT_FALSE(nodes.at(0).range(&Mapping::cycle_ns));
}

NodeCost cost(const std::string& name, std::vector<Mapping> mappings, unsigned depth) {
  NodeCost node;
  node.name = name;
  node.library = "lib";
  node.corner = "c";
  node.tools = name == "b" ? "new" : "old";
  node.flops = 10;
  node.gates = 3;
  node.depth = depth;
  node.mappings = std::move(mappings);
  return node;
}

TEST(CostOfManyRouters, IsTheSumOfTheirsAndTheClockOfTheSlowest) {
  const NodeCost a =
      cost("a", {{"one", 100, 2.0, 2.0, 1.0}, {"two", 90, 4.0, 3.0, 1.0}, {"own", 1, 1.0, 1.0, 1.0}}, 5);
  const NodeCost b = cost("b", {{"two", 10, 3.0, 3.5, 3.0}, {"one", 20, 3.0, {}, 3.0}}, 4);
  const auto sum = sum_of({{&a, 3}, {&b, 2}});
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->name, "a; b");
  EXPECT_EQ(sum->corner, "c");
  EXPECT_EQ(sum->tools, "old; new");
  EXPECT_EQ(sum->flops, 50U);
  EXPECT_EQ(sum->gates, 15U);
  EXPECT_EQ(sum->depth, 5U);
  ASSERT_EQ(sum->mappings.size(), 2U) << "those that both have";
  EXPECT_EQ(sum->mappings[0].area_um2, 3 * 100 + 2 * 20);
  EXPECT_EQ(sum->mappings[0].cycle_ns, 3.0);
  EXPECT_FALSE(sum->mappings[0].reg_reg_ns) << "unknown of one kind";
  EXPECT_EQ(sum->mappings[1].area_um2, 3 * 90 + 2 * 10);
  EXPECT_EQ(sum->mappings[1].cycle_ns, 4.0);
  EXPECT_EQ(sum->mappings[1].reg_reg_ns, 3.5);
  const NodeCost mean = mean_of(*sum, 5);
  EXPECT_EQ(mean.mappings[0].area_um2, 340.0 / 5);
  EXPECT_EQ(mean.mappings[0].cycle_ns, 3.0);
  EXPECT_EQ(mean.flops, 10U);
  EXPECT_FALSE(sum_of({{&a, 1}, {&b, 1}, {&a, 1}})->mappings.empty());
  const NodeCost other = cost("o", {{"three", 1, 1.0, 1.0, 1.0}}, 1);
  EXPECT_FALSE(sum_of({{&a, 1}, {&other, 1}})) << "no mapping is common";
}

TEST_F(CostTable, WhatIsNoneIsRefused) {
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal("a,b\n1,2\n"), HasSubstr("has no column kind"));
  EXPECT_THAT(refusal(""), HasSubstr("has no column kind"));
  EXPECT_THAT(refusal(kHeader), HasSubstr("holds no routers"));
  EXPECT_THAT(refusal(std::string(kHeader) + "node,r\n"), HasSubstr("2 cells under 19 columns"));
  EXPECT_THAT(refusal(std::string(kHeader) + "node,r,,,m,,as_written,lib,c,one,,7,50,9,1,1,1,y,d\n"),
              HasSubstr("has '' in line 2, column area_um2"));
  for (const char* figure :
       {"wide", "-1", "-0", "0", "0.0", "1e-300", "1e16", "nan", "-nan", "inf", "1e999"}) {
    const std::string text = figure;
    const std::string row = std::string(kHeader) + "# a comment\nnode,r,,,m,,as_written,lib,c,one,";
    EXPECT_THAT(refusal(row + text + ",7,50,9,1,1,1,y,d\n"),
                HasSubstr("has '" + text + "' in line 3, column area_um2, where a number from"));
    EXPECT_THAT(refusal(row + "100,7,50,9," + text + ",1,1,y,d\n"), HasSubstr("column reg_reg_ns"));
    EXPECT_THAT(refusal(row + "100,7,50,9,1," + text + ",1,y,d\n"), HasSubstr("column link_ns"));
    EXPECT_THAT(refusal(row + "100,7,50,9,1,1," + text + ",y,d\n"), HasSubstr("column cycle_ns"));
  }
  for (const char* count : {"", "many", "-1", "7.5", "nan", "inf", "4294967296"})
    EXPECT_THAT(
        refusal(std::string(kHeader) + "node,r,,,m,,as_written,lib,c,one,100," + count + ",50,9,1,1,1,y,d\n"),
        HasSubstr("column flops, where a whole number"))
        << count;
  EXPECT_THROW((void)read_cost_table("/nowhere/cost.csv"), ConfigError);
}

TEST(ShippedCostTable, HoldsTheNodesOfTheLibrary) {
  const auto nodes = read_cost_table(std::string(NOCTULE_SOURCE_DIR) + "/rtl/cost.csv");
  for (const char* model : {"star_channels", "four_classes", "linder_harden", "oblivious", "input_queued"}) {
    const auto node = std::find_if(nodes.begin(), nodes.end(), [&](const NodeCost& n) {
      return n.model == model && n.library == "osu018" && n.tuning == "as_written";
    });
    ASSERT_NE(node, nodes.end()) << model;
    EXPECT_GE(node->mappings.size(), 3U) << model;
    EXPECT_TRUE(node->timed()) << model;
  }
}

}  // namespace
}  // namespace noctule
