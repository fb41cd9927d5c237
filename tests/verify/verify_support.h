#pragma once
// Shared by tests that verify relations: plans around them, and the verdicts.

#include <memory>

#include "routing/dimension_ordered.h"
#include "routing/routing_support.h"
#include "verify/unicast/survey.h"
#include "verify/verifier.h"

namespace noctule::routing_test {

/// A node of one crossbar in which a worm enters only VCs that are empty: what every proof accepts.
inline NodeDescription careful_node() {
  NodeDescription node;
  node.release = VcRelease::kNextBufferEmpty;
  return node;
}

/// The relation must outlive the plan. One that looks at the message class gets two.
inline std::shared_ptr<const FabricPlan> plan_around(std::shared_ptr<const Topology> topology,
                                                     const RoutingRelation& relation,
                                                     const NodeDescription& node = careful_node()) {
  const std::shared_ptr<const RoutingRelation> not_owned(&relation, [](const RoutingRelation*) {});
  FabricParts parts{std::move(topology), not_owned, node};
  if (relation.sees_message_classes()) parts.message_classes = MessageClasses({{"request"}, {"response"}});
  return std::make_shared<const FabricPlan>(plan_fabric(std::move(parts)));
}

/// A topology that the caller keeps.
inline std::shared_ptr<const Topology> shared(const Topology& topology) {
  return {&topology, [](const Topology*) {}};
}

/// Facts and dependency graphs of a relation, with what is needed to ask for them.
struct Surveyed {
  Surveyed(std::shared_ptr<const Topology> topology, const RoutingRelation& relation,
           const NodeDescription& node = careful_node())
      : plan(plan_around(std::move(topology), relation, node)),
        channels(*plan),
        survey(noctule::survey(*plan, channels, 10'000'000)),
        facts(survey.facts) {}
  [[nodiscard]] DependencyGraph escape() const { return escape_dependencies(*plan, channels, facts); }
  [[nodiscard]] bool escape_acyclic() const { return escape().numbering().has_value(); }

  std::shared_ptr<const FabricPlan> plan;
  ChannelIndex channels;
  Survey survey;
  const RoutingFacts& facts;
};

inline Certificate verify_relation(const Network& net, const NodeDescription& node = careful_node(),
                                   const VerifyOptions& options = {}) {
  return verify(std::make_shared<const FabricPlan>(plan_fabric({net.cube, net.relation, node})), options);
}

/// Declares dimension order; its rings have no dateline.
class Ringed : public DimensionOrdered {
 public:
  explicit Ringed(std::shared_ptr<const Topology> topology)
      : DimensionOrdered(std::move(topology), "ringed") {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  [[nodiscard]] RingHop ring_hop(unsigned d, unsigned at, unsigned to, RingState) const override {
    return {!cube().minimal(d, at, to).plus, VcClass{0}};
  }
  [[nodiscard]] bool ring_exists(unsigned, unsigned, RingHop) const override { return true; }
};

}  // namespace noctule::routing_test
