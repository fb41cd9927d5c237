// Hot spots as in Boppana and Chalasani 1993: with probability `fraction` a packet goes to a hot terminal
// (each of them equally often), else uniformly to any terminal but its source, the hot ones included. Hot
// terminals send uniformly.

#include <fmt/format.h>

#include <algorithm>

#include "core/fixed_point.h"
#include "core/json.h"
#include "patterns/permutation.h"

namespace noctule {
namespace {

class Hotspot final : public TrafficPattern {
 public:
  Hotspot(std::size_t terminals, std::vector<std::uint32_t> nodes, double fraction)
      : nodes_(std::move(nodes)), hot_(terminals, false), fraction_(fraction) {
    for (const auto node : nodes_) hot_[node] = true;
    always_ = fraction >= 1;
    if (!always_) threshold_ = to_fixed_point(fraction);
  }

  [[nodiscard]] TerminalId destination(TerminalId source, Rng& rng) const override {
    const std::uint64_t coin = rng.next();
    if (!hot_[index(source)] && (always_ || coin < threshold_))
      return TerminalId(nodes_.size() == 1 ? nodes_.front() : nodes_[rng.below(nodes_.size())]);
    const auto other = static_cast<std::uint32_t>(rng.below(hot_.size() - 1));
    return TerminalId(other + (other >= index(source) ? 1U : 0U));
  }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    const auto [uniform, rest] = spread(source);
    const double each = uniform / static_cast<double>(hot_.size() - 1);
    std::vector<double> probability(hot_.size(), each);
    probability[index(source)] = 0;
    for (const auto& [node, extra] : rest) probability[index(node)] += extra;
    std::vector<std::pair<TerminalId, double>> list;
    list.reserve(hot_.size());
    for (std::uint32_t t = 0; t < hot_.size(); ++t)
      if (probability[t] > 0) list.emplace_back(TerminalId{t}, probability[t]);
    return list;
  }
  [[nodiscard]] Spread spread(TerminalId source) const override {
    if (hot_[index(source)]) return {1, {}};
    Spread s{1 - fraction_, {}};
    for (const auto node : nodes_)
      s.rest.emplace_back(TerminalId{node}, fraction_ / static_cast<double>(nodes_.size()));
    return s;
  }

 private:
  std::vector<std::uint32_t> nodes_;
  std::vector<bool> hot_;
  double fraction_;
  bool always_ = false;
  std::uint64_t threshold_ = 0;
};

std::unique_ptr<TrafficPattern> make(const std::shared_ptr<const Topology>& topology, const Parameters& keys,
                                     std::uint64_t) {
  std::vector<Diagnostic> faults;
  std::vector<std::uint32_t> nodes;
  for (const auto node : keys.get<std::vector<std::int64_t>>("nodes")) {
    const auto id = static_cast<std::uint32_t>(node);
    if (node < 0 || static_cast<std::uint64_t>(node) >= topology->terminals())
      faults.push_back({kPatternKey,
                        fmt::format("hot terminal {} does not exist; terminals are 0 to {}", node,
                                    topology->terminals() - 1),
                        {}});
    else if (std::ranges::find(nodes, id) != nodes.end())
      faults.push_back({kPatternKey, fmt::format("hot terminal {} is given twice", node), {}});
    else
      nodes.push_back(id);
  }
  const auto fraction = keys.get<double>("fraction");
  if (!(fraction >= 0 && fraction <= 1))
    faults.push_back({kPatternKey, fmt::format("hotspot fraction {}; allowed is 0 to 1", fraction), {}});
  if (!faults.empty()) throw ConfigError(std::move(faults));
  if (nodes.empty()) throw ConfigError(kPatternKey, "hotspot needs at least one entry in 'nodes'");
  return std::make_unique<Hotspot>(topology->terminals(), std::move(nodes), fraction);
}

const Registration<PatternRegistry> kHotspotRegistered{
    {{"hotspot",
      "uniform, and an extra share of the packets to a few hot terminals",
      {Parameter::list("nodes", Json::array({0}),
                       Parameter::integer("terminal", nullptr, 0, 0xffff'fffe, "", "terminal number"), 1,
                       65535, "the hot terminals"),
       Parameter::real("fraction", 0.04, 0, 1, "",
                       "probability, beyond the uniform share, that a packet goes to a hot terminal; also "
                       "with 1 a hot terminal itself sends uniformly to all others")}},
     make}};

}  // namespace
}  // namespace noctule
