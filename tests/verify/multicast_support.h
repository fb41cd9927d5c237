#pragma once
// Shared by the tests that verify fabrics with multicasts: plans around planners, rules for classes of
// consumption channels.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "multicast/multicast_support.h"
#include "support/cube_network.h"
#include "verify/planned/planned_survey.h"
#include "verify/report/report.h"
#include "verify/verifier.h"

namespace noctule::multicast_test {

using Classes = std::vector<ConsumptionClassRule>;

/// A planner and the choices that it is tried with.
struct Scheme {
  std::string planner;
  Json set = Json::object();
};
inline void PrintTo(const Scheme& scheme, std::ostream* out) {
  *out << scheme.planner << scheme.set.dump();
}

/// What has several destinations per worm: dual-path, multipath (both partitions), column-path (both rules)
/// and e-mcast.
inline std::vector<Scheme> path_schemes() {
  return {{"dual_path"},
          {"multipath"},
          {"multipath", {{"partition", "lmn"}}},
          {"column_path"},
          {"column_path", {{"same_row", "own_copy"}}},
          {"e_mcast"}};
}
/// Without e-mcast, for which two classes are not enough.
inline std::vector<Scheme> two_class_schemes() {
  auto schemes = path_schemes();
  schemes.pop_back();
  return schemes;
}

/// A node that can carry multicasts. As many channels as classes, unless more are given.
inline NodeDescription multicast_node(unsigned channels = 1, Classes classes = {}) {
  NodeDescription node;
  node.output_depth = 0;
  node.release = VcRelease::kTailCrossed;
  node.consumption_channels = channels;
  node.consumption_classes = std::move(classes);
  return node;
}

inline Classes one_class() {
  return {{0, {}}};
}
inline Classes by_incoming(unsigned x_plus = 0, unsigned x_minus = 1, unsigned y_plus = 2,
                           unsigned y_minus = 3) {
  return {{x_plus, {{"incoming", {"x_plus", "injection"}}}},
          {x_minus, {{"incoming", {"x_minus"}}}},
          {y_plus, {{"incoming", {"y_plus"}}}},
          {y_minus, {{"incoming", {"y_minus"}}}}};
}
/// And a fifth class for the last destination.
inline Classes by_outgoing() {
  return {{0, {{"outgoing", {"x_plus"}}}},
          {1, {{"outgoing", {"x_minus"}}}},
          {2, {{"outgoing", {"y_plus"}}}},
          {3, {{"outgoing", {"y_minus"}}}},
          {4, {{"outgoing", {"none"}}}}};
}

struct Fabric {
  Shape shape = mesh({4, 4});
  std::string unicasts;  ///< relation of messages with one destination; empty: they are planned
};

/// The plan of a fabric whose worms this planner makes, on the relation that it needs.
inline std::shared_ptr<const FabricPlan> multicast_plan(std::shared_ptr<const Topology> topology,
                                                        std::shared_ptr<const MulticastPlanner> planner,
                                                        const NodeDescriptions& nodes,
                                                        const std::string& unicasts = "") {
  const auto& entry = RoutingRegistry::instance().at(unicasts.empty() ? "dimension_order" : unicasts);
  std::shared_ptr<const RoutingRelation> relation =
      entry.make(topology, Parameters::defaults(entry.parameters));
  if (unicasts.empty() && planner->relation()) relation = planner->relation();
  return std::make_shared<const FabricPlan>(plan_fabric(
      {std::move(topology), std::move(relation), nodes, {}, std::move(planner), unicasts.empty()}));
}
inline std::shared_ptr<const FabricPlan> multicast_plan(const Scheme& scheme, const NodeDescriptions& nodes,
                                                        const Fabric& fabric = {}) {
  const auto cube = std::make_shared<const CubeNetwork>(fabric.shape.radix, fabric.shape.wrap);
  return multicast_plan(cube, make_planner(cube, scheme.planner, scheme.set), nodes, fabric.unicasts);
}
inline Certificate verify_scheme(const Scheme& scheme, const NodeDescription& node,
                                 const Fabric& fabric = {}) {
  return verify(multicast_plan(scheme, node, fabric));
}

}  // namespace noctule::multicast_test
