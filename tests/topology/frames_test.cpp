// Frames of processors: one, a few that are linked with each other, and more on an intermediate switch.

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "support/networks.h"

namespace noctule::topology_test {
namespace {

TEST(Frames, AreTwoThreeOrFourHopsApart) {
  // Symons and Narasimhan 1997, section 2.4: up to 80 nodes by a single stage of frames.
  for (const auto& [processors, hops, routers] : std::vector<std::tuple<unsigned, unsigned, std::size_t>>{
           {2, 2, 3}, {16, 2, 17}, {17, 3, 19}, {80, 3, 85}, {81, 4, 88}, {1024, 4, 1089}}) {
    SCOPED_TRACE(processors);
    const auto network = topology_of("frames", {{"processors", processors}});
    EXPECT_EQ(network->routers(), routers);
    EXPECT_EQ(network->terminals(), processors);
    const auto from_host = hops_from(*network, RouterId{0});
    EXPECT_EQ(from_host[processors - 1], hops);
    for (unsigned p = 1; p < std::min(processors, 16U); ++p) EXPECT_EQ(from_host[p], 2U);
  }
}

TEST(Frames, HaveTheSizeThatTheyAnnounce) {
  const auto& kind = TopologyRegistry::instance().at("frames");
  for (const unsigned processors : {5U, 40U, 100U})
    for (const unsigned ports : {4U, 16U}) {
      auto keys = Parameters::defaults(kind.parameters);
      keys.set("processors", processors);
      keys.set("ports", ports);
      const NetworkSize size = kind.make.size(keys);
      const auto network = make_topology("frames", keys);
      EXPECT_EQ(size.routers, static_cast<double>(network->routers()));
      EXPECT_EQ(size.links, static_cast<double>(network->links().size()));
    }
}

TEST(Frames, AreRefusedWhereThereAreTooMany) {
  EXPECT_THROW(topology_of("frames", {{"processors", 60000}, {"ports", 1}}), ConfigError);
}

}  // namespace
}  // namespace noctule::topology_test
