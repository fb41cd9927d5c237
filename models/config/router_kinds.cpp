#include "config/router_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>

namespace noctule {
namespace {

/// What both ends of a link agree on.
struct Shape {
  unsigned lanes = 0;
  unsigned parallel_links = 0;
  LinkSharing sharing = LinkSharing::kDemand;
  friend auto operator<=>(const Shape&,
                          const Shape&) = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14
};

Shape shape_of(const NodeDescription& node, const LinkShape& link = {}) {
  return {link.lanes.value_or(node.lanes), link.parallel_links.value_or(node.parallel_links),
          link.sharing.value_or(node.link_sharing)};
}

/// The links of a router, in both directions.
struct Links {
  std::optional<Shape> shape;
  bool differ = false;
  void add(const Shape& of_link) {
    if (!shape) shape = of_link;
    differ = differ || *shape != of_link;
  }
};

std::vector<Links> links_of_routers(const Topology& topology, const NodeKinds& nodes,
                                    const LinkDescriptions& links) {
  std::vector<Links> all(topology.routers());
  for (const Link& link : topology.links()) {
    const Shape shape = shape_of(nodes.of(link.from).node, links[link.id].shape);
    all[index(link.from)].add(shape);
    all[index(link.to)].add(shape);
  }
  return all;
}

RouterKind kind_of(const Parameters& node, const Shape& own, const Shape& links, bool links_differ,
                   const Parameters& common) {
  RouterKind kind;
  kind.keys = node;
  kind.links_differ = links_differ;
  if (own != links) {
    kind.keys.set("lanes", links.lanes);
    kind.keys.set("parallel_links", links.parallel_links);
    kind.keys.set("link_sharing", kLinkSharings[static_cast<std::size_t>(links.sharing)]);
  }
  std::map<std::string, Json> differing;  // in an order that does not depend on how they were given
  for (const auto& [key, value] : kind.keys.json().items())
    if (!common.has(key) || common.json().at(key) != value) differing.emplace("node." + key, value);
  for (const auto& [key, value] : differing) kind.set[key] = value;
  return kind;
}

}  // namespace

bool routers_alike(const FabricConfig& fabric) {
  return fabric.planes.empty() &&
         std::ranges::none_of(fabric.nodes, [](const NodesEntry& entry) { return entry.set->is_object(); }) &&
         std::ranges::all_of(fabric.links,
                             [](const LinksEntry& entry) { return entry.shape == LinkShape{}; });
}

std::vector<RouterKind> router_kinds(const FabricConfig& fabric, const Topology& topology) {
  const NodeKinds nodes = node_kinds(fabric, topology);
  const auto links = links_of_routers(topology, nodes, make_links(fabric, topology));
  std::vector<RouterKind> kinds;
  std::map<std::tuple<std::size_t, Shape, bool>, std::size_t> known;
  for (std::uint32_t r = 0; r < topology.routers(); ++r) {
    const auto& node = nodes.of(RouterId{r});
    const Shape own = shape_of(node.node);
    const bool differ = links[r].differ;
    const Shape shape = differ ? own : links[r].shape.value_or(own);
    const auto [at, fresh] = known.try_emplace({nodes.number(RouterId{r}), shape, differ}, kinds.size());
    if (fresh) {
      RouterKind kind = kind_of(node.keys, own, shape, differ, fabric.node_keys);
      const auto same = std::ranges::find_if(kinds, [&](const RouterKind& other) {
        return other.set == kind.set && other.links_differ == differ;
      });
      at->second = static_cast<std::size_t>(same - kinds.begin());
      if (same == kinds.end()) kinds.push_back(std::move(kind));
    }
    kinds[at->second].members.push_back(RouterId{r});
  }
  std::ranges::stable_sort(kinds,
                           [](const auto& a, const auto& b) { return a.members.size() > b.members.size(); });
  return kinds;
}

std::string to_text(const RouterKind& kind) {
  std::string text = fmt::format("{} router{}", kind.members.size(), kind.members.size() == 1 ? "" : "s");
  for (const auto& [key, value] : kind.set.items())
    text += fmt::format(", {}={}", key.substr(key.find('.') + 1),
                        value.is_string() ? value.get<std::string>() : value.dump());
  if (kind.links_differ) text += ", links that differ";
  return text;
}

}  // namespace noctule
