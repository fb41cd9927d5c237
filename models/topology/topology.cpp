#include "topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "topology/bisection.h"
#include "topology/distances.h"

namespace noctule {

const char* to_string(LinkKind kind) {
  switch (kind) {
    case LinkKind::kWrap:
      return "wrap";
    case LinkKind::kUp:
      return "up";
    case LinkKind::kDown:
      return "down";
    case LinkKind::kPlain:
      break;
  }
  return "plain";
}

std::string Topology::link_name(const Link& link) const {
  return router_name(link.from) + "." + port_name(link.from, link.out);
}

const Link* Topology::link_between(RouterId from, RouterId to) const {
  for (std::size_t p = 0; p < ports(from); ++p)
    if (const Link* link = outgoing(from, PortId(p)); link != nullptr && link->to == to) return link;
  return nullptr;
}

std::vector<bool> Topology::injects() const {
  std::vector<bool> flags(routers());
  for (const auto* list : {&attachments_, &further_})
    for (const auto& at : *list) flags[index(at.injection)] = true;
  return flags;
}

std::vector<bool> Topology::consumes() const {
  std::vector<bool> flags(routers());
  for (const auto* list : {&attachments_, &further_})
    for (const auto& at : *list) flags[index(at.consumption)] = true;
  return flags;
}

unsigned Topology::distance(RouterId from, RouterId to) const {
  if (closed_.distance) return closed_.distance(from, to);
  const std::lock_guard lock(computed_->mutex);
  auto& rows = computed_->to;
  if (rows.empty()) rows.resize(routers());
  auto& row = rows[index(to)];
  if (!row) {
    row = std::make_unique<const std::vector<std::uint16_t>>(distances_to(*this, to));
  }
  const auto hops = (*row)[index(from)];
  return hops == kNoDistance ? kUnreachable : hops;
}

std::vector<unsigned> Topology::distances(std::span<const std::pair<RouterId, RouterId>> pairs) const {
  std::vector<unsigned> hops(pairs.size(), kUnreachable);
  if (closed_.distance) {
    std::ranges::transform(pairs, hops.begin(),
                           [&](const auto& pair) { return distance(pair.first, pair.second); });
    return hops;
  }
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t n) { return pairs[n].second; });
  struct Wanted {
    RouterId from;
    std::uint64_t to;  ///< the bit of the destination
    std::size_t pair;
  };
  constexpr std::size_t kAtOnce = 64;
  ManyDistances search(*this);
  std::vector<std::uint64_t> wanted_of(routers());  // destinations
  for (std::size_t next = 0; next < order.size();) {
    std::vector<RouterId> some;
    std::vector<Wanted> wanted;
    for (; next < order.size(); ++next) {
      const auto [from, to] = pairs[order[next]];
      if (some.empty() || some.back() != to) {
        if (some.size() == kAtOnce) break;
        some.push_back(to);
      }
      wanted.push_back({from, std::uint64_t{1} << (some.size() - 1), order[next]});
      wanted_of[index(from)] |= wanted.back().to;
    }
    std::ranges::sort(wanted, {}, &Wanted::from);
    for (search.start(some); !search.reached().empty(); search.advance())
      for (const RouterId from : search.reached()) {
        const std::uint64_t found = search.mask(from) & wanted_of[index(from)];
        if (found == 0) continue;
        for (auto w = std::ranges::lower_bound(wanted, from, {}, &Wanted::from);
             w != wanted.end() && w->from == from; ++w)
          if ((found & w->to) != 0) hops[w->pair] = search.hops();
      }
    for (const Wanted& w : wanted) wanted_of[index(w.from)] = 0;
  }
  return hops;
}

/// From the routers where terminals inject to those where they consume. Pairs without a path do not count:
/// no relation serves them.
void Topology::survey(Computed& computed) const {
  if (computed.surveyed) return;
  std::vector<std::uint64_t> injecting(routers());  // terminals
  std::vector<std::uint64_t> consuming(routers());
  std::vector<std::uint64_t> own(routers());  // from a terminal to itself
  std::map<std::pair<RouterId, RouterId>, std::uint64_t> own_apart;
  for (const auto& at : attachments_) {
    ++injecting[index(at.injection)];
    ++consuming[index(at.consumption)];
    ++(at.injection == at.consumption ? own[index(at.injection)] : own_apart[{at.injection, at.consumption}]);
  }
  std::vector<RouterId> destinations;
  for (std::uint32_t to = 0; to < routers(); ++to)
    if (consuming[to] > 0) destinations.push_back(RouterId{to});
  std::uint64_t total = 0;
  std::uint64_t pairs = 0;
  unsigned longest = 0;
  for_each_distance(*this, destinations, [&](RouterId from, RouterId to, unsigned hops) {
    if (injecting[index(from)] == 0) return;
    longest = std::max(longest, hops);
    std::uint64_t several = injecting[index(from)] * consuming[index(to)];
    if (from == to) {
      several -= own[index(from)];
    } else if (!own_apart.empty()) {
      const auto same = own_apart.find({from, to});
      if (same != own_apart.end()) several -= same->second;
    }
    pairs += several;
    total += several * hops;
  });
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

double Topology::mean_hops() const {
  const auto n = static_cast<double>(terminals());
  std::vector<std::pair<RouterId, RouterId>> apart;  // where a terminal injects, and where it consumes
  for (std::uint32_t t = 0; t < terminals(); ++t)
    if (const auto from = injection_router(TerminalId{t}), to = consumption_router(TerminalId{t}); from != to)
      apart.emplace_back(from, to);
  double to_itself = 0;
  for (const unsigned hops : distances(apart)) to_itself += hops == kUnreachable ? 0 : hops;
  return mean_distance() * (n - 1) / n + to_itself / (n * n);
}

unsigned Topology::bisection() const {
  return closed_.bisection ? *closed_.bisection : found_bisection().links;
}

const Bisection& Topology::found_bisection() const {
  const std::lock_guard lock(computed_->mutex);
  if (!computed_->bisection) computed_->bisection = find_bisection(*this);
  return *computed_->bisection;
}

double Topology::capacity() const {
  if (closed_.capacity) return *closed_.capacity;
  const auto n = static_cast<double>(terminals());
  if (bisection_limits()) return 4.0 * static_cast<double>(bisection()) / n;
  const double hops = mean_hops();
  if (hops <= 0) return 1;
  return std::min(found_bisection().capacity, static_cast<double>(links_.size()) / (n * hops));
}

std::string Topology::title() const {
  for (const auto& geometry : geometries_)
    if (auto name = geometry->title(); !name.empty()) return name;
  return fmt::format("network of {} routers", routers());
}

const Link* Topology::back(const Link& link) const {
  const Link* found = nullptr;
  // Where two links run back (a wrapped dimension of radix 2), the one of the opposite direction.
  const auto better = [&](const Link& other) {
    return found == nullptr || found->out == link.out || (other.out != link.out && other.out < found->out);
  };
  const bool few = ports(link.from) < ports(link.to);  // then they are looked through
  for (std::size_t p = 0; p < ports(few ? link.from : link.to); ++p) {
    const Link* const other = few ? incoming(link.from, PortId(p)) : outgoing(link.to, PortId(p));
    if (other != nullptr && other->from == link.to && other->to == link.from && better(*other)) found = other;
  }
  return found;
}

}  // namespace noctule
