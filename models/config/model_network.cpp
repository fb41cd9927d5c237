// What the network of a configuration is made of: topology, routing, nodes and links.

#include <fmt/format.h>

#include <algorithm>

#include "config/lost_hops.h"
#include "config/model.h"
#include "core/foreign_code.h"
#include "core/globs.h"
#include "core/json.h"
#include "patterns/check_pattern.h"
#include "topology/builder.h"
#include "topology/named_attachments.h"
#include "topology/one_way_links.h"

namespace noctule {
namespace {

/// Calls f(router) / f(link) for those whose names match. ConfigError of the key where a glob matches none.
template <class F>
void each_router(const Topology& topology, const std::vector<std::string>& globs, const std::string& key,
                 F&& f) {
  const auto name_of = [&](std::size_t r) { return topology.router_name(RouterId(r)); };
  if (const auto nobody =
          each_match(globs, topology.routers(), name_of, [&](std::size_t r) { f(RouterId(r)); }))
    throw ConfigError(key, fmt::format("no router is called '{}'; there are {} to {}", *nobody, name_of(0),
                                       name_of(topology.routers() - 1)));
}
template <class F>
void each_link(const Topology& topology, const std::vector<std::string>& globs, const std::string& key,
               F&& f) {
  const auto links = topology.links();
  const auto name_of = [&](std::size_t l) { return topology.link_name(links[l]); };
  if (const auto nobody = each_match(globs, links.size(), name_of, [&](std::size_t l) { f(links[l].id); }))
    throw ConfigError(key, fmt::format("no link is called '{}'; there are {}", *nobody,
                                       links.empty() ? "none in this network: leave the entry out for it"
                                                     : name_of(0) + " to " + name_of(links.size() - 1)));
}

}  // namespace

std::shared_ptr<const Topology> make_topology(const NetworkConfig& network) {
  auto whole = make_topology(network.topology.name, network.topology.keys);
  if (network.without.empty()) return whole;
  return std::make_shared<const Topology>(take_away(*whole, network.without));
}

namespace {

constexpr const char* kRoutingKey = "routing.algorithm";

std::shared_ptr<const RoutingRelation> relation_on(const NetworkConfig& network,
                                                   std::shared_ptr<const Topology> topology) {
  return make_part(kRoutingKey, "the relation", [&] {
    return RoutingRegistry::instance()
        .at(network.routing.name)
        .make(std::move(topology), network.routing.keys);
  });
}

/// Where the relation is defined on the whole network: what it misses in the rest. Else nothing.
void refuse_rest(const NetworkConfig& network, const Topology& left) {
  const auto whole = make_topology(network.topology.name, network.topology.keys);
  std::shared_ptr<const RoutingRelation> relation;
  try {
    relation = relation_on(network, whole);
  } catch (const ConfigError&) {
    return;
  }
  const std::string lost = first_lost_hop(*whole, *relation, left);
  const Link* const lone = first_one_way_link(left);
  const std::string others =
      lone == nullptr
          ? "Use up_down, turn_table or table, which take any network of links both ways"
          : fmt::format(
                "Use turn_table or table, which take any network; or up_down, where links come in "
                "pairs, without {} too",
                left.link_name(*lone));
  throw ConfigError(
      kRoutingKey,
      fmt::format("{} does not serve what `without` leaves of the network: {}. {}", network.routing.name,
                  lost.empty() ? "it counts on the regular shape, which is gone" : lost, others));
}

}  // namespace

std::shared_ptr<const RoutingRelation> make_routing(const NetworkConfig& network,
                                                    std::shared_ptr<const Topology> topology) {
  if (network.without.empty()) return relation_on(network, std::move(topology));
  try {
    return relation_on(network, topology);
  } catch (const MissingGeometry&) {
    refuse_rest(network, *topology);
    throw;
  }
}

MessageClasses make_message_classes(const FabricConfig& fabric, const Topology& topology) {
  const MessageClasses& classes = fabric.message_classes;
  const auto* named = topology.geometry<NamedAttachments>();
  if (named == nullptr) return classes;
  std::vector<std::uint8_t> attachments(classes.size(), kMostMessageClasses);
  for (std::size_t a = 0; a < named->classes().size(); ++a)
    for (const std::string& name : named->classes()[a]) {
      const auto found = std::ranges::find(classes, name, &MessageClass::name);
      if (found == classes.end())
        throw ConfigError("topology.file", fmt::format("terminals have an attachment for packets of class "
                                                       "'{}', and there is no such class; name it in "
                                                       "message_classes",
                                                       name));
      attachments[static_cast<std::size_t>(found - classes.begin())] = static_cast<std::uint8_t>(a);
    }
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (attachments[c] == kMostMessageClasses)
      throw ConfigError(fmt::format("message_classes.{}", classes[c].name),
                        fmt::format("the terminals of topology.file have no attachment for it; name '{}' in "
                                    "the classes of one of each",
                                    classes[c].name));
  return classes.attached(attachments);
}

std::shared_ptr<const MulticastPlanner> make_planner(const FabricConfig& fabric,
                                                     std::shared_ptr<const Topology> topology) {
  return ask_part(kPlannerKey, "the planner", [&] {
    return PlannerRegistry::instance()
        .at(fabric.multicast.name)
        .make.make(std::move(topology), fabric.multicast.keys);
  });
}

std::shared_ptr<const TrafficPattern> make_pattern(const ModelConfig& model,
                                                   std::shared_ptr<const Topology> topology) {
  const auto& pattern = model.traffic.pattern;
  std::shared_ptr<const TrafficPattern> made = make_part("traffic.pattern", "the pattern", [&] {
    return PatternRegistry::instance().at(pattern.name).make(topology, pattern.keys, model.seed);
  });
  check_pattern(*topology, *made);
  return made;
}

Parameters node_keys(const Parameters& base, const Json& set) {
  Parameters keys = set.contains("model") ? keys_of_model(set.at("model").get<std::string>()) : base;
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return keys;
}

namespace {

/// The node of routers for which entry number `entry` of `nodes` was the last one.
NodeKinds::Kind node_with(const Parameters& base, const Json& set, std::size_t entry) {
  try {
    NodeKinds::Kind kind{node_keys(base, set), {}};
    kind.node = node_from_parameters(kind.keys);
    check_node(kind.node);
    return kind;
  } catch (const ConfigError& error) {
    auto diagnostics = error.diagnostics();
    for (auto& d : diagnostics)
      if (d.key.starts_with("node.")) d.key = fmt::format("nodes[{}].set.{}", entry, d.key.substr(5));
    throw ConfigError(std::move(diagnostics));
  }
}

}  // namespace

NodeKinds node_kinds(const NetworkConfig& network, const Topology& topology) {
  NodeKinds all{{{network.node_keys, network.node}}, {}};
  all.kind.resize(network.nodes.empty() ? 0 : topology.routers());
  std::vector<bool> rtl(all.kind.size());
  std::vector<Json> sets{Json::object()};  // by kind: what several entries say together
  for (std::size_t e = 0; e < network.nodes.size(); ++e) {
    const NodesEntry& entry = network.nodes[e];
    const Json& set = entry.set;
    bool says_something = entry.rtl.has_value() || !set.empty();
    std::map<std::uint32_t, std::uint32_t> after;  // this entry, by kind
    each_router(topology, entry.routers, "nodes", [&](RouterId r) {
      says_something = says_something || rtl[index(r)];  // of the model after all
      rtl[index(r)] = entry.rtl.has_value();
      if (!set.is_object()) return;  // RTL alone
      std::uint32_t& here = all.kind[index(r)];
      const auto [known, fresh] = after.try_emplace(here, static_cast<std::uint32_t>(all.kinds.size()));
      if (fresh) {
        Json merged = set.contains("model") ? Json::object() : sets[here];
        merged.update(set);
        all.kinds.push_back(merged.empty() ? all.kinds.front() : node_with(network.node_keys, merged, e));
        sets.push_back(std::move(merged));
      }
      here = known->second;
    });
    if (!says_something)
      throw ConfigError(
          fmt::format("nodes[{}]", e),
          "says nothing of its routers: an empty 'set' takes back the RTL of an entry before it, "
          "and none of them has RTL; give 'set' with keys of the section node, or delete it");
  }
  return all;
}

NodeDescriptions make_nodes(const FabricConfig& fabric, const Topology& topology) {
  const NodeKinds kinds = node_kinds(fabric, topology);
  NodeDescriptions all(kinds.kinds.front().node);
  for (std::uint32_t r = 0; r < kinds.kind.size(); ++r)
    all.set(RouterId{r}, kinds.of(RouterId{r}).node, topology.routers(), "nodes");
  all.settle();
  return all;
}

LinkDescriptions make_links(const NetworkConfig& network, const Topology& topology) {
  LinkDescriptions all = links_of(topology, network.link);
  for (std::size_t e = 0; e < network.links.size(); ++e)
    each_link(topology, network.links[e].links, fmt::format("links[{}].links", e), [&](LinkId link) {
      LinkDescription described = with(all[link], network.links[e].set);
      described.shape = with(described.shape, network.links[e].shape);
      all.set(link, described, topology.links().size(), "links");
    });
  all.settle();
  return all;
}

std::vector<std::optional<RtlSource>> rtl_routers(const NetworkConfig& network, const Topology& topology) {
  std::vector<std::optional<RtlSource>> routers(topology.routers());
  for (const NodesEntry& entry : network.nodes)
    each_router(topology, entry.routers, "nodes", [&](RouterId r) { routers[index(r)] = entry.rtl; });
  if (std::none_of(routers.begin(), routers.end(), [](const auto& rtl) { return rtl.has_value(); }))
    routers.clear();
  return routers;
}

}  // namespace noctule
