// check: everything short of simulating.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <set>

#include "analytic/zero_load.h"
#include "config/decode.h"
#include "config/effects.h"
#include "config/model.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "run/fabric_verdict.h"
#include "run/inputs.h"
#include "run/progress.h"
#include "tb/cosim_keys.h"
#include "tb/cost_figures.h"
#include "tb/folder_record.h"
#include "tb/jobs.h"
#include "tb/load_limits.h"
#include "tb/options.h"
#include "tb/point_warnings.h"
#include "tb/points.h"
#include "tb/proof_assumptions.h"
#include "tb/record.h"
#include "tb/result_folder.h"
#include "tb/simulations.h"
#include "tb/stage_line.h"
#include "tlm/network.h"
#include "verify/report/built_classes.h"
#include "verify/report/network_drawing.h"

namespace noctule {
namespace {

/// What a router of this fabric is, in a line.
std::string router_text(const FabricPlan& plan) {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t crossbars = 0;
  for (const auto& router : plan.routers) {
    inputs = std::max(inputs, router->inputs.size());
    outputs = std::max(outputs, router->outputs.size());
    crossbars = std::max<std::size_t>(crossbars, router->crossbars);
  }
  return fmt::format("{} routers of up to {} inputs and {} outputs in {} crossbar{}", plan.routers.size(),
                     inputs, outputs, crossbars, crossbars == 1 ? "" : "s");
}

template <class F>
std::string spread_over(const FabricPlan& plan, F&& of_node) {
  std::set<std::uint64_t> values;
  for (const NodeDescription& node : plan.nodes.kinds()) values.insert(of_node(node));
  return spread_text(*values.begin(), *values.rbegin());
}

/// What of it are objects of SystemC, and what a router takes.
std::string memory_text(const PointEstimate& estimate) {
  return fmt::format("hierarchy: {}; about {:.1f} KB per router, of which {:.0f} bytes are its state record",
                     name_of(estimate.hierarchy), estimate.router_bytes / 1024, estimate.record_bytes);
}

/// What a packet takes that meets no other, and how deep a buffer lets one worm have a whole link.
std::string timing_text(const FabricPlan& plan) {
  const ZeroLoad zero_load(plan);
  std::set<std::uint64_t> trips;
  for (const Link& link : plan.topology->links()) trips.insert(zero_load.credit_round_trip(link.id));
  const std::string depth = spread_over(plan, [](const NodeDescription& node) { return node.input_depth; });
  return fmt::format("zero load: {}\n  credit round trip {} cycles: input buffers have {} place{}",
                     zero_load.formula(), trips.empty() ? "0" : spread_text(*trips.begin(), *trips.rbegin()),
                     depth, depth == "1" ? "" : "s");
}

/// What theory says of the traffic on this network.
std::string traffic_text(const PointSpec& spec, const PointConfig& point, const ThroughputLimits& limits) {
  const auto& topology = *spec.topology;
  std::string text =
      fmt::format("diameter {}, bisection {}{} bidirectional channels, capacity {:.4g} flits/node/cycle",
                  topology.diameter(), topology.bisection_is_exact() ? "" : "at most ", topology.bisection(),
                  ideal_capacity(topology, spec.links));
  if (!has_effect("traffic.pattern", point.resolved)) return text;
  // Of a closed loop not all terminals that the pattern lets inject do.
  if (limits.closed_loop && limits.links)
    text += fmt::format("; mean distance {:.3f}", limits.links->mean_hops);
  else if (spec.pattern && !limits.closed_loop)
    text += fmt::format("; mean distance of the pattern {:.3f}", mean_distance(topology, *spec.pattern));
  if (spec.tau_max_packets_per_node_cycle)
    text += fmt::format("; tau_max {:.6f} packets/node/cycle", *spec.tau_max_packets_per_node_cycle);
  return text;
}

/// What is said of the points: each text once, under the labels of its points, and not too many.
class Descriptions {
 public:
  void add(const std::string& label, std::string text) {
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const auto& d) { return d.text == text; });
    auto& labels = known == all_.end() ? all_.emplace_back(One{std::move(text), {}}).labels : known->labels;
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < std::min(all_.size(), kMost); ++i) {
      const auto& labels = all_[i].labels;
      const std::size_t shown = std::min(labels.size(), kMost);
      text += fmt::format(
          "{}{}: {}", fmt::join(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
          labels.size() > shown ? fmt::format(" and {} more", labels.size() - shown) : "", all_[i].text);
    }
    if (all_.size() > kMost)
      text += fmt::format("... and {} other descriptions of points; --axis and --set choose among them\n",
                          all_.size() - kMost);
    return text;
  }

 private:
  static constexpr std::size_t kMost = 8;
  struct One {
    std::string text;
    std::vector<std::string> labels;
  };
  std::vector<One> all_;
};

/// Pictures of networks, each once: network.svg, network-2.svg, ...
class Pictures {
 public:
  void add(const FabricPlan& plan) {
    std::string picture = draw_network(plan);
    if (std::find(all_.begin(), all_.end(), picture) == all_.end()) all_.push_back(std::move(picture));
  }
  [[nodiscard]] std::vector<std::string> write(const Options& options) const {
    std::vector<std::string> files;
    if (all_.empty()) return files;
    const std::filesystem::path out = result_folder(options);
    make_result_folder(out);
    FolderRecord record(out, "check");
    for (const auto& picture : all_) {
      const std::string name =
          files.empty() ? "network.svg" : fmt::format("network-{}.svg", files.size() + 1);
      record.write(name, picture);
      files.push_back((out / name).string());
    }
    record.settle(options.quiet);
    return files;
  }

 private:
  std::vector<std::string> all_;
};

/// Is there something to see in every waveform? Fabrics are built for that, in child processes.
void check_waveforms(const Options& options, const std::vector<PointConfig>& points) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Json& trace = points[i].resolved.at("trace");
    if (!trace.at("vcd").get<bool>()) continue;
    if (!first_of_series(points, i) && trace.at("points") != "all") continue;
    jobs.push_back({"the waveform of " + points[i].label,
                    [&point = points[i]](const ReportProgress&) { return checked_waveform(point); }, 1});
  }
  if (run_jobs(jobs, options, [](const Outcome& outcome, ProgressLine&) { throw_failure(outcome); }))
    throw Interrupted();
}

}  // namespace

int check_command(const Options& options) {
  const Configuration configuration = decode_file(options.file, {options.sets, options.axes, options.seed});
  const auto points = points_of(configuration, options);
  if (needs_cost(configuration.resolved.at("plots"))) (void)cost_of_points(points);
  if (options.draw) check_results_not_read(result_folder(options), "check", {"files.json"}, points);
  DeadlockGate gate = deadlock_gate(options, program_digest(options.libraries));
  double seconds = 0;
  double bytes = 0;
  Descriptions descriptions;
  KnownLimits known_limits(kQuickHeaderStates);
  LoadWarnings warnings;
  PointWarnings others;
  Pictures pictures;
  Json list = Json::array();
  for (const auto& point : points) check_size(point);
  StageLine stage(options.quiet);
  for (const auto& point : points) {
    const std::string name = fmt::format("point {} of {} ({})", list.size() + 1, points.size(), point.label);
    stage.say("building " + name);
    const PointSpec spec = configured_point(point, {});
    tlm::check_configured(point);
    (void)recorded_router(point, *spec.topology, spec.rtl);
    const PointEstimate estimate = check_limits(point, spec);
    stage.say("looking for deadlocks of " + name);
    gate.pass(point);
    stage.say("describing " + name);
    seconds += estimate.seconds;
    bytes = std::max(bytes, estimate.bytes + estimate.queued_bytes);
    const FabricPlan plan = plan_of(spec);
    std::string text = router_text(plan) + "\n";
    if (const auto channels = built_classes_text(plan); !channels.empty()) text += "  " + channels + "\n";
    if (const auto remark = plan.relation->remark(); !remark.empty()) text += "  " + remark + "\n";
    for (const std::string& assumption : proof_assumptions(spec)) text += "  assumed: " + assumption + "\n";
    text += "  " + memory_text(estimate) + "\n";
    text += "  " + timing_text(plan) + "\n";
    const ThroughputLimits& limits = known_limits.of(spec, point);
    text += "  " + traffic_text(spec, point, limits) + "\n";
    if (limits.round_trips)
      text += "  round trip of a lone transaction: " + round_trips_text(*limits.round_trips) + "\n";
    if (!limits.bounds.empty())
      text += "  bound: " + bound_text(limits) + "\n";
    else if (!limits.refused.empty() && !spec.source->finite())
      text += "  bound: refused, as " + limits.refused + "\n";
    warnings.look_at(point, spec, known_limits);
    others.look_at(point, spec);
    if (options.draw) {
      try {
        pictures.add(plan);
      } catch (const ConfigError& error) {
        throw point.annotate(error);
      }
    }
    descriptions.add(point.label, std::move(text));
    list.push_back({{"label", point.label},
                    {"set", point.set},
                    {"memory_bytes", estimate.bytes + estimate.queued_bytes},
                    {"hierarchy", name_of(estimate.hierarchy)},
                    {"record_bytes_per_router", estimate.record_bytes},
                    {"memory_bytes_per_router", estimate.router_bytes},
                    {"time_s", estimate.seconds}});
  }
  stage.clear();
  check_waveforms(options, points);
  if (!options.quiet) {
    warnings.print();
    others.print();
  }
  const auto drawn = pictures.write(options);
  if (options.json) {
    Json document{{"config", configuration.resolved}, {"points", list}};
    if (options.draw) document["files"] = drawn;
    std::cout << document.dump(1) << '\n';
  } else if (!options.quiet) {
    std::cout << fmt::format(
        "{}: correct\n{}{} point{}; at most about {:.0f} MB each and {} of one core in all\n", options.file,
        descriptions.text(), points.size(), points.size() == 1 ? "" : "s", std::ceil(bytes / (1024 * 1024)),
        duration_text(seconds));
    for (const auto& file : drawn) std::cout << "drawing     " << file << '\n';
  }
  return kDone;
}

}  // namespace noctule
