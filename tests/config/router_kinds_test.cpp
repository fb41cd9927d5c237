// Are the routers of a fabric told apart by what they are made of?

#include "config/router_kinds.h"

#include <gtest/gtest.h>

#include "config/decode.h"

namespace noctule {
namespace {

FabricConfig fabric(const std::string& yaml) {
  return model_from_json(decode_text("topology: {kind: mesh, radix: [4, 4]}\n" + yaml, "file").resolved);
}

std::vector<std::string> kinds(const std::string& yaml) {
  const FabricConfig config = fabric(yaml);
  std::vector<std::string> texts;
  for (const auto& kind : router_kinds(config, *make_topology(config))) texts.push_back(to_text(kind));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(RouterKinds, AreOneWhereTheFileSaysNothingElse) {
  for (const char* yaml :
       {"node: star_channels\n", "nodes: [{routers: ['*'], rtl: {top: a, files: [a.sv]}}]\n",
        "links: [{links: ['router_0_0.*'], set: {flit_delay: 5}}]\n"}) {
    EXPECT_TRUE(routers_alike(fabric(yaml))) << yaml;
    EXPECT_EQ(kinds(yaml), (Texts{"16 routers"})) << "those at the edge are no kind of their own: " << yaml;
  }
}

TEST(RouterKinds, AreThoseOfAllEntriesTogether) {
  const std::string yaml =
      "nodes:\n"
      "- {routers: [router_0_*], set: {input_depth: 4}}\n"
      "- {routers: [router_*_0], set: {output_depth: 3}}\n"
      "- {routers: [router_3_3], set: {input_depth: 1}}\n"  // as the section node says
      "- {routers: [router_2_2], set: {model: input_queued, lanes: 1}}\n";
  EXPECT_FALSE(routers_alike(fabric(yaml)));
  const auto texts = kinds(yaml);
  ASSERT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts[0], "8 routers");
  EXPECT_EQ(texts[1], "3 routers, output_depth=3");
  EXPECT_EQ(texts[2], "3 routers, input_depth=4");
  EXPECT_EQ(texts[3], "1 router, input_depth=4, output_depth=3");
  EXPECT_TRUE(texts[4].starts_with("1 router, ")) << texts[4];
  EXPECT_NE(texts[4].find("model=input_queued"), std::string::npos) << texts[4];
}

TEST(RouterKinds, AreThoseOfTheirLinks) {
  EXPECT_EQ(kinds("links: [{links: ['*'], set: {lanes: 2}}]\n"), (Texts{"16 routers, lanes=2"}))
      << "all links of all routers: as with node.lanes 2";
  EXPECT_EQ(kinds("node: {lanes: 2}\nlinks: [{links: ['*'], set: {lanes: 2}}]\n"), (Texts{"16 routers"}));
  EXPECT_EQ(kinds("links: [{links: ['router_0_0.*'], set: {sharing: fixed_slot}}]\n"),
            (Texts{"13 routers", "3 routers, links that differ"}))
      << "it sends so, and does not receive so; its two neighbours receive so from it alone";
  EXPECT_EQ(kinds("nodes: [{routers: [router_1_1], set: {lanes: 2}}]\n"),
            (Texts{"11 routers", "4 routers, links that differ", "1 router, lanes=2, links that differ"}));
}

TEST(RouterKinds, NameTheirRouters) {
  const FabricConfig config = fabric("nodes: [{routers: [router_2_1], set: {input_depth: 4}}]\n");
  const auto found = router_kinds(config, *make_topology(config));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].members, (std::vector<RouterId>{RouterId{6}}));
  EXPECT_EQ(found[1].keys.get<unsigned>("input_depth"), 4U);
  EXPECT_EQ(found[1].set, (Json{{"node.input_depth", 4}}));
  EXPECT_TRUE(found[0].set.empty());
}

TEST(RouterKinds, AreRefusedWithTheGlobThatNamesNobody) {
  const FabricConfig config = fabric("nodes: [{routers: [hub], set: {lanes: 2}}]\n");
  EXPECT_THROW((void)router_kinds(config, *make_topology(config)), ConfigError);
}

TEST(RouterKinds, AreRefusedWithAnEntryThatSaysNothing) {
  EXPECT_THROW((void)fabric("nodes: [{routers: ['*']}]\n"), ConfigError);
  const std::string rtl = "rtl: {top: a, files: [a.sv]}";
  for (const auto& entries :
       {std::string("{routers: ['*'], set: {}}"),                                  // nothing before it
        "{routers: [router_0_0], " + rtl + "}, {routers: [router_1_1], set: {}}",  // not of these
        "{routers: ['*'], " + rtl +
            "}, {routers: ['*'], set: {}}, {routers: ['*'], set: {}}"})  // already back
    EXPECT_THROW((void)kinds("nodes: [" + entries + "]\n"), ConfigError) << entries;
  for (const auto& entries : {"{routers: ['*'], set: {}, " + rtl + "}",
                              "{routers: [router_0_0], " + rtl + "}, {routers: ['*'], set: {}}"})
    EXPECT_EQ(kinds("nodes: [" + entries + "]\n"), (Texts{"16 routers"})) << entries;
}

}  // namespace
}  // namespace noctule
