// Permutations from text files: what is read, and that every error names file and line.

#include <gtest/gtest.h>

#include "patterns/pattern.h"
#include "support/cube_network.h"
#include "support/text_file.h"

namespace noctule {
namespace {

std::unique_ptr<TrafficPattern> read(const std::string& path, const std::string& fixed_points = "silent") {
  const auto& entry = PatternRegistry::instance().at("permutation_file");
  auto keys = Parameters::defaults(entry.parameters);
  keys.set("file", path);
  keys.set("fixed_points", fixed_points);
  return entry.make(std::make_shared<CubeNetwork>(std::vector<unsigned>{4, 2}, std::vector<bool>{true, true}),
                    keys, 1);
}

std::vector<Diagnostic> complaints(const std::string& text) {
  const TextFile file("permutation", text);
  try {
    read(file.path());
  } catch (const ConfigError& e) {
    return e.diagnostics();
  }
  return {};
}

TEST(PermutationFileRuns, LinesCommentsAndSilentTerminals) {
  const TextFile file("permutation", "# a comment\n\n0 3\n\t3   0 # back\r\n5 5\n2 7");
  Rng rng(1);
  const auto p = read(file.path());
  EXPECT_EQ(p->destination(TerminalId{0}, rng), TerminalId{3});
  EXPECT_EQ(p->destination(TerminalId{3}, rng), TerminalId{0});
  EXPECT_EQ(p->destination(TerminalId{2}, rng), TerminalId{7});
  for (const std::uint32_t silent : {1U, 4U, 5U, 6U, 7U})
    EXPECT_FALSE(p->injects(TerminalId{silent})) << silent;
  const auto q = read(file.path(), "inject");
  EXPECT_TRUE(q->injects(TerminalId{5}));
  EXPECT_EQ(q->destination(TerminalId{5}, rng), TerminalId{5});
  EXPECT_FALSE(q->injects(TerminalId{1}));
}

TEST(PermutationFileSurvivesBadInput, EveryErrorNamesFileAndLine) {
  const struct {
    const char* text;
    const char* line;
    const char* word;
  } cases[]{{"0 1\n1\n", ":2", "'source destination'"},
            {"0 1 2\n", ":1", "3 words"},
            {"# c\n\n0 x\n", ":3", "destination is 'x'"},
            {"0 -1\n", ":1", "'-1'"},
            {"0 1.5\n", ":1", "'1.5'"},
            {"0 99999999999999999999\n", ":1", "99999999999999999999"},
            {"0 8\n", ":1", "terminals are 0 to 7"},
            {"8 0\n", ":1", "source 8"},
            {"0 1\n2 3\n0 4\n", ":3", ":1;"},
            {"0 1\n2 1\n", ":2", "destination 1"}};
  for (const auto& c : cases) {
    const auto found = complaints(c.text);
    ASSERT_EQ(found.size(), 1U) << c.text;
    EXPECT_TRUE(found[0].place.ends_with(c.line)) << found[0].place;
    EXPECT_NE(found[0].place.find("noctule_permutation"), std::string::npos);
    EXPECT_NE(found[0].message.find(c.word), std::string::npos) << found[0].message;
    EXPECT_EQ(found[0].key, "traffic.pattern");
  }
}

TEST(PermutationFileSurvivesBadInput, AllErrorsAtOnceButNotAThousand) {
  EXPECT_EQ(complaints("0 1\n0 9\n9 2\n").size(), 3U);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "nonsense\n";
  EXPECT_EQ(complaints(many).size(), 20U);
}

TEST(PermutationFileSurvivesBadInput, UnreadableOrEmptyFiles) {
  for (const std::string path : {"/nonexistent/permutation.txt", "/"}) try {
      read(path);
      FAIL() << path;
    } catch (const ConfigError& e) {
      EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
    }
  EXPECT_EQ(complaints("# nothing\n").size(), 1U);
  EXPECT_EQ(complaints("3 3\n").size(), 1U);
  const auto& entry = PatternRegistry::instance().at("permutation_file");
  EXPECT_THROW(entry.make(std::make_shared<CubeNetwork>(std::vector<unsigned>{4}, std::vector<bool>{true}),
                          Parameters::defaults(entry.parameters), 1),
               ConfigError);
}

}  // namespace
}  // namespace noctule
