#pragma once
// Shared by the tests of the picture of a deadlock: witnesses to be drawn, and what a picture holds.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/cube_network.h"
#include "verify/verifier.h"

namespace noctule::drawing_test {

using Cube = std::shared_ptr<const CubeNetwork>;

Cube cube(std::vector<unsigned> radix, bool wrap);

/// Any way along the shortest paths on one VC class, without datelines: deadlocks on any torus and 2-D mesh.
Certificate deadlocked(const Cube& cube, NodeDescription node = {});

/// A certificate whose witness is to be filled in.
Certificate blank(const std::shared_ptr<const Topology>& topology,
                  std::shared_ptr<const RoutingRelation> relation, NodeDescription node = {});
Certificate blank(const Cube& cube, NodeDescription node = {});

RouterId at(const Cube& cube, std::vector<unsigned> coordinates);
ChannelId channel(const Certificate& c, RouterId from, PortId port);

inline constexpr PortId kXPlus = CubeNetwork::plus(0);
inline constexpr PortId kXMinus = CubeNetwork::minus(0);
inline constexpr PortId kYPlus = CubeNetwork::plus(1);

/// A worm one hop long that waits to go on.
WitnessWorm worm(const Certificate& c, RouterId from, PortId port, PortId then);

/// Every tag is closed in the right order, there is one root, and no text holds a bare < or &.
void expect_well_formed(const std::string& svg);
std::size_t count(const std::string& text, const std::string& what);

/// Tags that hold all of these, each with the text that follows it up to the next tag.
std::vector<std::pair<std::string, std::string>> tags_with(const std::string& svg,
                                                           const std::vector<std::string>& parts);
std::vector<std::string> legend(const std::string& svg);

struct Spot {
  double x = 0;
  double y = 0;
};
/// Points of the polylines of a class and colour.
std::vector<std::vector<Spot>> lines_of(const std::string& svg, const std::string& kind);

}  // namespace noctule::drawing_test
