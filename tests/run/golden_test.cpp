// Is the simulation the same on every compiler, build type and machine? The digests were taken once; whoever
// changes the cycle, the draws or a node model on purpose changes them here and says why.

#include <gtest/gtest.h>

#include <map>

#include "config/decode.h"
#include "run/configured_point.h"

namespace noctule {
namespace {

std::string digest_of(const std::string& text) {
  const auto points = expand(decode_text(text, "golden"));
  const auto record = run_point(configured_point(points.at(0), {}), 0);
  return record.point.at("digest").get<std::string>();
}

std::string torus(const std::string& node, const std::string& more = "") {
  return "topology: {kind: torus, radix: [6, 7]}\nnode: " + node +
         "\ntraffic: {offered_load: 0.8, load_unit: normalized, packet_length: 9, source_queue: discard}\n"
         "measurement: {warm_up: 1000, cycles: 3000}\n" +
         more;
}

TEST(SameEverywhere, StarChannels) {
  EXPECT_EQ(digest_of(torus("star_channels")), "10f08cdad1900c55");
}
TEST(SameEverywhere, FourClasses) {
  EXPECT_EQ(digest_of(torus("four_classes")), "6e3360392ce3e6cc");
}
TEST(SameEverywhere, LinderHarden) {
  EXPECT_EQ(digest_of(torus("linder_harden")), "207e8f80273ea68c");
}
TEST(SameEverywhere, Oblivious) {
  EXPECT_EQ(digest_of(torus("oblivious")), "8e16b64fb3917a3d");
}
TEST(SameEverywhere, DeepBuffersAndDelays) {
  EXPECT_EQ(digest_of(torus("{model: generic, lanes: 2, input_depth: 4, output_depth: 2}",
                            "link: {flit_delay: 2, credit_delay: 3}\n")),
            "f70450667ef011c9");
}
TEST(SameEverywhere, InputQueued) {
  EXPECT_EQ(digest_of("topology: {kind: mesh, radix: [6, 7]}\nnode: input_queued\n"
                      "traffic: {offered_load: 0.3}\nmeasurement: {warm_up: 500, cycles: 3000}\n"),
            "f605278809449ef5");
}
std::string fixed_slots(const std::string& node) {
  return "topology: {kind: torus, radix: [6, 6]}\nnode: " + node +
         "\nlink: {credit_delay: 0}\ntraffic: {offered_load: 0.2, packet_length: 4}\n"
         "measurement: {warm_up: 500, cycles: 3000}\n";
}
TEST(SameEverywhere, FixedSlots) {
  EXPECT_EQ(digest_of(fixed_slots("fixed_slot")), "71519dd3eebff990");
}
TEST(SameEverywhere, FixedSlotsWithNumberedChannelsAndTiesByPort) {
  EXPECT_EQ(digest_of(fixed_slots("{model: fixed_slot, injection_channels: 8, ties: port}")),
            "2151ba87132977cc");
}
TEST(SameEverywhere, MixedLengthsHotspotAndQueues) {
  EXPECT_EQ(
      digest_of("topology: {kind: hypercube, dimensions: 5}\n"
                "traffic: {pattern: {kind: hotspot, nodes: [3, 17], fraction: 0.1}, offered_load: 0.2,\n"
                "          packet_lengths: [{length: 1, weight: 3}, {length: 12}]}\n"
                "measurement: {warm_up: 500, cycles: 3000}\n"),
      "88c1a9f0fe319896");
}

}  // namespace
}  // namespace noctule
