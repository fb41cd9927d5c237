// The k-ary n-cube under the names by which its members are known.

#include <fmt/format.h>

#include "core/globs.h"
#include "core/json.h"
#include "topology/cube_geometry.h"

namespace noctule {
namespace {

Parameter radix_parameter() {
  return Parameter::list(
      "radix", Json::array({8, 8}),
      Parameter::integer("radix", nullptr, 2, CubeGeometry::kMaxRadix, "routers", "routers in a row"), 1,
      CubeGeometry::kMaxDimensions, "routers along each dimension, x first; at most 2^24 in all");
}

std::vector<unsigned> radices(const Parameters& keys) {
  std::vector<unsigned> radix;
  for (const auto k : keys.get<std::vector<std::int64_t>>("radix")) {
    if (k < 2 || k > CubeGeometry::kMaxRadix)
      throw ConfigError("topology.radix", "dimension " + std::to_string(radix.size()) + " has radix " +
                                              std::to_string(k) + "; allowed are 2 to " +
                                              std::to_string(CubeGeometry::kMaxRadix));
    radix.push_back(static_cast<unsigned>(k));
  }
  return radix;
}

NetworkSize size_of(const std::vector<double>& radix, const std::vector<bool>& wrap) {
  NetworkSize size{1, 0};
  for (const double k : radix) size.routers *= k;
  for (std::size_t d = 0; d < radix.size(); ++d)
    size.links += 2 * (wrap[d] ? size.routers : size.routers - size.routers / radix[d]);
  return size;
}

constexpr unsigned kMostPerRouter = 64;

/// The keys of a kind, and those that all of them have.
std::vector<Parameter> keys_of(std::vector<Parameter> own) {
  own.push_back(Parameter::integer("terminals_per_router", 1, 1, kMostPerRouter, "terminals",
                                   "terminals at each router that has some (concentration)"));
  own.push_back(
      Parameter::text("terminals_at", "*",
                      std::string("glob of names of routers, or several: those that have terminals, as "
                                  "'router_*_0' for one edge of a mesh, 'router_[05]_*' for both "
                                  "edges of one with 6 columns; ") +
                          kGlobGrammar)
          .or_several());
  own.push_back(Parameter::list(
      "more_terminals", nullptr,
      Parameter::section("more_terminals_entry",
                         {Parameter::text("routers", nullptr, "glob of names of routers, or several")
                              .or_several()
                              .mandatory(),
                          Parameter::integer("count", 1, 1, kMostPerRouter, "terminals",
                                             "terminals at each of these routers")},
                         "some routers"),
      1, 1000,
      "terminals beside those, with the numbers behind theirs, as [{routers: 'router_[05]_*'}] for memory "
      "controllers at two edges"));
  return own;
}

const std::vector<std::string>& direction_choices() {
  static const std::vector<std::string> names{"both", "plus", "minus"};
  return names;
}
Parameter directions_parameter() {
  return Parameter::choice("directions", "both", direction_choices(),
                           "links between neighbours: both ways, or one way around every ring");
}
/// Kinds without that key have links both ways.
CubeGeometry::Directions directions_of(const Parameters& keys) {
  if (!keys.has("directions")) return CubeGeometry::Directions::kBoth;
  return static_cast<CubeGeometry::Directions>(
      choice_index(keys, "directions", direction_choices(), "topology"));
}

/// A text, or several.
std::vector<std::string> texts(const Json& given) {
  return given.is_array() ? given.get<std::vector<std::string>>()
                          : std::vector<std::string>{given.get<std::string>()};
}
std::vector<CubeShape::More> more_of(const Parameters& keys) {
  std::vector<CubeShape::More> all;
  if (keys.has("more_terminals"))
    for (const Json& entry : keys.json().at("more_terminals"))
      all.push_back({texts(entry.at("routers")), entry.at("count").get<unsigned>()});
  return all;
}

void fill(const Parameters& keys, TopologyBuilder& builder, std::vector<unsigned> radix,
          std::vector<bool> wrap) {
  fill_cube(builder, {std::move(radix), std::move(wrap), directions_of(keys),
                      keys.get<unsigned>("terminals_per_router"), texts(keys.json().at("terminals_at")),
                      more_of(keys)});
}

/// A kind whose keys give the radices, and whose dimensions wrap alike.
TopologyKind uniform(std::vector<unsigned> (*radices_of)(const Parameters&),
                     std::vector<double> (*sizes_of)(const Parameters&), bool wrap) {
  return {[=](const Parameters& keys, TopologyBuilder& builder) {
            auto radix = radices_of(keys);
            std::vector<bool> wraps(radix.size(), wrap);
            fill(keys, builder, std::move(radix), std::move(wraps));
          },
          [=](const Parameters& keys) {
            const auto radix = sizes_of(keys);
            NetworkSize size = size_of(radix, std::vector<bool>(radix.size(), wrap));
            if (directions_of(keys) != CubeGeometry::Directions::kBoth) size.links /= 2;
            return size;
          }};
}

std::vector<double> sizes(const Parameters& keys) {
  return keys.get<std::vector<double>>("radix");
}

/// One entry for each dimension.
std::vector<bool> wraps(const Parameters& keys, std::size_t dimensions) {
  auto wrap = keys.get<std::vector<bool>>("wrap");
  if (wrap.size() == 1) wrap.assign(dimensions, wrap.front());
  return wrap;
}

const Registration<TopologyRegistry> kMesh{
    {{"mesh", "n-dimensional mesh: rows of routers without wrap links", keys_of({radix_parameter()})},
     uniform(radices, sizes, false)}};

const Registration<TopologyRegistry> kTorus{
    {{"torus", "n-dimensional torus: every row of routers is closed to a ring",
      keys_of({radix_parameter(), directions_parameter()})},
     uniform(radices, sizes, true)}};

/// A key that says how many; `what` is missing a number: "a ring of {} routers".
unsigned number(const Parameters& keys, const char* key, const char* what, unsigned least, unsigned most) {
  const auto n = keys.get<std::int64_t>(key);
  if (n < least || n > most)
    throw ConfigError(std::string("topology.") + key,
                      fmt::format("{} was asked for; allowed are {} to {}",
                                  fmt::format(fmt::runtime(what), n), least, most));
  return static_cast<unsigned>(n);
}

const Registration<TopologyRegistry> kRing{
    {{"ring", "ring of routers",
      keys_of(
          {Parameter::integer("nodes", 8, 2, CubeGeometry::kMaxRadix, "routers", "routers around the ring"),
           directions_parameter()})},
     uniform(
         [](const Parameters& keys) {
           return std::vector{number(keys, "nodes", "a ring of {} routers", 2, CubeGeometry::kMaxRadix)};
         },
         [](const Parameters& keys) { return std::vector{keys.get<double>("nodes")}; }, true)}};

const Registration<TopologyRegistry> kHypercube{
    {{"hypercube", "binary hypercube: one link each way between routers whose numbers differ in one bit",
      keys_of({Parameter::integer("dimensions", 6, 1, CubeGeometry::kMaxDimensions, "",
                                  "binary dimensions; 2^dimensions routers")})},
     uniform(
         [](const Parameters& keys) {
           return std::vector<unsigned>(
               number(keys, "dimensions", "a hypercube of {} dimensions", 1, CubeGeometry::kMaxDimensions),
               2);
         },
         [](const Parameters& keys) { return std::vector<double>(keys.get<std::size_t>("dimensions"), 2); },
         false)}};

const Registration<TopologyRegistry> kCube{
    {{"k_ary_n_cube", "any radix and any wrap in each dimension",
      keys_of({radix_parameter(),
               Parameter::list(
                   "wrap", Json::array({true}),
                   Parameter::boolean("wrap", true, "wrap links close the rows of this dimension"), 1,
                   CubeGeometry::kMaxDimensions,
                   "wrap links in each dimension, x first; a single entry holds for all dimensions")})},
     {[](const Parameters& keys, TopologyBuilder& builder) {
        auto radix = radices(keys);
        auto wrap = wraps(keys, radix.size());
        fill(keys, builder, std::move(radix), std::move(wrap));
      },
      [](const Parameters& keys) {
        const auto radix = sizes(keys);
        auto wrap = wraps(keys, radix.size());
        wrap.resize(radix.size());
        return size_of(radix, wrap);
      }}}};

}  // namespace
}  // namespace noctule
