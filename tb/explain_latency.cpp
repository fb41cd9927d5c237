// Zero load, hop by hop: what explain says of latency.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analytic/cut_through.h"
#include "analytic/lone_paths.h"
#include "tb/explanation.h"
#include "tb/load_limits.h"
#include "tb/report.h"
#include "verify/link_limits.h"

namespace noctule {
namespace {

constexpr const char* kLonePairs = "--prove: a lone worm for every pair, or for drawn ones of a large fabric";

struct Span {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  void add(std::uint64_t value, std::uint64_t late) {
    least = std::min(least, value);
    most = std::max(most, value + late);
  }
};

/// Pairs of terminals by the hops between them.
class Distances {
 public:
  struct Row {
    std::uint64_t pairs = 0;
    std::vector<Span> cycles;  ///< by length
    std::uint64_t late = 0;    ///< LonePath::late, the most
  };

  Distances(const ExplainedFabric& fabric, std::uint8_t message_class)
      : fabric_(fabric),
        topology_(*fabric.spec.topology),
        class_(message_class),
        rng_(fabric.spec.fabric.seed, "explain") {
    const std::uint64_t n = topology_.terminals();
    by_hops_ = fabric.zero_load.by_hops();
    speculates_ = fabric.speculates();
    const std::uint64_t most = !by_hops_ ? kMostPaths : speculates_ || hops_vary() ? kDrawnPairs : kMostPairs;
    all_ = n * n <= most;
    if (all_) {
      for (std::uint32_t s = 0; s < n; ++s)
        for (std::uint32_t d = 0; d < n; ++d)
          if (s != d) add(TerminalId{s}, TerminalId{d});
      return;
    }
    for (std::uint64_t i = 0; i < (by_hops_ ? kDrawnPairs : kMostPaths); ++i) {
      const auto s = static_cast<std::uint32_t>(rng_.below(n));
      const auto d = static_cast<std::uint32_t>((s + 1 + rng_.below(n - 1)) % n);
      add(TerminalId{s}, TerminalId{d});
    }
    // The farthest pair may not be among those drawn.
    if (by_hops_ && !speculates_ && fabric.plan.relation->claims().minimal && topology_.attachments() == 1)
      rows_[topology_.diameter()];
  }

  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] bool only_ways() const { return only_; }
  [[nodiscard]] bool late() const { return late_; }
  /// By hops. Cycles are filled in.
  [[nodiscard]] std::map<unsigned, Row> rows() {
    if (by_hops_)
      for (auto& [hops, row] : rows_) {
        row.cycles.resize(fabric_.lengths.size());
        for (std::size_t l = 0; l < row.cycles.size(); ++l)
          row.cycles[l].add(fabric_.zero_load.latency(hops, fabric_.lengths[l].first), row.late);
      }
    return std::move(rows_);
  }

 private:
  static constexpr std::uint64_t kMostPairs = 1 << 21;
  static constexpr std::uint64_t kDrawnPairs = 1 << 16;
  static constexpr std::uint64_t kMostPaths = 1 << 12;

  /// Then ways have to be drawn, which takes longer.
  [[nodiscard]] bool hops_vary() const {
    const RouterId from = fabric_.plan.injection_router(TerminalId{0}, class_);
    for (std::uint32_t t = 0; t < topology_.terminals(); ++t)
      if (const RouterId to = fabric_.plan.consumption_router(TerminalId{t}, class_); to != from)
        return fabric_.plan.relation->hops(from, to) == kHopsVary;
    return false;
  }

  void add(TerminalId source, TerminalId destination) {
    const RouterId from = fabric_.plan.injection_router(source, class_);
    const RouterId to = fabric_.plan.consumption_router(destination, class_);
    if (by_hops_ && !speculates_) {
      const unsigned hops = from == to ? 0 : fabric_.plan.relation->hops(from, to);
      if (hops != kHopsVary) {
        ++rows_[hops].pairs;
        return;
      }
    }
    const auto path = draw_path(fabric_.plan, from, to, class_, rng_);
    if (!path) return;
    only_ = only_ && path->only;
    Row& row = rows_[static_cast<unsigned>(path->links.size())];
    ++row.pairs;
    row.late = std::max(row.late, path->late);
    late_ = late_ || path->late > 0;
    if (by_hops_) return;
    row.cycles.resize(fabric_.lengths.size());
    for (std::size_t l = 0; l < row.cycles.size(); ++l)
      row.cycles[l].add(fabric_.zero_load.latency(from, path->links, fabric_.lengths[l].first), path->late);
  }

  const ExplainedFabric& fabric_;
  const Topology& topology_;
  std::uint8_t class_;
  Rng rng_;
  bool by_hops_ = false;
  bool speculates_ = false;
  bool late_ = false;
  bool all_ = false;
  bool only_ = true;
  std::map<unsigned, Row> rows_;
};

/// Where zero load holds in this fabric.
std::string zero_load_holds(const ExplainedFabric& fabric) {
  std::string text = "no other packet on the way";
  if (fabric.spec.fabric.stall > 0) text += ", terminals that take every flit (traffic.stall is above 0)";
  if (fabric.spec.sink) text += ", terminals that take every flit (there is a traffic.sink)";
  if (!fabric.zero_load.by_hops()) text += "; routers or links differ, so the way counts";
  if (fabric.plan.relation != nullptr && !fabric.plan.relation->claims().minimal)
    text += "; the way crosses no link twice, where a packet may meet its own flits";
  if (fabric.speculates())
    text += "; a header that speculates and may leave by several ports is late by its VC allocation at most";
  return text;
}

/// The rows that are shown, when there are many.
bool shown(std::size_t row, std::size_t rows) {
  constexpr std::size_t kMost = 12;
  return rows <= kMost || row < kMost / 2 || row + 1 == rows || row % (rows / (kMost / 2)) == 0;
}

std::string span_text(const ExplainedFabric& fabric, const Span& span) {
  if (span.least == span.most) return cycles_text(fabric, static_cast<double>(span.least));
  return fmt::format("{} to {}", span.least, cycles_text(fabric, static_cast<double>(span.most)));
}

/// What the line says of packets of one class; `name`: it is told which, as there are several networks.
void add_distances(ExplainedLine& line, const ExplainedFabric& fabric, std::uint8_t message_class,
                   const std::string& name) {
  Distances distances(fabric, message_class);
  const auto rows = distances.rows();
  if (!distances.all()) line.values["all_pairs"] = false;
  if (distances.late()) line.kind = "bound";
  if (!distances.only_ways()) line.values["one_way_per_pair"] = false;
  if (!name.empty()) line.text.push_back(fmt::format("packets of class '{}':", name));
  if (!distances.all()) line.text.emplace_back("of pairs that were drawn:");
  std::size_t number = 0;
  for (const auto& [hops, row] : rows) {
    for (std::size_t l = 0; l < fabric.lengths.size(); ++l) {
      Json one{{"hops", hops}, {"flits", fabric.lengths[l].first}};
      if (!name.empty()) one["class"] = name;
      if (distances.all()) one["pairs"] = row.pairs;
      put_cycles(one, "least", static_cast<double>(row.cycles[l].least), fabric);
      put_cycles(one, "most", static_cast<double>(row.cycles[l].most), fabric);
      line.values["by_distance"].push_back(std::move(one));
    }
    if (shown(number++, rows.size()))
      line.text.push_back(fmt::format("d = {:<3} L = {:<3} {}{}", hops, fabric.lengths[0].first,
                                      span_text(fabric, row.cycles[0]),
                                      distances.all() ? fmt::format("   ({} pairs)", row.pairs) : ""));
  }
  if (fabric.lengths_left_out > 0)
    line.text.push_back(fmt::format("of the {} most frequent lengths; {} are rarer", fabric.lengths.size(),
                                    fabric.lengths_left_out));
  if (!distances.only_ways())
    line.text.emplace_back("of some pairs worms have several ways: one was drawn for each");
}

ExplainedLine zero_load_line(const ExplainedFabric& fabric) {
  ExplainedLine line{"zero_load",
                     "Latency of a lone packet",
                     "exact",
                     fabric.zero_load.formula(),
                     zero_load_holds(fabric),
                     kLonePairs,
                     {},
                     {}};
  if (!fabric.follows_relation()) {
    line.text.push_back(fmt::format(
        "d is the number of links that the planner {} gives the worm, which may be above the distance",
        fabric.point.resolved.at("multicast").at("planner").dump()));
    return line;
  }
  line.values = {{"all_pairs", true}, {"one_way_per_pair", true}};
  const auto classes = fabric.told_classes();
  for (const std::uint8_t c : classes)
    add_distances(line, fabric, c, classes.size() > 1 ? fabric.plan.message_classes[c].name : "");
  return line;
}

constexpr std::size_t kMostKinds = 6;  ///< of links, that are shown to people

/// Links of which `what(link)` is the same, by what that is.
template <class F>
auto kinds_of_links(const Topology& topology, F&& what) {
  std::vector<std::pair<decltype(what(topology.links()[0])), std::vector<const Link*>>> kinds;
  for (const Link& link : topology.links()) {
    const auto parts = what(link);
    auto known =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == parts; });
    if (known == kinds.end()) known = kinds.insert(kinds.end(), {parts, {}});
    known->second.push_back(&link);
  }
  return kinds;
}

/// Which links a line of text is about, where there are several kinds.
std::string such_links(std::size_t kinds, const std::vector<const Link*>& links, const Topology& topology) {
  if (kinds == 1) return "";
  return fmt::format("   ({} links as {})", links.size(), topology.link_name(*links[0]));
}

ExplainedLine hop_line(const ExplainedFabric& fabric) {
  ExplainedLine line{"hop",
                     "A hop, taken apart",
                     "exact",
                     "header: routing + VC allocation + switch allocation + traversal + serialiser + wire; "
                     "flits behind it: all but the first two",
                     "stages that others do not hold up",
                     "--prove: the latency of lone packets is their sum",
                     {},
                     {}};
  const Topology& topology = *fabric.spec.topology;
  const auto kinds =
      kinds_of_links(topology, [&](const Link& link) { return fabric.zero_load.hop(link.id); });
  for (const auto& [parts, links] : kinds) {
    Json one{{"links", links.size()},
             {"for_example", topology.link_name(*links[0])},
             {"routing", parts.routing},
             {"vc_allocation", parts.vc_allocation},
             {"switch_allocation", parts.switch_allocation},
             {"traversal", parts.traversal},
             {"serialiser", parts.serialiser},
             {"wire", parts.wire}};
    put_cycles(one, "all", static_cast<double>(parts.sum()), fabric);
    line.values["hops"].push_back(std::move(one));
    if (kinds.size() <= kMostKinds)
      line.text.push_back(fmt::format(
          "{} + {} + {} + {} + {} + {} = {}{}", parts.routing, parts.vc_allocation, parts.switch_allocation,
          parts.traversal, parts.serialiser, parts.wire,
          cycles_text(fabric, static_cast<double>(parts.sum())), such_links(kinds.size(), links, topology)));
  }
  if (kinds.size() > kMostKinds)
    line.text.push_back(fmt::format("{} kinds of hops: see --json", kinds.size()));
  std::vector<ZeroLoad::EndParts> ends;
  for (std::uint32_t r = 0; r < fabric.plan.routers.size(); ++r) {
    const auto parts = fabric.zero_load.ends(RouterId{r}, RouterId{r});
    if (std::find(ends.begin(), ends.end(), parts) == ends.end()) ends.push_back(parts);
  }
  for (const auto& parts : ends) {
    line.values["ends"].push_back({{"injection", parts.injection},
                                   {"router", parts.router},
                                   {"consumption", parts.consumption},
                                   {"all_cycles", parts.sum()}});
    line.text.push_back(fmt::format("besides: injection {}, last router {}, consumption {}", parts.injection,
                                    parts.router, parts.consumption));
  }
  return line;
}

/// What one link does for one worm.
struct Loop {
  std::uint64_t round_trip = 0;
  std::uint64_t slot = 1;
  unsigned places = 0;
  double rate = 0;  ///< flits per cycle over one virtual channel
  friend bool operator==(const Loop&, const Loop&) = default;
};

ExplainedLine credit_line(const ExplainedFabric& fabric) {
  ExplainedLine line{
      "credit_loop",
      "Credit round trip",
      "exact",
      "R = cycles from the sending of a flit until the credit for its place counts; a worm has the whole "
      "link from R / s places on, a flit occupying the link for s cycles",
      "always; what one worm gets is a bound where other parts are narrower",
      "--prove, packets longer than the buffers: the tail lag is as short as the depth allows; "
      "`noctule run` with node.input_depth one less shows the loss",
      {},
      {}};
  const Topology& topology = *fabric.spec.topology;
  const auto kinds = kinds_of_links(topology, [&](const Link& link) {
    const unsigned places = fabric.plan.nodes[link.to].input_depth;
    return Loop{fabric.zero_load.credit_round_trip(link.id), fabric.zero_load.slot_cycles(link.id), places,
                link_rates(fabric.plan, link).virtual_channel()};
  });
  for (const auto& [loop, links] : kinds) {
    const std::uint64_t needed = (loop.round_trip + loop.slot - 1) / loop.slot;
    Json one{{"links", links.size()},          {"for_example", topology.link_name(*links[0])},
             {"slot_cycles", loop.slot},       {"places", loop.places},
             {"places_for_full_rate", needed}, {"one_worm_flits_per_cycle", loop.rate}};
    put_cycles(one, "round_trip", static_cast<double>(loop.round_trip), fabric);
    line.values["loops"].push_back(std::move(one));
    if (kinds.size() <= kMostKinds)
      line.text.push_back(fmt::format("R = {}; {} place{}, {} needed; one worm gets {:.3g} flits per cycle{}",
                                      cycles_text(fabric, static_cast<double>(loop.round_trip)), loop.places,
                                      loop.places == 1 ? "" : "s", needed, loop.rate,
                                      such_links(kinds.size(), links, topology)));
  }
  if (kinds.size() > kMostKinds)
    line.text.push_back(fmt::format("{} kinds of links: see --json", kinds.size()));
  return line;
}

ExplainedLine lag_line(const ExplainedFabric& fabric) {
  ExplainedLine line{"tail_lag",
                     "Tail behind its header",
                     "exact",
                     "",
                     "a lone packet over links, terminals that take every flit",
                     "--prove: latency of a lone packet less that of one flit over the same way",
                     {},
                     {}};
  if (!fabric.zero_load.by_hops()) {
    line.formula = "as fast as the slowest part of the way lets flits follow";
    line.text.emplace_back("differs from way to way: contained in the latencies above");
    return line;
  }
  const auto lag = [&](std::uint64_t flits) {
    return fabric.zero_load.latency(1, flits) - fabric.zero_load.latency(1, 1);
  };
  const std::uint64_t places = fabric.plan.common_node().input_depth;
  const bool links = !fabric.spec.topology->links().empty();
  const std::uint64_t trip = links ? fabric.zero_load.credit_round_trip(LinkId{0}) : 1;
  bool fits = links;
  bool steady = true;
  for (std::uint64_t flits = 1; flits <= 64; ++flits) {
    fits = fits && lag(flits) == tail_lag(flits, places, trip);
    steady = steady && lag(flits) == (flits - 1) * lag(2);
  }
  if (steady)
    line.formula = lag(2) == 1 ? "L - 1" : fmt::format("{} (L - 1)", lag(2));
  else if (fits)
    line.formula = fmt::format("floor((L - 1) / q) max(R, q) + (L - 1) mod q, q = {} places, R = {} cycles",
                               places, trip);
  else
    line.formula = "flits as the narrowest of output buffer, link and input buffer lets them follow";
  for (const auto& [length, share] : fabric.lengths) {
    Json one{{"flits", length}};
    put_cycles(one, "lag", static_cast<double>(lag(length)), fabric);
    line.values["lags"].push_back(std::move(one));
    if (line.text.size() < 8)
      line.text.push_back(
          fmt::format("L = {:<3} {}", length, cycles_text(fabric, static_cast<double>(lag(length)))));
  }
  return line;
}

/// Of a closed loop.
ExplainedLine round_trip_line(const ExplainedFabric& fabric, const ThroughputLimits::RoundTrips& trips) {
  ExplainedLine line{
      "round_trip",
      "Round trip of a lone transaction",
      "bound",
      "latency of each of its messages, and the service time wherever one is answered; the mean "
      "over the destinations of a requester",
      "no other packet on the way; more where worms go farther than they have to",
      "`noctule run` with traffic.source.outstanding 1 and one requester: round_trip_cycles",
      {},
      {}};
  put_cycles(line.values, "mean", trips.mean, fabric);
  put_cycles(line.values, "least", trips.least.cycles, fabric);
  put_cycles(line.values, "most", trips.most.cycles, fabric);
  line.values["requesters"] = trips.requesters;
  line.text.push_back(round_trips_text(trips));
  return line;
}

}  // namespace

std::vector<ExplainedLine> explain_latency(const ExplainedFabric& fabric) {
  std::vector<ExplainedLine> lines{zero_load_line(fabric), hop_line(fabric), credit_line(fabric),
                                   lag_line(fabric)};
  if (const auto& trips = fabric.limits.round_trips) lines.push_back(round_trip_line(fabric, *trips));
  return lines;
}

}  // namespace noctule
