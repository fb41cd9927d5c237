// Is what Noxim has taken or told, and what it does not have refused?

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "config/config_support.h"
#include "config/imported.h"

namespace noctule {
namespace {

ImportedConfiguration imported(const std::string& text) {
  return import_noxim(text, "theirs");
}
std::string remarks_on(const std::string& text) {
  return fmt::format("{}", fmt::join(imported(text).remarks(), "\n"));
}
/// Why a file is refused, with the place; "not refused" if it is not.
std::string refusal_of(const std::string& text) {
  try {
    (void)imported(text);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "not refused";
}
bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}
/// What is wrong with the YAML that comes of a file.
std::vector<Diagnostic> faults_after(const std::string& text) {
  return testing::faults_of(imported(text).yaml("from a test"));
}

// What each of Noxim's own files says.
const std::string kOfNoxim =
    "trace_scope: basic\nlog_level: OFF\nlog_file: \"\"\nlog_to_stderr: true\nlog_components: []\n"
    "stats_format: text\nstats_file: \"\"\n";

TEST(KeysOfNoxim, ThatMeanNothingHereAreNotTold) {
  EXPECT_EQ(remarks_on(kOfNoxim), "");
  EXPECT_EQ(remarks_on("hotspots: []\nflit_size:\nuse_winoc: False\nlog_to_stderr: yes\n"), "");
}

TEST(KeysOfNoxim, WithoutACounterpartAreTold) {
  for (const std::string key : {"trace_scope: all", "log_level: DEBUG", "log_file: noxim.log",
                                "log_to_stderr: false", "stats_format: csv", "stats_file: s.csv",
                                "deft_vl_fault_count: 4", "deft_of_next_year: x", "locality: 0.5"})
    EXPECT_TRUE(holds(remarks_on(key), key + " has no counterpart; ")) << remarks_on(key);
  for (const std::string key : {"log_components", "dnn_layer", "deft_faulty_vertical_links"})
    for (const std::string value : {": [1]", ": {stride: 1}"})
      EXPECT_TRUE(holds(remarks_on(key + value), key + " has no counterpart; ")) << key << value;
}

TEST(KeysOfNoxim, AreRefusedWhereTheyAreProbablyMisspelt) {
  for (const auto& [key, meant] : std::vector<std::pair<std::string, std::string>>{
           {"trace_scop", "trace_scope"},
           {"trce_mod", "trace_mode"},
           {"buffer_depht", "buffer_depth"},
           {"bufferDepth", "buffer_depth"},
           {"max-volume-to-be-drained", "max_volume_to_be_drained"},
           {"Topology", "topology"},
           {"hubs", "Hubs"},
           {"Hub", "Hubs"},
           {"dnn_layers", "dnn_layer"}})
    EXPECT_EQ(refusal_of("mesh_dim_x: 4\n" + key + ": 4\n"),
              fmt::format("theirs:2:1: import noxim: Noxim has no key '{}'; did you mean '{}'?", key, meant));
  // Three edits, or two of a short word, or no more than the same beginning.
  for (const std::string key :
       {"trace_level", "tre_mod", "Tubas", "hops", "buffer", "stats", "Energy", "butterfly_tiles"})
    EXPECT_TRUE(holds(remarks_on(key + ": 4\n"),
                      key + ": no key of Noxim that is known here, perhaps of another version; it has no "
                            "counterpart"))
        << refusal_of(key + ": 4\n");
}

TEST(WordsOfNoxim, AreAllTaken) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> kWords{
      {"topology", {"MESH", "BUTTERFLY", "BASELINE", "OMEGA", "DEFT_2_5D"}},
      {"routing_algorithm",
       {"XY", "DELTA", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST", "ODD_EVEN", "DYAD", "TABLE_BASED",
        "DEFT", "FULLY_ADAPTIVE"}},
      {"selection_strategy", {"RANDOM", "BUFFER_LEVEL", "NOP"}},
      {"traffic_distribution",
       {"TRAFFIC_RANDOM", "TRAFFIC_TRANSPOSE1", "TRAFFIC_TRANSPOSE2", "TRAFFIC_HOTSPOT",
        "TRAFFIC_TABLE_BASED", "TRAFFIC_BIT_REVERSAL", "TRAFFIC_SHUFFLE", "TRAFFIC_BUTTERFLY",
        "TRAFFIC_LOCAL", "TRAFFIC_ULOCAL", "TRAFFIC_HARDCODED", "TRAFFIC_DNN_LAYER"}}};
  for (const auto& [key, words] : kWords)
    for (const std::string& word : words) {
      const std::string text = key + ": " + word + "\n";
      EXPECT_FALSE(holds(remarks_on(text), "not known here")) << text;
      EXPECT_TRUE(faults_after(text).empty()) << text;
    }
}

TEST(WordsOfNoxim, AreRefusedWhereTheyAreProbablyMisspelt) {
  for (const auto& [key, word, meant] : std::vector<std::array<std::string, 3>>{
           {"topology", "mesh", "MESH"},
           {"topology", "MESHH", "MESH"},
           {"topology", "BUTERFLY", "BUTTERFLY"},
           {"topology", "deft-2-5d", "DEFT_2_5D"},
           {"routing_algorithm", "xy", "XY"},
           {"routing_algorithm", "XZ", "XY"},
           {"routing_algorithm", "ODDEVEN", "ODD_EVEN"},
           {"routing_algorithm", "WEST_FRIST", "WEST_FIRST"},
           {"routing_algorithm", "WST_FRST", "WEST_FIRST"},
           {"selection_strategy", "NoP", "NOP"},
           {"selection_strategy", "RNDM", "RANDOM"},
           {"selection_strategy", "\"RANDOM \"", "RANDOM"},
           {"traffic_distribution", "TRAFFIC_TRANSPOSE", "TRAFFIC_TRANSPOSE1"},
           {"traffic_distribution", "TRAFFIC_SHUFFEL", "TRAFFIC_SHUFFLE"},
           {"traffic_distribution", "traffic_random", "TRAFFIC_RANDOM"},
           {"traffic_distribution", "HOTSPOT", "TRAFFIC_HOTSPOT"},
           {"traffic_distribution", "transpose2", "TRAFFIC_TRANSPOSE2"}}) {
    const std::string said = refusal_of(fmt::format("\n{}: {}\n", key, word));
    EXPECT_TRUE(
        said.starts_with(fmt::format("theirs:2:{}: import noxim: {}: Noxim has no '", key.size() + 3, key)) &&
        said.ends_with("; did you mean '" + meant + "'?"))
        << said;
  }
}

TEST(WordsOfNoxim, AreListedWhereNoneIsNear) {
  for (const std::string word : {"TORUS", "DELTA", "3", "\"\""})
    EXPECT_TRUE(
        holds(refusal_of("topology: " + word), "; it has MESH, BUTTERFLY, BASELINE, OMEGA, DEFT_2_5D"))
        << refusal_of("topology: " + word);
  EXPECT_TRUE(holds(refusal_of("traffic_distribution: bitcomp"), "no 'bitcomp'; it has TRAFFIC_RANDOM, "));
  EXPECT_TRUE(holds(refusal_of("routing_algorithm: ''"), "no ''; it has XY, "));
  EXPECT_EQ(refusal_of("topology: [MESH]"),
            "theirs:1:11: import noxim: topology: expected a word, not a list of 1");
  EXPECT_EQ(refusal_of("mesh_dim_x: 4\nrouting_algorithm:"),
            "theirs:2:1: import noxim: routing_algorithm: expected a word, not nothing");
}

TEST(WordsOfNoxim, OfOtherVersionsAreTold) {
  for (const auto& [text, taken] :
       std::vector<std::pair<std::string, std::string>>{{"routing_algorithm: DYXY", "dimension_order"},
                                                        {"routing_algorithm: HUB_FIRST", "dimension_order"},
                                                        {"selection_strategy: 0", "random"},
                                                        {"selection_strategy: THERMAL", "random"},
                                                        {"traffic_distribution: TRAFFIC_TORNADO", "uniform"},
                                                        {"traffic_distribution: 4", "uniform"}}) {
    EXPECT_TRUE(imported(text).remarks().front().starts_with(
        fmt::format("{}, which is not known here, has no counterpart; {} is taken", text, taken)))
        << remarks_on(text);
    EXPECT_TRUE(faults_after(text).empty()) << text;
  }
}

TEST(TopologiesOfNoxim, AreButterfliesOnlyIfTheyAreDeltaNetworks) {
  for (const auto& [word, kind] : std::vector<std::pair<std::string, std::string>>{{"MESH", "mesh"},
                                                                                   {"BUTTERFLY", "butterfly"},
                                                                                   {"BASELINE", "butterfly"},
                                                                                   {"OMEGA", "butterfly"},
                                                                                   {"DEFT_2_5D", "graph"}}) {
    const auto made = imported("topology: " + word);
    EXPECT_TRUE(holds(made.yaml(""), fmt::format("  kind: {}  # topology: {}\n", kind, word)))
        << made.yaml("");
    const bool other = word == "BASELINE" || word == "OMEGA" || word == "DEFT_2_5D";
    EXPECT_EQ(holds(remarks_on("topology: " + word), "topology: " + word + " has no counterpart; "), other);
  }
}

TEST(HotTerminalsOfNoxim, AreToldInWhateverForm) {
  for (const std::string distribution : {"TRAFFIC_HOTSPOT", "TRAFFIC_RANDOM"})
    for (const std::string value : {"[[5, 0.1]]", "{5: 0.1}", "[5]", "5", "all of them"}) {
      const std::string text = fmt::format("traffic_distribution: {}\nhotspots: {}\n", distribution, value);
      EXPECT_TRUE(holds(remarks_on(text), "has no counterpart; traffic.pattern hotspot takes the terminals"))
          << text;
    }
}

TEST(SectionsOfRadio, AreToldOnlyWhereTheyAreInUse) {
  for (const std::string key : {"Hubs", "Channels", "RxChannels", "RadioChannels"}) {
    const std::string section = key + ": {0: {attached_nodes: [0, 1]}}\n";
    EXPECT_EQ(remarks_on(section), "");
    EXPECT_EQ(remarks_on("use_winoc: false\n" + section), "");
    EXPECT_TRUE(holds(remarks_on("use_winoc: true\n" + section), "\n" + key + " has no counterpart; "));
  }
}

TEST(PatternsOfNoxim, AreRestrictedOnlyWhereTheyAreHere) {
  const auto with = [](const std::string& pattern, int x, int y) {
    return fmt::format("traffic_distribution: TRAFFIC_{}\nmesh_dim_x: {}\nmesh_dim_y: {}\n", pattern, x, y);
  };
  for (const int side : {4, 5, 6}) EXPECT_EQ(remarks_on(with("TRANSPOSE2", side, side)), "");
  for (const int x : {8, 4, 5}) {
    EXPECT_TRUE(holds(remarks_on(with("TRANSPOSE2", x, 2)), "TRANSPOSE2: without a square mesh"));
    EXPECT_TRUE(holds(remarks_on(with("TRANSPOSE2", x, 2)), "a power of four of terminals"));
  }
  for (const std::string pattern : {"BIT_REVERSAL", "SHUFFLE"})
    EXPECT_TRUE(holds(remarks_on(with(pattern, 5, 5)), "TRAFFIC_" + pattern + ": here it permutes the bits"));
  EXPECT_EQ(remarks_on(with("RANDOM", 5, 4)), "");
}

TEST(ValuesOfNoxim, OfSeveralLinesStayInTheirComments) {
  for (const std::string key : {"selection_strategy", "routing_algorithm", "reset_time", "hotspots",
                                "trace_filename", "log_of_a_fork"}) {
    const std::string text = key + ": |\n  of\n  lines: 2\n";
    EXPECT_TRUE(holds(remarks_on(text), key + ": ")) << remarks_on(text);
    EXPECT_TRUE(faults_after(text).empty()) << imported(text).yaml("");
  }
  const std::string key_of_lines = "? |\n  a key\n  of lines: 2\n: 1\n";
  EXPECT_TRUE(holds(remarks_on(key_of_lines), "a key of lines: 2")) << remarks_on(key_of_lines);
  EXPECT_TRUE(faults_after(key_of_lines).empty());
}

TEST(ValuesOfNoxim, ThatAreNoNumbersAreNamed) {
  for (const auto& [value, said] : std::vector<std::pair<std::string, std::string>>{{"[4]", "a list of 1"},
                                                                                    {"[4, 4]", "a list of 2"},
                                                                                    {"{x: 4}", "a section"},
                                                                                    {"", "nothing"},
                                                                                    {"many", "'many'"},
                                                                                    {"[]", "a list of 0"}})
    for (const std::string key : {"mesh_dim_x", "packet_injection_rate"})
      EXPECT_TRUE(refusal_of(key + ": " + value).ends_with(key + ": expected a number, not " + said))
          << refusal_of(key + ": " + value);
  EXPECT_TRUE(imported("reset_time: [1]")
                  .remarks()
                  .front()
                  .starts_with("reset_time: a list of 1 has no counterpart; "));
  EXPECT_EQ(refusal_of("mesh_dim_x: \"8\""), "not refused");
}

}  // namespace
}  // namespace noctule
