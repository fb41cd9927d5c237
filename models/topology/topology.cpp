#include "topology/topology.h"

#include <algorithm>
#include <limits>

#include "topology/bisection.h"

namespace noctule {
namespace {

constexpr std::uint16_t kNoPath = std::numeric_limits<std::uint16_t>::max();

}  // namespace

std::string Topology::link_name(const Link& link) const {
  return router_name(link.from) + "." + port_name(link.from, link.out);
}

/// Breadth first against the direction of the links. Paths of 65,535 hops and more count as none.
void Topology::distances_to(RouterId destination, std::vector<std::uint16_t>& hops) const {
  hops.assign(routers(), kNoPath);
  std::vector<RouterId> reached{destination};
  hops[index(destination)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const RouterId here = reached[next];
    const auto behind = static_cast<std::uint16_t>(hops[index(here)] + 1);
    for (std::size_t p = 0; p < ports(here); ++p) {
      const Link* link = incoming(here, PortId(p));
      if (link == nullptr || hops[index(link->from)] != kNoPath || behind == kNoPath) continue;
      hops[index(link->from)] = behind;
      reached.push_back(link->from);
    }
  }
}

unsigned Topology::distance(RouterId from, RouterId to) const {
  if (closed_.distance) return closed_.distance(from, to);
  const std::lock_guard lock(computed_->mutex);
  auto& rows = computed_->to;
  if (rows.empty()) rows.resize(routers());
  auto& row = rows[index(to)];
  if (!row) {
    auto hops = std::make_unique<std::vector<std::uint16_t>>();
    distances_to(to, *hops);
    row = std::move(hops);
  }
  const auto hops = (*row)[index(from)];
  return hops == kNoPath ? kUnreachable : hops;
}

/// From the routers where terminals inject to those where they consume. Pairs without a path do not count:
/// no relation serves them.
void Topology::survey(Computed& computed) const {
  if (computed.surveyed) return;
  std::vector<std::uint32_t> injecting(routers());
  std::vector<std::vector<RouterId>> consuming(routers());  // where these terminals inject
  for (const auto& at : attachments_) {
    ++injecting[index(at.injection)];
    consuming[index(at.consumption)].push_back(at.injection);
  }
  std::uint64_t total = 0;
  std::uint64_t pairs = 0;
  unsigned longest = 0;
  std::vector<std::uint16_t> hops;
  for (std::uint32_t to = 0; to < routers(); ++to) {
    if (consuming[to].empty()) continue;
    distances_to(RouterId{to}, hops);
    for (std::uint32_t from = 0; from < routers(); ++from) {
      if (injecting[from] == 0 || hops[from] == kNoPath) continue;
      longest = std::max<unsigned>(longest, hops[from]);
      const std::uint64_t several = injecting[from] * consuming[to].size();
      pairs += several;
      total += several * hops[from];
    }
    for (const RouterId from : consuming[to]) {  // a terminal to itself
      if (hops[index(from)] == kNoPath) continue;
      --pairs;
      total -= hops[index(from)];
    }
  }
  computed.surveyed = true;
  computed.diameter = longest;
  computed.mean_distance = pairs == 0 ? 0 : static_cast<double>(total) / static_cast<double>(pairs);
}

unsigned Topology::diameter() const {
  if (closed_.diameter) return *closed_.diameter;
  const std::lock_guard lock(computed_->mutex);
  survey(*computed_);
  return computed_->diameter;
}

double Topology::mean_distance() const {
  if (closed_.mean_distance) return *closed_.mean_distance;
  const std::lock_guard lock(computed_->mutex);
  survey(*computed_);
  return computed_->mean_distance;
}

unsigned Topology::bisection() const {
  if (closed_.bisection) return *closed_.bisection;
  const std::lock_guard lock(computed_->mutex);
  if (!computed_->bisection) computed_->bisection = find_bisection(*this);
  return *computed_->bisection;
}

double Topology::capacity() const {
  if (closed_.capacity) return *closed_.capacity;
  const auto n = static_cast<double>(terminals());
  const double bisected = 4.0 * static_cast<double>(bisection()) / n;
  if (bisection_limits() || mean_distance() <= 0) return bisected;
  return std::min(bisected, static_cast<double>(links_.size()) / (n * mean_distance()));
}

}  // namespace noctule
