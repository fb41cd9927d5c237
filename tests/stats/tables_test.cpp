// CSV tables and files: does a reader get back what went in, and is a file ever half written?

#include "stats/tables.h"
#include "core/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.h"
#include "synthetic_fabric.h"

namespace noctule {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// An independent reader of RFC 4180.
Rows parse(const std::string& text) {
  Rows rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      rows.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\n')
      rows.push_back({""});
    else
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

std::string value(const Rows& rows, std::size_t row, const std::string& column) {
  const auto it = std::find(rows[0].begin(), rows[0].end(), column);
  if (it == rows[0].end()) return "no column " + column;
  return rows[row].at(static_cast<std::size_t>(it - rows[0].begin()));
}

PointResult point(const std::string& label, Json set) {
  test::Recipe recipe;
  MeasurementSettings s;
  s.warm_up_cycles = 100;
  s.measure_cycles = 3200;
  PointContext c;
  c.label = label;
  c.set = std::move(set);
  return make_point(test::measure(recipe, s), test::workload_of(recipe), c);
}

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(IsEachRuleObeyed, ResultsHaveOneRowPerPointAndEmptyCellsForWhatIsAbsent) {
  const auto a = to_json(point("a", Json{{"traffic.offered_load", 0.5}}));
  const auto b = to_json(point("b, \"odd\"\nname", Json{{"node.model", "x"}, {"node.list", {1, 2}}}));
  const auto rows = parse(results_csv(Json::array({a, b}), {{"traffic.offered_load", "flits/node/cycle"}}));
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(value(rows, 1, "traffic.offered_load [flits/node/cycle]"), "0.5");
  EXPECT_EQ(value(rows, 2, "traffic.offered_load [flits/node/cycle]"), "");
  EXPECT_EQ(value(rows, 2, "node.model"), "x");
  EXPECT_EQ(value(rows, 2, "node.list"), "[1,2]");
  EXPECT_EQ(value(rows, 1, "point"), "0");
  EXPECT_EQ(value(rows, 2, "label"), "b, \"odd\"\nname");
  EXPECT_EQ(value(rows, 1, "status"), "stable");
  EXPECT_EQ(value(rows, 1, "digest_hex"), "");
  EXPECT_EQ(std::stod(value(rows, 1, "latency_total_mean_cycles")),
            a["latency_cycles"]["total"]["mean"].get<double>());
  EXPECT_EQ(std::stod(value(rows, 1, "accepted_ci95_flits_per_node_cycle")),
            a["accepted"]["flits_per_node_cycle"]["ci95"].get<double>());
  EXPECT_EQ(value(rows, 1, "measured_cycles"), "3200");
}

/// A point that has everything that a point may have.
PointResult full_point() {
  auto p = point("a", Json::object());
  p.offered_flits_per_node_cycle = 0.5;
  p.offered_packets_per_node_cycle = 0.1;
  p.offered_normalized = 0.2;
  p.accepted_normalized = Interval{0.2, 0.01};
  p.all_terminals = PointResult::AllTerminals{Interval{0.4, 0.01}, Interval{0.3, 0.01}, 0.5};
  p.accepted_fraction_of_generated = 0.9;
  p.latency_parts = PointResult::LatencyParts{1, 2, 3, 4};
  p.hops_mean = p.distance_mean = 3;
  p.multicast = PointResult::Multicast{};
  p.multicast->unicasts = PointResult::MessageKind{};
  p.link_utilization_mean = p.link_utilization_max = 0.1;
  p.transient_cycles = 500;
  p.time_to_drain_cycles = 70;
  p.congestion = {64, 16.0, 4.375};
  p.source_queue_packets_per_node = 0.5;
  p.input_vcs_occupied_fraction = p.output_vcs_allocated_fraction = 0.5;
  p.connections_held_per_router = p.connections_made_per_router_cycle = 0.5;
  p.batches = 10;
  p.totals.flits_copied = 5;
  p.digest = 7;
  p.user_s = p.router_cycles_per_s = p.flit_hops_per_s = 1;
  return p;
}

TEST(IsEachRuleObeyed, ClosedLoopsAndMessageClassesHaveColumnsWhereTheyAreThere) {
  PointResult with = point("with", Json::object());
  with.transactions = {40, 0.01, Interval{55.5, 1.25}};
  with.message_classes.resize(2);
  with.message_classes[0].name = "request";
  with.message_classes[0].flits_per_node_cycle = 0.25;
  with.message_classes[0].total = LatencySummary{{12.5, {}}, 11, 20, 30, 40};
  with.message_classes[1].name = "response";
  const auto plain = to_json(point("plain", Json::object()));
  const auto rows = parse(results_csv(Json::array({plain, to_json(with)})));
  EXPECT_EQ(value(rows, 2, "transactions_completed"), "40");
  EXPECT_EQ(value(rows, 2, "round_trip_mean_cycles"), "55.5");
  EXPECT_EQ(value(rows, 2, "round_trip_ci95_cycles"), "1.25");
  EXPECT_EQ(value(rows, 2, "request_accepted_flits_per_node_cycle"), "0.25");
  EXPECT_EQ(value(rows, 2, "request_latency_total_mean_cycles"), "12.5");
  EXPECT_EQ(value(rows, 2, "request_latency_total_p99_cycles"), "30");
  EXPECT_EQ(value(rows, 2, "response_latency_total_mean_cycles"), "") << "no packet of it was delivered";
  EXPECT_EQ(value(rows, 1, "round_trip_mean_cycles"), "");
  const auto alone = parse(results_csv(Json::array({plain})));
  EXPECT_EQ(value(alone, 1, "round_trip_mean_cycles"), "no column round_trip_mean_cycles");
}

/// Scalars of a point of results.json that results.csv does not repeat.
const std::map<std::string, std::string> kNoColumn{
    {"/offered/packets_per_node_cycle_all_terminals", "follows from flits_per_node_cycle_all_terminals"},
    {"/offered/normalized_all_terminals", "follows from flits_per_node_cycle_all_terminals"},
    {"/accepted/normalized_all_terminals/mean", "follows from flits_per_node_cycle_all_terminals"},
    {"/accepted/normalized_all_terminals/ci95", "follows from flits_per_node_cycle_all_terminals"},
    {"/cycles/transient", "how the length of the warm-up was found"},
    {"/terminals/all", "the same in all points of a network"},
    {"/multicast/unicasts/hops_per_packet", "is hops.distance_mean"},
    {"/packets/queued", "generated - discarded - injected"},
    {"/flits/copied", "of the conservation of flits, which is checked"},
    {"/batches/count", "how the intervals were made"},
    {"/batches/correlated", "how the intervals were made"}};

TEST(IsEachRuleObeyed, EveryScalarOfAPointHasItsColumnOrIsKnownToHaveNone) {
  const auto flat = to_json(full_point()).flatten();
  Json marked = Json::object();
  std::map<std::string, std::string> markers;
  for (const auto& [pointer, value] : flat.items()) {
    if (value.is_null()) continue;  // an empty object or array
    markers[pointer] = "marker" + std::to_string(markers.size());
    marked[pointer] = markers[pointer];
  }
  auto json = marked.unflatten();
  json["set"] = Json::object();
  const auto rows = parse(results_csv(Json::array({json})));
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_GT(markers.size(), kNoColumn.size() + 40);
  for (const auto& [pointer, marker] : markers)
    EXPECT_EQ(std::count(rows[1].begin(), rows[1].end(), marker), kNoColumn.contains(pointer) ? 0 : 1)
        << pointer << ": give it one column in models/stats/tables.cpp, or say here why it has none";
  for (const auto& [pointer, why] : kNoColumn) EXPECT_TRUE(markers.contains(pointer)) << pointer;
  // No column without a scalar, and none without a name.
  for (std::size_t i = 1; i < rows[0].size(); ++i) {
    EXPECT_TRUE(rows[1][i].starts_with("marker")) << rows[0][i];
    EXPECT_NE(rows[0][i], "");
  }
}

TEST(IsEachRuleObeyed, MulticastsHaveColumnsOfTheirOwn) {
  auto json = to_json(point("a", Json::object()));
  json["multicast"] = {{"copies_per_packet", 1.5},
                       {"multicasts", {{"latency_cycles", {{"total", 90.5}, {"each_destination", 50.25}}}}},
                       {"unicasts", {{"latency_cycles", {{"total", 40.5}}}}}};
  json["hops"] = {{"mean", 5.5}};
  const auto rows = parse(results_csv(Json::array({json})));
  EXPECT_EQ(value(rows, 1, "copies_per_packet"), "1.5");
  EXPECT_EQ(value(rows, 1, "multicasts_latency_total_mean_cycles"), "90.5");
  EXPECT_EQ(value(rows, 1, "multicasts_latency_each_destination_mean_cycles"), "50.25");
  EXPECT_EQ(value(rows, 1, "unicasts_latency_total_mean_cycles"), "40.5");
  EXPECT_EQ(value(rows, 1, "links_per_packet_mean_hops"), "5.5");
  EXPECT_EQ(value(rows, 1, "distance_mean_hops"), "")
      << "of messages with one destination, and there are none";
}

TEST(IsEachRuleObeyed, PointTablesHoldLinksHistogramAndTerminals) {
  const auto p = point("a,b", Json::object());
  const LinkNames links{4, [](std::size_t i) {
                          return LinkName{"r" + std::to_string(i), "r9",   "x_plus",        "0",    1,
                                          {0.5, -2, 1e6, 0},       "wrap", "z = 0, d3 = 1", "z = 1"};
                        }};
  std::map<std::string, Rows> tables;
  for (const auto& table : point_tables()) tables[table.file] = parse(table.header + table.rows(7, p, links));

  const auto& by_link = tables.at("links.csv");
  EXPECT_EQ(by_link[0],
            (std::vector<std::string>{"point", "label", "from", "to", "port", "link", "flits", "utilization",
                                      "from_x", "from_y", "to_x", "to_y", "kind", "from_plane", "to_plane"}));
  ASSERT_EQ(by_link.size(), 5U);
  EXPECT_EQ(by_link[3][0], "7");
  EXPECT_EQ(by_link[3][1], "a,b");
  EXPECT_EQ(by_link[3][2], "r2");
  EXPECT_EQ(std::stoull(by_link[3][6]), p.window.link_flits[2]);
  EXPECT_EQ((std::vector<std::string>(by_link[3].begin() + 8, by_link[3].end())),
            (std::vector<std::string>{"0.5", "-2", "1e+06", "0", "wrap", "z = 0, d3 = 1", "z = 1"}));
  EXPECT_EQ(std::stod(by_link[3][7]), static_cast<double>(p.window.link_flits[2]) / 3200);

  std::uint64_t count = 0;
  const auto& histogram = tables.at("latency_hist.csv");
  EXPECT_EQ(histogram[0], (std::vector<std::string>{"point", "label", "latency_cycles_low",
                                                    "latency_cycles_high", "count"}));
  for (std::size_t i = 1; i < histogram.size(); ++i) count += std::stoull(histogram[i][4]);
  EXPECT_EQ(count, p.window.packets_delivered);

  EXPECT_EQ(tables.at("latency_hist_classes.csv").size(), 1U) << "of no class: they have no names";

  std::uint64_t flits = 0;
  const auto& terminals = tables.at("terminals.csv");
  ASSERT_EQ(terminals.size(), 65U);
  for (std::size_t i = 1; i < terminals.size(); ++i) flits += std::stoull(terminals[i][3]);
  EXPECT_EQ(flits, p.window.flits_delivered);

  EXPECT_THROW((void)point_tables()[0].rows(0, p, {}), InternalError);
}

class ResultFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) /
        ("noctule_tables_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ResultFiles, AreReplacedWholeAndLeaveNothingBeside) {
  const auto path = folder_ / "results.json";
  write_file_atomically(path.string(), "first, and longer");
  write_file_atomically(path.string(), "second");
  EXPECT_EQ(read(path), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(ResultFiles, ThatCannotBeWrittenAreNamed) {
  const auto complaint = [](const std::filesystem::path& path) -> std::string {
    try {
      write_file_atomically(path.string(), "x");
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "";
  };
  const auto missing = folder_ / "no" / "such" / "results.csv";
  EXPECT_NE(complaint(missing).find("'" + missing.string() + "': No such file"), std::string::npos);
  const auto taken = folder_ / "taken";
  std::filesystem::create_directories(taken / "inside");
  EXPECT_NE(complaint(taken).find(taken.string()), std::string::npos);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace noctule
