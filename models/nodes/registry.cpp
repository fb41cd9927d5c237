#include <fmt/format.h>

#include <array>
#include <string_view>

#include "core/error.h"
#include "nodes/node_description.h"

namespace noctule {

template <>
NodeRegistry& NodeRegistry::instance() {
  static NodeRegistry registry;
  return registry;
}

namespace {

// The words for the values of each enumeration, in their order.
constexpr std::array<const char*, 4> kScans{"round_robin", "rotating", "fixed", "random_start"};
constexpr std::array<const char*, 4> kSelections{"random", "first", "rotating", "least_busy"};
constexpr std::array<const char*, 3> kReleases{"tail_crossed", "tail_left", "next_buffer_empty"};
constexpr std::array<const char*, 2> kLinkAssignments{"mixed", "by_class"};
constexpr std::array<const char*, 2> kRefills{"next_cycle", "same_cycle"};

constexpr unsigned kMaxDepth = 4096;
constexpr unsigned kMaxLanes = 64;
constexpr unsigned kMaxParallelLinks = 16;
constexpr unsigned kMaxConnections = 65535;

template <class Words>
std::vector<std::string> list(const Words& words) {
  return {words.begin(), words.end()};
}

template <class Enum, class Words>
Enum word(const Parameters& keys, const char* name, const Words& words) {
  const auto given = keys.get<std::string>(name, words.front());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (given == words[i]) return static_cast<Enum>(i);
  throw ConfigError(std::string("node.") + name,
                    fmt::format("'{}' is not allowed; allowed: {}", given, fmt::join(words, ", ")));
}

unsigned number(const Parameters& keys, const char* name, unsigned otherwise, unsigned most) {
  const auto given = keys.get<std::int64_t>(name, otherwise);
  if (given < 1 || given > most)
    throw ConfigError(std::string("node.") + name,
                      fmt::format("{} is out of range; allowed: 1 to {}", given, most));
  return static_cast<unsigned>(given);
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

Parameter selector_list(const char* name, Json value, const char* description) {
  return Parameter::list(
      name, std::move(value),
      Parameter::labels("selector",
                        "VCs whose fields hold the given values: the fields of the routing "
                        "relation's VC classes, direction, lane, position (router name, "
                        "globs allowed)"),
      0, 4096, description);
}

std::vector<Parameter> declare() {
  const auto integer = [](const char* name, std::int64_t value, unsigned most, const char* unit,
                          const char* text) { return Parameter::integer(name, value, 1, most, unit, text); };
  std::vector<Parameter> keys;
  keys.push_back(Parameter::list(
      "crossbar_per", Json::array(), Parameter::text("field", nullptr, "field of the VC classes"), 0, 8,
      "one crossbar per combination of values of these fields of the VC classes; []: one "
      "crossbar for all"));
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
                                   "(unfair), from a random one"));
  keys.push_back(Parameter::choice("selection", kSelections[0], list(kSelections),
                                   "which of its feasible free output VCs a header takes"));
  keys.push_back(selector_list("prefer", Json::array(),
                               "VCs that a header takes before all others, if free; tried in this order"));
  keys.push_back(Parameter::choice("release", kReleases[0], list(kReleases),
                                   "when the next worm may take an output VC: the last tail has crossed the "
                                   "crossbar, has left the output buffer, or the input buffer behind is "
                                   "empty too"));
  keys.push_back(integer("input_depth", 1, kMaxDepth, "flits", "depth of the input buffer of each VC"));
  keys.push_back(integer("output_depth", 1, kMaxDepth, "flits", "depth of the output buffer of each VC"));
  keys.push_back(integer("lanes", 1, kMaxLanes, "VCs", "replicas of every VC class of the routing relation"));
  keys.push_back(integer("parallel_links", 1, kMaxParallelLinks, "links",
                         "physical links per direction, each one flit wide per cycle"));
  keys.push_back(Parameter::choice("link_assignment", kLinkAssignments[0], list(kLinkAssignments),
                                   "which VCs share a parallel link: lanes dealt out so that each link has "
                                   "all classes, or the classes split among the links"));
  keys.push_back(Parameter::choice("injection_refill", kRefills[0], list(kRefills),
                                   "when the injection buffer takes its next flit: in the cycle after it "
                                   "emptied, or in the same one"));
  keys.push_back(
      integer("consumption_depth", 1, kMaxDepth, "flits", "depth of the consumption (delivery) buffer"));
  return keys;
}

}  // namespace

const std::vector<Parameter>& node_parameters() {
  static const std::vector<Parameter> declared = declare();
  return declared;
}

NodeDescription node_from_parameters(const Parameters& resolved) {
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
  node.selection = word<Selection>(resolved, "selection", kSelections);
  node.prefer = selectors(resolved, "prefer");
  node.release = word<VcRelease>(resolved, "release", kReleases);
  node.input_depth = number(resolved, "input_depth", node.input_depth, kMaxDepth);
  node.output_depth = number(resolved, "output_depth", node.output_depth, kMaxDepth);
  node.lanes = number(resolved, "lanes", node.lanes, kMaxLanes);
  node.parallel_links = number(resolved, "parallel_links", node.parallel_links, kMaxParallelLinks);
  node.link_assignment = word<LinkAssignment>(resolved, "link_assignment", kLinkAssignments);
  node.refill_same_cycle = word<bool>(resolved, "injection_refill", kRefills);
  node.consumption_depth = number(resolved, "consumption_depth", node.consumption_depth, kMaxDepth);
  if (node.link_assignment == LinkAssignment::kMixed && node.lanes < node.parallel_links)
    throw ConfigError(
        "node.parallel_links",
        fmt::format("{} parallel links but {} lane(s): with link_assignment mixed each link needs "
                    "a lane of its own; raise node.lanes or use link_assignment by_class",
                    node.parallel_links, node.lanes));
  return node;
}

}  // namespace noctule
