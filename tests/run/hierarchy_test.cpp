// Has a router that a waveform shows its blocks in the hierarchy, whatever the key `hierarchy` says?

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/decode.h"
#include "run/configured_point.h"

namespace noctule {
namespace {

bool exists(const std::string& name) {
  return sc_core::sc_find_object(name.c_str()) != nullptr;
}

class TracedRun : public testing::Test {
 protected:
  TracedRun() : folder_(testing::TempDir() + "noctule_hierarchy_" + std::to_string(::getpid())) {
    std::filesystem::create_directory(folder_);
  }
  ~TracedRun() override { std::filesystem::remove_all(folder_); }
  TracedRun(const TracedRun&) = delete;
  TracedRun& operator=(const TracedRun&) = delete;

  /// The file begins with its own date: what follows the header.
  std::string waveform_of(const std::string& more) const {
    const auto points = expand(decode_text(
        "topology: {kind: mesh, radix: [3, 3]}\nnode: input_queued\ntraffic: {offered_load: 0.3}\n"
        "measurement: {warm_up: 0, cycles: 200}\ntrace: {vcd: true, gtkw: false, scope: [router_1_*, "
        "fabric.router_0_2.link_0]}\n" +
            more,
        "traced"));
    TraceRequest request;
    request.first_of_series = true;
    request.stem = folder_ + "/point";
    (void)run_point(configured_point(points.at(0), request), 0);
    std::ostringstream text;
    text << std::ifstream(folder_ + "/point.vcd").rdbuf();
    return text.str().substr(text.str().find("$scope"));
  }

  std::string folder_;
};

TEST_F(TracedRun, HasTheBlocksOfTheRoutersThatItShows) {
  EXPECT_GT(waveform_of("hierarchy: routers\n").size(), 10'000U);
  for (const char* router : {"router_1_0", "router_1_1", "router_1_2", "router_0_2"}) {
    EXPECT_TRUE(exists(std::string("fabric.") + router + ".crossbar")) << router;
    EXPECT_TRUE(exists(std::string("fabric.") + router + ".link_0")) << router;
  }
  for (const char* router : {"router_0_0", "router_0_1", "router_2_0", "router_2_1", "router_2_2"}) {
    EXPECT_TRUE(exists(std::string("fabric.") + router)) << router;
    EXPECT_FALSE(exists(std::string("fabric.") + router + ".crossbar")) << router;
  }
}

TEST_F(TracedRun, HasAllBlocksInASmallFabric) {
  EXPECT_GT(waveform_of("").size(), 10'000U);
  EXPECT_TRUE(exists("fabric.router_0_0.crossbar"));
}

}  // namespace
}  // namespace noctule
