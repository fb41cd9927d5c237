#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "arbitration/allocator.h"
#include "core/error.h"
#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {

template <>
NodeRegistry& NodeRegistry::instance() {
  static NodeRegistry registry;
  return registry;
}

namespace {

// The words for the values of each enumeration, in their order.
constexpr std::array<const char*, 7> kScans{"round_robin",     "rotating",   "fixed",         "random_start",
                                            "injection_first", "first_come", "farthest_first"};
constexpr std::array<const char*, 3> kTies{"random", "rotating", "port"};
constexpr std::array<const char*, 5> kSelections{"random", "first", "rotating", "least_busy", "blind"};
constexpr std::array<const char*, 3> kReleases{"tail_crossed", "tail_left", "next_buffer_empty"};
constexpr std::array<const char*, 2> kForwardings{"wormhole", "store_and_forward"};
constexpr std::array<const char*, 2> kLinkAssignments{"mixed", "by_class"};
constexpr std::array<const char*, 2> kRefills{"next_cycle", "same_cycle"};
constexpr std::array<const char*, 2> kInjectionSharings{"worm", "flit"};
constexpr std::array<const char*, 3> kArbiters{"round_robin", "matrix", "age"};
constexpr std::array<const char*, 3> kAccesses{"own", "own_or_shared", "any"};
constexpr std::array<const char*, 4> kUnicastAccesses{"own", "own_or_shared", "any", "same"};
constexpr std::array<const char*, 2> kWaits{"first_free", "committed"};
constexpr std::array<const char*, 2> kAcquisitions{"consumption_first", "output_first"};

constexpr unsigned kMaxDepth = 4096;
constexpr unsigned kMaxConnections = 65535;
constexpr unsigned kMaxStage = 16;
constexpr unsigned kMaxIterations = 64;

template <class Words>
std::vector<std::string> list(const Words& words) {
  return {words.begin(), words.end()};
}

template <class Enum, class Words>
Enum word(const Parameters& keys, const char* name, const Words& words, std::size_t otherwise = 0) {
  const auto given = keys.get<std::string>(name, words[otherwise]);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (given == words[i]) return static_cast<Enum>(i);
  throw ConfigError(std::string("node.") + name,
                    fmt::format("'{}' is not allowed; allowed: {}", given, fmt::join(words, ", ")));
}

unsigned number(const Parameters& keys, const char* name, unsigned otherwise, unsigned most,
                unsigned least = 1) {
  const auto given = keys.get<std::int64_t>(name, otherwise);
  if (given < least || given > most)
    throw ConfigError(std::string("node.") + name,
                      fmt::format("{} is out of range; allowed: {} to {}", given, least, most));
  return static_cast<unsigned>(given);
}

/// Channels of a terminal: a number, or unlimited.
unsigned channels(const Parameters& keys, const char* name) {
  if (keys.has(name) && keys.json().at(name) == "unlimited") return kUnlimited;
  return number(keys, name, 1, kMostChannels);
}

/// The names of all allocators, behind a word of the node's own.
std::vector<std::string> allocators(const char* other) {
  std::vector<std::string> names{other};
  for (const auto* entry : AllocatorRegistry::instance().entries()) names.push_back(entry->name);
  return names;
}

std::string allocator(const Parameters& keys, const char* name, const std::string& otherwise) {
  auto given = keys.get<std::string>(name, otherwise);
  const auto known = allocators(otherwise.c_str());
  if (std::find(known.begin(), known.end(), given) == known.end())
    throw ConfigError(std::string("node.") + name,
                      fmt::format("there is no allocator '{}'; known: {}", given, fmt::join(known, ", ")));
  return given;
}

std::string scalar_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<VcSelector> selectors(const Parameters& keys, const char* name) {
  std::vector<VcSelector> result;
  if (!keys.has(name)) return result;
  for (const auto& given : keys.json().at(name)) {
    VcSelector selector;
    for (const auto& [field, values] : given.items()) {
      auto& wanted = selector[field];
      if (values.is_array())
        for (const auto& value : values) wanted.push_back(scalar_text(value));
      else
        wanted.push_back(scalar_text(values));
    }
    result.push_back(std::move(selector));
  }
  return result;
}

/// {class: 0, group: up}: a class, and the fields that a worm of it has.
std::vector<ConsumptionClassRule> class_rules(const Parameters& keys, const char* name) {
  std::vector<ConsumptionClassRule> rules;
  for (auto& selector : selectors(keys, name)) {
    const std::string key = fmt::format("node.{}[{}]", name, rules.size());
    const auto given = selector.find("class");
    if (given == selector.end() || given->second.size() != 1)
      throw ConfigError(key, "every rule names one class, such as {class: 0, group: up}");
    const auto& text = given->second.front();
    if (text.empty() || text.size() > 2 || text.find_first_not_of("0123456789") != std::string::npos ||
        std::stoul(text) >= kMostChannels)
      throw ConfigError(key, fmt::format("class '{}' is not a number from 0 to {}", text, kMostChannels - 1));
    const auto number = static_cast<unsigned>(std::stoul(text));
    selector.erase("class");
    for (const auto& [field, unused] : selector)
      if (field != "group" && field != "incoming" && field != "outgoing" && field != "destinations")
        throw ConfigError(key, fmt::format("worms have no field '{}'; there are: group, incoming, outgoing, "
                                           "destinations, and class for the class that they are of",
                                           field));
    rules.push_back({number, std::move(selector)});
  }
  return rules;
}

Parameter selector_list(const char* name, const Json& value, const char* description) {
  return Parameter::list(
      name, value,
      Parameter::labels("selector",
                        "VCs whose fields hold the given values: the fields of the routing "
                        "relation's VC classes, direction, lane, position (router name, "
                        "globs allowed: *, ?, [05])"),
      0, 4096, description);
}

void add_allocation(std::vector<Parameter>& keys) {
  keys.push_back(Parameter::choice("vc_allocator", "scan", allocators("scan"),
                                   "matches headers with output VCs: scan looks at one header after the "
                                   "other (keys scan, selection, connections_per_cycle); the others are "
                                   "allocator circuits, see noctule list allocator"));
  keys.push_back(Parameter::choice("switch_allocator", "none", allocators("none"),
                                   "matches input ports with output ports, one flit each per cycle; none: "
                                   "the crossbar has an input and an output for every VC"));
  keys.push_back(Parameter::choice("arbiter", kArbiters[0], list(kArbiters),
                                   "arbiters of the allocators: a rotating pointer, or a matrix of who was "
                                   "served before whom; age: in all that the router decides, with or "
                                   "without allocators, the packet that was created first goes first"));
  keys.push_back(Parameter::integer("allocator_iterations", 1, 1, kMaxIterations, "iterations",
                                    "rounds of an allocator in a cycle; later ones match what is left"));
  const auto stage = [&](const char* name, std::int64_t value, const char* text) {
    keys.push_back(Parameter::integer(name, value, 0, kMaxStage, "cycles", text));
  };
  stage("routing_delay", 0, "pipeline: route computation, before a header bids for a VC");
  stage("vc_allocation_delay", 0,
        "pipeline: from the bid for a VC to the bid for the switch; 0: in the same "
        "cycle");
  stage("switch_allocation_delay", 0,
        "pipeline: from the bid for the switch to the crossbar; output_depth 0 "
        "only");
  stage("traversal_delay", 1, "pipeline: crossbar; always 1 with output buffers");
  keys.push_back(Parameter::boolean("early_routing", false,
                                    "a header that waits behind another worm in its buffer has its route "
                                    "computed meanwhile; with routing_delay 1"));
  keys.push_back(Parameter::boolean("lookahead", false,
                                    "the router before computes the route: no cycles for routing here"));
  keys.push_back(Parameter::boolean("speculative", false,
                                    "headers bid for the switch in the cycle in which they bid for a VC; "
                                    "flits that have a VC go first"));
}

void add_terminals(std::vector<Parameter>& keys) {
  const auto integer = [&](const char* name, std::int64_t least, std::int64_t most, const char* unit,
                           const char* text) { return Parameter::integer(name, 1, least, most, unit, text); };
  keys.push_back(integer("injection_channels", 1, kMostChannels, "channels",
                         "injection channels per terminal: worms that may enter at once, one flit per cycle "
                         "each; unlimited: as many as there are worms that enter or wait (scan first_come "
                         "only)")
                     .or_word("unlimited"));
  keys.push_back(integer("injection_vcs", 1, kMostChannels, "VCs",
                         "buffers per injection channel, so that a waiting worm does not block the next"));
  keys.push_back(Parameter::choice("injection_sharing", kInjectionSharings[0], list(kInjectionSharings),
                                   "how the VCs of an injection channel share it: one worm enters after the "
                                   "other, or one in each VC, in turn, flit by flit"));
  keys.push_back(
      integer("injection_delay", 0, 1, "cycles",
              "from the source queue to the injection buffer; 0: a header can leave in the cycle of "
              "its birth"));
  keys.push_back(integer("consumption_channels", 1, kMostChannels, "channels",
                         "consumption channels per terminal, one flit per cycle each; unlimited: every worm "
                         "that arrives is consumed at once (output_depth 0 only)")
                     .or_word("unlimited"));
  keys.push_back(integer("consumption_vcs", 1, kMostChannels, "VCs",
                         "worms that may share a consumption channel; more than 1 needs a switch allocator"));
}

void add_consumption(std::vector<Parameter>& keys) {
  keys.push_back(Parameter::list(
      "consumption_classes", nullptr,
      Parameter::labels(
          "rule",
          "class: number from 0; group, incoming, outgoing, destinations: values that a worm of "
          "the class has, e.g. {class: 1, incoming: [y_plus, y_minus]}"),
      1, 4096,
      "multicasts: class of consumption channels that a worm uses at a destination, the first rule that "
      "fits; "
      "group is the planner's, or unicast; incoming a port or injection; outgoing a port or none; "
      "destinations "
      "one or several. The default is the planner's"));
  keys.push_back(Parameter::choice("consumption_access", kAccesses[1], list(kAccesses),
                                   "multicasts: channels that a worm may take. The first ones are one for "
                                   "each class; own: the channel of its "
                                   "class, any further ones being dealt out among the classes; "
                                   "own_or_shared: the channel of its class, else "
                                   "a further one; any: all"));
  keys.push_back(Parameter::choice("unicast_access", kUnicastAccesses[3], list(kUnicastAccesses),
                                   "the same for worms with one destination; same: as consumption_access"));
  keys.push_back(Parameter::choice("consumption_wait", kWaits[0], list(kWaits),
                                   "multicasts: a worm takes the first of its channels that comes free, or "
                                   "draws one at random as it arrives, and waits for that one"));
  keys.push_back(
      Parameter::choice("acquisition", kAcquisitions[0], list(kAcquisitions),
                        "multicasts: what a worm that goes on from a destination acquires first: "
                        "the consumption channel or the output VC; it holds the one while it waits "
                        "for the other"));
  keys.push_back(Parameter::integer("retransmission_buffers", 0, 0, kMostChannels / 2, "messages",
                                    "multicasts: 0: a worm goes on from a destination while it is consumed "
                                    "there; n: it is absorbed, and sent on from one of n buffers of the "
                                    "terminal, while the consumption channel holds the next message"));
}

std::vector<Parameter> declare() {
  const auto integer = [](const char* name, std::int64_t value, unsigned most, const char* unit,
                          const char* text) { return Parameter::integer(name, value, 1, most, unit, text); };
  std::vector<Parameter> keys;
  keys.push_back(Parameter::list(
      "crossbar_per", Json::array(), Parameter::text("field", nullptr, "field of the VC classes"), 0, 8,
      "one crossbar per combination of values of these fields (lane, direction, and those of the relation's "
      "VC classes), through which worms keep them: with [lane] a worm stays in its lane; []: one crossbar "
      "for "
      "all"));
  keys.push_back(selector_list("crossbars", nullptr,
                               "partition of the router's inputs and outputs into independent crossbars, one "
                               "selector each; injection and consumption belong to all")
                     .instead_of("crossbar_per"));
  keys.push_back(Parameter::integer("connections_per_cycle", "all", 1, kMaxConnections, "connections",
                                    "new connections that a crossbar's VC allocator makes in a cycle; all: "
                                    "every header that finds a free output")
                     .or_word("all"));
  keys.push_back(Parameter::choice("scan", kScans[0], list(kScans),
                                   "order in which the VC allocator looks at its inputs: from the one after "
                                   "the last served, from a start that moves every cycle, from the lowest "
                                   "(unfair), from a random one, from the lowest with the terminals' before "
                                   "the links' (unfair); or headers in the order in which they came to the "
                                   "front of their buffers; or those of the longest paths first"));
  keys.push_back(Parameter::choice("ties", kTies[0], list(kTies),
                                   "scan first_come: who comes first among headers that come in the same "
                                   "cycle: drawn; the one from the port after the winner of the last tie; or "
                                   "by the number of the input, which favours low ones: X before Y"));
  keys.push_back(Parameter::boolean("transit_first", false,
                                    "the scan serves headers of injection channels after all others"));
  keys.push_back(
      Parameter::choice("selection", kSelections[0], list(kSelections),
                        "which of its feasible free output VCs a header takes; blind: one drawn of all "
                        "feasible ones in every cycle, which may not be free; vc_allocator scan only"));
  keys.push_back(selector_list("prefer", Json::array(),
                               "VCs that a header takes before all others, if free; tried in this order"));
  keys.push_back(Parameter::choice("release", kReleases[0], list(kReleases),
                                   "when the next worm may take an output VC: the last tail has left the "
                                   "input buffer, has left the output buffer, or the input buffer behind "
                                   "is empty too (atomic VCs)"));
  keys.push_back(
      Parameter::boolean("vc_busy_when_full", false,
                         "an output VC is given to a header only while there is room behind it: in "
                         "its output buffer or, without one, in the next input buffer"));
  keys.push_back(Parameter::choice("forwarding", kForwardings[0], list(kForwardings),
                                   "when a header that came over a link asks for the way to the next one: "
                                   "as it comes to the front of its buffer; or once the tail of its packet "
                                   "is in, too: then no packet is longer than input_depth. Packets that "
                                   "enter, or are at their destination, are never stored"));
  keys.push_back(integer("input_depth", 1, kMaxDepth, "flits", "depth of the input buffer of each VC"));
  keys.push_back(
      Parameter::integer("output_depth", 1, 0, kMaxDepth, "flits",
                         "depth of the output buffer of each VC; 0: no output buffers, the crossbar "
                         "feeds the links (an input-queued router)"));
  keys.push_back(
      integer("lanes", 1, kMostLanes, "VCs", "replicas of every VC class of the routing relation"));
  keys.push_back(integer("parallel_links", 1, kMostParallelLinks, "links",
                         "physical links per direction, each one flit wide per cycle"));
  keys.push_back(Parameter::choice("link_assignment", kLinkAssignments[0], list(kLinkAssignments),
                                   "which VCs share a parallel link: lanes dealt out so that each link has "
                                   "all classes, or the classes split among the links"));
  keys.push_back(Parameter::choice("link_sharing", kLinkSharings[0], list(kLinkSharings),
                                   "bandwidth of a link: on demand one flit per cycle of any VC; in fixed "
                                   "slots every VC its own share, a flit taking as many cycles as links "
                                   "alike have VCs, used or not"));
  add_allocation(keys);
  add_terminals(keys);
  keys.push_back(Parameter::choice("injection_refill", kRefills[0], list(kRefills),
                                   "when the injection buffer takes its next flit: in the cycle after it "
                                   "emptied, or in the same one"));
  keys.push_back(
      integer("consumption_depth", 1, kMaxDepth, "flits", "depth of the consumption (delivery) buffer"));
  keys.push_back(Parameter::integer("consumption_delay", 0, 0, kMaxStage, "cycles",
                                    "without output buffers: cycles from the crossbar to the consumption "
                                    "buffer, one more link; 0: a flit that crosses is consumed"));
  add_consumption(keys);
  return keys;
}

}  // namespace

const std::vector<Parameter>& node_parameters() {
  static const std::vector<Parameter> declared = declare();
  return declared;
}

Parameters keys_of_model(const std::string& model) {
  const NodePreset preset = NodeRegistry::instance().at(model).make();
  Parameters keys = Parameters::defaults(node_parameters());
  keys.set("model", model);
  for (const auto& [key, value] : preset.keys.json().items()) keys.set(key, value);
  return keys;
}

NodeDescription node_from_parameters(const Parameters& resolved) {
  check_node_keys(resolved);
  NodeDescription node;
  node.model = resolved.get<std::string>("model", node.model);
  node.crossbars = selectors(resolved, "crossbars");
  node.crossbar_per = resolved.get<std::vector<std::string>>("crossbar_per", {});
  if (!node.crossbars.empty() && !node.crossbar_per.empty())
    throw ConfigError("node.crossbars",
                      "crossbars and crossbar_per are two ways to write one partition; give one of them");
  if (const auto& keys = resolved.json();
      resolved.has("connections_per_cycle") && keys.at("connections_per_cycle") != "all")
    node.connections_per_cycle = number(resolved, "connections_per_cycle", 1, kMaxConnections);
  node.scan = word<Scan>(resolved, "scan", kScans);
  node.ties = word<Ties>(resolved, "ties", kTies);
  node.selection = word<Selection>(resolved, "selection", kSelections);
  node.prefer = selectors(resolved, "prefer");
  node.release = word<VcRelease>(resolved, "release", kReleases);
  node.forwarding = word<Forwarding>(resolved, "forwarding", kForwardings);
  node.input_depth = number(resolved, "input_depth", node.input_depth, kMaxDepth);
  node.output_depth = number(resolved, "output_depth", node.output_depth, kMaxDepth, 0);
  node.lanes = number(resolved, "lanes", node.lanes, kMostLanes);
  node.parallel_links = number(resolved, "parallel_links", node.parallel_links, kMostParallelLinks);
  node.link_assignment = word<LinkAssignment>(resolved, "link_assignment", kLinkAssignments);
  node.refill_same_cycle = word<bool>(resolved, "injection_refill", kRefills);
  node.consumption_depth = number(resolved, "consumption_depth", node.consumption_depth, kMaxDepth);
  node.consumption_delay = number(resolved, "consumption_delay", node.consumption_delay, kMaxStage, 0);
  node.busy_when_full = resolved.get<bool>("vc_busy_when_full", node.busy_when_full);
  node.link_sharing = word<LinkSharing>(resolved, "link_sharing", kLinkSharings);
  node.transit_first = resolved.get<bool>("transit_first", node.transit_first);
  node.vc_allocator = allocator(resolved, "vc_allocator", node.vc_allocator);
  node.switch_allocator = allocator(resolved, "switch_allocator", node.switch_allocator);
  node.arbiter = word<ArbiterKind>(resolved, "arbiter", kArbiters);
  node.allocator_iterations = number(resolved, "allocator_iterations", 1, kMaxIterations);
  Pipeline& pipeline = node.pipeline;
  pipeline.routing = number(resolved, "routing_delay", pipeline.routing, kMaxStage, 0);
  pipeline.vc_allocation = number(resolved, "vc_allocation_delay", pipeline.vc_allocation, kMaxStage, 0);
  pipeline.switch_allocation =
      number(resolved, "switch_allocation_delay", pipeline.switch_allocation, kMaxStage, 0);
  pipeline.traversal = number(resolved, "traversal_delay", pipeline.traversal, kMaxStage, 0);
  pipeline.early_routing = resolved.get<bool>("early_routing", pipeline.early_routing);
  pipeline.lookahead = resolved.get<bool>("lookahead", pipeline.lookahead);
  pipeline.speculative = resolved.get<bool>("speculative", pipeline.speculative);
  node.injection_channels = channels(resolved, "injection_channels");
  node.injection_vcs = number(resolved, "injection_vcs", 1, kMostChannels);
  node.injection_interleaved = word<bool>(resolved, "injection_sharing", kInjectionSharings);
  node.injection_delay = number(resolved, "injection_delay", node.injection_delay, 1, 0);
  node.consumption_channels = channels(resolved, "consumption_channels");
  node.consumption_vcs = number(resolved, "consumption_vcs", 1, kMostChannels);
  node.consumption_classes = class_rules(resolved, "consumption_classes");
  node.consumption_access = word<ConsumptionAccess>(resolved, "consumption_access", kAccesses, 1);
  node.unicast_access = resolved.get<std::string>("unicast_access", "same") == "same"
                            ? node.consumption_access
                            : word<ConsumptionAccess>(resolved, "unicast_access", kUnicastAccesses);
  node.consumption_wait = word<ConsumptionWait>(resolved, "consumption_wait", kWaits);
  node.acquisition = word<Acquisition>(resolved, "acquisition", kAcquisitions);
  node.retransmission_buffers =
      number(resolved, "retransmission_buffers", node.retransmission_buffers, kMostChannels / 2, 0);
  check_node(node);
  return node;
}

}  // namespace noctule
