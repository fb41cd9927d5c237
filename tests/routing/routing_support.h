#pragma once
// Shared by the routing tests: shapes, relations by name, and the tables that the tests run over.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "routing/relation.h"

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
  std::shared_ptr<const KAryNCube> cube;
  std::shared_ptr<const RoutingRelation> relation;
};

inline Network network(const std::string& algorithm, const Shape& shape, const Json& set = Json::object()) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  auto cube = std::make_shared<KAryNCube>(shape.radix, shape.wrap);
  return {cube, entry.make(cube, parameters)};
}

/// Every registered relation with its defaults, and with each of its choices and switches turned.
struct Variant {
  std::string algorithm;
  Json set = Json::object();
};
inline std::vector<Variant> every_variant() {
  std::vector<Variant> all;
  for (const auto* entry : RoutingRegistry::instance().entries()) {
    all.push_back({entry->name, Json::object()});
    for (const auto& p : entry->parameters) {
      if (p.type == Parameter::Type::kBoolean)
        all.push_back({entry->name, Json{{p.name, !p.default_value->get<bool>()}}});
      for (const auto& choice : p.choices)
        if (choice != *p.default_value) all.push_back({entry->name, Json{{p.name, choice}}});
    }
  }
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

}  // namespace noctule::routing_test
