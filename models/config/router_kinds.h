#pragma once
// Which kinds of router a fabric has, and how many of each.

#include <vector>

#include "config/model.h"
#include "core/json.h"

namespace noctule {

/// Routers that are alike in all but the ports that the topology gives them.
struct RouterKind {
  std::vector<RouterId> members;
  /// Of the node. Lanes, parallel links and sharing are those of the links, where all of a router's are
  /// alike.
  Parameters keys;
  Json set = Json::object();  ///< {"node.lanes": 2}: where these are not those of the section `node`
  bool links_differ = false;  ///< from each other: then those three keys are the node's
};

/// Is all that makes a router said of all routers?
[[nodiscard]] bool routers_alike(const FabricConfig& fabric);

/// The kind that most routers are of first. Throws ConfigError for a glob that names nobody.
[[nodiscard]] std::vector<RouterKind> router_kinds(const FabricConfig& fabric, const Topology& topology);

/// "24 routers", "1 router, lanes=2": in which keys they are not as the section `node` says.
[[nodiscard]] std::string to_text(const RouterKind& kind);

}  // namespace noctule
