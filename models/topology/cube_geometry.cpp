#include "topology/cube_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/globs.h"

namespace noctule {
namespace {

__extension__ using Wide = unsigned __int128;

/// Number of routers of a legal shape; a ConfigError with every fault of an illegal one.
std::size_t checked_size(const std::vector<unsigned>& radix, std::size_t wraps) {
  if (radix.empty() || radix.size() > CubeGeometry::kMaxDimensions)
    throw ConfigError("topology.radix", fmt::format("{} dimensions given; allowed are 1 to {}", radix.size(),
                                                    CubeGeometry::kMaxDimensions));
  std::vector<Diagnostic> faults;
  std::uint64_t routers = 1;
  for (std::size_t d = 0; d < radix.size(); ++d) {
    if (radix[d] < 2 || radix[d] > CubeGeometry::kMaxRadix)
      faults.push_back({"topology.radix",
                        fmt::format("dimension {} has radix {}; allowed are 2 to {}", d, radix[d],
                                    CubeGeometry::kMaxRadix),
                        {}});
    routers = std::min<std::uint64_t>(routers * radix[d], Topology::kMostRouters + 1);
  }
  if (faults.empty() && routers > Topology::kMostRouters)
    faults.push_back({"topology.radix",
                      fmt::format("the radices {} make more than {} routers; reduce a radix or the number of "
                                  "dimensions",
                                  fmt::join(radix, " x "), Topology::kMostRouters),
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

CubeGeometry::CubeGeometry(std::vector<unsigned> radix, std::vector<bool> wrap, Directions directions)
    : radix_(std::move(radix)),
      wrap_(std::move(wrap)),
      directions_(directions),
      size_(checked_size(radix_, wrap_.size())) {
  for (std::size_t d = 0; d < wrap_.size() && !both_ways(); ++d)
    if (!wrap_[d])
      throw ConfigError(
          "topology.directions",
          fmt::format("where links lead one way every dimension has to wrap, and dimension {} does "
                      "not; use topology.kind torus, or directions both",
                      d));
  coordinates_.reserve(size_ * radix_.size() + 1);
  for (std::size_t r = 0; r < size_; ++r) {
    std::size_t rest = r;
    for (const std::size_t k : radix_) {
      coordinates_.push_back(static_cast<std::uint16_t>(rest % k));
      rest /= k;
    }
  }
  coordinates_.push_back(0);  // first_difference reads two at once
}

std::string CubeGeometry::name_of(RouterId router) const {
  std::string name = "router";
  for (unsigned d = 0; d < dimensions(); ++d) name += fmt::format("_{}", coordinate(router, d));
  return name;
}

std::string CubeGeometry::dimension_name(unsigned dimension) {
  return dimension < 3 ? std::string(1, "xyz"[dimension]) : fmt::format("d{}", dimension);
}

std::string CubeGeometry::direction_name(PortId port) {
  return dimension_name(dimension_of(port)) + (is_plus(port) ? "_plus" : "_minus");
}

std::vector<std::string> CubeGeometry::link_groups() const {
  std::vector<std::string> names;
  for (unsigned d = 0; d < dimensions(); ++d) names.push_back(fmt::format("dimension {}", d));
  return names;
}

std::string CubeGeometry::title() const {
  const std::string size = fmt::format("{}", fmt::join(radix_, " x "));
  std::vector<std::string> wrapped;
  for (unsigned d = 0; d < dimensions(); ++d)
    if (wraps(d)) wrapped.push_back(dimension_name(d));
  if (dimensions() == 1) return (wrapped.empty() ? "line of " : "ring of ") + size;
  if (wrapped.empty()) return size + " mesh";
  return wrapped.size() == dimensions()
             ? size + " torus"
             : fmt::format("{} mesh wrapped in {}", size, fmt::join(wrapped, ", "));
}

unsigned CubeGeometry::hops(RouterId from, RouterId to) const {
  unsigned hops = 0;
  for (unsigned d = 0; d < dimensions(); ++d) hops += minimal(d, coordinate(from, d), coordinate(to, d)).hops;
  return hops;
}

RouterId CubeGeometry::router_at(std::span<const unsigned> coordinates) const {
  std::size_t router = 0;
  for (std::size_t d = radix_.size(); d-- > 0;) router = router * radix_[d] + coordinates[d];
  return RouterId(static_cast<std::uint32_t>(router));
}

ClosedForms CubeGeometry::closed_forms(std::size_t terminals_per_router) const {
  ClosedForms closed;
  closed.diameter = 0;
  closed.bisection = std::numeric_limits<unsigned>::max();
  // Sum over ordered pairs of the offsets within one dimension: k (k^2 - 1) / 3 on a line, k floor(k^2 / 4)
  // on a ring, k^2 (k - 1) / 2 on one of one-way links; each pair of coordinates belongs to (N/k)^2 pairs of
  // routers.
  Wide total = 0;
  for (unsigned d = 0; d < dimensions(); ++d) {
    const std::uint64_t k = radix_[d];
    const std::uint64_t offsets = !both_ways() ? k * (k * (k - 1) / 2)
                                  : wrap_[d]   ? k * (k * k / 4)
                                               : k * (k * k - 1) / 3;
    const std::uint64_t rows = size_ / k;
    total += static_cast<Wide>(offsets) * rows * rows;
    closed.diameter = *closed.diameter + reach(d);
    closed.bisection =
        std::min(*closed.bisection, static_cast<unsigned>(rows * (wrap_[d] && both_ways() ? 2 : 1)));
  }
  if (!both_ways()) {  // k (k - 1) / 2 hops of k terminals over the k links of a ring
    const unsigned longest = *std::max_element(radix_.begin(), radix_.end());
    closed.capacity = 2.0 / ((longest - 1) * static_cast<double>(terminals_per_router));
  }
  const std::uint64_t n = size_ * terminals_per_router;
  closed.mean_distance = static_cast<double>(total * terminals_per_router * terminals_per_router) /
                         static_cast<double>(n * (n - 1));
  return closed;
}

namespace {

/// So many at each router that a glob matches. Throws ConfigError of the key where a glob matches none.
void add_terminals(TopologyBuilder& builder, const CubeGeometry& cube, const std::vector<std::string>& globs,
                   unsigned count, const std::string& key) {
  const auto add = [&](std::size_t r) {
    for (unsigned t = 0; t < count; ++t) builder.add_terminal(RouterId(static_cast<std::uint32_t>(r)));
  };
  const auto name_of = [&](std::size_t r) { return cube.name_of(RouterId(static_cast<std::uint32_t>(r))); };
  if (globs.size() == 1 && globs.front() == "*") {
    for (std::size_t r = 0; r < cube.size(); ++r) add(r);
    return;
  }
  if (const auto unmatched = each_match(globs, cube.size(), name_of, add))
    throw ConfigError(key, fmt::format("no router is called '{}'; there are {} to {}", *unmatched, name_of(0),
                                       name_of(cube.size() - 1)));
}

}  // namespace

void fill_cube(TopologyBuilder& builder, CubeShape shape) {
  const auto cube =
      std::make_shared<const CubeGeometry>(std::move(shape.radix), std::move(shape.wrap), shape.directions);
  const unsigned n = cube->dimensions();
  std::vector<std::string> ports;
  for (unsigned p = 0; p < 2 * n; ++p) ports.push_back(CubeGeometry::direction_name(PortId(p)));
  builder.add_routers(cube->size(), ports);
  builder.name_routers([cube](RouterId router) { return cube->name_of(router); });
  // Dimensions 2 and up are tiles side by side, by turns to the right and upwards.
  builder.place_routers([cube](RouterId router) {
    Position at;
    double width = 1;
    double height = 1;
    for (unsigned d = 0; d < cube->dimensions(); ++d) {
      double& along = d % 2 == 0 ? at.x : at.y;
      double& size = d % 2 == 0 ? width : height;
      along += size * cube->coordinate(router, d);
      size = size * cube->radix(d) + 1;
    }
    return at;
  });
  if (n > 2)
    builder.divide_picture([cube](RouterId router) {
      std::string name;
      for (unsigned d = 2; d < cube->dimensions(); ++d)
        name += fmt::format("{}{} = {}", d > 2 ? ", " : "", CubeGeometry::dimension_name(d),
                            cube->coordinate(router, d));
      return name;
    });
  for (std::uint32_t r = 0; r < cube->size(); ++r) {
    const RouterId router{r};
    std::uint32_t stride = 1;
    for (unsigned d = 0; d < n; ++d) {
      const std::uint32_t k = cube->radix(d);
      const std::uint32_t at = cube->coordinate(router, d);
      const auto connect = [&](PortId port, std::uint32_t to) {
        const auto kind = cube->is_wrap(router, port) ? LinkKind::kWrap : LinkKind::kPlain;
        builder.connect(router, port, RouterId{to}, port, kind);
      };
      const auto directions = cube->directions();
      if (directions != CubeGeometry::Directions::kMinus && (at + 1 < k || cube->wraps(d)))
        connect(CubeGeometry::plus(d), at + 1 < k ? r + stride : r - at * stride);
      if (directions != CubeGeometry::Directions::kPlus && (at > 0 || cube->wraps(d)))
        connect(CubeGeometry::minus(d), at > 0 ? r - stride : r + (k - 1) * stride);
      stride *= k;
    }
  }
  add_terminals(builder, *cube, shape.terminals_at, shape.terminals_per_router, "topology.terminals_at");
  for (std::size_t n = 0; n < shape.more.size(); ++n)
    add_terminals(builder, *cube, shape.more[n].routers, shape.more[n].count,
                  fmt::format("topology.more_terminals[{}].routers", n));
  ClosedForms closed;
  if (shape.more.empty() && builder.terminals() == cube->size() * shape.terminals_per_router)
    closed = cube->closed_forms(shape.terminals_per_router);
  closed.distance = [cube](RouterId from, RouterId to) { return cube->hops(from, to); };
  builder.know(std::move(closed));
  builder.add_geometry(cube);
}

Topology make_cube(std::vector<unsigned> radix, std::vector<bool> wrap, unsigned terminals_per_router) {
  TopologyBuilder builder;
  fill_cube(builder,
            {std::move(radix), std::move(wrap), CubeGeometry::Directions::kBoth, terminals_per_router});
  return std::move(builder).build();
}

}  // namespace noctule
