// The k-ary n-cube under the names by which its members are known.

#include <algorithm>

#include "core/json.h"
#include "topology/network_size.h"
#include "topology/topology.h"

namespace noctule {
namespace {

Parameter radix_parameter() {
  return Parameter::list(
      "radix", Json::array({8, 8}),
      Parameter::integer("radix", nullptr, 2, KAryNCube::kMaxRadix, "routers", "routers in a row"), 1,
      KAryNCube::kMaxDimensions, "routers along each dimension, x first; at most 2^24 in all");
}

std::vector<unsigned> radices(const Parameters& keys) {
  std::vector<unsigned> radix;
  for (const auto k : keys.get<std::vector<std::int64_t>>("radix")) {
    if (k < 2 || k > KAryNCube::kMaxRadix)
      throw ConfigError("topology.radix", "dimension " + std::to_string(radix.size()) + " has radix " +
                                              std::to_string(k) + "; allowed are 2 to " +
                                              std::to_string(KAryNCube::kMaxRadix));
    radix.push_back(static_cast<unsigned>(k));
  }
  return radix;
}

std::unique_ptr<Topology> uniform_wrap(std::vector<unsigned> radix, bool wrap) {
  std::vector<bool> wraps(radix.size(), wrap);
  return std::make_unique<KAryNCube>(std::move(radix), std::move(wraps));
}

const Registration<TopologyRegistry> kMesh{
    {{"mesh", "n-dimensional mesh: rows of routers without wrap links", {radix_parameter()}},
     [](const Parameters& keys) { return uniform_wrap(radices(keys), false); }}};

const Registration<TopologyRegistry> kTorus{
    {{"torus", "n-dimensional torus: every row of routers is closed to a ring", {radix_parameter()}},
     [](const Parameters& keys) { return uniform_wrap(radices(keys), true); }}};

const Registration<TopologyRegistry> kRing{
    {{"ring",
      "bidirectional ring",
      {Parameter::integer("nodes", 8, 2, KAryNCube::kMaxRadix, "routers", "routers around the ring")}},
     [](const Parameters& keys) {
       const auto nodes = keys.get<std::int64_t>("nodes");
       if (nodes < 2 || nodes > KAryNCube::kMaxRadix)
         throw ConfigError("topology.nodes", "a ring of " + std::to_string(nodes) +
                                                 " routers was asked for; allowed are 2 to " +
                                                 std::to_string(KAryNCube::kMaxRadix));
       return uniform_wrap({static_cast<unsigned>(nodes)}, true);
     }}};

const Registration<TopologyRegistry> kHypercube{
    {{"hypercube",
      "binary hypercube: one link each way between routers whose numbers differ in one bit",
      {Parameter::integer("dimensions", 6, 1, KAryNCube::kMaxDimensions, "",
                          "binary dimensions; 2^dimensions routers")}},
     [](const Parameters& keys) {
       const auto dimensions = keys.get<std::int64_t>("dimensions");
       if (dimensions < 1 || dimensions > KAryNCube::kMaxDimensions)
         throw ConfigError("topology.dimensions", "a hypercube of " + std::to_string(dimensions) +
                                                      " dimensions was asked for; allowed are 1 to " +
                                                      std::to_string(KAryNCube::kMaxDimensions));
       return uniform_wrap(std::vector<unsigned>(static_cast<std::size_t>(dimensions), 2), false);
     }}};

const Registration<TopologyRegistry> kCube{
    {{"k_ary_n_cube",
      "any radix and any wrap in each dimension",
      {radix_parameter(),
       Parameter::list("wrap", Json::array({true}),
                       Parameter::boolean("wrap", true, "wrap links close the rows of this dimension"), 1,
                       KAryNCube::kMaxDimensions,
                       "wrap links in each dimension, x first; a single entry holds for all dimensions")}},
     [](const Parameters& keys) -> std::unique_ptr<Topology> {
       auto radix = radices(keys);
       auto wrap = keys.get<std::vector<bool>>("wrap");
       if (wrap.size() == 1) wrap.assign(radix.size(), wrap.front());
       return std::make_unique<KAryNCube>(std::move(radix), std::move(wrap));
     }}};

}  // namespace

std::optional<NetworkSize> size_of_cube(const std::string& kind, const Parameters& keys) {
  std::vector<double> radix;
  bool wraps = kind == "torus" || kind == "ring";
  if (kind == "ring")
    radix.push_back(keys.get<double>("nodes"));
  else if (kind == "hypercube")
    radix.assign(keys.get<std::size_t>("dimensions"), 2);
  else if (kind == "mesh" || kind == "torus" || kind == "k_ary_n_cube")
    radix = keys.get<std::vector<double>>("radix");
  else
    return std::nullopt;
  if (kind == "k_ary_n_cube") {
    const auto wrap = keys.get<std::vector<bool>>("wrap");
    wraps = std::find(wrap.begin(), wrap.end(), false) == wrap.end();
  }
  NetworkSize size{1, 0};
  for (const double k : radix) size.routers *= k;
  for (const double k : radix) size.links += 2 * (wraps ? size.routers : size.routers - size.routers / k);
  return size;
}

}  // namespace noctule
