#pragma once
// The inside of a router, described: what a node model is made of. Plain data; blocks are built from it.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/registry.h"

namespace noctule {

/// Chooses virtual channels by their label: every named field must hold one of the listed values. Besides
/// the fields of the routing relation there are "direction" (port name, e.g. "x_plus"), "lane" and
/// "position" (router name, globs allowed). An empty selector matches all.
using VcSelector = std::map<std::string, std::vector<std::string>>;

/// How a header chooses among its feasible free output VCs, within the first `prefer` selector that has any.
enum class Selection : std::uint8_t {
  kRandom,    ///< uniform over the feasible VCs (Gravano et al. 1994 are silent; spec reading G3)
  kFirst,     ///< lowest index: dimension 0 first, + before -, class 0 first, lane 0 first
  kRotating,  ///< first one after the output that this crossbar chose last
  kLeastBusy  ///< random within the direction that has the most free VCs
};

/// In which order a crossbar scans its inputs for headers.
enum class Scan : std::uint8_t {
  kRoundRobin,  ///< from the input after the last one served
  kRotating,    ///< start moves by one every cycle
  kFixed,       ///< from the lowest index: unfair, for comparison
  kRandomStart  ///< from a random input, drawn every cycle
};

/// When an output VC may be taken by the next worm.
enum class VcRelease : std::uint8_t {
  kTailCrossed,     ///< the tail has crossed the crossbar; it may still be in the output buffer
  kTailLeft,        ///< the output buffer is empty: the tail has entered the next input buffer
  kNextBufferEmpty  ///< and that input buffer is empty too (Gravano et al. 1994, V.C, for *-Channels)
};

/// How the lanes of a class are spread over the parallel links of a direction.
enum class LinkAssignment : std::uint8_t {
  kMixed,   ///< lane l rides on link l mod links: each link carries all classes
  kByClass  ///< classes are split into contiguous groups, one per link
};

struct NodeDescription {
  std::string model = "generic";
  /// Partition of inputs and outputs into independent crossbars; empty: one crossbar. An input or output
  /// belongs to the crossbar whose selector matches its label; injection and consumption belong to all.
  std::vector<VcSelector> crossbars;
  /// Shorthand for one crossbar per combination of values of these fields.
  std::vector<std::string> crossbar_per;
  unsigned connections_per_cycle = 0;  ///< new connections per crossbar and cycle; 0: all possible
  Scan scan = Scan::kRoundRobin;
  Selection selection = Selection::kRandom;
  std::vector<VcSelector> prefer;  ///< tried in order before all others
  VcRelease release = VcRelease::kTailCrossed;
  unsigned input_depth = 1;     ///< flits per input VC buffer
  unsigned output_depth = 1;    ///< flits per output VC buffer
  unsigned lanes = 1;           ///< replicas of every VC class
  unsigned parallel_links = 1;  ///< physical links per direction, one flit per cycle each
  LinkAssignment link_assignment = LinkAssignment::kMixed;
  bool refill_same_cycle = false;  ///< injection buffer takes a flit in the cycle in which it empties
  unsigned consumption_depth = 1;  ///< flits in the consumption (delivery) buffer
};

/// The declared keys of a node, with the generic defaults. Unit, range and hardware meaning of each.
const std::vector<Parameter>& node_parameters();

/// Typed form of resolved node keys. Throws ConfigError for contradictions.
NodeDescription node_from_parameters(const Parameters& resolved);

/// A registered node model: a preset of node keys, and the relation it is made for.
struct NodePreset {
  std::string routing;      ///< default of routing.algorithm; empty: dimension_order
  Parameters keys;          ///< the node keys that differ from the generic defaults
  Parameters routing_keys;  ///< keys of the relation that the model implies
};

struct NodeTraits {
  static constexpr const char* kind = "node";
  using Factory = std::function<NodePreset()>;
};
using NodeRegistry = Registry<NodeTraits>;
template <>
NodeRegistry& NodeRegistry::instance();

}  // namespace noctule
