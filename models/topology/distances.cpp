#include "topology/distances.h"

#include <algorithm>

namespace noctule {

std::vector<std::uint16_t> distances_to(const Topology& topology, RouterId destination) {
  std::vector<std::uint16_t> hops(topology.routers(), kNoDistance);
  std::vector<RouterId> reached{destination};
  hops[index(destination)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const RouterId here = reached[next];
    const auto behind = static_cast<std::uint16_t>(hops[index(here)] + 1);
    for (std::size_t p = 0; p < topology.ports(here); ++p) {
      const Link* link = topology.incoming(here, PortId(p));
      if (link == nullptr || hops[index(link->from)] != kNoDistance || behind == kNoDistance) continue;
      hops[index(link->from)] = behind;
      reached.push_back(link->from);
    }
  }
  return hops;
}

ManyDistances::ManyDistances(const Topology& topology)
    : first_(topology.routers() + 1), now_(topology.routers()), next_(topology.routers()) {
  for (const Link& link : topology.links()) ++first_[index(link.to) + 1];
  for (std::size_t r = 0; r < topology.routers(); ++r) first_[r + 1] += first_[r];
  behind_.resize(topology.links().size());
  auto place = first_;
  for (const Link& link : topology.links()) behind_[place[index(link.to)]++] = link.from;
}

void ManyDistances::start(std::span<const RouterId> destinations) {
  hops_ = 0;
  seen_.assign(now_.size(), 0);
  std::fill(now_.begin(), now_.end(), 0);
  reached_.clear();
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const auto d = index(destinations[i]);
    if (now_[d] == 0) reached_.push_back(destinations[i]);
    now_[d] |= std::uint64_t{1} << i;
    seen_[d] = now_[d];
  }
}

void ManyDistances::advance() {
  std::vector<RouterId> farther;
  for (const RouterId here : reached_)
    for (std::size_t i = first_[index(here)]; i < first_[index(here) + 1]; ++i) {
      const auto from = index(behind_[i]);
      const std::uint64_t fresh = now_[index(here)] & ~seen_[from];
      if (fresh == 0) continue;
      if (next_[from] == 0) farther.push_back(behind_[i]);
      next_[from] |= fresh;
    }
  for (const RouterId router : reached_) now_[index(router)] = 0;
  for (const RouterId router : farther) {
    seen_[index(router)] |= next_[index(router)];
    std::swap(now_[index(router)], next_[index(router)]);
  }
  reached_ = std::move(farther);
  ++hops_;
}

}  // namespace noctule
