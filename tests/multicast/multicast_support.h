#pragma once
// Shared by the tests of planners: every planner with every choice, messages, and the ways of worms.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/rng.h"
#include "multicast/planner.h"
#include "routing/routing_support.h"
#include "support/cube_network.h"

namespace noctule::multicast_test {

using routing_test::mesh;
using routing_test::Shape;
using routing_test::Variant;
using Terminals = std::vector<TerminalId>;
using Worms = std::vector<PlannedWorm>;

inline TerminalId terminal(std::size_t t) {
  return TerminalId{static_cast<std::uint32_t>(t)};
}

/// A planner on a mesh, and what routes its worms: dimension order, row first, unless it has its own.
struct Planned {
  std::shared_ptr<const CubeNetwork> cube;
  std::shared_ptr<const MulticastPlanner> planner;
  std::shared_ptr<const RoutingRelation> relation;

  [[nodiscard]] Worms plan(TerminalId source, const Terminals& destinations) const {
    Worms worms;
    planner->plan(source, destinations, worms);
    return worms;
  }
  [[nodiscard]] unsigned hops(TerminalId source, const PlannedWorm& worm) const {
    unsigned sum = 0;
    auto at = cube->injection_router(source);
    for (const auto& stop : worm.stops) {
      sum += relation->hops(at, stop.router);
      at = stop.router;
    }
    return sum;
  }
  /// Appends the links from one router to another.
  void walk(RouterId from, RouterId to, std::vector<const Link*>& links) const {
    CandidateList list;
    while (from != to) {
      list.clear();
      relation->candidates(from, to, RouteState{0}, list);
      links.push_back(cube->outgoing(from, list[0].port));
      from = links.back()->to;
    }
  }
};

inline std::shared_ptr<const MulticastPlanner> make_planner(const std::shared_ptr<const Topology>& topology,
                                                            const std::string& name,
                                                            const Json& set = Json::object()) {
  const auto& entry = PlannerRegistry::instance().at(name);
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  return entry.make.make(topology, parameters);
}

inline Planned planned(const Shape& shape, const std::string& name, const Json& set = Json::object()) {
  auto fabric = routing_test::network("dimension_order", shape);
  auto planner = make_planner(fabric.cube, name, set);
  auto own = planner == nullptr ? nullptr : planner->relation();
  return {fabric.cube, std::move(planner), own == nullptr ? fabric.relation : own};
}

/// Every registered planner that makes worms, with all combinations of its choices.
inline std::vector<Variant> every_planner() {
  std::vector<Variant> all;
  for (const auto* entry : PlannerRegistry::instance().entries()) {
    if (entry->name == "none") continue;
    std::vector<Variant> variants{{entry->name, Json::object()}};
    for (const auto& p : entry->parameters) {
      std::vector<Variant> more;
      for (const auto& v : variants)
        for (const auto& choice : p.choices) {
          more.push_back(v);
          more.back().set[p.name] = choice;
        }
      if (!more.empty()) variants = std::move(more);
    }
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

inline std::string name_of(const Variant& variant) {
  std::string name = variant.algorithm;
  for (const auto& [key, value] : variant.set.items()) name += "_" + value.get<std::string>();
  return name;
}

/// A message to several.
struct Multicast {
  TerminalId source{};
  Terminals destinations;
};

/// A source, and `count` other terminals, all drawn uniformly.
class Draws {
 public:
  explicit Draws(std::size_t terminals, std::uint64_t seed = 1) : rng_(seed, "multicasts") {
    for (std::size_t t = 0; t < terminals; ++t) deck_.push_back(terminal(t));
  }
  std::uint64_t below(std::uint64_t n) { return rng_.below(n); }
  const Multicast& draw(std::size_t count) {
    for (std::size_t i = 0; i <= count; ++i) std::swap(deck_[i], deck_[i + rng_.below(deck_.size() - i)]);
    message_.source = deck_[0];
    message_.destinations.assign(deck_.begin() + 1, deck_.begin() + 1 + static_cast<std::ptrdiff_t>(count));
    return message_;
  }
  void shuffle(Terminals& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[rng_.below(i)]);
  }

 private:
  Rng rng_;
  Terminals deck_;
  Multicast message_;
};

/// Calls `visit(message)` for all messages with 1 to `most` destinations.
template <class Visit>
void every_message(std::size_t terminals, unsigned most, Visit visit) {
  Multicast message;
  const auto extend = [&](auto& self, std::size_t from) -> void {
    for (std::size_t t = from; t < terminals; ++t) {
      if (terminal(t) == message.source) continue;
      message.destinations.push_back(terminal(t));
      visit(std::as_const(message));
      if (message.destinations.size() < most) self(self, t + 1);
      message.destinations.pop_back();
    }
  };
  for (std::size_t s = 0; s < terminals; ++s) {
    message.source = terminal(s);
    extend(extend, 0);
  }
}

}  // namespace noctule::multicast_test
