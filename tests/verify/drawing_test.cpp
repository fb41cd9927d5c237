// Is the picture of a deadlock well-formed, complete, and the right way round?

#include "verify/report/drawing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "core/error.h"
#include "verify/drawing_support.h"

namespace noctule::drawing_test {
namespace {

// --- well-formed and complete ---------------------------------------------------------------------------

TEST(DrawingOfADeadlock, IsWellFormedWithALegendLineForEveryWorm) {
  NodeDescription lanes;
  lanes.lanes = 2;
  for (const auto& certificate :
       {deadlocked(cube({4, 4}, true)), deadlocked(cube({4, 4}, false)), deadlocked(cube({6}, true)),
        deadlocked(cube({3, 3, 3}, true)), deadlocked(cube({2, 2, 2, 2}, false)),
        deadlocked(cube({4, 4}, true), lanes)}) {
    ASSERT_EQ(certificate.method, "cyclic");
    ASSERT_FALSE(certificate.witness.worms.empty());
    const auto svg = draw_witness(certificate);
    expect_well_formed(svg);
    const auto lines = legend(svg);
    ASSERT_EQ(lines.size(), certificate.witness.worms.size());
    EXPECT_EQ(svg.find("class=\"consumption\""), std::string::npos) << "nobody waits for consumption";
    const auto& topology = *certificate.plan->topology;
    for (std::size_t w = 0; w < lines.size(); ++w)
      EXPECT_EQ(lines[w].rfind(fmt::format("{}  {} -&gt; {}, holds ", w + 1,
                                           topology.router_name(certificate.witness.worms[w].source),
                                           topology.router_name(certificate.witness.worms[w].destination)),
                               0),
                0U)
          << lines[w];
    EXPECT_EQ(svg, draw_witness(certificate));
  }
}

TEST(DrawingOfADeadlock, SaysWhatIsHeldAndWaitedFor) {
  auto c = blank(cube({4, 4}, true));
  auto w = worm(c, RouterId{0}, kXPlus, kXPlus);
  w.path.push_back({channel(c, RouterId{1}, kXPlus), 0});
  w.waits_for = {channel(c, RouterId{2}, kXPlus), channel(c, RouterId{2}, kYPlus)};
  w.destination = RouterId{7};
  c.witness.worms = {w};
  const auto lines = legend(draw_witness(c));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "1  router_0_0 -&gt; router_3_1, holds x_plus.0 (2 times), waits for x_plus.0 or y_plus.0");
}

TEST(DrawingOfADeadlock, NamesLanesWhereThereAreSeveral) {
  NodeDescription node;
  node.lanes = 2;
  auto c = blank(cube({4, 4}, true), node);
  auto w = worm(c, RouterId{0}, kXPlus, kXPlus);
  w.path[0].lane = 1;
  c.witness.worms = {w};
  EXPECT_NE(legend(draw_witness(c)).at(0).find("holds x_plus.0.1, waits for x_plus.0"), std::string::npos);
}

TEST(DrawingOfADeadlock, NeedsAWitness) {
  EXPECT_THROW((void)draw_witness(blank(cube({4, 4}, true))), InternalError);
}

TEST(DrawingOfADeadlock, ShowsTheCycleWhereNoWormsWereConstructed) {
  auto certificate = deadlocked(cube({4, 4}, true));
  const auto arcs = certificate.witness.cycle.size();
  ASSERT_GE(arcs, 2U);
  certificate.witness.worms.clear();
  const auto svg = draw_witness(certificate);
  expect_well_formed(svg);
  EXPECT_EQ(legend(svg).size(), arcs);
  EXPECT_EQ(count(svg, "stroke-width=\"2.4\""), arcs) << "all of them bold";
}

TEST(DrawingOfADeadlock, DrawsCommittedWormsUpToWhereTheyWait) {
  const auto shape = cube({4, 4}, true);
  auto c = blank(shape);
  auto w = worm(c, RouterId{0}, kXPlus, kYPlus);
  w.path.push_back({w.waits_for[0], 0});
  c.witness.worms = {w};
  c.witness.committed = true;
  const auto svg = draw_witness(c);
  EXPECT_NE(legend(svg).at(0).find("holds x_plus.0, waits for y_plus.0"), std::string::npos);
  EXPECT_NE(svg.find("committed"), std::string::npos);
  expect_well_formed(svg);
}

TEST(DrawingOfADeadlock, EscapesNames) {
  NodeDescription node;
  node.model = "a<b> & \"c\"\x01";
  auto c = blank(cube({4, 4}, true), node);
  c.witness.worms = {worm(c, RouterId{0}, kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "a&lt;b&gt; &amp; &quot;c&quot; "), 2U) << "title and heading";
}

// --- the right way round --------------------------------------------------------------------------------

TEST(DrawnWorms, RunAlongTheRightHandSideTowardsTheirHeader) {
  const auto shape = cube({4, 4}, false);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {0, 1}), kXPlus, kXPlus), worm(c, at(shape, {1, 1}), kXMinus, kYPlus)};
  const auto bodies = lines_of(draw_witness(c), "worm");
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_LT(bodies[0].front().x, bodies[0].back().x);
  EXPECT_GT(bodies[1].front().x, bodies[1].back().x);
  EXPECT_GE(bodies[0].front().y - bodies[1].front().y, 10) << "eastwards below westwards";
  const auto waits = lines_of(draw_witness(c), "wait");
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_LT(waits[1].back().y, waits[1].front().y - 30) << "dimension 1 leads upwards, as in heat maps";
}

TEST(DrawnRouters, LieWithBothCoordinatesGrowingRightAndUpwards) {
  const auto shape = cube({3, 4}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, RouterId{0}, kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  std::map<std::string, Spot> names;
  for (const auto& [tag, text] : tags_with(svg, {"<text", "font-size=\"11\""})) {
    Spot spot;
    ASSERT_EQ(std::sscanf(tag.c_str(), "<text x=\"%lf\" y=\"%lf\"", &spot.x, &spot.y), 2) << tag;
    names[text] = spot;
  }
  ASSERT_EQ(names.size(), 12U);
  EXPECT_LT(names["0,0"].x, names["1,0"].x);
  EXPECT_EQ(names["0,0"].y, names["1,0"].y);
  EXPECT_GT(names["0,0"].y, names["0,1"].y);
  EXPECT_GT(names["2,2"].y, names["2,3"].y);
  EXPECT_NE(svg.find("x grows to the right, y upwards."), std::string::npos);
}

TEST(DrawnWorms, OnOneLinkLieSideBySide) {
  NodeDescription node;
  node.lanes = 3;
  const auto shape = cube({4, 4}, true);
  auto c = blank(shape, node);
  for (std::uint16_t lane = 0; lane < 3; ++lane) {
    c.witness.worms.push_back(worm(c, RouterId{0}, kXPlus, kXPlus));
    c.witness.worms.back().path[0].lane = lane;
  }
  const auto bodies = lines_of(draw_witness(c), "worm");
  ASSERT_EQ(bodies.size(), 3U);
  for (std::size_t i = 1; i < 3; ++i) EXPECT_GE(bodies[i].back().y - bodies[i - 1].back().y, 8);
}

TEST(DrawnWorms, LeaveAtOneEdgeAndComeInAtTheOtherWhereALinkWraps) {
  const auto shape = cube({5, 5}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {4, 2}), kXPlus, kYPlus)};
  const auto bodies = lines_of(draw_witness(c), "worm");
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_GT(bodies[0].front().x, bodies[1].back().x) << "out at the right, in at the left";
  for (const auto& body : bodies) {
    EXPECT_LT(body.front().x, body.back().x) << "both eastwards";
    EXPECT_LT(std::abs(body.front().x - body.back().x), 100) << "a stub";
    EXPECT_EQ(body.front().y, body.back().y);
  }
}

TEST(DrawnWorms, OfTheCycleWaitBoldlyTheOthersThinly) {
  const auto certificate = deadlocked(cube({4, 4}, false));
  const auto& witness = certificate.witness;
  ASSERT_EQ(witness.cycle.size(), 4U);
  auto c = certificate;
  EXPECT_EQ(count(draw_witness(c), "stroke-width=\"2.4\""), 4U);
  c.witness.cycle.pop_back();
  const auto svg = draw_witness(c);
  EXPECT_EQ(count(svg, "stroke-width=\"2.4\""), 3U);
  EXPECT_EQ(count(svg, "stroke-width=\"1.1\""), 1U);
}

TEST(DrawnWorms, BeyondThePaletteDifferByTheirDashes) {
  const auto shape = cube({10}, true);
  auto c = blank(shape);
  for (std::uint32_t r = 0; r < 10; ++r) c.witness.worms.push_back(worm(c, RouterId{r}, kXPlus, kXPlus));
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_EQ(legend(svg).size(), 10U);
  // Worms 8 to 10, one of them in two pieces (wrap), once in the picture and once in the legend.
  EXPECT_EQ(count(svg, "stroke-dasharray=\"14 4\""), 7U);
}

TEST(DrawnWorms, WithoutAPathOrAtTheirDestinationAreDrawnToo) {
  const auto shape = cube({4, 4}, true);
  auto c = blank(shape);
  auto injecting = worm(c, RouterId{0}, kXPlus, kXPlus);
  injecting.waits_for = {injecting.path[0].channel};
  injecting.path.clear();
  auto arrived = worm(c, RouterId{4}, kXPlus, kXPlus);
  arrived.waits_for = {c.channels->consumption(TerminalId{5})};
  c.witness.worms = {injecting, arrived};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_NE(legend(svg).at(0).find("holds nothing, waits for x_plus.0"), std::string::npos);
  EXPECT_NE(legend(svg).at(1).find("waits for consumption"), std::string::npos);
}

}  // namespace
}  // namespace noctule::drawing_test
