// cost: what the routers of a file take in area and time, from the cost table. Measures nothing itself.

#include <fmt/format.h>

#include <iostream>
#include <set>

#include "analytic/zero_load.h"
#include "config/model.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "run/fabric_verdict.h"
#include "tb/cost_figures.h"
#include "tb/options.h"
#include "tb/points.h"
#include "tb/report.h"

namespace noctule {
namespace {

/// What a lone packet takes over the mean distance of the pattern.
struct LonePacket {
  double cycles = 0;
  double hops = 0;
  double flits = 0;
};

std::optional<LonePacket> lone_packet(const PointConfig& point) {
  const PointSpec spec = configured_point(point, {});
  if (!spec.pattern) return std::nullopt;
  const FabricPlan plan = plan_of(spec);
  const ZeroLoad zero_load(plan);
  LonePacket packet;
  packet.hops = mean_distance(*spec.topology, *spec.pattern);
  packet.flits = model_from_json(point.resolved).traffic.mean_length;
  // Linear in hops and, but for the first flits, in length.
  const auto length = static_cast<std::uint64_t>(std::max(1.0, packet.flits + 0.5));
  packet.cycles = static_cast<double>(zero_load.latency(1, length)) +
                  (packet.hops - 1) * static_cast<double>(zero_load.per_hop());
  return packet;
}

Json lone_packet_json(const LonePacket& packet, const CostRange& cycle_ns) {
  return {{"hops", packet.hops},
          {"flits", packet.flits},
          {"cycles", packet.cycles},
          {"ns", to_json(CostRange{packet.cycles * cycle_ns.low, packet.cycles * cycle_ns.high})}};
}

/// The keys in which a point's routers differ from those of other points.
Json router_keys(const PointConfig& point) {
  Json set = Json::object();
  for (const auto& [key, value] : point.set.items())
    for (const char* part : {"topology.", "routing.", "node.", "cost."})
      if (key.starts_with(part)) set[key] = value;
  return set;
}

std::string text_of(const Json& json, std::initializer_list<const char*> path, int digits, double scale = 1) {
  const Json* range = value_at(json, path);
  if (range == nullptr) return "-";
  return range_text({range->at("low").get<double>() * scale, range->at("high").get<double>() * scale},
                    digits);
}

std::string table_of(const Json& nodes) {
  std::vector<std::vector<std::string>> rows{
      {"series", "area", "clock", "in router", "over link", "lone packet", "flip-flops", "gates", "depth"},
      {"", "mm2", "ns", "ns", "ns", "ns", "", "", "gates"}};
  std::string below;
  std::string assumed;
  auto say = [said = std::set<std::string>()](std::string& text, const std::string& line) mutable {
    if (said.insert(line).second) text += line + "\n";
  };
  for (const Json& node : nodes) {
    const auto label = node.at("label").get<std::string>();
    if (!node.contains("cost")) {
      rows.push_back({label, "-", "-", "-", "-", "-", "-", "-", "-"});
      say(below, fmt::format("{}: no figures: {}{}", label, node.at("obstacle").get<std::string>(),
                             node.contains("remedy") ? "\n  " + node.at("remedy").get<std::string>() : ""));
      continue;
    }
    const Json& cost = node.at("cost");
    rows.push_back({label, text_of(cost, {"area_um2"}, 3, kMm2), text_of(cost, {"cycle_ns"}, 2),
                    text_of(cost, {"reg_reg_ns"}, 2), text_of(cost, {"link_ns"}, 2),
                    text_of(node, {"lone_packet", "ns"}, 0), cost.at("flops").dump(), cost.at("gates").dump(),
                    cost.at("depth").dump()});
    std::string line = fmt::format("{}: {} with {}", label, cost.at("router").get<std::string>(),
                                   cost.at("parameters").get<std::string>());
    for (const auto& note : cost.at("notes")) line += "; " + note.get<std::string>();
    if (const Json* packet = value_at(node, {"lone_packet"}))
      line += fmt::format("; lone packet: {:.0f} flits over {:.2f} hops in {:.1f} cycles",
                          packet->at("flits").get<double>(), packet->at("hops").get<double>(),
                          packet->at("cycles").get<double>());
    say(below, line);
    say(assumed, fmt::format("library {} ({}), tuning {}, {}, {} mappings to cells",
                             cost.at("library").get<std::string>(), cost.at("corner").get<std::string>(),
                             cost.at("tuning").get<std::string>(), cost.at("tools").get<std::string>(),
                             cost.at("mappings").size()));
  }
  return aligned(rows) + assumed +
         (assumed.empty() ? "" : "ranges are over the mappings; no wires are in them\n") + below;
}

}  // namespace

int cost_command(const Options& options) {
  const Configuration configuration = decode_file(options.file, {options.sets, options.axes, options.seed});
  CostBook book = shipped_cost_book();
  Json nodes = Json::array();
  std::set<std::string> known;
  bool complete = true;
  for (const auto& point : points_of(configuration, options)) {
    try {
      const Json set = router_keys(point);
      if (!known.insert(point.label + fabric_key(point.resolved) + point.resolved.at("cost").dump()).second)
        continue;
      Json node{{"label", point.label}, {"set", set}};
      const CostAnswer answer = book.find(point);
      node["table"] = book.table_of(point);
      if (answer.figures == nullptr) {
        complete = false;
        node["obstacle"] = answer.obstacle;
        if (!answer.remedy.empty()) node["remedy"] = answer.remedy;
      } else {
        node["cost"] = to_json(*answer.figures, answer.notes);
        const auto clock = answer.figures->range(&Mapping::cycle_ns);
        if (const auto packet = clock ? lone_packet(point) : std::nullopt)
          node["lone_packet"] = lone_packet_json(*packet, *clock);
      }
      nodes.push_back(std::move(node));
    } catch (const ConfigError& error) {
      throw point.annotate(error);
    }
  }
  if (options.json) {
    std::cout << Json{{"command", "cost"}, {"nodes", nodes}}.dump(1) << '\n';
  } else if (!options.quiet) {
    std::cout << table_of(nodes);
  }
  return complete ? kDone : kDoesNotHold;
}

}  // namespace noctule
