// cost: what the routers of a file take in area and time, from the cost table. Measures nothing itself.

#include <fmt/format.h>

#include <algorithm>
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

/// What a lone packet takes over the mean number of hops that the relation gives packets of the pattern.
struct LonePacket {
  double cycles = 0;
  double hops = 0;
  double flits = 0;
};

/// Hops of the mean packet. Nothing where paths of a worm differ in length, or pairs are too many.
std::optional<double> mean_hops(const FabricPlan& plan, const TrafficPattern& pattern) {
  constexpr std::size_t kMostPairs = std::size_t{1} << 25;
  const Topology& topology = *plan.topology;
  const std::size_t n = topology.terminals();
  double sum = 0;
  double packets = 0;
  bool known = n * n <= kMostPairs;
  for (std::uint32_t s = 0; known && s < n; ++s) {
    if (!pattern.injects(TerminalId{s})) continue;
    const auto spread = pattern.spread(TerminalId{s});
    const RouterId from = topology.injection_router(TerminalId{s});
    const auto hops = [&](TerminalId t) -> double {
      const RouterId to = topology.consumption_router(t);
      const unsigned count = from == to ? 0 : plan.relation->hops(from, to);
      known = known && count != kHopsVary;
      return count;
    };
    packets += 1;
    for (const auto& [to, share] : spread.rest) sum += share * hops(to);
    for (std::uint32_t t = 0; spread.uniform > 0 && t < n; ++t)
      if (t != s) sum += spread.uniform / static_cast<double>(n - 1) * hops(TerminalId{t});
  }
  return known && packets > 0 ? std::optional(sum / packets) : std::nullopt;
}

/// Nothing where there is no pattern, or where it depends on the way.
std::optional<LonePacket> lone_packet(const PointConfig& point) {
  const PointSpec spec = configured_point(point, {});
  if (!spec.pattern) return std::nullopt;
  const FabricPlan plan = plan_of(spec);
  const ZeroLoad zero_load(plan);
  if (!zero_load.by_hops()) return std::nullopt;
  const auto hops = mean_hops(plan, *spec.pattern);
  if (!hops) return std::nullopt;
  LonePacket packet;
  packet.hops = *hops;
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

/// The keys in which a point differs from others whose figures are others.
Json router_keys(const PointConfig& point) {
  Json set = Json::object();
  for (const auto& [key, value] : point.set.items())
    for (const char* part : {"topology", "routing", "node", "link", "message_classes", "cost",
                             "traffic.packet_length", "traffic.pattern"})
      if (key.starts_with(part)) set[key] = value;
  return set;
}

/// What the figures of a point follow from: its fabric, the table, and the lone packet's length and way.
std::string key_of(const PointConfig& point) {
  std::string key = fabric_key(point.resolved) + point.resolved.at("cost").dump();
  for (const char* of_packet : {"packet_length", "packet_lengths", "pattern"})
    key += point.resolved.at("traffic").value(of_packet, Json()).dump();
  return key;
}

std::string text_of(const Json& json, std::initializer_list<const char*> path, int digits, double scale = 1) {
  const Json* range = value_at(json, path);
  if (range == nullptr) return "-";
  return range_text({range->at("low").get<double>() * scale, range->at("high").get<double>() * scale},
                    digits);
}

/// The text of a table, and what is said below it.
class Table {
 public:
  /// Figures, or why there are none.
  void add(const std::string& label, const Json& node) {
    if (!node.contains("cost")) {
      rows_.push_back({label, "-", "-", "-", "-", "-", "-", "-", "-"});
      say(below_, fmt::format("{}: no figures: {}{}", label, node.at("obstacle").get<std::string>(),
                              node.contains("remedy") ? "\n  " + node.at("remedy").get<std::string>() : ""));
      return;
    }
    const Json& cost = node.at("cost");
    rows_.push_back({label, text_of(cost, {"area_um2"}, 3, kMm2), text_of(cost, {"cycle_ns"}, 2),
                     text_of(cost, {"reg_reg_ns"}, 2), text_of(cost, {"link_ns"}, 2),
                     text_of(node, {"lone_packet", "ns"}, 0), cost.at("flops").dump(),
                     cost.at("gates").dump(), cost.at("depth").dump()});
    std::string line = fmt::format(
        "{}: {}{}", label, cost.at("router").get<std::string>(),
        cost.contains("parameters") ? " with " + cost.at("parameters").get<std::string>() : std::string());
    for (const auto& note : cost.at("notes")) line += "; " + note.get<std::string>();
    if (const Json* packet = value_at(node, {"lone_packet"}))
      line += fmt::format("; lone packet: {:.0f} flits over {:.2f} hops in {:.1f} cycles",
                          packet->at("flits").get<double>(), packet->at("hops").get<double>(),
                          packet->at("cycles").get<double>());
    say(below_, line);
    say(assumed_, fmt::format("library {} ({}), tuning {}, {}, {} mappings to cells",
                              cost.at("library").get<std::string>(), cost.at("corner").get<std::string>(),
                              cost.at("tuning").get<std::string>(), cost.at("tools").get<std::string>(),
                              cost.at("mappings").size()));
  }
  [[nodiscard]] std::string text() const {
    return aligned(rows_) + assumed_ +
           (assumed_.empty() ? "" : "ranges are over the mappings; no wires are in them\n") + below_;
  }

 private:
  void say(std::string& text, const std::string& line) {
    if (said_.insert(line).second) text += line + "\n";
  }
  std::vector<std::vector<std::string>> rows_{
      {"series", "area", "clock", "in router", "over link", "lone packet", "flip-flops", "gates", "depth"},
      {"", "mm2", "ns", "ns", "ns", "ns", "", "", "gates"}};
  std::string below_;
  std::string assumed_;
  std::set<std::string> said_;
};

/// Of several nodes with one label each has its keys behind it.
std::string name_of(const Json& node, const Json& nodes) {
  auto name = node.at("label").get<std::string>();
  if (std::ranges::count(nodes, node.at("label"), [](const Json& n) { return n.at("label"); }) > 1)
    for (const auto& [key, value] : node.at("set").items()) name += fmt::format(" {}={}", key, value.dump());
  return name;
}

std::string table_of(const Json& nodes) {
  Table table;
  for (const Json& node : nodes) {
    const std::string label = name_of(node, nodes);
    if (!node.contains("kinds")) {
      table.add(label, node);
      continue;
    }
    for (const Json& kind : node.at("kinds"))
      table.add(fmt::format("{}: {}", label, kind.at("text").get<std::string>()), kind);
    if (node.contains("fabric"))
      table.add(fmt::format("{}: all {} routers", label, node.at("fabric").at("routers").get<std::size_t>()),
                node.at("fabric"));
  }
  return table.text();
}

/// Figures of a router, or why there are none.
Json answer_json(const CostAnswer& answer) {
  if (answer.figures != nullptr) return {{"cost", to_json(*answer.figures, answer.notes)}};
  Json json{{"obstacle", answer.obstacle}};
  if (!answer.remedy.empty()) json["remedy"] = answer.remedy;
  return json;
}

/// Each kind of router, and the fabric: {"kinds": [...], "fabric": {...}}, without the fabric where a kind
/// has no figures.
Json fabric_json(const std::vector<CostOfKind>& kinds) {
  Json json{{"kinds", Json::array()}};
  for (const auto& [kind, answer] : kinds) {
    Json one = answer_json(answer);
    one.update(Json{{"routers", kind.members.size()}, {"set", kind.set}, {"text", to_text(kind)}});
    json["kinds"].push_back(std::move(one));
  }
  if (std::ranges::any_of(kinds, [](const CostOfKind& k) { return k.answer.figures == nullptr; }))
    return json;
  const CostOfAll all = cost_of_all(kinds);
  Json& fabric = json["fabric"];
  if (!all.sum) {
    fabric = {{"obstacle", all.obstacle}};
  } else {
    fabric = {{"cost", to_json(*all.sum, {"the sum of the routers, and the clock of the slowest"})}};
    for (const char* key : {"parameters", "tied"}) fabric["cost"].erase(key);
  }
  fabric["routers"] = all.routers;
  return json;
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
      if (!known.insert(point.label + key_of(point)).second) continue;
      Json node{{"label", point.label}, {"set", router_keys(point)}};
      const auto kinds = book.find(point);
      node["table"] = book.table_of(point);
      if (kinds.size() > 1) {
        node.update(fabric_json(kinds));
        complete = complete && node.contains("fabric") && node.at("fabric").contains("cost");
      } else {
        const CostAnswer& answer = kinds.front().answer;
        node.update(answer_json(answer));
        complete = complete && answer.figures != nullptr;
        const auto clock =
            answer.figures == nullptr ? std::nullopt : answer.figures->range(&Mapping::cycle_ns);
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
