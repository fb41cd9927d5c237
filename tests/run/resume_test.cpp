// Does a sweep go on where it was, after any kind of end, and only where nothing has changed?

#include "run/resume.h"
#include "core/json.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "core/error.h"
#include "run/process_pool_support.h"

namespace noctule {
namespace {

TEST(PointKeys, AreThePublishedHash) {
  EXPECT_EQ(stable_hash(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(stable_hash("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(stable_hash("foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

TEST(PointKeys, AreStableFromReleaseToRelease) {
  const auto point = Json::parse(R"({"b": [1, 0.25, true, null, "x"], "a": {"d": -1, "c": 2.0}})");
  EXPECT_EQ(point_key(point, "0.1.0"), stable_hash("0.1.0\n"
                                                   R"({"a":{"c":2,"d":-1},"b":[1,0.25,true,null,"x"]})"));
}

TEST(PointKeys, IgnoreOrderAndSpellingOnly) {
  const auto key = [](const char* text) { return point_key(Json::parse(text), "1"); };
  EXPECT_EQ(key(R"({"a": 1, "b": {"c": 2, "d": 3}})"), key(R"({"b": {"d": 3, "c": 2e0}, "a": 1.0})"));
  std::set<std::string> different;
  const std::vector<const char*> texts{R"({"a": 1})",
                                       R"({"a": 2})",
                                       R"({"a": "1"})",
                                       R"({"a": true})",
                                       R"({"a": null})",
                                       R"({"a": [1]})",
                                       R"({})",
                                       R"({"b": 1})",
                                       R"({"a": 1.5})",
                                       R"({"a": [1, 2]})",
                                       R"({"a": [2, 1]})",
                                       R"({"a": -1})",
                                       R"({"a": 0.1})",
                                       R"({"a": 0.10000000000000002})",
                                       R"({"a": 1e300})",
                                       R"({"a": 18446744073709551615})",
                                       R"({"a": -9223372036854775808})"};
  for (const auto* text : texts) different.insert(key(text));
  EXPECT_EQ(different.size(), texts.size());
  EXPECT_NE(point_key(Json::object(), "1"), point_key(Json::object(), "2"));
  EXPECT_EQ(key("{}").size(), 32U);
}

TEST(PointKeys, IgnoreWhatChangesNoResult) {
  const auto key = [](const char* text) { return point_key(Json::parse(text), "1"); };
  EXPECT_EQ(key(R"({"seed": 1, "plots": ["a"], "name": "x", "limits": {"time_h": 2}, "expect": "stable"})"),
            key(R"({"seed": 1, "plots": []})"));
  EXPECT_NE(key(R"({"seed": 1, "node": {"name": "x"}})"), key(R"({"seed": 1, "node": {"name": "y"}})"));
}

class JournalFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "noctule_journal_" + std::to_string(::getpid());
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "/points.jsonl";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  [[nodiscard]] std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string folder_;
  std::string path_;
};

TEST_F(JournalFile, GivesBackWhatWasAppended) {
  const auto point = Json::parse(R"({"z": 0.1, "a": [1, {"y": null}], "text": "line\nline \u20ac"})");
  {
    Journal journal(path_);
    EXPECT_FALSE(journal.find("k1"));
    journal.append("k1", 3, point);
    journal.append("k2", 0, {{"big", std::string(100000, 'x')}});
    EXPECT_EQ(journal.find("k1")->dump(), point.dump());
  }
  EXPECT_EQ(content().substr(0, 24), R"({"key":"k1","index":3,"p)");
  const Journal journal(path_);
  EXPECT_EQ(journal.size(), 2U);
  EXPECT_EQ(journal.damaged(), 0U);
  EXPECT_EQ(journal.find("k1")->dump(), point.dump());
  EXPECT_EQ(journal.find("k2")->at("big").get<std::string>().size(), 100000U);
  EXPECT_FALSE(journal.find("k3"));
}

/// As it stands in the file; `point` as JSON without spaces.
std::string line(const std::string& key, int index, const std::string& point) {
  return "{\"key\":\"" + key + "\",\"index\":" + std::to_string(index) + ",\"point\":" + point +
         ",\"sum\":\"" + stable_hash(point) + "\"}\n";
}

TEST_F(JournalFile, IsOnDiskBeforeAppendReturns) {
  Journal journal(path_);
  journal.append("k", 0, 1);
  EXPECT_EQ(content(), line("k", 0, "1"));
}

TEST_F(JournalFile, TornAnywhereLosesTheLastLineOnly) {
  const std::string first = line("k1", 0, R"({"v":1})");
  const std::string second = line("k2", 1, R"({"v":2})");
  for (std::size_t cut = 0; cut <= second.size(); ++cut) {
    write(first + second.substr(0, cut));
    Journal journal(path_);
    const bool whole = cut + 1 >= second.size();  // only the line's end may be missing
    EXPECT_EQ(journal.find("k1")->dump(), R"({"v":1})") << cut;
    EXPECT_EQ(journal.find("k2").has_value(), whole) << cut;
    EXPECT_EQ(content(), whole ? first + second : first) << cut;
    journal.append("k3", 2, 3);
    EXPECT_EQ(*journal.find("k3"), 3) << cut;
    EXPECT_EQ(journal.damaged(), 0U);
  }
}

TEST_F(JournalFile, DamageElsewhereIsPassedOver) {
  const std::string zeros(40, '\0');
  std::string changed = line("k1", 0, "1234");
  changed.replace(changed.find("1234"), 4, "1235");
  write(line("k1", 0, "1") + "rubbish\n\n" + zeros + "\n[1]\n{\"key\":7,\"point\":1}\n" + changed +
        "{\"key\":\"k1\",\"index\":0,\"point\":3}\n" + line("k2", 1, "2") + zeros);
  {
    Journal journal(path_);
    EXPECT_EQ(journal.size(), 2U);
    EXPECT_EQ(journal.damaged(), 7U);
    journal.append("k3", 2, 3);
  }
  const Journal journal(path_);
  EXPECT_EQ(*journal.find("k1"), 1);
  EXPECT_EQ(*journal.find("k2"), 2);
  EXPECT_EQ(*journal.find("k3"), 3);
}

TEST_F(JournalFile, TheLastOfEqualKeysCounts) {
  {
    Journal journal(path_);
    journal.append("k", 0, 1);
    journal.append("k", 0, 2);
    EXPECT_EQ(*journal.find("k"), 2);
  }
  EXPECT_EQ(*Journal(path_).find("k"), 2);
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().at(0).key, "out");
    return error.what();
  }
  return "";
}

TEST_F(JournalFile, KeepsWhatItIsTold) {
  {
    Journal journal(path_);
    for (const char* key : {"a", "b", "c", "b"}) journal.append(key, 0, {{"key", key}});
    journal.keep({"c", "missing", "b", "c"});
    EXPECT_EQ(journal.size(), 2U);
    EXPECT_EQ(content(), line("c", 0, R"({"key":"c"})") + line("b", 0, R"({"key":"b"})"));
    EXPECT_EQ(*journal.find("b"), Json({{"key", "b"}}));
    EXPECT_FALSE(journal.find("a"));
    journal.append("d", 1, 4);
    EXPECT_EQ(*journal.find("d"), 4);
    journal.remove_if_empty();
    EXPECT_NE(refusal([&] { const Journal second(path_); }), "") << "still locked";
  }
  const auto before = content();
  Journal journal(path_);
  EXPECT_EQ(journal.size(), 3U);
  journal.keep({"d", "b", "c"});  // all there is
  EXPECT_EQ(content(), before);
  journal.keep({});
  journal.remove_if_empty();
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(JournalFile, OddValuesDoNotBreakTheLine) {
  {
    Journal journal(path_);
    journal.append("k", 0, {{"text", "\xff"}, {"number", std::numeric_limits<double>::quiet_NaN()}});
  }
  EXPECT_TRUE(Journal(path_).find("k")->at("number").is_null());
}

TEST_F(JournalFile, ErrorsNameTheFileAndTheCause) {
  const auto missing = refusal([&] { const Journal journal(folder_ + "/none/points.jsonl"); });
  EXPECT_NE(missing.find("/none/points.jsonl': No such file"), std::string::npos) << missing;
  const auto folder = refusal([&] { const Journal journal(folder_); });
  EXPECT_NE(folder.find("Is a directory"), std::string::npos) << folder;
  if (::access("/dev/full", W_OK) == 0) {
    Journal journal("/dev/full");
    const auto full = refusal([&] { journal.append("k", 0, 1); });
    EXPECT_NE(full.find("No space left"), std::string::npos) << full;
    EXPECT_FALSE(journal.find("k"));
  }
}

TEST_F(JournalFile, OneProgramAtATime) {
  const Journal journal(path_);
  const auto text = refusal([&] { const Journal second(path_); });
  EXPECT_NE(text.find("another run"), std::string::npos) << text;
  EXPECT_NE(text.find("--out"), std::string::npos) << text;
}

class Sweep : public JournalFile {
 protected:
  /// A sweep over loads that skips what the journal has; gives the indices that ran.
  std::set<std::size_t> run(const std::vector<double>& loads, const std::string& version,
                            std::size_t interrupt_after = 1000) {
    Journal journal(path_);
    std::vector<Job> jobs;
    std::vector<std::size_t> points;
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      keys.push_back(point_key({{"traffic.offered_load", loads[i]}}, version));
      if (journal.find(keys[i])) continue;
      points.push_back(i);
      jobs.push_back(run_test::job("p", [load = loads[i]] { return Json{{"load", load}}.dump(); }));
    }
    std::set<std::size_t> ran;
    PoolCallbacks callbacks;
    callbacks.finished = [&](const Outcome& outcome) {
      if (outcome.kind != Outcome::kDone) return;
      const auto point = points[outcome.job];
      journal.append(keys[point], point, Json::parse(outcome.record));
      ran.insert(point);
      if (ran.size() == interrupt_after) std::raise(SIGINT);
    };
    interrupted_ = ProcessPool(run_test::impatient(1)).run(jobs, callbacks).interrupted;
    for (const auto& key : keys) complete_ += journal.find(key) ? 1 : 0;
    return ran;
  }
  bool interrupted_ = false;
  std::size_t complete_ = 0;
};

TEST_F(Sweep, RunsWhatIsMissingOrChangedAndNothingElse) {
  using Points = std::set<std::size_t>;
  std::signal(SIGINT, SIG_DFL);
  EXPECT_EQ(run({0.1, 0.2, 0.3, 0.4}, "1", 2), (Points{0, 1}));
  EXPECT_TRUE(interrupted_);
  EXPECT_EQ(complete_, 2U);
  EXPECT_EQ(run({0.1, 0.2, 0.3, 0.4}, "1"), (Points{2, 3}));
  EXPECT_FALSE(interrupted_);
  EXPECT_EQ(run({0.1, 0.2, 0.3, 0.4}, "1"), Points{});
  EXPECT_EQ(run({0.4, 0.5, 0.1}, "1"), Points{1});
  EXPECT_EQ(run({0.1, 0.2}, "2"), (Points{0, 1}));
}

}  // namespace
}  // namespace noctule
