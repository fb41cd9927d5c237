// Does it survive bad text, and does every message stand where the fault is?

#include "config/document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/config_support.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;
using testing::has;

TEST(BadTextIsRefused, SyntaxErrorsHaveAPlace) {
  EXPECT_ONE_FAULT("seed: 1\nname: [a, b\n", "file:3:1", "", "not valid YAML");
  EXPECT_ONE_FAULT("seed: 1\nname: \"abc\n", "file:2:7", "", "never closed");
  EXPECT_ONE_FAULT("name: 'abc\nseed: 1\n", "file:1:7", "", "never closed");
  EXPECT_ONE_FAULT("name: 'it''s\nseed: 1\n", "file:1:7", "", "never closed");
  EXPECT_ONE_FAULT("name: ''''''''\nsede: 1\n", "file:2:1", "sede", "did you mean 'seed'?");
  EXPECT_ONE_FAULT("name: 'it''s \\'\nsede: ''\n", "file:2:1", "sede", "did you mean 'seed'?");
  EXPECT_ONE_FAULT("seed: 1\n  name: x\n", "file:2:7", "", "not valid YAML");
}

TEST(AByteOrderMark, IsLeftOut) {
  EXPECT_TRUE(faults_of("\xEF\xBB\xBFseed: 1\n").empty());
  EXPECT_TRUE(faults_of("\xEF\xBB\xBF{\"seed\": 1}").empty());
  EXPECT_ONE_FAULT("\xEF\xBB\xBFsede: 1\n", "file:1:1", "sede", "did you mean 'seed'?");
  EXPECT_ONE_FAULT("\xEF\xBB\xBF", "file:1:1", "", "empty");
}

TEST(BadTextIsRefused, EmptyAndShapeless) {
  EXPECT_ONE_FAULT("", "file:1:1", "", "empty");
  EXPECT_ONE_FAULT("# nothing\n\n", "file:1:1", "", "empty");
  EXPECT_ONE_FAULT("[1, 2]", "file:1:1", "", "got a list of 2");
  EXPECT_ONE_FAULT("hello", "file:1:1", "", "got the text 'hello'");
  EXPECT_ONE_FAULT("seed: 1\n---\nseed: 2\n", "file:3:1", "", "second document");
}

TEST(BadTextIsRefused, Binary) {
  EXPECT_ONE_FAULT(std::string("seed: 1\nna\0me: x", 15), "file:2:3", "", "byte 0x00");
  EXPECT_ONE_FAULT("name: \xff\xfe", "file:1:7", "", "byte 0xff");
  EXPECT_ONE_FAULT("name: \xc3", "file:1:7", "", "byte 0xc3");
  EXPECT_ONE_FAULT("name: \xc0\xaf", "file:1:7", "", "byte 0xc0");
  EXPECT_ONE_FAULT("name: \xed\xa0\x80", "file:1:7", "", "byte 0xed");
  EXPECT_TRUE(faults_of("name: Z\xc3\xbcrich \xf0\x9f\x98\x80").empty());
}

TEST(BadTextIsRefused, TooLargeTooDeepTooMany) {
  EXPECT_ONE_FAULT(std::string((1 << 20) + 1, '#'), "file:1:1", "", "bytes long");
  const auto deep = "name: " + std::string(70, '[') + std::string(70, ']');
  EXPECT_TRUE(has(faults_of(deep), "file:1:70", "", "nested more than 64 deep")) << all_text(faults_of(deep));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int n = 0; n < 10; ++n) bomb += (n == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    bomb += "]\n";
  }
  // 10^29 values: who counts them all hangs.
  EXPECT_ONE_FAULT(bomb, "file:5:45", "", "more than 100000 values");
  const auto self = faults_of("name: &a [*a]\n");
  EXPECT_TRUE(has(self, "file:1:11", "", "refers to the collection that it stands in")) << all_text(self);
  const auto unknown = faults_of("name: *nobody\n");
  EXPECT_TRUE(has(unknown, "file:1:7", "", "not valid YAML")) << all_text(unknown);
}

TEST(BadTextIsRefused, DeepFlowNestingDoesNotOverflowTheStack) {
  EXPECT_FALSE(faults_of("name: " + std::string(500'000, '[')).empty());
  EXPECT_FALSE(faults_of("name: " + std::string(500'000, '{')).empty());
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  EXPECT_FALSE(faults_of(dashes).empty());
}

TEST(BadTextIsRefused, DuplicateKeys) {
  EXPECT_ONE_FAULT("seed: 1\nname: x\nseed: 2\n", "file:3:1", "seed", "first one is in line 1");
  EXPECT_ONE_FAULT("traffic: {offered_load: 0.1, offered_load: 0.2}\n", "file:1:30", "offered_load", "twice");
  EXPECT_ONE_FAULT("? [a]\n: b\nseed: 1\n", "file:1:3", "", "a key must be a word");
}

TEST(GoodTextIsUnderstood, AnchorsAndJson) {
  const auto c = decode_text(
      "topology: {kind: mesh, radix: &r [4, 4]}\nsweep: {topology.radix: [*r, [2, 3]]}\n", "file");
  EXPECT_EQ(c.resolved["sweep"]["topology.radix"].dump(), "[[4,4],[2,3]]");
  const auto json = decode_text("{\"seed\":7,\n\t\"traffic\":{\"offered_load\":1e-2}}", "file");
  EXPECT_EQ(json.resolved["seed"], 7);
  EXPECT_EQ(json.resolved["traffic"]["offered_load"], 0.01);
}

class FilesOnDisk : public ::testing::Test {
 protected:
  FilesOnDisk() {
    std::string name = (std::filesystem::temp_directory_path() / "noctule-config-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::filesystem::create_directories(folder_ / "sub");
  }
  ~FilesOnDisk() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::vector<Diagnostic> faults(const std::string& path) {
    try {
      (void)decode_file(path);
    } catch (const ConfigError& e) {
      return e.diagnostics();
    }
    return {};
  }
  std::filesystem::path folder_;
};

TEST_F(FilesOnDisk, MissingFolderAndBase) {
  EXPECT_NE(all_text(faults((folder_ / "none.yaml").string())).find("does not exist"), std::string::npos);
  EXPECT_NE(all_text(faults(folder_.string())).find("is a folder; give"), std::string::npos);
  const auto child = write("child.yaml", "seed: 3\nbase: sub/none.yaml\n");
  const auto found = faults(child);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place, child + ":2:7");
  EXPECT_EQ(found[0].key, "base");
}

TEST_F(FilesOnDisk, ResultsLeadToTheirConfiguration) {
  const auto results = write("results.json", R"({"noctule": "1", "schema": 1, "points": []})");
  EXPECT_NE(all_text(faults(results)).find("holds results; give config.json beside it"), std::string::npos);
  write("config.json", "{}");
  EXPECT_NE(all_text(faults(folder_.string())).find("a folder of results; give config.json in it"),
            std::string::npos);
}

TEST_F(FilesOnDisk, BasesAreInheritedKeyByKey) {
  write("grand.yaml", "seed: 5\nname: grand\ntopology: {kind: torus, radix: [6, 6]}\n");
  write("sub/base.yaml", "base: ../grand.yaml\ntraffic: {offered_load: 0.2, packet_length: 9}\nname: base\n");
  const auto child =
      write("child.yaml", "base: sub/base.yaml\ntraffic:\n  offered_load: 0.3\ntopology:\n  radix: [4]\n");
  const auto c = decode_file(child);
  EXPECT_EQ(c.resolved["seed"], 5);
  EXPECT_EQ(c.resolved["name"], "base");
  EXPECT_EQ(c.resolved["traffic"]["offered_load"], 0.3);
  EXPECT_EQ(c.resolved["traffic"]["packet_length"], 9);
  EXPECT_EQ(
      c.resolved["topology"].dump(),
      R"({"kind":"torus","radix":[4],"directions":"both","terminals_per_router":1,"terminals_at":"*"})");
  EXPECT_FALSE(c.resolved.contains("base"));
}

TEST_F(FilesOnDisk, FaultsOfABaseStandInTheBase) {
  const auto base = write("base.yaml", "name: x\nseed: abc\n");
  const auto child = write("child.yaml", "base: base.yaml\nsede: 1\n");
  const auto found = faults(child);
  ASSERT_EQ(found.size(), 2U) << all_text(found);
  EXPECT_TRUE(has(found, base + ":2:7", "seed", "expected an integer"));
  EXPECT_TRUE(has(found, child + ":2:1", "sede", "did you mean 'seed'?"));
}

TEST_F(FilesOnDisk, CyclesEnd) {
  write("a.yaml", "base: b.yaml\n");
  const auto b = write("b.yaml", "base: a.yaml\n");
  EXPECT_NE(all_text(faults(b)).find("inherits from itself"), std::string::npos) << all_text(faults(b));
  const auto self = write("self.yaml", "base: ./self.yaml\n");
  EXPECT_NE(all_text(faults(self)).find("inherits from itself"), std::string::npos);
}

}  // namespace
}  // namespace noctule
