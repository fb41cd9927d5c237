#pragma once
// A resolved configuration in types, and the objects that it describes.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/hierarchy.h"
#include "core/parameters.h"
#include "multicast/planner.h"
#include "nodes/message_class.h"
#include "nodes/node_description.h"
#include "patterns/pattern.h"
#include "routing/relation.h"
#include "rtl/dut.h"
#include "stats/measurement.h"
#include "topology/topology.h"
#include "topology/without.h"
#include "traffic/sink.h"
#include "traffic/source.h"

namespace noctule {

/// A registered thing and its resolved keys.
struct Choice {
  std::string name;
  Parameters keys;
};

/// Links that are not as the section `link` says.
struct LinksEntry {
  std::vector<std::string> links;  ///< globs
  LinkAttributes set;
  LinkShape shape;
};

enum class LoadUnit : std::uint8_t { kFlitsPerNodeCycle, kPacketsPerNodeCycle, kNormalized };

struct TrafficConfig {
  Choice pattern;
  Choice source;
  Choice sink;
  double offered_load = 0;  ///< per injecting terminal, in `load_unit`
  LoadUnit load_unit = LoadUnit::kFlitsPerNodeCycle;
  std::vector<std::pair<std::uint32_t, double>> lengths;  ///< flits, weight
  double mean_length = 0;                                 ///< flits
  bool discard = false;                                   ///< no source queue
  std::optional<std::uint32_t> queue_packets;             ///< that a source queue holds; absent: any number
  double stall = 0;  ///< share of the cycles in which a terminal takes no flit
  SourceContext::Multicasts multicasts;
  double mean_destinations = 1;  ///< per message
};

struct MeasurementConfig {
  MeasurementSettings settings;
  Cycle occupancy_interval = 64;
  bool flows = false;
  Cycle deadlock_interval = 5000;
};

struct TraceConfig {
  bool vcd = false;
  std::vector<std::string> scope;
  Cycle from = 0;
  std::optional<Cycle> cycles;  ///< absent: to the end
  bool gtkw = true;
  bool events = false;
  bool all_points = false;  ///< else only the first point of each series
};

/// Routers that are not as the section `node` says.
struct NodesEntry {
  std::vector<std::string> routers;  ///< globs
  Value set;                     ///< keys of the node, "model" and those that it implies among them; or null
  std::optional<RtlSource> rtl;  ///< absent: of the model after all
};

enum class CosimMode : std::uint8_t { kShadow, kSwapped, kPlain };

struct CosimConfig {
  CosimMode mode = CosimMode::kShadow;
  Cycle cycles = 0;
  std::string record;  ///< router; empty: none
  bool waveform = true;
  std::uint64_t resets = 0;  ///< in mid-run
  bool coverage = false;     ///< of toggles
};

/// What the question whether worms can deadlock may cost.
struct VerifyLimits {
  std::uint64_t states = 0;         ///< header states that are followed
  std::uint64_t worms = 0;          ///< worms that are tried to construct a deadlock
  std::uint64_t router_cycles = 0;  ///< simulated in the search for a deadlock
};

struct LimitsConfig {
  std::uint64_t memory_mb = 0;
  double time_h = 0;
};

/// Routers, links, and ways through them.
struct NetworkConfig {
  Choice topology;
  Without without;
  NodeDescription node;
  Parameters node_keys;  ///< of `node`
  std::vector<NodesEntry> nodes;
  Choice routing;
  LinkDescription link;
  std::vector<LinksEntry> links;
};

/// A network among several.
struct PlaneConfig {
  std::string name;
  Value set;  ///< the keys in which it is not as the sections of the configuration say
  NetworkConfig network;
};

/// All that makes a fabric, and all that a verdict on it can depend on.
struct FabricConfig : NetworkConfig {
  Choice multicast;
  bool plans_unicasts = true;
  MessageClasses message_classes;
  VerifyLimits verify;
  std::vector<PlaneConfig> planes;  ///< empty: the fabric is one network
};

struct ModelConfig : FabricConfig {
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  TrafficConfig traffic;
  MeasurementConfig measurement;
  CosimConfig cosim;
  TraceConfig trace;
  std::optional<Hierarchy> hierarchy;  ///< absent: by the number of routers
  std::vector<std::string> plots;
  bool allow_deadlock = false;
  std::string expect;  ///< "any" or a status
  LimitsConfig limits;
};

/// The part of a resolved configuration that a FabricConfig is read from: nothing else of it can enter a
/// verdict. Of such a part, itself.
[[nodiscard]] Json fabric_part(const Json& resolved);
/// The typed form of a fabric_part. Throws ConfigError for contradictions within the node.
[[nodiscard]] FabricConfig fabric_from_json(const Json& part);

/// The typed form of a complete configuration, such as PointConfig::resolved. Throws ConfigError for
/// contradictions within the node.
ModelConfig model_from_json(const Json& resolved);

/// The offered load in all its units, per injecting terminal. Packets are messages; flits count once for each
/// destination.
struct OfferedLoad {
  double packets_per_node_cycle = 0;
  double flits_per_node_cycle = 0;
  double normalized = 0;                      ///< packets, over tau_max
  double tau_max_packets_per_node_cycle = 0;  ///< Gravano et al. 1994, equation 2, with c = 1/2
};

/// These throw ConfigError, with dotted keys, where the parts do not fit each other. Of a fabric with planes
/// (config/planes.cpp), what is made is of all of them together.
std::shared_ptr<const Topology> make_topology(const NetworkConfig& network);
std::shared_ptr<const Topology> make_topology(const FabricConfig& fabric);
std::shared_ptr<const RoutingRelation> make_routing(const NetworkConfig& network,
                                                    std::shared_ptr<const Topology> topology);
std::shared_ptr<const RoutingRelation> make_routing(const FabricConfig& fabric,
                                                    std::shared_ptr<const Topology> topology);
/// Those of the fabric, at the attachments that the terminals of the topology have for them
/// (NamedAttachments). ConfigError where classes and attachments do not go together.
MessageClasses make_message_classes(const FabricConfig& fabric, const Topology& topology);
/// Null: no multicasts.
std::shared_ptr<const MulticastPlanner> make_planner(const FabricConfig& fabric,
                                                     std::shared_ptr<const Topology> topology);
std::shared_ptr<const TrafficPattern> make_pattern(const ModelConfig& model,
                                                   std::shared_ptr<const Topology> topology);
/// Throws ConfigError if it is more than a packet per terminal and cycle.
OfferedLoad offered_load(const ModelConfig& model, const Topology& topology, const LinkDescriptions& links);
/// Null: terminals take every flit that comes.
std::shared_ptr<TerminalSink> make_sink(const ModelConfig& model, const Topology& topology);
std::unique_ptr<TrafficSource> make_source(const ModelConfig& model, std::shared_ptr<const Topology> topology,
                                           std::shared_ptr<const TrafficPattern> pattern,
                                           const OfferedLoad& load, Carried carried = {});

/// Flits per terminal and cycle that the network bears of uniform traffic (capacity_of).
double ideal_capacity(const Topology& topology, const LinkDescriptions& links);
/// Keys of a node like `base` in which `set`, of an entry of `nodes`, is otherwise: with a model of its own
/// all others are what that model says.
Parameters node_keys(const Parameters& base, const Json& set);
/// Nodes that routers have, and which of them; the first is that of the section `node`.
struct NodeKinds {
  struct Kind {
    Parameters keys;
    NodeDescription node;
  };
  [[nodiscard]] std::size_t number(RouterId router) const { return kind.empty() ? 0 : kind[index(router)]; }
  [[nodiscard]] const Kind& of(RouterId router) const { return kinds[number(router)]; }
  std::vector<Kind> kinds;
  std::vector<std::uint32_t> kind;  ///< by RouterId; empty: all are of the first
};
/// These throw ConfigError for a glob that names nobody.
NodeKinds node_kinds(const NetworkConfig& network, const Topology& topology);
NodeKinds node_kinds(const FabricConfig& fabric, const Topology& topology);
NodeDescriptions make_nodes(const FabricConfig& fabric, const Topology& topology);
LinkDescriptions make_links(const NetworkConfig& network, const Topology& topology);
LinkDescriptions make_links(const FabricConfig& fabric, const Topology& topology);
/// By RouterId: the RTL that the router is; empty where no router is RTL. ConfigError for RTL in planes.
std::vector<std::optional<RtlSource>> rtl_routers(const NetworkConfig& network, const Topology& topology);
std::vector<std::optional<RtlSource>> rtl_routers(const FabricConfig& fabric, const Topology& topology);

}  // namespace noctule
