// Does a socket cost a process of the kernel?

#include "tlm/tlm_support.h"

namespace noctule::tlm::tlm_test {
namespace {

/// Processes of an object and of all below it.
std::size_t processes(const sc_core::sc_object& object) {
  std::size_t count = dynamic_cast<const sc_core::sc_process_b*>(&object) != nullptr ? 1 : 0;
  for (const sc_core::sc_object* child : object.get_child_objects()) count += processes(*child);
  return count;
}

/// Of a network on an 8x8 mesh with so many initiators, and as many targets.
std::size_t processes(const char* level, unsigned sockets) {
  Platform platform;
  platform.topology = "{kind: mesh, radix: [8, 8]}";
  platform.more = fmt::format("  level: {}\n", level);
  platform.initiators.clear();
  platform.targets.clear();
  for (unsigned t = 0; t < sockets; ++t) {
    platform.initiators.push_back(t);
    platform.targets.push_back(t);
  }
  System system(platform);
  return processes(*system.network);
}

TEST(ProcessesOfANetwork, AreAsManyForOneSocketAsForSixtyFour) {
  for (const char* level : kLevels) {
    const std::size_t few = processes(level, 1);
    EXPECT_GT(few, 0U) << level;
    EXPECT_LE(few, 3U) << level;
    EXPECT_EQ(processes(level, 64), few) << level;
  }
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
