#pragma once
// Shared by the tests of multicasts on the engine: fabrics with planners, messages from lists, who has what.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "fabric/autopsy.h"
#include "fabric_support.h"
#include "multicast/multicast_support.h"
#include "multicast/planner.h"
#include "support/cube_network.h"

namespace noctule::fabric_test {

/// The router of Boppana et al. 1998, section 4: `lanes` VCs per link that share 8 flits of input buffer, a
/// header in the router for 3 cycles, other flits for 2, links of 1. `channels`: consumption channels.
inline Json paper_node(unsigned lanes, unsigned channels, const Json& set = Json::object()) {
  Json keys = {{"output_depth", 0},
               {"input_depth", 8 / lanes},
               {"lanes", lanes},
               {"scan", "first_come"},
               {"routing_delay", 1},
               {"early_routing", true},
               {"switch_allocation_delay", 1},
               {"traversal_delay", 1},
               {"injection_vcs", lanes},
               {"injection_sharing", "flit"},
               {"consumption_channels", channels}};
  keys.update(set);
  return keys;
}
/// All worms are of one class of consumption channels.
inline Json one_class() {
  return {{"consumption_classes", Json::array({Json{{"class", 0}}})}};
}
inline Json with(Json keys, const Json& more) {
  keys.update(more);
  return keys;
}

/// What a planner's worms and all other messages are routed by, unless a test says otherwise.
inline FabricPlan multicast_plan(const std::shared_ptr<const Topology>& topology, const std::string& name,
                                 NodeDescriptions nodes, bool plans_unicasts = true,
                                 LinkDescriptions links = {}) {
  const auto& routing = PlannerRegistry::instance().at(name).make.routing;
  return plan_fabric({topology, relation_on(topology, routing.empty() ? "dimension_order" : routing),
                      std::move(nodes), std::move(links), multicast_test::make_planner(topology, name),
                      plans_unicasts});
}
/// Of routers that are alike.
inline FabricPlan multicast_plan(const std::shared_ptr<const Topology>& topology, const std::string& name,
                                 const Json& node_set, bool plans_unicasts = true,
                                 const std::string& model = "generic") {
  return multicast_plan(topology, name, NodeDescriptions(node_of(model, node_set)), plans_unicasts);
}
/// One of these keys of a node drawn for every router, on top of those that all have.
inline NodeDescriptions drawn_nodes(const Topology& topology, const Json& all, const std::vector<Json>& more,
                                    std::uint64_t seed) {
  Rng rng(seed, "nodes");
  NodeDescriptions nodes;
  for (std::uint32_t r = 0; r < topology.routers(); ++r)
    nodes.set(RouterId{r}, node_of("generic", with(all, more[rng.below(more.size())])), topology.routers(),
              "nodes");
  return nodes;
}
/// What routers that send worms to several destinations may differ in.
inline std::vector<Json> unlike_keys() {
  return {Json::object(),
          {{"lanes", 1}, {"input_depth", 8}},
          {{"lanes", 3}, {"input_depth", 1}, {"scan", "round_robin"}},
          {{"lanes", 4}, {"parallel_links", 2}, {"release", "next_buffer_empty"}},
          {{"routing_delay", 3}, {"early_routing", false}, {"vc_allocation_delay", 2}, {"input_depth", 5}},
          {{"switch_allocation_delay", 0}, {"traversal_delay", 0}, {"scan", "random_start"}},
          {{"injection_channels", 3}, {"injection_sharing", "worm"}, {"connections_per_cycle", 1}},
          {{"selection", "least_busy"}, {"scan", "rotating"}, {"injection_delay", 0}}};
}

/// Router (row, column) of a mesh.
inline std::size_t at(const CubeNetwork& mesh, unsigned row, unsigned column) {
  return row * mesh.radix(0) + column;
}

using Destinations = std::vector<std::size_t>;

/// Messages from lists, by terminal, in the order of their births.
class MessageList final : public ListSource {
 public:
  /// Several destinations: a multicast.
  void add(std::size_t source, const Destinations& destinations, std::uint32_t length, Cycle birth,
           std::uint32_t preparation = 0) {
    GeneratedPacket packet;
    packet.birth = birth;
    packet.destination = TerminalId(destinations.at(0));
    packet.length = length;
    packet.preparation = preparation;
    if (destinations.size() > 1)
      for (const auto d : destinations) packet.destinations.push_back(TerminalId(d));
    ListSource::add(source, packet);
  }
  /// Pairs of message and destination.
  [[nodiscard]] std::size_t expected() const {
    std::size_t sum = 0;
    for (const auto& [source, list] : lists())
      for (const auto& packet : list) sum += std::max<std::size_t>(1, packet.destinations.size());
    return sum;
  }
};

/// Each other terminal with probability 1/3; the source itself, if that is none.
inline Destinations drawn_destinations(Rng& rng, std::size_t terminals, std::size_t source) {
  Destinations to;
  for (std::size_t d = 0; d < terminals; ++d)
    if (d != source && rng.below(3) == 0) to.push_back(d);
  if (to.empty()) to.push_back(source);
  return to;
}

/// Told of every delivery from outside the fabric.
class Listener final : public sc_core::sc_module, public consumption_if {
 public:
  explicit Listener(sc_core::sc_module_name name) : sc_module(name) {}
  void delivered(const Delivery& delivery) override { deliveries.push_back(delivery); }
  std::vector<Delivery> deliveries;
};

/// A fabric with messages from a list; observed by nobody.
struct Scenario {
  Scenario(std::string text, FabricPlan plan, const LinkedOptions& options = {})
      : name(std::move(text)), fabric(make_fabric(std::move(plan), options)) {
    fabric->attach(source);
    fabric->consumption.bind(*listener);
  }
  std::string name;
  std::shared_ptr<MessageList> source = std::make_shared<MessageList>();
  std::unique_ptr<Listener> listener = std::make_unique<Listener>(unique("listener").c_str());
  std::unique_ptr<Fabric> fabric;
};

/// All messages are at all of their destinations.
inline void expect_delivered(const Scenario& run) {
  SCOPED_TRACE(run.name);
  const Autopsy found = autopsy(*run.fabric);
  EXPECT_FALSE(found.deadlocked) << to_text(found);
  EXPECT_TRUE(run.fabric->drained());
  EXPECT_EQ(run.source->deliveries.size(), run.source->expected());
  EXPECT_NO_THROW(run.fabric->check_conservation());
}

/// What a stuck worm holds and waits for.
struct Stuck {
  std::set<std::string> holds;
  std::set<std::string> waits_for;
  std::size_t router = 0;
  friend bool operator==(const Stuck&, const Stuck&) = default;
};
using StuckWorms = std::map<std::pair<std::size_t, std::uint64_t>, Stuck>;  ///< by source and number

inline StuckWorms stuck_worms(const Autopsy& found) {
  StuckWorms worms;
  for (const auto& worm : found.worms) {
    Stuck stuck{{worm.holds.begin(), worm.holds.end()}, {}, index(worm.router)};
    for (const auto& wait : worm.waits_for) stuck.waits_for.insert(wait.channel);
    worms[{index(worm.source), worm.number}] = stuck;
  }
  return worms;
}

/// Multicasts, and other messages to uniform destinations. `load`: flits per terminal and cycle, in 1/1000,
/// where a multicast counts once.
struct Mixture {
  unsigned load = 100;
  std::uint32_t length = 20;
  double fraction = 1;
  std::uint32_t least = 1;
  std::uint32_t most = 19;
  std::uint64_t seed = 1;
  std::uint32_t preparation = 0;
  std::uint32_t unicast_preparation = 0;
  std::string source = "bernoulli";
  Json set = Json::object();
};
inline SourceContext context_of(const std::shared_ptr<const Topology>& topology, const Mixture& mixture) {
  SourceContext context;
  context.topology = topology;
  const auto& with = PatternRegistry::instance().at("uniform");
  context.pattern = with.make(topology, Parameters::defaults(with.parameters), mixture.seed);
  context.packet_rate = ~std::uint64_t{0} / 1000 / mixture.length * mixture.load;
  context.lengths = {{mixture.length, std::uint64_t{1} << 32}};
  context.seed = mixture.seed;
  context.multicasts = {static_cast<std::uint64_t>(mixture.fraction * 0x1p32), mixture.least, mixture.most,
                        mixture.preparation, mixture.unicast_preparation};
  return context;
}
inline std::shared_ptr<TrafficSource> mixed_traffic(const std::shared_ptr<const Topology>& topology,
                                                    const Mixture& mixture) {
  const auto& entry = SourceRegistry::instance().at(mixture.source);
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : mixture.set.items()) parameters.set(key, value);
  return entry.make(context_of(topology, mixture), parameters);
}

}  // namespace noctule::fabric_test
