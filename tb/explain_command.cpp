// explain: what an architect asks before a simulation, in formulas: latency of a lone packet, where the
// ceiling is, how long packets should be, what a hop costs. --prove holds them against simulations; --try
// simulates what formulas do not know.

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "core/version.h"
#include "run/inputs.h"
#include "tb/cost_figures.h"
#include "tb/explain_proof.h"
#include "tb/explain_trials.h"
#include "tb/explanation.h"
#include "tb/folder_record.h"
#include "tb/load_limits.h"
#include "tb/options.h"
#include "tb/points.h"
#include "tb/result_folder.h"
#include "tb/simulations.h"
#include "tb/stage_line.h"

namespace noctule {
namespace {

/// Points with the same key get the same explanation, but for the load that they offer.
std::string explanation_key(const PointConfig& point) {
  return load_key(point) + point.resolved.at("cost").dump();
}

/// Of the routers in hardware; absent with the reason, where the table does not have them.
std::optional<CostRange> clock_of(const PointConfig& point, CostBook& book, std::string& obstacle) {
  if (book.table_of(point).empty()) {
    obstacle = CostBook::kNoTable;
    return std::nullopt;
  }
  const auto kinds = book.find(point);
  for (const CostOfKind& kind : kinds)
    if (kind.answer.figures == nullptr) {
      obstacle = kind.answer.obstacle;
      return std::nullopt;
    }
  std::optional<NodeCost> all = *kinds.front().answer.figures;
  if (kinds.size() > 1) {
    CostOfAll sum = cost_of_all(kinds);
    obstacle = sum.obstacle;
    all = std::move(sum.sum);
  }
  if (!all) return std::nullopt;
  const auto clock = all->range(&Mapping::cycle_ns);
  if (!clock) obstacle = "the table has no delays of this router";
  return clock;
}

class Explanations {
 public:
  explicit Explanations(const Options& options)
      : options_(options), question_{options.message, options.overhead.value_or(1)} {
    if (options.trials) gate_.emplace(deadlock_gate(options, program_digest(options.libraries)));
  }

  int run() {
    const Configuration configuration =
        decode_file(options_.file, {options_.sets, options_.axes, options_.seed});
    const auto points = points_of(configuration, options_);
    if (!options_.out.empty())
      check_results_not_read(result_folder(options_), "explain", {"explain.json", "files.json"}, points);
    for (const auto& point : points) {
      if (!known_.insert(explanation_key(point)).second) continue;
      try {
        explain(point);
      } catch (const ConfigError& error) {
        throw point.annotate(error);
      }
    }
    const Json document{{"noctule", kVersion},
                        {"schema", 1},
                        {"command", "explain"},
                        {"seed", configuration.resolved.at("seed")},
                        {"config", configuration.resolved},
                        {"fabrics", list_}};
    if (!options_.out.empty()) {
      make_result_folder(result_folder(options_));
      FolderRecord record(result_folder(options_), "explain");
      record.write("explain.json", document.dump(1) + "\n");
      record.settle(options_.quiet);
    }
    if (options_.json) std::cout << document.dump(1) << '\n';
    return holds_ ? kDone : kDoesNotHold;
  }

 private:
  void explain(const PointConfig& point) {
    StageLine stage(options_.quiet);
    stage.say("explaining " + point.label);
    std::string obstacle;
    const auto clock = clock_of(point, book_, obstacle);
    const ExplainedFabric fabric(point, clock);
    const auto lines = explain_fabric(fabric, question_);
    const Topology& topology = *fabric.spec.topology;
    Json json{{"label", point.label},
              {"set", point.set},
              {"routers", topology.routers()},
              {"terminals", topology.terminals()},
              {"links", topology.links().size()}};
    if (clock)
      json["clock_ns"] = to_json(*clock);
    else
      json["clock_obstacle"] = obstacle;
    json.update(to_json(lines));
    std::string text = fmt::format("{} routers, {} terminals, {} links; ", topology.routers(),
                                   topology.terminals(), topology.links().size());
    text +=
        clock ? fmt::format("clock {} ns\n", range_text(*clock, 2)) : fmt::format("no clock: {}\n", obstacle);
    text += to_text(lines);
    stage.clear();
    if (options_.prove) {
      const ExplanationProof proof = prove(fabric, options_);
      holds_ = holds_ && proof.holds;
      json["proof"] = proof.json;
      json["proof"]["holds"] = proof.holds;
      text += "  Proof\n";
      for (const auto& line : proof.text) text += "      " + line + "\n";
    }
    if (gate_) {
      const ExplanationTrials trials = try_changes(fabric, *gate_, options_);
      json["trials"] = trials.json;
      text += "  Trials\n";
      for (const auto& line : trials.text) text += "      " + line + "\n";
    }
    list_.push_back(std::move(json));
    if (options_.json || options_.quiet) return;
    const std::string name = point_name(point.label, point.set);
    const auto [said, is_new] = said_.emplace(std::move(text), name);
    std::cout << name << ": " << (is_new ? said->first : "as of " + said->second + "\n") << std::flush;
  }

  const Options& options_;
  PacketQuestion question_;
  std::optional<DeadlockGate> gate_;  ///< of what is tried; absent: nothing is
  CostBook book_ = shipped_cost_book();
  std::set<std::string> known_;
  std::map<std::string, std::string> said_;  ///< report -> the first point of which it was
  Json list_ = Json::array();
  bool holds_ = true;
};

}  // namespace

int explain_command(const Options& options) {
  return Explanations(options).run();
}

}  // namespace noctule
