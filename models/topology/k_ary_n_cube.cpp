#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "topology/topology.h"

namespace noctule {
namespace {

constexpr std::uint64_t kMaxRouters = std::uint64_t{1} << 24;
__extension__ using Wide = unsigned __int128;

/// Number of routers of a legal shape; a ConfigError with every fault of an illegal one.
std::size_t checked_size(const std::vector<unsigned>& radix, std::size_t wraps) {
  if (radix.empty() || radix.size() > KAryNCube::kMaxDimensions)
    throw ConfigError("topology.radix", fmt::format("{} dimensions given; allowed are 1 to {}", radix.size(),
                                                    KAryNCube::kMaxDimensions));
  std::vector<Diagnostic> faults;
  std::uint64_t routers = 1;
  for (std::size_t d = 0; d < radix.size(); ++d) {
    if (radix[d] < 2 || radix[d] > KAryNCube::kMaxRadix)
      faults.push_back(
          {"topology.radix",
           fmt::format("dimension {} has radix {}; allowed are 2 to {}", d, radix[d], KAryNCube::kMaxRadix),
           {}});
    routers = std::min(routers * radix[d], kMaxRouters + 1);
  }
  if (faults.empty() && routers > kMaxRouters)
    faults.push_back({"topology.radix",
                      fmt::format("the radices {} make more than {} routers; reduce a radix or the number of "
                                  "dimensions",
                                  fmt::join(radix, " x "), kMaxRouters),
                      {}});
  if (wraps != radix.size())
    faults.push_back(
        {"topology.wrap",
         fmt::format("{} entries for {} dimensions; give one for each dimension", wraps, radix.size()),
         {}});
  if (!faults.empty()) throw ConfigError(std::move(faults));
  return routers;
}

}  // namespace

KAryNCube::KAryNCube(std::vector<unsigned> radix, std::vector<bool> wrap)
    : radix_(std::move(radix)), wrap_(std::move(wrap)), routers_(checked_size(radix_, wrap_.size())) {
  const std::size_t n = radix_.size();
  coordinates_.resize(routers_ * n);
  out_.assign(routers_ * ports(), kNone);
  in_.assign(routers_ * ports(), kNone);
  std::size_t links = 0;
  for (std::size_t d = 0; d < n; ++d) links += 2 * (routers_ - (wrap_[d] ? 0 : routers_ / radix_[d]));
  links_.reserve(links);

  for (std::size_t r = 0; r < routers_; ++r) {
    std::size_t rest = r;
    std::size_t stride = 1;
    for (std::size_t d = 0; d < n; ++d) {
      const std::size_t k = radix_[d];
      const std::size_t at = rest % k;
      rest /= k;
      coordinates_[r * n + d] = static_cast<std::uint16_t>(at);
      const auto connect = [&](PortId port, std::size_t to) {
        const auto id = static_cast<std::uint32_t>(links_.size());
        links_.push_back({LinkId{id}, RouterId(static_cast<std::uint32_t>(r)), port,
                          RouterId(static_cast<std::uint32_t>(to)), port});
        out_[r * ports() + index(port)] = id;
        in_[to * ports() + index(port)] = id;
      };
      if (at + 1 < k || wrap_[d]) connect(plus(d), at + 1 < k ? r + stride : r - at * stride);
      if (at > 0 || wrap_[d]) connect(minus(d), at > 0 ? r - stride : r + (k - 1) * stride);
      stride *= k;
    }
  }
}

std::string KAryNCube::router_name(RouterId router) const {
  std::string name = "router";
  for (unsigned d = 0; d < dimensions(); ++d) name += fmt::format("_{}", coordinate(router, d));
  return name;
}

std::string KAryNCube::port_name(PortId port) const {
  const unsigned d = dimension_of(port);
  const std::string axis = d < 3 ? std::string(1, "xyz"[d]) : fmt::format("d{}", d);
  return axis + (is_plus(port) ? "_plus" : "_minus");
}

unsigned KAryNCube::distance(RouterId from, RouterId to) const {
  unsigned hops = 0;
  for (unsigned d = 0; d < dimensions(); ++d) hops += minimal(d, coordinate(from, d), coordinate(to, d)).hops;
  return hops;
}

unsigned KAryNCube::diameter() const {
  unsigned hops = 0;
  for (unsigned d = 0; d < dimensions(); ++d) hops += wrap_[d] ? radix_[d] / 2 : radix_[d] - 1;
  return hops;
}

double KAryNCube::mean_distance() const {
  // Sum over ordered pairs of the offsets within one dimension: k (k^2 - 1) / 3 on a line, k floor(k^2 / 4)
  // on a ring; each pair of coordinates belongs to (N/k)^2 pairs of routers.
  Wide total = 0;
  for (unsigned d = 0; d < dimensions(); ++d) {
    const std::uint64_t k = radix_[d];
    const std::uint64_t offsets = wrap_[d] ? k * (k * k / 4) : k * (k * k - 1) / 3;
    const std::uint64_t rows = routers_ / k;
    total += static_cast<Wide>(offsets) * rows * rows;
  }
  const auto n = static_cast<std::uint64_t>(routers_);
  return static_cast<double>(total) / static_cast<double>(n * (n - 1));
}

unsigned KAryNCube::bisection() const {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (unsigned d = 0; d < dimensions(); ++d)
    fewest = std::min(fewest, routers_ / radix_[d] * (wrap_[d] ? 2 : 1));
  return static_cast<unsigned>(fewest);
}

double KAryNCube::capacity() const {
  return 4.0 * static_cast<double>(bisection()) / static_cast<double>(routers_);
}

RouterId KAryNCube::router_at(std::span<const unsigned> coordinates) const {
  std::size_t router = 0;
  for (std::size_t d = radix_.size(); d-- > 0;) router = router * radix_[d] + coordinates[d];
  return RouterId(static_cast<std::uint32_t>(router));
}

}  // namespace noctule
