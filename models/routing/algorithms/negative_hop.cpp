// NHop (Boppana and Chalasani 1993, section 2): routers are coloured so that neighbours differ; a hop to a
// lower colour is negative, and the VC class is the number of negative hops taken. Fully adaptive minimal.
//
// Two colours, the parity of the coordinate sum, do wherever no wrapped dimension is of odd radix: every
// other hop is negative. The paper leaves odd radices out. Here the cube is folded onto a ring of K routers,
// K the smallest odd radix that wraps: each dimension is laid along that ring so that a hop is a step, longer
// ones going to and fro at the end, and the steps add up. The ring is coloured 0 1 0 1 ... 0 1 2: three
// colours, as few as there can be. Only at the router before the last are two negative hops in a row
// possible: in all that was enumerated this takes at most one class more than floor(longest path / 2) + 1,
// the figure of even radices, and none more on k-ary 2-cubes.

#include <algorithm>

#include "routing/buffer_class.h"
#include "routing/cube_relation.h"

namespace noctule {
namespace {

constexpr const char* kName = "negative_hop";

/// The smallest odd radix that wraps; 2 if there is none.
unsigned ring_length(const CubeGeometry& cube) {
  unsigned least = 0;
  for (unsigned d = 0; d < cube.dimensions(); ++d)
    if (cube.wraps(d) && cube.radix(d) % 2 == 1 && (least == 0 || cube.radix(d) < least))
      least = cube.radix(d);
  return least == 0 ? 2 : least;
}

/// Where a coordinate lies on a ring of `length` routers: neighbours side by side.
unsigned fold(const CubeGeometry& cube, unsigned d, unsigned at, unsigned length) {
  if (!cube.wraps(d) || cube.radix(d) % 2 == 0) return at % 2;
  if (at < length) return at;
  return (at - length) % 2 == 0 ? length - 2 : length - 1;
}

/// Colours of all routers.
std::vector<std::uint8_t> colours_of(const CubeGeometry& cube, unsigned length) {
  std::vector<std::uint8_t> colours(cube.size());
  for (std::uint32_t r = 0; r < colours.size(); ++r) {
    unsigned sum = 0;
    for (unsigned d = 0; d < cube.dimensions(); ++d)
      sum += fold(cube, d, cube.coordinate(RouterId{r}, d), length);
    const unsigned place = sum % length;
    colours[r] = static_cast<std::uint8_t>(length % 2 == 1 && place == length - 1 ? 2 : place % 2);
  }
  return colours;
}

class NegativeHop final : public BufferClasses {
 public:
  explicit NegativeHop(std::shared_ptr<const Topology> topology)
      : topology_(std::move(topology)),
        cube_(require_cube(*topology_, kName)),
        bipartite_(ring_length(cube_) == 2),
        colours_(colours_of(cube_, ring_length(cube_))) {
    if (!bipartite_) count_descents();
  }

  [[nodiscard]] unsigned behind(const Link& link, RouterId, unsigned before) const override {
    return before + (label(link.from) > label(link.to) ? 1 : 0);
  }
  [[nodiscard]] unsigned label(RouterId router) const override { return colours_[index(router)]; }
  [[nodiscard]] std::string class_name(unsigned buffer_class) const override {
    return "hop" + std::to_string(buffer_class);
  }
  /// The suffixes of the path that leads there with most negative hops give every class below.
  [[nodiscard]] std::optional<unsigned> highest_on(const Link& link) const override {
    if (!bipartite_) return most_[index(link.id)];
    // Every other hop; the last one before this was negative if it led to a router of colour 0.
    return (most_hops_before(cube_, link) + (label(link.from) == 0 ? 1 : 0)) / 2;
  }

 private:
  /// The most negative hops before each link, from every source in turn.
  void count_descents() {
    most_.assign(topology_->links().size(), 0);
    std::vector<unsigned> distance(cube_.size());
    std::vector<RouterId> order(cube_.size());
    for (std::uint32_t r = 0; r < order.size(); ++r) order[r] = RouterId{r};
    for (std::uint32_t s = 0; s < cube_.size(); ++s) {
      for (std::uint32_t r = 0; r < distance.size(); ++r) distance[r] = cube_.hops(RouterId{s}, RouterId{r});
      std::sort(order.begin(), order.end(),
                [&](RouterId a, RouterId b) { return distance[index(a)] < distance[index(b)]; });
      std::vector<unsigned> before(cube_.size());
      for (const RouterId here : order)
        for (std::size_t p = 0; p < topology_->ports(here); ++p) {
          const Link* link = topology_->outgoing(here, PortId(p));
          if (link == nullptr || distance[index(link->to)] <= distance[index(here)]) continue;
          most_[index(link->id)] = std::max(most_[index(link->id)], before[index(here)]);
          before[index(link->to)] =
              std::max(before[index(link->to)], behind(*link, link->to, before[index(here)]));
        }
    }
  }

  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& cube_;
  bool bipartite_;
  std::vector<std::uint8_t> colours_;
  std::vector<unsigned> most_;  ///< by link, unless bipartite
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "NHop (Boppana-Chalasani 1993): fully adaptive minimal on any mesh or torus; VC class = hops taken to "
      "a "
      "lower colour",
      {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       auto algorithm = std::make_shared<const NegativeHop>(topology);
       return std::make_unique<BufferClassRelation>(std::move(topology), std::move(algorithm), kName);
     }}};

}  // namespace
}  // namespace noctule
