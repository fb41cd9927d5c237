// Is every contradiction refused, by the lines of the keys that contradict each other?

#include "config/rules.h"

#include <gtest/gtest.h>

#include "config/config_support.h"
#include "config/merge.h"
#include "config/schema.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;

TEST(EveryRule, IsBrokenByItsExample) {
  for (const auto& rule : rules()) {
    DecodeOptions options;
    std::vector<std::string> places;
    for (const auto& [key, value] : rule.example) {
      options.set.push_back(key + "=" + value);
      places.push_back("--set " + options.set.back());
    }
    const auto found = faults_of("seed: 1", options);
    ASSERT_EQ(found.size(), 1U) << rule.keys.front() << "\n" << all_text(found);
    EXPECT_NE(std::ranges::find(places, found[0].place), places.end()) << all_text(found);
  }
}

TEST(EveryRule, NamesKeysThatExist) {
  for (const auto& rule : rules())
    for (const auto& key : rule.keys) {
      std::string nearest;
      EXPECT_FALSE(find_declarations(key, nearest).empty()) << key;
    }
}

TEST(Contradictions, NameBothPlaces) {
  EXPECT_ONE_FAULT("measurement:\n  batches: 40\n  cycles: 39\n", "file:3:3", "measurement.cycles",
                   "measurement.batches: file:2:3");
  EXPECT_TRUE(faults_of("measurement:\n  batches: 40\n  cycles: 40\n").empty());
  EXPECT_ONE_FAULT("traffic:\n  source: static\n  source_queue: discard\n", "file:3:3",
                   "traffic.source_queue", "traffic.source: file:2:3");
  for (const char* queue : {"discard", "4"})
    EXPECT_ONE_FAULT(std::string("traffic:\n  source: request_reply\n  source_queue: ") + queue + "\n",
                     "file:3:3", "traffic.source_queue", "would wait for ever");
  EXPECT_ONE_FAULT("traffic:\n  source: {kind: workload, file: t.txt}\n  source_queue: 4\n", "file:3:3",
                   "traffic.source_queue", "would wait for ever");
  EXPECT_TRUE(faults_of("traffic: {source: request_reply, source_queue: infinite}").empty());
  EXPECT_ONE_FAULT("node:\n  parallel_links: 2\n", "file:2:3", "node.parallel_links",
                   "2 parallel links but 1 lane");
  EXPECT_TRUE(faults_of("node: {parallel_links: 2, link_assignment: by_class}\n").empty());
}

TEST(Contradictions, AxesAndSeriesDoNotTakeEachOthersPlace) {
  EXPECT_ONE_FAULT(
      "sweep: {traffic.packet_length: [5, 10]}\n"
      "compare:\n- {label: a, set: {traffic.packet_lengths: [{length: 1}]}}\n- {label: b}\n",
      "file:3:20", "compare[0].set.traffic.packet_lengths", "traffic.packet_length, an axis of the sweep");
  EXPECT_ONE_FAULT("sweep:\n  traffic.packet_length: [5, 10]\n  traffic.packet_lengths: [[{length: 1}]]\n",
                   "file:3:3", "sweep.traffic.packet_lengths", "traffic.packet_length, another axis");
  EXPECT_TRUE(faults_of("sweep: {traffic.packet_length: [5, 10], node.lanes: [1, 2]}").empty());
}

TEST(Contradictions, OfferedLoadIsAtMostAPacketPerCycle) {
  EXPECT_TRUE(faults_of("traffic: {offered_load: 5, packet_length: 5}").empty());
  EXPECT_ONE_FAULT("traffic: {offered_load: 5.001, packet_length: 5}", "file:1:11", "traffic.offered_load",
                   "at most 5 can be offered");
  EXPECT_TRUE(faults_of("traffic: {offered_load: 3, packet_lengths: [{length: 2}, {length: 4}]}").empty());
  EXPECT_FALSE(
      faults_of("traffic: {offered_load: 3.01, packet_lengths: [{length: 2}, {length: 4}]}").empty());
  EXPECT_TRUE(faults_of("traffic: {offered_load: 3, load_unit: normalized, packet_length: 1}").empty());
}

TEST(Contradictions, AreNotSoughtAmongFaultyKeys) {
  EXPECT_ONE_FAULT("measurement: {cycles: 5, batches: x}", "file:1:35", "measurement.batches",
                   "expected an integer");
}

TEST(Contradictions, LabelsOfSeriesDiffer) {
  EXPECT_ONE_FAULT("compare:\n  - {label: a}\n  - {label: a}\n", "file:3:6", "compare[1].label",
                   "also the label of series 0");
}

TEST(Contradictions, LabelsOfSeriesAreNames) {
  EXPECT_ONE_FAULT("compare:\n  - {label: a}\n  - {label: ''}\n", "file:3:6", "compare[1].label", "is empty");
  for (const char* label : {"\"a\\nb\"", "\"a\\tb\"", "\"\\x7f\""})
    EXPECT_ONE_FAULT(std::string("compare:\n  - {label: ") + label + "}\n", "file:2:6", "compare[0].label",
                     "leave line breaks");
}

}  // namespace
}  // namespace noctule
