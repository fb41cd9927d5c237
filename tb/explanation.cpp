#include "tb/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "config/model.h"
#include "run/configured_point.h"
#include "tb/cost_figures.h"
#include "tb/load_limits.h"

namespace noctule {
namespace {

constexpr std::size_t kMostLengths = 16;  ///< of those that a source knows

void scale_to_one(std::vector<std::pair<std::uint32_t, double>>& shares) {
  double sum = 0;
  for (const auto& [length, weight] : shares) sum += weight;
  for (auto& [length, weight] : shares) weight /= sum;
}

/// The most frequent first, where the source knows them. `left_out`: how many are rarer than these.
std::vector<std::pair<std::uint32_t, double>> shares_of(const PointConfig& point, const PointSpec& spec,
                                                        std::size_t& left_out) {
  auto lengths = claims_of(spec).lengths();
  if (lengths.empty()) {
    lengths = model_from_json(point.resolved).traffic.lengths;
  } else {
    std::ranges::stable_sort(lengths, std::greater<>(), &std::pair<std::uint32_t, double>::second);
    left_out = lengths.size() - std::min(lengths.size(), kMostLengths);
    lengths.resize(lengths.size() - left_out);
  }
  scale_to_one(lengths);
  return lengths;
}

}  // namespace

ExplainedFabric::ExplainedFabric(const PointConfig& its_point, std::optional<CostRange> its_clock)
    : point(its_point),
      spec(configured_point(point, {})),
      plan(plan_of(spec)),
      zero_load(plan),
      lengths(shares_of(point, spec, lengths_left_out)),
      clock_ns(its_clock),
      limits(load_limits(spec, point, plan, ChannelIndex(plan), kExplainHeaderStates)) {}

std::vector<std::uint8_t> ExplainedFabric::told_classes() const {
  std::vector<std::uint8_t> first;
  for (std::uint8_t c = 0; c < plan.message_classes.size(); ++c)
    if (std::ranges::none_of(first, [&](std::uint8_t known) {
          return plan.message_classes[known].attachment == plan.message_classes[c].attachment;
        }))
      first.push_back(c);
  return first;
}

std::optional<double> ExplainedFabric::offered() const {
  if (!spec.offered_packets_per_node_cycle) return std::nullopt;
  return *spec.offered_packets_per_node_cycle * spec.mean_length_flits;
}

std::string cycles_text(const ExplainedFabric& fabric, double cycles) {
  std::string text = cycles == std::floor(cycles) ? fmt::format("{:.0f} cycles", cycles)
                                                  : fmt::format("{:.2f} cycles", cycles);
  if (!fabric.clock_ns) return text;
  const CostRange ns{cycles * fabric.clock_ns->low, cycles * fabric.clock_ns->high};
  return text + ", " + range_text(ns, 1) + " ns";
}

void put_cycles(Json& json, const std::string& name, double cycles, const ExplainedFabric& fabric) {
  if (cycles == std::floor(cycles))
    json[name + "_cycles"] = static_cast<std::uint64_t>(cycles);
  else
    json[name + "_cycles"] = cycles;
  if (fabric.clock_ns)
    json[name + "_ns"] = to_json(CostRange{cycles * fabric.clock_ns->low, cycles * fabric.clock_ns->high});
}

std::vector<ExplainedLine> explain_fabric(const ExplainedFabric& fabric, const PacketQuestion& question) {
  auto lines = explain_latency(fabric);
  for (auto& line : explain_load(fabric)) lines.push_back(std::move(line));
  for (auto& line : explain_packets(fabric, question)) lines.push_back(std::move(line));
  return lines;
}

std::string to_text(const std::vector<ExplainedLine>& lines) {
  std::string text;
  const auto add = [&](const char* word, const std::string& what) {
    if (!what.empty()) text += fmt::format("      {:<9}{}\n", word, what);
  };
  for (const ExplainedLine& line : lines) {
    text += fmt::format("  {} ({})\n", line.title, line.kind);
    add("formula", line.formula);
    bool first = true;
    for (const std::string& numbers : line.text) {
      text += fmt::format("      {:<9}{}\n", first ? "here" : "", numbers);
      first = false;
    }
    add("holds", line.holds);
    add("a run", line.proof);
  }
  return text;
}

Json to_json(const std::vector<ExplainedLine>& lines) {
  Json json = Json::object();
  for (const ExplainedLine& line : lines) {
    Json& one = json[line.key];
    one["kind"] = line.kind;
    if (!line.formula.empty()) one["formula"] = line.formula;
    for (const auto& [key, value] : line.values.items()) one[key] = value;
    if (!line.holds.empty()) one["holds"] = line.holds;
    if (!line.proof.empty()) one["proof"] = line.proof;
  }
  return json;
}

}  // namespace noctule
