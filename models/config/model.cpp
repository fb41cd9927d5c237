#include "config/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/planes.h"
#include "config/rules.h"
#include "core/fixed_point.h"
#include "core/json.h"

namespace noctule {
namespace {

/// With cycles auto: the first length tried.
constexpr Cycle kFirstMeasurementCycles = 30'000;

Choice choice(const Json& section, const char* discriminator) {
  return {section.at(discriminator).get<std::string>(), Parameters(section)};
}

/// A number of cycles, or nothing for a word such as auto.
std::optional<Cycle> cycles_or_word(const Json& value) {
  if (value.is_string()) return std::nullopt;
  return value.get<Cycle>();
}

TrafficConfig traffic_from_json(const Json& section) {
  TrafficConfig traffic;
  traffic.pattern = choice(section.at("pattern"), "kind");
  traffic.source = choice(section.at("source"), "kind");
  traffic.sink = choice(section.at("sink"), "kind");
  traffic.offered_load = section.at("offered_load").get<double>();
  const auto unit = section.at("load_unit").get<std::string>();
  traffic.load_unit = unit == "normalized"               ? LoadUnit::kNormalized
                      : unit == "packets_per_node_cycle" ? LoadUnit::kPacketsPerNodeCycle
                                                         : LoadUnit::kFlitsPerNodeCycle;
  if (section.contains("packet_lengths"))
    for (const auto& part : section.at("packet_lengths"))
      traffic.lengths.emplace_back(part.at("length").get<std::uint32_t>(), part.at("weight").get<double>());
  else
    traffic.lengths.emplace_back(section.at("packet_length").get<std::uint32_t>(), 1.0);
  traffic.mean_length = mean_packet_length(section);
  const Json& multicast = section.at("multicast");
  auto& m = traffic.multicasts;
  const auto fraction = multicast.at("fraction").get<double>();
  m.share = static_cast<std::uint64_t>(std::llround(fraction * 4294967296.0));
  m.least = multicast.at("least").get<std::uint32_t>();
  m.most = multicast.at("most").get<std::uint32_t>();
  m.preparation = multicast.at("preparation_delay").get<std::uint32_t>();
  m.unicast_preparation = multicast.at("unicast_preparation_delay").get<std::uint32_t>();
  traffic.mean_destinations = mean_destinations(section);
  const Json& queue = section.at("source_queue");
  traffic.discard = queue == "discard";
  if (queue.is_number()) traffic.queue_packets = queue.get<std::uint32_t>();
  traffic.stall = section.at("stall").get<double>();
  return traffic;
}

MeasurementConfig measurement_from_json(const Json& section) {
  MeasurementConfig measurement;
  auto& s = measurement.settings;
  s.warm_up_cycles = cycles_or_word(section.at("warm_up"));
  s.warm_up_limit_cycles = section.at("warm_up_limit").get<Cycle>();
  s.measure_limit_cycles = section.at("limit").get<Cycle>();
  s.batches = section.at("batches").get<unsigned>();
  if (const auto length = cycles_or_word(section.at("cycles"))) {
    s.measure_cycles = *length;
  } else {
    s.measure_cycles = std::min(kFirstMeasurementCycles, s.measure_limit_cycles);
    s.precision = section.at("precision").get<double>();
  }
  measurement.occupancy_interval = section.at("occupancy_interval").get<Cycle>();
  measurement.flows = section.at("flows").get<bool>();
  measurement.deadlock_interval = section.at("deadlock_interval").get<Cycle>();
  return measurement;
}

long parameter_value(const std::string& name, const Json& given) {
  const Json& value = given.is_array() && given.size() == 1 ? given.front() : given;
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw ConfigError("nodes", fmt::format("parameter {}: {} is no whole number", name, text));
  return number;
}

NodesEntry nodes_entry_from_json(const Json& section, std::size_t number) {
  NodesEntry entry;
  entry.routers = section.at("routers").get<std::vector<std::string>>();
  if (!section.contains("set") && !section.contains("rtl"))
    throw ConfigError(
        fmt::format("nodes[{}]", number),
        "says nothing of its routers; give 'set' with keys of the section node, or 'rtl: {}' for "
        "the shipped RTL");
  if (section.contains("set")) entry.set = section.at("set");
  if (!section.contains("rtl")) return entry;
  const Json& given = section.at("rtl");
  RtlSource rtl;
  rtl.top = given.at("top").get<std::string>();
  for (const auto& file : given.at("files")) rtl.files.emplace_back(file.get<std::string>());
  for (const auto& folder : given.at("folders")) rtl.folders.emplace_back(folder.get<std::string>());
  for (const auto& [name, value] : given.at("parameters").items())
    rtl.parameters[name] = parameter_value(name, value);
  entry.rtl = std::move(rtl);
  return entry;
}

CosimConfig cosim_from_json(const Json& section) {
  const auto mode = section.at("mode").get<std::string>();
  return {mode == "shadow"    ? CosimMode::kShadow
          : mode == "swapped" ? CosimMode::kSwapped
                              : CosimMode::kPlain,
          section.at("cycles").get<Cycle>(),
          section.at("record").get<std::string>(),
          section.at("waveform").get<bool>(),
          section.at("resets").get<std::uint64_t>(),
          section.at("coverage").get<bool>()};
}

TraceConfig trace_from_json(const Json& section) {
  TraceConfig trace;
  trace.vcd = section.at("vcd").get<bool>();
  trace.scope = section.at("scope").get<std::vector<std::string>>();
  trace.from = section.at("from").get<Cycle>();
  trace.cycles = cycles_or_word(section.at("cycles"));
  trace.gtkw = section.at("gtkw").get<bool>();
  trace.events = section.at("events").get<bool>();
  trace.all_points = section.at("points") == "all";
  return trace;
}

LinkAttributes attributes_from_json(const Json& set) {
  const auto value = [&](const char* key) -> std::optional<std::uint16_t> {
    if (!set.contains(key)) return {};
    return set.at(key).get<std::uint16_t>();
  };
  return {value("flit_delay"), value("credit_delay"), value("cycles_per_flit")};
}

LinkShape shape_from_json(const Json& set) {
  LinkShape shape;
  if (set.contains("lanes")) shape.lanes = set.at("lanes").get<unsigned>();
  if (set.contains("parallel_links")) shape.parallel_links = set.at("parallel_links").get<unsigned>();
  if (set.contains("sharing"))
    shape.sharing = set.at("sharing") == kLinkSharings[0] ? LinkSharing::kDemand : LinkSharing::kFixedSlot;
  return shape;
}

/// `planes`: those of a fabric_part.
MessageClasses message_classes_from_json(const Json& section, const Json& depends, const Json& planes) {
  if (section.empty()) {
    if (!depends.empty())
      throw ConfigError("depends", "names message classes, and there are none; name them in message_classes");
    return {};
  }
  std::vector<MessageClass> classes;
  std::vector<std::string> interfaces;
  for (const auto& [name, given] : section.items()) {
    MessageClass c{name};
    c.vcs = given.at("vcs").get<VcSelector>();
    if (given.at("buffer").is_number()) c.buffer = given.at("buffer").get<std::uint32_t>();
    c.priority = given.at("priority").get<std::uint8_t>();
    if (given.at("weight").is_number()) c.weight = given.at("weight").get<std::uint32_t>();
    const auto shared = given.at("interface").get<std::string>();
    // The names of classes and those of interfaces are apart: a class of its own has the key of no other.
    const std::string key = shared.empty() ? "." + name : shared;
    const auto known = std::ranges::find(interfaces, key);
    c.interface = static_cast<std::uint8_t>(known - interfaces.begin());
    if (known == interfaces.end()) interfaces.push_back(key);
    c.attachment = plane_of_class(planes, name);
    classes.push_back(std::move(c));
  }
  for (const auto& [name, given] : section.items())
    if (const auto other = given.at("interface").get<std::string>();
        other != name && section.contains(other) && section.at(other).at("interface") != other)
      throw ConfigError(
          fmt::format("message_classes.{}.interface", name),
          fmt::format("'{}' is a message class, which does not share an interface of that name; "
                      "give it interface '{}', too",
                      other, other));
  number_interfaces(classes);
  for (const MessageClass& c : classes)
    if (c.buffer != 1U && !depends.contains(c.name))
      throw ConfigError(
          fmt::format("message_classes.{}.buffer", c.name),
          fmt::format("has no effect: depends does not say what a terminal sends after a {}; leave it "
                      "out, or say so",
                      c.name));
  MessageClasses all(std::move(classes));
  for (const auto& [name, list] : depends.items())
    for (auto on = list.begin(); on != list.end(); ++on) {
      if (std::find(list.begin(), on, *on) != on)
        throw ConfigError("depends." + name,
                          fmt::format("names {} twice; what a terminal sends after a message is one message "
                                      "of each class",
                                      on->get<std::string>()));
      all.add_dependence(all.number_of(name, "depends"),
                         all.number_of(on->get<std::string>(), "depends." + name));
    }
  return all;
}

}  // namespace

Json fabric_part(const Json& resolved) {
  Json part = Json::object();
  for (const char* section : {"topology", "without", "node", "nodes", "routing", "multicast",
                              "message_classes", "depends", "link", "links"})
    part[section] = resolved.at(section);
  if (resolved.contains("planes") && !resolved.at("planes").empty()) part["planes"] = planes_part(resolved);
  for (const char* limit : {"verify_states", "verify_worms", "verify_router_cycles"})
    part["limits"][limit] = resolved.at("limits").at(limit);
  return part;
}

namespace {

NetworkConfig network_from_json(const Json& part) {
  NetworkConfig network;
  network.topology = choice(part.at("topology"), "kind");
  const Json& without = part.at("without");
  network.without = {without.at("links").get<std::vector<std::string>>(),
                     without.at("routers").get<std::vector<std::string>>(),
                     without.at("random_links").at("count").get<unsigned>(),
                     without.at("random_links").at("seed").get<std::uint64_t>()};
  network.node_keys = Parameters(part.at("node"));
  network.node = node_from_parameters(network.node_keys);
  for (const auto& entry : part.at("nodes"))
    network.nodes.push_back(nodes_entry_from_json(entry, network.nodes.size()));
  network.routing = choice(part.at("routing"), "algorithm");
  network.link = {part.at("link").at("flit_delay").get<unsigned>(),
                  part.at("link").at("credit_delay").get<unsigned>(),
                  part.at("link").at("cycles_per_flit").get<unsigned>(),
                  {}};
  for (const auto& entry : part.at("links")) {
    if (entry.at("set").empty())
      throw ConfigError(fmt::format("links[{}]", network.links.size()),
                        "says nothing of its links; give 'set' with keys of the section link");
    network.links.push_back({entry.at("links").get<std::vector<std::string>>(),
                             attributes_from_json(entry.at("set")), shape_from_json(entry.at("set"))});
  }
  return network;
}

}  // namespace

FabricConfig fabric_from_json(const Json& part) {
  FabricConfig fabric;
  static_cast<NetworkConfig&>(fabric) = network_from_json(part);
  fabric.multicast = choice(part.at("multicast"), "planner");
  fabric.plans_unicasts = part.at("multicast").at("unicasts") == "planner";
  const Json planes = part.value("planes", Json::array());
  fabric.message_classes = message_classes_from_json(part.at("message_classes"), part.at("depends"), planes);
  for (const auto& plane : planes)
    fabric.planes.push_back({plane.at("name"), plane.at("set"), network_from_json(plane.at("network"))});
  const Json& limits = part.at("limits");
  fabric.verify = {limits.at("verify_states").get<std::uint64_t>(),
                   limits.at("verify_worms").get<std::uint64_t>(),
                   limits.at("verify_router_cycles").get<std::uint64_t>()};
  return fabric;
}

ModelConfig model_from_json(const Json& resolved) {
  ModelConfig model;
  static_cast<FabricConfig&>(model) = fabric_from_json(fabric_part(resolved));
  model.name = resolved.at("name").get<std::string>();
  model.description = resolved.at("description").get<std::string>();
  model.seed = resolved.at("seed").get<std::uint64_t>();
  model.traffic = traffic_from_json(resolved.at("traffic"));
  model.measurement = measurement_from_json(resolved.at("measurement"));
  model.cosim = cosim_from_json(resolved.at("cosim"));
  model.trace = trace_from_json(resolved.at("trace"));
  const auto hierarchy = resolved.at("hierarchy").get<std::string>();
  for (const Hierarchy one : {Hierarchy::kBlocks, Hierarchy::kRouters})
    if (hierarchy == name_of(one)) model.hierarchy = one;
  model.plots = resolved.at("plots").get<std::vector<std::string>>();
  model.allow_deadlock = resolved.at("allow_deadlock").get<bool>();
  model.expect = resolved.at("expect").get<std::string>();
  model.limits = {resolved.at("limits").at("memory_mb").get<std::uint64_t>(),
                  resolved.at("limits").at("time_h").get<double>()};
  return model;
}

}  // namespace noctule
