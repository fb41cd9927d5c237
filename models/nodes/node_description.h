#pragma once
// The inside of a router, described: what a node model is made of. Plain data; blocks are built from it.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "arbitration/arbiter.h"
#include "core/registry.h"
#include "multicast/planner.h"
#include "nodes/link_description.h"

namespace noctule {

/// Chooses virtual channels by their label: every named field must hold one of the listed values. Besides
/// the fields of the routing relation there are "direction" (port name, e.g. "x_plus"), "lane" and
/// "position" (router name, globs allowed). An empty selector matches all.
using VcSelector = std::map<std::string, std::vector<std::string>>;

/// How a header chooses among its feasible free output VCs, within the first `prefer` selector that has any.
enum class Selection : std::uint8_t {
  kRandom,     ///< uniform over the feasible VCs (Gravano et al. 1994 are silent; spec reading G3)
  kFirst,      ///< lowest index: dimension 0 first, + before -, class 0 first, lane 0 first
  kRotating,   ///< first one after the output that this crossbar chose last
  kLeastBusy,  ///< random within the direction that has the most free VCs
  kBlind  ///< uniform over all feasible VCs, free or not, drawn anew in every cycle: a header whose draw is
          ///< not free waits, although another one may be (Greenberg and Oh 1997, RP)
};

/// In which order a crossbar scans its inputs for headers.
enum class Scan : std::uint8_t {
  kRoundRobin,      ///< from the input after the last one served
  kRotating,        ///< start moves by one every cycle
  kFixed,           ///< from the lowest index: unfair, for comparison
  kRandomStart,     ///< from a random input, drawn every cycle (Greenberg and Oh 1997, RR)
  kInjectionFirst,  ///< from the lowest index, but those of the terminals before those of the links
  kFirstCome,       ///< in the order in which the headers came to the front of their buffers
  kFarthestFirst  ///< those of the longest paths first, ties from a random input (Greenberg and Oh 1997, FF)
};

/// Who comes first among headers that come to the front of their buffers in the same cycle (kFirstCome).
enum class Ties : std::uint8_t {
  kRandom,    ///< drawn: every order is as likely
  kRotating,  ///< from the port after the one that came first in the router's last tie: link VCs one by one,
              ///< then the terminals
  kPort       ///< by the number of the input, low ones first but for a start that moves by one input every
              ///< cycle: X before Y nearly always. For comparison with models that do so
};

/// When an output VC may be taken by the next worm.
enum class VcRelease : std::uint8_t {
  kTailCrossed,     ///< the tail has left the input buffer for the crossbar; it may still be in the output
                    ///< buffer
  kTailLeft,        ///< the output buffer is empty: the tail has entered the next input buffer
  kNextBufferEmpty  ///< and that input buffer is empty too (Gravano et al. 1994, V.C, for *-Channels): what
                    ///< other texts call atomic reallocation
};

/// How the lanes of a class are spread over the parallel links of a direction.
enum class LinkAssignment : std::uint8_t {
  kMixed,   ///< lane l rides on link l mod links: each link carries all classes
  kByClass  ///< classes are split into contiguous groups, one per link
};

/// Which of a terminal's consumption channels a worm may take. With K classes, channel j < K is class j's
/// own; the others are dealt out among the classes, or shared.
enum class ConsumptionAccess : std::uint8_t {
  kOwn,          ///< those of its class: j, j + K, ...
  kOwnOrShared,  ///< the own channel of its class, else one of those behind the first K
  kAny           ///< all
};

/// How a worm waits for a consumption channel.
enum class ConsumptionWait : std::uint8_t {
  kFirstFree,  ///< it takes whichever comes free first
  kCommitted   ///< it chooses one, at random, as it arrives, and waits for that
};

/// What a worm that goes on from a destination acquires first there.
enum class Acquisition : std::uint8_t { kConsumptionFirst, kOutputFirst };

/// Cycles of the stages of a router, for a header that meets no other worm. A stage of n cycles decides on
/// the state at the start of its first cycle; the result counts n cycles later. Body flits pass the last two
/// only.
struct Pipeline {
  unsigned routing = 0;            ///< from the front of the input buffer to VC allocation
  unsigned vc_allocation = 0;      ///< from there to switch allocation; 0: in the same cycle
  unsigned switch_allocation = 0;  ///< from there to the crossbar
  unsigned traversal = 1;          ///< crossbar, to the output buffer or the link
  bool early_routing = false;      ///< headers are decoded as they arrive, also behind another worm
  bool lookahead = false;          ///< the router before has computed the route: no cycles for routing
  bool speculative = false;  ///< headers bid for the switch while they bid for a VC; who has a VC goes first
  friend bool operator==(const Pipeline&, const Pipeline&) = default;

  /// Cycles before a header bids for a VC.
  [[nodiscard]] unsigned before_vc_allocation() const { return lookahead ? 0 : routing; }
  /// From the grant of the switch to the link.
  [[nodiscard]] unsigned behind_switch_allocation() const { return switch_allocation + traversal; }
};

/// When a header that came over a link, and goes on over another one, asks for its way.
enum class Forwarding : std::uint8_t {
  kWormhole,        ///< as it comes to the front of its buffer
  kStoreAndForward  ///< once the tail of its packet is in that buffer, too
};

inline constexpr unsigned kUnlimited = 0;
/// Injection or consumption channels of a terminal that have numbers: so many at most.
inline constexpr unsigned kMostChannels = 64;

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
  Ties ties = Ties::kRandom;
  std::vector<VcSelector> prefer;  ///< tried in order before all others
  VcRelease release = VcRelease::kTailCrossed;
  bool busy_when_full = false;  ///< an output VC without room behind is given to no header
  Forwarding forwarding = Forwarding::kWormhole;
  unsigned input_depth = 1;     ///< flits per input VC buffer
  unsigned output_depth = 1;    ///< flits per output VC buffer; 0: none, the crossbar feeds the links
  unsigned lanes = 1;           ///< replicas of every VC class
  unsigned parallel_links = 1;  ///< physical links per direction, one flit per cycle each
  LinkAssignment link_assignment = LinkAssignment::kMixed;
  LinkSharing link_sharing = LinkSharing::kDemand;
  bool refill_same_cycle = false;      ///< injection buffer takes a flit in the cycle in which it empties
  unsigned injection_delay = 1;        ///< 0: a packet is in the injection buffer in the cycle of its birth
  unsigned injection_channels = 1;     ///< per terminal, one worm and one flit per cycle each; kUnlimited:
                                       ///< as many as worms enter or wait at once
  unsigned injection_vcs = 1;          ///< buffers per injection channel; a worm takes the next with room
  bool injection_interleaved = false;  ///< worms in the VCs of an injection channel share it, flit by flit;
                                       ///< else one enters after the other
  unsigned consumption_channels = 1;  ///< per terminal, one flit per cycle each; kUnlimited: never waited for
  unsigned consumption_vcs = 1;       ///< worms that may share one consumption channel
  unsigned consumption_depth = 1;     ///< flits in a consumption (delivery) buffer
  unsigned consumption_delay = 0;  ///< without output buffers: cycles from the crossbar to that buffer; 0: a
                                   ///< flit that crosses is consumed
  /// Multicasts (Boppana et al. 1998, 3): which class of consumption channels a worm is of; empty: as the
  /// planner says.
  std::vector<ConsumptionClassRule> consumption_classes;
  ConsumptionAccess consumption_access = ConsumptionAccess::kOwnOrShared;  ///< several destinations
  ConsumptionAccess unicast_access = ConsumptionAccess::kOwnOrShared;      ///< worms with one destination
  ConsumptionWait consumption_wait = ConsumptionWait::kFirstFree;
  Acquisition acquisition = Acquisition::kConsumptionFirst;
  /// Messages that a terminal can hold to send them on; a worm is then absorbed at each of its destinations.
  /// 0: it goes on while it is consumed.
  unsigned retransmission_buffers = 0;
  std::string vc_allocator = "scan";      ///< "scan", or a registered allocator
  std::string switch_allocator = "none";  ///< "none": the crossbar has a port for every VC; or registered
  ArbiterKind arbiter = ArbiterKind::kRoundRobin;
  unsigned allocator_iterations = 1;
  bool transit_first = false;  ///< scan: headers of injection channels come after all others
  Pipeline pipeline;

  /// Consumption channels of a terminal, virtual ones counted one by one.
  [[nodiscard]] unsigned consumption_slots() const { return consumption_channels * consumption_vcs; }
  /// Packets are in an input buffer as a whole before they go on.
  [[nodiscard]] bool stores() const { return forwarding == Forwarding::kStoreAndForward; }
  /// The crossbar feeds the links directly.
  [[nodiscard]] bool direct() const { return output_depth == 0; }
  /// The terminal takes flits out of a buffer that may be full.
  [[nodiscard]] bool consumption_buffered() const { return !direct() || consumption_delay > 0; }
  friend bool operator==(const NodeDescription&, const NodeDescription&) = default;
};

using NodeDescriptions = Kinds<NodeDescription, RouterId>;

/// Flits that a packet may have at most on its way over any of these routers: it fits into an input buffer of
/// each of those that store it.
[[nodiscard]] std::uint32_t longest_packet(const NodeDescriptions& nodes);

/// The declared keys of a node, with the generic defaults. Unit, range and hardware meaning of each.
const std::vector<Parameter>& node_parameters();

/// Throws ConfigError where keys contradict each other.
void check_node(const NodeDescription& node);
/// Throws ConfigError for a key that no node has.
void check_node_keys(const Parameters& keys);

/// Typed form of resolved node keys, checked. Throws ConfigError for contradictions.
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

/// All keys of a registered node model, "model" among them: the generic defaults, and what its preset says
/// otherwise. Throws ConfigError where there is no such model.
Parameters keys_of_model(const std::string& model);

}  // namespace noctule
