// Is the picture of a deadlock well-formed, complete, and the right way round?

#include "verify/report/drawing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <sstream>

#include "core/error.h"
#include "support/cube_network.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

using Cube = std::shared_ptr<const CubeNetwork>;

Cube cube(std::vector<unsigned> radix, bool wrap) {
  const std::vector<bool> wraps(radix.size(), wrap);
  return std::make_shared<CubeNetwork>(std::move(radix), wraps);
}

std::shared_ptr<const RoutingRelation> relation(const std::string& algorithm, const Cube& cube) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  return entry.make(cube, Parameters::defaults(entry.parameters));
}

/// Any way along the shortest paths on one VC class, without datelines: deadlocks on any torus and 2-D mesh.
Certificate deadlocked(const Cube& cube, NodeDescription node = {}) {
  return verify(std::make_shared<const FabricPlan>(plan_fabric({cube, relation("turn_table", cube), node})));
}

/// A certificate whose witness is to be filled in.
Certificate blank(const std::shared_ptr<const Topology>& topology,
                  std::shared_ptr<const RoutingRelation> relation, NodeDescription node = {}) {
  Certificate c;
  c.verdict = Verdict::kDeadlockPossible;
  c.plan = std::make_shared<const FabricPlan>(plan_fabric({topology, std::move(relation), std::move(node)}));
  c.channels = std::make_shared<const ChannelIndex>(*c.plan);
  return c;
}
Certificate blank(const Cube& cube, NodeDescription node = {}) {
  return blank(cube, relation("turn_table", cube), std::move(node));
}

RouterId at(const Cube& cube, std::vector<unsigned> coordinates) {
  return cube->router_at(coordinates);
}

ChannelId channel(const Certificate& c, RouterId from, PortId port) {
  return c.channels->of(c.plan->topology->outgoing(from, port)->id, VcClass{0});
}

constexpr PortId kXPlus = CubeNetwork::plus(0);
constexpr PortId kXMinus = CubeNetwork::minus(0);
constexpr PortId kYPlus = CubeNetwork::plus(1);

/// A worm one hop long that waits to go on.
WitnessWorm worm(const Certificate& c, RouterId from, PortId port, PortId then) {
  const auto held = channel(c, from, port);
  const RouterId here = c.plan->topology->outgoing(from, port)->to;
  WitnessWorm w;
  w.source = from;
  w.destination = c.plan->topology->outgoing(here, then)->to;
  w.path = {{held, 0}};
  w.waits_for = {channel(c, here, then)};
  return w;
}

/// Every tag is closed in the right order, there is one root, and no text holds a bare < or &.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  std::size_t roots = 0;
  std::size_t i = 0;
  while (i < svg.size()) {
    if (svg[i] != '<') {
      ASSERT_NE(svg[i], '>') << svg.substr(i > 40 ? i - 40 : 0, 80);
      if (svg[i] == '&') {
        const std::string entity = svg.substr(i, svg.find(';', i) + 1 - i);
        ASSERT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;")
            << entity;
      }
      ++i;
      continue;
    }
    const auto end = svg.find('>', i);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(i + 1, end - i - 1);
    ASSERT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    const auto name = tag.substr(0, tag.find_first_of(" \n"));
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ("/" + open.back(), tag);
      open.pop_back();
    } else {
      roots += open.empty() ? 1 : 0;
      if (tag.back() != '/') open.push_back(name);
    }
    i = end + 1;
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(roots, 1U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_EQ(svg.find("url("), std::string::npos);
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto i = text.find(what); i != std::string::npos; i = text.find(what, i + 1)) ++n;
  return n;
}

/// Tags that hold all of these, each with the text that follows it up to the next tag.
std::vector<std::pair<std::string, std::string>> tags_with(const std::string& svg,
                                                           const std::vector<std::string>& parts) {
  std::vector<std::pair<std::string, std::string>> found;
  for (auto i = svg.find('<'); i != std::string::npos; i = svg.find('<', i + 1)) {
    const auto end = svg.find('>', i);
    const std::string tag = svg.substr(i, end - i);
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const auto& part) { return tag.find(part) != std::string::npos; }))
      found.emplace_back(tag, svg.substr(end + 1, svg.find('<', end) - end - 1));
  }
  return found;
}

std::vector<std::string> legend(const std::string& svg) {
  std::vector<std::string> lines;
  for (const auto& [tag, text] : tags_with(svg, {"class=\"legend\""})) lines.push_back(text);
  return lines;
}

struct Spot {
  double x = 0;
  double y = 0;
};
/// Points of the polylines of a class and colour.
std::vector<std::vector<Spot>> lines_of(const std::string& svg, const std::string& kind) {
  std::vector<std::vector<Spot>> all;
  for (const auto& [tag, text] : tags_with(svg, {"<polyline points=\"", "class=\"" + kind + "\""})) {
    const auto begin = tag.find('"') + 1;
    std::istringstream points(tag.substr(begin, tag.find('"', begin) - begin));
    all.emplace_back();
    Spot spot;
    for (char comma = 0; points >> spot.x >> comma >> spot.y;) all.back().push_back(spot);
  }
  return all;
}

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

// --- large, deep and irregular networks -----------------------------------------------------------------

TEST(DrawingOfALargeNetwork, IsCroppedToWhatTheWitnessTouchesAndSaysSo) {
  const auto shape = cube({64, 20}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {30, 10}), kXPlus, kYPlus),
                     worm(c, at(shape, {63, 10}), kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_NE(svg.find("Of the 64 columns only 0, 1, 29, 30, 31, 32, 62, 63 of x are shown."),
            std::string::npos);
  EXPECT_NE(svg.find("Of the 20 rows only 9, 10, 11, 12 of y are shown."), std::string::npos);
  EXPECT_EQ(count(svg, "rx=\"4\""), 8U * 4U);
  EXPECT_EQ(count(svg, ">30,10</text>"), 1U);
  EXPECT_EQ(count(svg, ">28,10</text>"), 0U);
}

TEST(DrawingOfALargeNetwork, IsCroppedAlongBothSidesIfOneIsLong) {
  const auto shape = cube({40, 8}, false);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {0, 3}), kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  EXPECT_EQ(count(svg, "rx=\"4\""), 3U * 4U);
  EXPECT_NE(svg.find("Of the 40 columns only 0, 1, 2 of x"), std::string::npos);
  EXPECT_NE(svg.find("Of the 8 rows only 2, 3, 4, 5 of y"), std::string::npos);
  // To column 3 from 4 rows, to rows 1 and 6 from 3 columns; none to the left of column 0.
  EXPECT_EQ(count(svg, "stroke-dasharray=\"2 3\""), 4U + 2U * 3U);
}

TEST(DrawingOfALargeNetwork, IsCroppedFromNinePerSideOnOrEightPlanesOfEight) {
  for (const unsigned side : {9U, 16U}) {
    const auto shape = cube({side, side}, false);
    auto c = blank(shape);
    c.witness.worms = {worm(c, at(shape, {3, 4}), kXPlus, kYPlus)};
    const auto svg = draw_witness(c);
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "rx=\"4\""), 4U * 4U) << side;
    EXPECT_NE(svg.find(fmt::format("Of the {} rows only 3, 4, 5, 6 of y are shown.", side)),
              std::string::npos);
  }
  const auto shape = cube({8, 8, 8}, false);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {1, 1, 1}), CubeNetwork::plus(2), kXPlus)};
  EXPECT_EQ(count(draw_witness(c), "rx=\"4\""), 2U * 4U * 3U) << "two planes, cropped";
}

TEST(DrawingOfALargeNetwork, OfEightPerSideIsComplete) {
  const auto shape = cube({8, 8}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, RouterId{0}, kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  EXPECT_EQ(count(svg, "rx=\"4\""), 64U);
  EXPECT_EQ(svg.find("are shown"), std::string::npos);
}

TEST(DrawingInThreeDimensions, ShowsThePlanesThatAreTouched) {
  const auto shape = cube({3, 3, 4}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {1, 1, 1}), CubeNetwork::plus(2), kXPlus)};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, ">z = 1</text>"), 2U) << "the plane, and where the stub in the other one comes from";
  EXPECT_EQ(count(svg, ">z = 2</text>"), 2U) << "the plane, and where the stub leads";
  EXPECT_EQ(count(svg, ">z = 3</text>"), 0U);
  EXPECT_EQ(count(svg, "rx=\"4\""), 18U);
  EXPECT_EQ(lines_of(svg, "worm").size(), 2U) << "out of one plane, into the other";
  EXPECT_NE(svg.find("2 of 4 planes are shown."), std::string::npos);
}

/// A ring without coordinates.
std::shared_ptr<const Topology> loop_of(std::uint32_t n) {
  TopologyBuilder builder;
  builder.add_routers(n, {"next"});
  builder.name_routers([](RouterId r) { return fmt::format("hub_{}", index(r)); });
  for (std::uint32_t r = 0; r < n; ++r) {
    builder.connect(RouterId{r}, PortId{0}, RouterId{(r + 1) % n}, PortId{0});
    builder.add_terminal(RouterId{r});
  }
  return std::make_shared<const Topology>(std::move(builder).build());
}

class Onwards final : public RoutingRelation {
 public:
  explicit Onwards(std::shared_ptr<const Topology> topology) : topology_(std::move(topology)) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  void candidates(RouterId, RouterId, RouteState, CandidateList& list) const override {
    list.add(PortId{0}, VcClass{0});
  }
  [[nodiscard]] unsigned hops(RouterId from, RouterId to) const override {
    return topology_->distance(from, to);
  }

 private:
  std::shared_ptr<const Topology> topology_;
};

TEST(DrawingOfOtherNetworks, IsACircle) {
  const auto loop = loop_of(5);
  const auto plan = plan_fabric({loop, std::make_shared<Onwards>(loop), {}});
  const auto certificate = verify(std::make_shared<const FabricPlan>(plan));
  ASSERT_EQ(certificate.method, "cyclic");
  const auto svg = draw_witness(certificate);
  expect_well_formed(svg);
  EXPECT_EQ(legend(svg).size(), certificate.witness.worms.size());
  EXPECT_EQ(count(svg, "rx=\"4\""), 5U);
  for (int r = 0; r < 5; ++r) EXPECT_EQ(count(svg, fmt::format(">hub_{}</text>", r)), 1U);
  EXPECT_NE(svg.find("network of 5 routers"), std::string::npos);
}

TEST(DrawingOfOtherNetworks, LeavesOutWhatTakesNoPartInLargeOnes) {
  const auto loop = loop_of(200);
  auto c = blank(loop, std::make_shared<Onwards>(loop));
  c.witness.worms = {worm(c, RouterId{7}, PortId{0}, PortId{0})};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "rx=\"4\""), 3U);
  EXPECT_NE(svg.find("Of the 200 routers only the 3 that take part are shown."), std::string::npos);
}

}  // namespace
}  // namespace noctule
