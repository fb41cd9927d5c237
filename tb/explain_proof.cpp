#include "tb/explain_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analytic/lone_paths.h"
#include "run/configured_point.h"
#include "run/fabric_verdict.h"
#include "run/stop_signals.h"
#include "tb/elaboration.h"
#include "tb/jobs.h"
#include "tb/overload.h"
#include "tb/record.h"
#include "tb/report.h"

namespace noctule {
namespace {

constexpr std::uint64_t kMostWorms = 4096;

/// Configured lengths first, then some at which buffers fill and empty, as far as routers take them.
std::vector<std::uint32_t> lengths_of(const ExplainedFabric& fabric) {
  std::vector<std::uint32_t> lengths;
  const auto add = [&](std::uint32_t length) {
    if (length <= longest_packet(fabric.plan.nodes) && std::ranges::find(lengths, length) == lengths.end())
      lengths.push_back(length);
  };
  for (const auto& [length, share] : fabric.lengths) add(length);
  for (const std::uint32_t length : {1U, 2U, 3U, 7U, 18U, 33U}) add(length);
  return lengths;
}

std::vector<LoneWorm> lone_worms(const ExplainedFabric& fabric, bool& all) {
  const std::uint64_t n = fabric.spec.topology->terminals();
  const auto lengths = lengths_of(fabric);
  std::vector<LoneWorm> worms;
  const auto classes = fabric.told_classes();
  const auto add_of = [&](std::uint64_t s, std::uint64_t d, std::uint8_t c) {
    const TerminalId source{static_cast<std::uint32_t>(s)};
    const TerminalId destination{static_cast<std::uint32_t>(d)};
    if (fabric.plan.relation->serves(fabric.plan.injection_router(source, c),
                                     fabric.plan.consumption_router(destination, c)))
      worms.push_back({source, destination, lengths[worms.size() % lengths.size()], c});
  };
  const auto add = [&](std::uint64_t s, std::uint64_t d) {
    for (const std::uint8_t c : classes) add_of(s, d, c);
  };
  all = n * (n - 1) * classes.size() <= kMostWorms;
  if (all) {
    // Small fabrics: every pair several times, with other lengths.
    do {
      for (std::uint64_t s = 0; s < n; ++s)
        for (std::uint64_t d = 0; d < n; ++d)
          if (s != d) add(s, d);
      if (worms.size() % lengths.size() == 0 && !worms.empty()) add(0, n - 1);  // not the same lengths again
    } while (!worms.empty() && worms.size() < kMostWorms / 8);
    return worms;
  }
  Rng rng(fabric.spec.fabric.seed, "explain --prove");
  while (worms.size() < kMostWorms) {
    const std::uint64_t source = rng.below(n);
    add(source, (source + 1 + rng.below(n - 1)) % n);
  }
  return worms;
}

/// What the formula says before the run; nothing where the way is not known before.
std::optional<std::uint64_t> said_before(const ExplainedFabric& fabric, const LoneWorm& worm) {
  if (!fabric.follows_relation()) return std::nullopt;
  const RouterId from = fabric.plan.injection_router(worm.source, worm.message_class);
  const RouterId to = fabric.plan.consumption_router(worm.destination, worm.message_class);
  if (!fabric.zero_load.by_hops()) {
    Rng rng;
    const auto path = draw_path(fabric.plan, from, to, worm.message_class, rng);
    if (!path || !path->only) return std::nullopt;
    return fabric.zero_load.latency(from, path->links, worm.length);
  }
  const unsigned hops = from == to ? 0 : fabric.plan.relation->hops(from, to);
  if (hops == kHopsVary) return std::nullopt;
  return fabric.zero_load.latency(hops, worm.length);
}

/// Of the way that the worm took.
std::uint64_t said_of_way(const ExplainedFabric& fabric, const LoneWorm& worm, const LoneWormRun& run) {
  if (fabric.zero_load.by_hops()) return fabric.zero_load.latency(run.hops, worm.length);
  return fabric.zero_load.latency(fabric.plan.injection_router(worm.source, worm.message_class), run.path,
                                  worm.length);
}

/// Cycles by which the worm may be later: at each router of its way that speculates by its VC allocation,
/// unless its header may leave every router by one port alone.
std::uint64_t may_be_late(const ExplainedFabric& fabric, const LoneWorm& worm, const LoneWormRun& run) {
  if (!fabric.speculates() || !fabric.follows_relation()) return 0;
  const RouterId from = fabric.plan.injection_router(worm.source, worm.message_class);
  const RouterId to = fabric.plan.consumption_router(worm.destination, worm.message_class);
  Rng rng;
  const auto path = draw_path(fabric.plan, from, to, worm.message_class, rng);
  if (path && path->only && path->late == 0) return 0;
  const auto of = [&](RouterId router) { return speculation_delay(fabric.plan.nodes[router].pipeline); };
  if (run.path.empty()) return (run.hops + 1) * of(from);  // routers are alike
  std::uint64_t late = of(from);
  for (const LinkId link : run.path) late += of(fabric.spec.topology->links()[index(link)].to);
  return late;
}

/// Then it may meet its own flits, of which the formula knows nothing.
bool crosses_a_link_twice(const LoneWormRun& run) {
  std::vector<LinkId> links = run.path;
  std::ranges::sort(links);
  return std::ranges::adjacent_find(links) != links.end();
}

/// Longer than any lone worm takes: every hop and every flit at the slowest link.
Cycle patience(const ExplainedFabric& fabric) {
  const std::uint64_t hops = 4 * fabric.plan.routers.size() + 64;
  std::uint64_t slowest = 1;
  for (const Link& link : fabric.spec.topology->links())
    slowest =
        std::max({slowest, fabric.zero_load.hop(link.id).sum(), fabric.zero_load.credit_round_trip(link.id)});
  std::uint64_t longest = 1;
  for (const auto length : lengths_of(fabric)) longest = std::max<std::uint64_t>(longest, length);
  return (hops + longest) * (slowest + 8);
}

Json to_json(const std::vector<LoneWormRun>& runs) {
  Json json = Json::array();
  for (const LoneWormRun& run : runs) {
    Json path = Json::array();
    for (const LinkId link : run.path) path.push_back(index(link));
    json.push_back({run.cycles, run.hops, std::move(path)});
  }
  return json;
}

std::vector<LoneWormRun> runs_from(const Json& json) {
  std::vector<LoneWormRun> runs;
  for (const Json& one : json) {
    LoneWormRun& run = runs.emplace_back();
    run.cycles = one.at(0).get<Cycle>();
    run.hops = one.at(1).get<std::uint32_t>();
    for (const Json& link : one.at(2)) run.path.push_back(LinkId(link.get<std::uint32_t>()));
  }
  return runs;
}

/// In child processes, at once.
class Proof {
 public:
  Proof(const ExplainedFabric& fabric, const Options& options)
      : fabric_(fabric), worms_(lone_worms(fabric, all_)), above_(point_above(fabric, obstacle_)) {
    std::vector<Job> jobs{{"the lone worms",
                           [this](const ReportProgress& progress) { return run_worms(progress); },
                           static_cast<double>(worms_.size())}};
    if (above_)
      jobs.push_back({"the load above the bound",
                      [this](const ReportProgress& progress) {
                        return simulated_record(*above_, kNoTrace, 0, progress, true);
                      },
                      static_cast<double>(fabric.plan.routers.size())});
    const bool interrupted = run_jobs(jobs, options, [&](const Outcome& outcome, ProgressLine& progress) {
      if (outcome.kind == Outcome::kDone) return records_.push_back({outcome.job, outcome.record});
      progress.clear();
      if (outcome.kind != Outcome::kInterrupted) throw_failure(outcome);
    });
    if (interrupted) throw Interrupted();
  }

  ExplanationProof result() {
    for (const auto& [job, record] : records_) {
      if (job == 0)
        compare(runs_from(Json::parse(record)));
      else
        judge(Json::parse(record).at("point"));
    }
    if (!above_) {
      proof_.json["above_bound"] = {{"skipped", obstacle_}};
      proof_.text.push_back("no run above the bound: " + obstacle_);
    }
    return std::move(proof_);
  }

 private:
  std::string run_worms(const ReportProgress& progress) const {
    std::string record;
    run_in_sc_main([&] {
      try {
        record = to_json(run_lone_worms(fabric_.spec, worms_, patience(fabric_), progress, [] {
                   return stop_requested();
                 })).dump();
      } catch (const ConfigError& error) {
        throw fabric_.point.annotate(error);
      }
    });
    return record;
  }

  void compare(const std::vector<LoneWormRun>& runs) {
    const Topology& topology = *fabric_.spec.topology;
    std::uint64_t differences = worms_.size() - runs.size();  // those that were not delivered
    std::uint64_t before = 0;
    std::uint64_t said = 0;
    std::uint64_t simulated = 0;
    std::uint64_t meeting_themselves = 0;
    std::uint64_t late = 0;
    Json first;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (crosses_a_link_twice(runs[i])) {
        ++meeting_themselves;
        continue;
      }
      const auto known = said_before(fabric_, worms_[i]);
      const std::uint64_t formula = known ? *known : said_of_way(fabric_, worms_[i], runs[i]);
      before += known ? 1 : 0;
      said += formula;
      simulated += runs[i].cycles;
      if (formula == runs[i].cycles) continue;
      if (runs[i].cycles > formula && runs[i].cycles - formula <= may_be_late(fabric_, worms_[i], runs[i])) {
        ++late;
        continue;
      }
      ++differences;
      if (!first.is_null()) continue;
      first = {{"source", index(worms_[i].source)}, {"destination", index(worms_[i].destination)},
               {"flits", worms_[i].length},         {"hops", runs[i].hops},
               {"formula_cycles", formula},         {"simulated_cycles", runs[i].cycles}};
      name_class(first, worms_[i]);
      for (const LinkId link : runs[i].path)
        first["path"].push_back(topology.link_name(topology.links()[index(link)]));
    }
    if (runs.size() < worms_.size() && first.is_null()) {
      const LoneWorm& lost = worms_[runs.size()];
      first = {{"source", index(lost.source)},
               {"destination", index(lost.destination)},
               {"flits", lost.length},
               {"not_delivered_after_cycles", patience(fabric_)}};
      name_class(first, lost);
    }
    proof_.holds = proof_.holds && differences == 0;
    proof_.json["lone_worms"] = {{"worms", worms_.size()},        {"every_pair", all_},
                                 {"told_before_the_run", before}, {"formula_cycles", said},
                                 {"simulated_cycles", simulated}, {"differences", differences}};
    if (meeting_themselves > 0) proof_.json["lone_worms"]["left_out"] = meeting_themselves;
    if (late > 0) proof_.json["lone_worms"]["late"] = late;
    if (!first.is_null()) proof_.json["lone_worms"]["first_difference"] = first;
    proof_.text.push_back(
        fmt::format("{} lone worms, {}: {} cycles in all by the formula, {} simulated: {} difference{}{}",
                    worms_.size(), all_ ? "every pair" : "pairs drawn", said, simulated, differences,
                    differences == 1 ? "" : "s", first.is_null() ? "" : "; the first: " + first.dump()));
    if (meeting_themselves > 0)
      proof_.text.push_back(
          fmt::format("{} of them left out: they cross a link twice, and may meet their own flits there",
                      meeting_themselves));
    if (late > 0)
      proof_.text.push_back(fmt::format(
          "{} of them late, by no more than the formula allows: their headers speculated in vain", late));
    if (const std::size_t compared = runs.size() - meeting_themselves; before < compared)
      proof_.text.push_back(
          fmt::format("{} of them by the way that they took, as pairs have several or a planner chooses",
                      compared - before));
  }

  void name_class(Json& of_worm, const LoneWorm& worm) const {
    if (fabric_.told_classes().size() > 1)
      of_worm["class"] = fabric_.plan.message_classes[worm.message_class].name;
  }

  void judge(const Json& point) {
    const auto status = point.at("status").get<std::string>();
    const double bound = fabric_.limits.bounds.front().flits_per_node_cycle;
    // Nothing, where a deadlock comes before anything is measured.
    const Json* accepted = value_at(point, {"accepted", "flits_per_node_cycle", "mean"});
    const bool holds = status != "stable";
    proof_.holds = proof_.holds && holds;
    proof_.json["above_bound"] = {{"bound_flits_per_node_cycle", bound},
                                  {"offered_flits_per_node_cycle", kAboveBound * bound}};
    Json& json = proof_.json["above_bound"];
    if (accepted != nullptr) json["accepted_flits_per_node_cycle"] = *accepted;
    json["status"] = status;
    json["holds"] = holds;
    proof_.text.push_back(
        fmt::format("bound {:.4g} flits/node/cycle: offered {:.4g}, {}, {}: {}", bound, kAboveBound * bound,
                    accepted == nullptr ? "nothing measured"
                                        : fmt::format("accepted {:.4g} in the mean", accepted->get<double>()),
                    status, holds ? "holds" : "does not hold"));
  }

  const ExplainedFabric& fabric_;
  bool all_ = false;
  std::string obstacle_;
  std::vector<LoneWorm> worms_;
  std::optional<PointConfig> above_;
  std::vector<std::pair<std::size_t, std::string>> records_;
  ExplanationProof proof_;
};

}  // namespace

ExplanationProof prove(const ExplainedFabric& fabric, const Options& options) {
  return Proof(fabric, options).result();
}

}  // namespace noctule
