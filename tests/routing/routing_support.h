#pragma once
// Shared by the routing tests: shapes, relations by name, and the tables that the tests run over.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "routing/relation.h"
#include "support/cube_network.h"
#include "support/drawn_networks.h"
#include "support/networks.h"

namespace noctule::routing_test {

struct Shape {
  std::vector<unsigned> radix;
  std::vector<bool> wrap;
  [[nodiscard]] std::string text() const {
    std::string s;
    for (std::size_t d = 0; d < radix.size(); ++d)
      s += (d > 0 ? "x" : "") + std::to_string(radix[d]) + (wrap[d] ? "" : "m");
    return s;
  }
  [[nodiscard]] bool any_even() const {
    for (const auto k : radix)
      if (k % 2 == 0) return true;
    return false;
  }
  [[nodiscard]] bool any_radix_2() const {
    for (const auto k : radix)
      if (k == 2) return true;
    return false;
  }
};

inline Shape torus(std::vector<unsigned> radix) {
  const auto n = radix.size();
  return {std::move(radix), std::vector<bool>(n, true)};
}
inline Shape torus(unsigned n, unsigned k) {
  return torus(std::vector<unsigned>(n, k));
}
inline Shape mesh(std::vector<unsigned> radix) {
  const auto n = radix.size();
  return {std::move(radix), std::vector<bool>(n, false)};
}

struct Network {
  std::shared_ptr<const CubeNetwork> cube;
  std::shared_ptr<const RoutingRelation> relation;
};

inline Network network(const std::string& algorithm, const Shape& shape, const Json& set = Json::object()) {
  auto cube = std::make_shared<CubeNetwork>(shape.radix, shape.wrap);
  return {cube, relation_on(cube, algorithm, set)};
}

/// Every registered relation with its defaults, with each of its choices and switches turned, and with paths
/// that are not the shortest.
struct Variant {
  std::string algorithm;
  Json set = Json::object();
};
inline std::vector<Variant> every_variant() {
  std::vector<Variant> all;
  for (const auto* entry : RoutingRegistry::instance().entries()) {
    if (!has_defaults(*entry)) continue;
    all.push_back({entry->name, Json::object()});
    for (const auto& p : entry->parameters) {
      if (p.type == Parameter::Type::kBoolean)
        all.push_back({entry->name, Json{{p.name, !p.default_value->get<bool>()}}});
      for (const auto& choice : p.choices)
        if (choice != *p.default_value) all.push_back({entry->name, Json{{p.name, choice}}});
    }
  }
  all.push_back({"turn_table", Json{{"detour", 1}}});
  all.push_back({"turn_table", Json{{"detour", 2}}});
  return all;
}

/// Shapes that a relation may accept or refuse.
inline std::vector<Shape> every_shape() {
  std::vector<Shape> all{torus({4, 6}),
                         torus({3, 8}),
                         torus({5, 4}),
                         torus({7, 2}),
                         torus({6, 4}),
                         torus({6, 5}),
                         torus({5, 8}),
                         mesh({2, 2, 2, 2}),
                         mesh({4, 4}),
                         mesh({5, 3}),
                         mesh({7}),
                         mesh({3, 4, 2}),
                         torus({2, 3, 4, 2}),
                         torus({5, 3, 4}),
                         Shape{{4, 3}, {true, false}},
                         Shape{{3, 6, 2}, {false, true, true}}};
  for (unsigned k = 2; k <= 8; ++k) {
    all.push_back(torus(1, k));
    all.push_back(torus(2, k));
    if (k <= 6) all.push_back(torus(3, k));
  }
  return all;
}

/// A network for relations of any kind.
struct Sample {
  std::string text;
  std::shared_ptr<const Topology> topology;
  /// Does the relation use all that it claims here? Not on cubes of radix 2, where all is ties, nor where
  /// there is one path for each pair anyway.
  bool tight_minimal = true;
  bool tight_adaptive = true;
};

/// Networks of every kind; those that a relation refuses are not for it.
inline std::vector<Sample> every_network() {
  std::vector<Sample> all;
  for (const auto& shape : every_shape())
    all.push_back({shape.text(), std::make_shared<const CubeNetwork>(shape.radix, shape.wrap),
                   !shape.any_radix_2(), !shape.any_radix_2() && shape.radix.size() > 1});
  for (unsigned levels = 2; levels <= 4; ++levels)
    all.push_back({"fat tree of " + std::to_string(levels) + " levels",
                   topology_of("butterfly_fat_tree", {{"levels", levels}}), true, false});
  for (const auto& [radix, stages] : {std::pair(2, 2), {2, 4}, {4, 2}, {3, 3}, {5, 2}})
    all.push_back({std::to_string(radix) + "-ary " + std::to_string(stages) + "-fly",
                   topology_of("butterfly", {{"arity", radix}, {"stages", stages}}), true, false});
  Rng rng(18);
  for (std::uint32_t n = 2; n <= 20; n += 3)
    all.push_back({"random graph of " + std::to_string(n), random_graph(n, n / 2, rng), false, false});
  for (const auto& drawn : drawn_networks(4, 60, rng))
    if (!drawn.topology->links().empty()) all.push_back({drawn.text(), drawn.topology, false, false});
  return all;
}

}  // namespace noctule::routing_test
