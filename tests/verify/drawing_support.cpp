#include "verify/drawing_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace noctule::drawing_test {
namespace {

std::shared_ptr<const RoutingRelation> relation(const std::string& algorithm, const Cube& cube) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  return entry.make(cube, Parameters::defaults(entry.parameters));
}

}  // namespace

Cube cube(std::vector<unsigned> radix, bool wrap) {
  const std::vector<bool> wraps(radix.size(), wrap);
  return std::make_shared<CubeNetwork>(std::move(radix), wraps);
}

Certificate deadlocked(const Cube& cube, NodeDescription node) {
  return verify(std::make_shared<const FabricPlan>(plan_fabric({cube, relation("turn_table", cube), node})));
}

Certificate blank(const std::shared_ptr<const Topology>& topology,
                  std::shared_ptr<const RoutingRelation> relation, NodeDescription node) {
  Certificate c;
  c.verdict = Verdict::kDeadlockPossible;
  c.plan = std::make_shared<const FabricPlan>(plan_fabric({topology, std::move(relation), std::move(node)}));
  c.channels = std::make_shared<const ChannelIndex>(*c.plan);
  return c;
}
Certificate blank(const Cube& cube, NodeDescription node) {
  return blank(cube, relation("turn_table", cube), std::move(node));
}

RouterId at(const Cube& cube, std::vector<unsigned> coordinates) {
  return cube->router_at(coordinates);
}

ChannelId channel(const Certificate& c, RouterId from, PortId port) {
  return c.channels->of(c.plan->topology->outgoing(from, port)->id, VcClass{0});
}

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

}  // namespace noctule::drawing_test
