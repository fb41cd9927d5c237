// Does a remembered proof count only for what was proved?

#include "run/deadlock_gate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace noctule {
namespace {

Json fabric(const std::string& file) {
  return {{"topology", {{"kind", "mesh"}, {"radix", {4, 4}}}},
          {"node", {{"model", "generic"}}},
          {"multicast", {{"planner", "none"}}},
          {"routing", {{"algorithm", "table"}, {"turns", file}}},
          {"traffic", {{"offered_load", 0.1}}}};
}

TEST(FabricKey, FollowsTheContentOfFilesThatTheFabricNames) {
  const auto file = std::filesystem::temp_directory_path() / "noctule-gate-test.txt";
  const auto key_with = [&](const char* content) {
    std::ofstream(file) << content;
    return fabric_key(fabric(file.string()));
  };
  const auto one = key_with("1");
  EXPECT_NE(one, key_with("0"));
  EXPECT_EQ(one, key_with("1"));
  std::filesystem::remove(file);
  EXPECT_NE(one, fabric_key(fabric(file.string())));
}

TEST(FabricKey, LeavesOutWhatAFabricDoesNotDependOn) {
  auto other = fabric("none");
  other["traffic"]["offered_load"] = 0.9;
  EXPECT_EQ(fabric_key(fabric("none")), fabric_key(other));
  other["node"]["lanes"] = 2;
  EXPECT_NE(fabric_key(fabric("none")), fabric_key(other));
}

}  // namespace
}  // namespace noctule
