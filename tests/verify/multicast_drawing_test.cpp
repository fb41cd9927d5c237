// Does the picture of a deadlock among multicasts show the consumption channels of its cycle?

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "verify/multicast_support.h"
#include "verify/report/drawing.h"

namespace noctule {
namespace {

using namespace multicast_test;  // NOLINT(google-build-using-namespace)

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto i = text.find(what); i != std::string::npos; i = text.find(what, i + 1)) ++n;
  return n;
}

/// What stands between `before` and `after`, from `at` on, which moves behind it.
std::string between(const std::string& text, std::size_t& at, const std::string& before,
                    const std::string& after) {
  at = text.find(before, at);
  if (at == std::string::npos) return "";
  at += before.size();
  const std::size_t from = at;
  at = text.find(after, from);
  return text.substr(from, at - from);
}

/// Text and fill of every small box.
std::vector<std::pair<std::string, std::string>> boxes(const std::string& svg) {
  std::vector<std::pair<std::string, std::string>> list;
  for (std::size_t at = svg.find("<rect class=\"consumption\""); at != std::string::npos;
       at = svg.find("<rect class=\"consumption\"", at)) {
    std::string fill = between(svg, at, " fill=\"", "\"");
    between(svg, at, "<text", ">");
    std::string text = between(svg, at, ">", "<");
    list.emplace_back(std::move(text), std::move(fill));
  }
  return list;
}

/// Too few for e-mcast.
Classes two_classes() {
  return {{0, {{"incoming", {"x_plus", "injection"}}}}, {1, {}}};
}

TEST(DrawingOfMulticasts, HasABoxForEveryConsumptionChannelOfTheCycle) {
  auto retransmitting = multicast_node(2);
  retransmitting.retransmission_buffers = 1;
  auto output_first = multicast_node(1, one_class());
  output_first.acquisition = Acquisition::kOutputFirst;
  for (auto c :
       {verify_scheme({"dual_path"}, multicast_node(1, one_class())),
        verify_scheme({"e_mcast"}, multicast_node(2, two_classes())),
        verify_scheme({"column_path"}, retransmitting), verify_scheme({"dual_path"}, output_first)}) {
    ASSERT_FALSE(c.witness.cycle.empty());
    c.witness.worms.clear();  // the cycle alone
    const auto svg = draw_witness(c);
    std::size_t held = 0;
    std::set<ChannelId> wanted;
    for (const auto& arc : c.witness.cycle) {
      for (const ChannelId channel : arc.path)
        held += channel != arc.to && c.channels->is_consumption(channel) ? 1 : 0;
      if (c.channels->is_consumption(arc.from)) wanted.insert(arc.from);
    }
    ASSERT_FALSE(wanted.empty());
    const auto drawn = boxes(svg);
    EXPECT_GE(drawn.size(), held);
    EXPECT_EQ(std::count_if(drawn.begin(), drawn.end(), [](const auto& b) { return b.second != "#fff"; }),
              static_cast<std::ptrdiff_t>(held));
    EXPECT_EQ(count(svg, "class=\"branch\""), held);
    for (const ChannelId channel : wanted)
      EXPECT_NE(svg.find(c.channels->name(channel)), std::string::npos) << "in the legend";
    EXPECT_EQ(count(svg, "stroke-width=\"2.4\""), c.witness.cycle.size())
        << "every dependency is drawn, bold";
    EXPECT_NE(svg.find("consumption channels (c"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
  }
}

TEST(DrawingOfMulticasts, NamesTheChannelsOfATerminal) {
  const auto c = verify_scheme({"e_mcast"}, multicast_node(2, two_classes()));
  for (const auto& [name, fill] : boxes(draw_witness(c))) EXPECT_TRUE(name == "c0" || name == "c1") << name;
  auto retransmitting = multicast_node(2);
  retransmitting.retransmission_buffers = 1;
  std::set<std::string> names;
  for (const auto& [name, fill] : boxes(draw_witness(verify_scheme({"column_path"}, retransmitting))))
    names.insert(name);
  EXPECT_EQ(names.count("r"), 1U);
}

TEST(DrawingOfMulticasts, NamesAllDestinationsInTheLegend) {
  const auto c = verify_scheme({"dual_path"}, multicast_node(1, one_class()));
  ASSERT_TRUE(c.witness.worms.empty());
  EXPECT_NE(draw_witness(c).find("router_3_0 -&gt; router_1_0, router_2_0, holds x_minus.class0"),
            std::string::npos)
      << draw_witness(c);
}

}  // namespace
}  // namespace noctule
