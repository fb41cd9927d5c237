#pragma once
// Which VCs a selector means: {direction: x+, lane: [0, 1]} of node.crossbars, node.prefer,
// message_classes.C.vcs.

#include <string>
#include <vector>

#include "nodes/node_description.h"
#include "nodes/router_plan.h"
#include "routing/relation.h"
#include "topology/topology.h"

namespace noctule {

/// Matches VC labels against selectors and reports what does not exist. Topology and relation outlive it.
class LabelMatcher {
 public:
  /// lanes: the most of a link.
  LabelMatcher(const Topology& topology, const RoutingRelation& relation, unsigned lanes)
      : topology_(topology), relation_(relation), lanes_(lanes) {}

  /// Throws ConfigError of `key` where a field or value that a selector names does not exist.
  void validate(const VcSelector& selector, const std::string& key) const;

  /// Does every field of the selector hold for this VC of a router?
  [[nodiscard]] bool matches(const VcSelector& selector, RouterId router, const VcPlan& vc,
                             const VcLabel& label) const;

  /// Values that a selector may name for a field; ConfigError of `key` where these are not a list.
  [[nodiscard]] std::vector<std::string> values_of(const std::string& field, const std::string& key) const;

 private:
  [[nodiscard]] bool holds(const std::string& field, const std::string& value, RouterId router,
                           const VcPlan& vc, const VcLabel& label) const;
  void require_position(const std::string& glob, const std::string& key) const;
  [[nodiscard]] std::string no_lane(const std::string& value) const;

  const Topology& topology_;
  const RoutingRelation& relation_;
  unsigned lanes_;
};

}  // namespace noctule
