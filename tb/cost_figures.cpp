#include "tb/cost_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/data_files.h"
#include "core/error.h"
#include "core/json.h"

namespace noctule {

Json to_json(const CostRange& range) {
  return {{"low", range.low}, {"high", range.high}};
}

Json to_json(const NodeCost& cost, const std::vector<std::string>& notes) {
  Json json{{"router", cost.name},
            {"parameters", cost.parameters},
            {"tied", cost.tied},
            {"library", cost.library},
            {"corner", cost.corner},
            {"tuning", cost.tuning},
            {"tools", cost.tools},
            {"notes", notes},
            {"area_um2", to_json(cost.area_um2())}};
  const auto add = [&](const char* key, std::optional<double> Mapping::*delay) {
    if (const auto range = cost.range(delay)) json[key] = to_json(*range);
  };
  add("cycle_ns", &Mapping::cycle_ns);
  add("reg_reg_ns", &Mapping::reg_reg_ns);
  add("link_ns", &Mapping::link_ns);
  Json mappings = Json::array();
  for (const Mapping& mapping : cost.mappings) {
    mappings.push_back({{"recipe", mapping.recipe}, {"area_um2", mapping.area_um2}});
    if (mapping.cycle_ns) mappings.back()["cycle_ns"] = *mapping.cycle_ns;
  }
  json["mappings"] = std::move(mappings);
  json["flops"] = cost.flops;
  json["gates"] = cost.gates;
  json["depth"] = cost.depth;
  return json;
}

std::string range_text(const CostRange& range, int digits) {
  const auto low = fmt::format("{:.{}f}", range.low, digits);
  const auto high = fmt::format("{:.{}f}", range.high, digits);
  return low == high ? low : low + "-" + high;
}

bool needs_cost(const Json& plots) {
  constexpr std::array kKinds = {"latency_ns", "throughput_area"};
  return std::any_of(plots.begin(), plots.end(), [&](const Json& plot) {
    return std::find(kKinds.begin(), kKinds.end(), plot.get_ref<const std::string&>()) != kKinds.end();
  });
}

CostBook shipped_cost_book() {
  return CostBook(find_data("rtl/cost.csv").string());
}

CostOfAll cost_of_all(const std::vector<CostOfKind>& kinds) {
  CostOfAll all;
  std::vector<CountedCost> counted;
  for (const auto& [kind, answer] : kinds) {
    counted.push_back({answer.figures, kind.members.size()});
    all.routers += kind.members.size();
  }
  all.sum = sum_of(counted);
  if (!all.sum) {
    std::vector<std::string> names;
    names.reserve(counted.size());
    for (const CountedCost& one : counted) names.push_back(one.cost->name);
    all.obstacle = fmt::format("no mapping to cells is common to {}: synthesize them with the same recipes",
                               fmt::join(names, " and "));
  }
  return all;
}

namespace {

std::string with_remedy(const CostAnswer& answer) {
  return answer.obstacle + (answer.remedy.empty() ? "" : "; " + answer.remedy);
}

std::string no_delays(const NodeCost& cost) {
  return fmt::format("the table has no delays for {}: it was made without OpenSTA; make it again with it",
                     cost.name);
}

/// Figures of a point. `missing` is told why there are none.
Json cost_of_point(const std::vector<CostOfKind>& kinds, std::vector<std::string>& missing) {
  for (const auto& [kind, answer] : kinds)
    if (answer.figures == nullptr || !answer.figures->timed())
      missing.push_back((kinds.size() > 1 ? to_text(kind) + ": " : "") +
                        (answer.figures == nullptr ? with_remedy(answer) : no_delays(*answer.figures)));
  if (!missing.empty()) return nullptr;
  if (kinds.size() == 1) return to_json(*kinds[0].answer.figures, kinds[0].answer.notes);
  const CostOfAll all = cost_of_all(kinds);
  if (!all.sum) {
    missing.push_back(all.obstacle);
    return nullptr;
  }
  Json json = to_json(mean_of(*all.sum, all.routers), {"the mean of the routers, and the slowest clock"});
  for (const auto& [kind, answer] : kinds) {
    Json own = to_json(*answer.figures, answer.notes);
    own["routers"] = kind.members.size();
    own["set"] = kind.set;
    json["kinds"].push_back(std::move(own));
  }
  return json;
}

}  // namespace

std::vector<Json> cost_of_points(const std::vector<PointConfig>& points) {
  CostBook book = shipped_cost_book();
  std::vector<Json> costs;
  std::vector<Diagnostic> missing;
  for (const auto& point : points) {
    std::vector<std::string> reasons;
    try {
      costs.push_back(cost_of_point(book.find(point), reasons));
    } catch (const ConfigError& error) {
      throw point.annotate(error);
    }
    for (const std::string& why : reasons) {
      const Diagnostic finding{
          "plots",
          fmt::format("plots in nanoseconds or per mm2 need area and clock of every series; "
                      "{} has none: {}",
                      point.label, why),
          {}};
      if (std::none_of(missing.begin(), missing.end(),
                       [&](const Diagnostic& other) { return other.message == finding.message; }))
        missing.push_back(finding);
    }
  }
  if (!missing.empty()) throw points.front().annotate(ConfigError(missing));
  return costs;
}

}  // namespace noctule
