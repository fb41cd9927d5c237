// verify: is every fabric of a file free of deadlock? Certificates, drawings and configurations that deadlock
// are left in the result folder.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "config/model.h"
#include "core/error_output.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "stats/tables.h"
#include "tb/end_remedies.h"
#include "tb/folder_record.h"
#include "tb/latency_bounds.h"
#include "tb/load_limits.h"
#include "tb/options.h"
#include "tb/points.h"
#include "tb/proof_assumptions.h"
#include "tb/result_folder.h"
#include "tb/simulations.h"
#include "tb/stage_line.h"
#include "verify/report/drawing.h"
#include "verify/report/report.h"
#include "verify/unicast/false_claims.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// The keys in which a point's fabric differs from that of other points.
std::string fabric_label(const PointConfig& point) {
  std::string label = point.label;
  for (const auto& [key, value] : point.set.items())
    for (const char* part : {"topology.", "routing.", "node.", "multicast."})
      if (key.starts_with(part) && key != "node.model") label += fmt::format(" {}={}", key, value.dump());
  return label;
}

/// What decides which share of the flits a link carries.
std::string kind_of_traffic(const PointConfig& point) {
  const Json& traffic = point.resolved.at("traffic");
  return traffic.at("pattern").dump() + traffic.at("source").dump() + traffic.at("multicast").dump();
}

class Verification {
 public:
  explicit Verification(const Options& options) : options_(options) {
    const Configuration configuration = decode_file(options.file, {options.sets, options.axes, options.seed});
    std::map<std::string, std::size_t> known;
    for (auto& point : points_of(configuration, options)) {
      const auto [first, fresh] = known.emplace(fabric_key(point.resolved), points_.size());
      if (fresh) {
        points_.push_back(std::move(point));
        traffic_.emplace_back();
      } else if (const std::string other = kind_of_traffic(point);
                 other != kind_of_traffic(points_[first->second])) {
        traffic_[first->second].insert(other);
      }
    }
    out_ = result_folder(options);
  }

  int run() {
    check_results_not_read(out_, "verify", {"verify.json", "files.json"}, points_);
    make_result_folder(out_);
    StageLine stage(options_.quiet);
    for (const auto& point : points_) {
      stage.say(fmt::format("looking for deadlocks of fabric {} of {} ({})", list_.size() + 1, points_.size(),
                            point.label));
      try {
        verify_fabric(point, stage);
      } catch (const ConfigError& e) {
        throw point.annotate(e);
      }
    }
    write_file_atomically((out_ / "verify.json").string(), list_.dump(1) + "\n");
    record_files();
    if (options_.json) std::cout << list_.dump(1) << '\n';
    return all_proved_ ? kDone : kDoesNotHold;
  }

 private:
  /// Drawings and configurations of fabrics that deadlocked in an earlier run go.
  void record_files() const {
    FolderRecord record(out_, "verify");
    record.add(out_ / "verify.json");
    for (const Json& fabric : list_)
      for (const auto& [kind, file] : fabric.at("files").items()) {
        const fs::path path(file.get<std::string>());
        record.add(path);
        if (kind == "configuration") record.add(fs::path(path).replace_extension(".trace"));
      }
    record.settle(options_.quiet);
  }

  void verify_fabric(const PointConfig& point, StageLine& stage) {
    const std::string label = fabric_label(point);
    const PointSpec spec = configured_point(point, {});
    const FabricOfPoint fabric = fabric_of(point);
    // Another fabric of the same label gets a number.
    const std::string slug = free_name(slugs_, file_name_of(label, "-_."), 2);
    check_results_not_read(out_, "verify", {"certificate-" + slug + ".json", "deadlock-" + slug + ".yaml"},
                           points_);
    const FabricVerdict verdict =
        judge_fabric(fabric, point, simulations(options_), (out_ / ("deadlock-" + slug)).string());
    const Certificate& certificate = verdict.certificate;
    std::string text;
    Json extra = Json::object();
    for (const std::string& assumption : proof_assumptions(spec)) {
      text += fmt::format("  assumed      {}\n", assumption);
      extra["assumptions"].push_back(assumption);
    }
    show_deadlock(slug, verdict, text, extra);
    for (const Json& set : end_remedies(certificate, point)) {
      extra["remedies"].push_back(set);
      text += remedy_text(set);
    }
    add_load(certificate, spec, point, fabric.options.header_states, text, extra);
    if (const std::size_t others = traffic_[list_.size()].size(); others > 0) {
      text += fmt::format(
          "  other loads  of {} more kind(s) of traffic on it: `noctule check`, with the same options\n",
          others);
      extra["other_kinds_of_traffic"] = others;
    }
    const PointLatencyBounds latency = latency_bounds(spec, certificate);
    text += latency_text(latency);
    if (Json bounds = latency_json(latency, spec.message_classes); !bounds.is_null())
      extra["latency_bounds"] = std::move(bounds);
    all_proved_ = all_proved_ && certificate.proved() && false_claims(certificate).empty();
    const std::string file = (out_ / ("certificate-" + slug + ".json")).string();
    write_file_atomically(file, certificate_document(certificate, label).dump(1) + "\n");
    text += fmt::format("  certificate  {}\n", file);
    Json json = to_json(certificate, label);
    json["files"]["certificate"] = file;
    for (const auto& [key, value] : extra.items()) {
      if (value.is_object() && json.contains(key))
        json[key].update(value);
      else
        json[key] = value;
    }
    list_.push_back(std::move(json));
    stage.clear();
    if (!options_.json && !options_.quiet) std::cout << to_text(certificate, label) << text << std::flush;
  }

  void show_deadlock(const std::string& slug, const FabricVerdict& verdict, std::string& text,
                     Json& extra) const {
    const DeadlockWitness& witness = verdict.certificate.witness;
    if (!witness.cycle.empty() || !witness.worms.empty()) {
      const std::string drawing = (out_ / ("deadlock-" + slug + ".svg")).string();
      write_file_atomically(drawing, draw_witness(verdict.certificate));
      text += fmt::format("  drawing      {}\n", drawing);
      extra["files"]["drawing"] = drawing;
    }
    if (!verdict.deadlock) return;
    const SimulatedDeadlock& deadlock = *verdict.deadlock;
    extra["files"]["configuration"] = deadlock.file;
    extra["simulation"] = {{"deadlocked", true},
                           {"workload", deadlock.workload},
                           {"cycle", deadlock.cycle},
                           {"deadlock", deadlock.worms}};
    text += fmt::format("  simulation   {}: deadlocks, found at cycle {} ({})\n", deadlock.file,
                        deadlock.cycle, deadlock.workload);
  }

  static void add_load(const Certificate& certificate, const PointSpec& spec, const PointConfig& point,
                       std::uint64_t most_header_states, std::string& text, Json& extra) {
    const auto limits =
        load_limits(spec, point, *certificate.plan, *certificate.channels, most_header_states);
    if (!limits.refused.empty() && spec.source->finite()) return;
    const auto& topology = *certificate.plan->topology;
    text += load_text(limits, point, topology);
    if (Json load = load_json(limits, point, topology); !load.is_null()) extra["load"] = std::move(load);
  }

  const Options& options_;
  std::vector<PointConfig> points_;  ///< one for each fabric
  std::vector<std::set<std::string>>
      traffic_;  ///< by fabric: other kinds of traffic on it than that of its point
  fs::path out_;
  std::set<std::string> slugs_;
  Json list_ = Json::array();
  bool all_proved_ = true;
};

}  // namespace

int verify_command(const Options& options) {
  return Verification(options).run();
}

}  // namespace noctule
