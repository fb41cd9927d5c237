#include "routing/buffer_class.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace noctule {

template <class F>
void BufferClassRelation::each_link_closer(RouterId here, RouterId destination, F&& f) const {
  if (cube_ != nullptr) {
    for (unsigned d = 0; d < cube_->dimensions(); ++d) {
      const auto way = cube_->minimal(d, cube_->coordinate(here, d), cube_->coordinate(destination, d));
      if (way.plus) f(*topology_->outgoing(here, CubeGeometry::plus(d)));
      if (way.minus) f(*topology_->outgoing(here, CubeGeometry::minus(d)));
    }
    return;
  }
  const unsigned distance = topology_->distance(here, destination);
  for (std::size_t p = 0; p < topology_->ports(here); ++p) {
    const Link* link = topology_->outgoing(here, PortId(static_cast<std::uint16_t>(p)));
    if (link != nullptr && topology_->distance(link->to, destination) < distance) f(*link);
  }
}

BufferClassRelation::BufferClassRelation(std::shared_ptr<const Topology> topology,
                                         std::shared_ptr<const BufferClasses> algorithm, std::string name)
    : topology_(std::move(topology)),
      cube_(topology_->geometry<CubeGeometry>()),
      algorithm_(std::move(algorithm)),
      name_(std::move(name)),
      used_(topology_->links().size()),
      classes_(topology_->directions().size()) {
  if (!take_what_is_known()) follow_packets();
  VcField field{"class", {}};
  for (unsigned c = 0; c < most_classes_; ++c) field.values.push_back(std::to_string(c));
  fields_.push_back(std::move(field));
}

bool BufferClassRelation::take_what_is_known() {
  for (const Link& link : topology_->links()) {
    const auto highest = algorithm_->highest_on(link);
    if (!highest) return false;
    for (unsigned b = 0; b <= *highest; ++b) use(link, b);
  }
  return true;
}

void BufferClassRelation::use(const Link& link, unsigned buffer_class) {
  if (buffer_class >= kMostClasses)
    throw ConfigError("routing.algorithm",
                      name_ + " needs more than " + std::to_string(kMostClasses) +
                          " VC classes here, the most that are supported; take a smaller network, or "
                          "another algorithm");
  used_[index(link.id)].set(buffer_class);
  auto& classes = classes_[topology_->direction(link.from, link.out)];
  classes = std::max(classes, buffer_class + 1);
  most_classes_ = std::max(most_classes_, classes);
}

void BufferClassRelation::follow_packets() {
  used_.assign(used_.size(), {});
  classes_.assign(classes_.size(), 0);
  most_classes_ = 1;
  const auto starts = topology_->injects();
  const auto ends = topology_->consumes();

  using Buffer = std::pair<RouterId, unsigned>;  // and its class
  std::vector<Buffer> todo;
  for (std::uint32_t to = 0; to < ends.size(); ++to) {
    if (!ends[to]) continue;
    const RouterId destination{to};
    std::vector<std::bitset<kMostClasses>> seen(ends.size());
    for (std::uint32_t s = 0; s < ends.size(); ++s)
      if (starts[s] && s != to)
        todo.push_back({RouterId{s}, algorithm_->at_source(RouterId{s}, destination)});
    while (!todo.empty()) {
      const auto [here, b] = todo.back();
      todo.pop_back();
      if (b < kMostClasses && seen[index(here)].test(b)) continue;
      bool leaves = false;
      each_link_closer(here, destination, [&, here = here, b = b](const Link& link) {
        if (!algorithm_->may_take(link, destination, b)) {
          fully_adaptive_ = false;
          return;
        }
        leaves = true;
        use(link, b);
        if (link.to == destination) return;
        const unsigned behind = algorithm_->behind(link, destination, b);
        if (behind < b || (behind == b && algorithm_->label(link.to) <= algorithm_->label(here)))
          ranks_rise_ = false;
        todo.push_back({link.to, behind});
      });
      if (!leaves)
        throw ConfigError("routing.algorithm",
                          name_ + " leaves a packet in a buffer of class " + std::to_string(b) + " at " +
                              topology_->router_name(here) + " no link to " +
                              topology_->router_name(destination) +
                              "; let BufferClasses::may_take allow one of those that lead closer");
      seen[index(here)].set(b);
    }
  }
}

void BufferClassRelation::candidates(RouterId here, RouterId destination, RouteState state,
                                     CandidateList& list) const {
  const auto b = static_cast<unsigned>(state);
  each_link_closer(here, destination, [&](const Link& link) {
    if (fully_adaptive_ || algorithm_->may_take(link, destination, b))
      list.add(link.out, VcClass(static_cast<std::uint16_t>(b)));
  });
}

RouteState BufferClassRelation::next_state(RouterId here, RouterId destination, RouteState state,
                                           Candidate taken) const {
  const Link& link = *topology_->outgoing(here, taken.port);
  return link.to == destination ? state : algorithm_->behind(link, destination, static_cast<unsigned>(state));
}

unsigned BufferClassRelation::header_bits() const {
  return static_cast<unsigned>(std::bit_width(most_classes_ - 1));
}

unsigned most_hops_before(const CubeGeometry& cube, const Link& link) {
  unsigned sum = 0;
  for (unsigned d = 0; d < cube.dimensions(); ++d) {
    const unsigned k = cube.radix(d);
    const unsigned at = cube.coordinate(link.from, d);
    const bool moves = d == CubeGeometry::dimension_of(link.out);
    if (cube.wraps(d))
      sum += moves ? cube.reach(d) - 1 : cube.reach(d);
    else if (moves)
      sum += CubeGeometry::is_plus(link.out) ? at : k - 1 - at;
    else
      sum += std::max(at, k - 1 - at);
  }
  return sum;
}

}  // namespace noctule
