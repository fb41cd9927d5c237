// verify: is every fabric of a file free of deadlock? Certificates, drawings and configurations that deadlock
// are left in the result folder.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <set>

#include "config/effects.h"
#include "config/model.h"
#include "core/error_output.h"
#include "run/configured_point.h"
#include "run/deadlock_gate.h"
#include "stats/tables.h"
#include "tb/deadlock_replay.h"
#include "tb/options.h"
#include "tb/points.h"
#include "tb/result_folder.h"
#include "tb/stage_line.h"
#include "verify/channel_load.h"
#include "verify/drawing.h"
#include "verify/false_claims.h"
#include "verify/report.h"

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

class Verification {
 public:
  explicit Verification(const Options& options) : options_(options) {
    const Configuration configuration = decode_file(options.file, {options.sets, options.axes, options.seed});
    std::set<std::string> known;
    for (auto& point : points_of(configuration, options))
      if (known.insert(fabric_key(point.resolved)).second) points_.push_back(std::move(point));
    out_ = result_folder(options);
  }

  int run() {
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
    if (options_.json) std::cout << list_.dump(1) << '\n';
    return all_proved_ ? kDone : kDoesNotHold;
  }

 private:
  void verify_fabric(const PointConfig& point, StageLine& stage) {
    const std::string label = fabric_label(point);
    const PointSpec spec = configured_point(point, {});
    const auto plan = std::make_shared<const FabricPlan>(plan_of(spec));
    const VerifyOptions limits = verify_options(point);
    Certificate certificate = verify(plan, limits);
    std::string text;
    Json extra = Json::object();
    // Another fabric of the same label gets a number.
    const std::string stem = file_name_of(label, "-_.");
    std::string slug = stem;
    for (unsigned n = 2; !slugs_.insert(slug).second; ++n) slug = fmt::format("{}-{}", stem, n);
    if (!certificate.proved()) show_deadlock(point, slug, certificate, text, extra);
    add_load(certificate, spec, point, limits.header_states, text, extra);
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

  void show_deadlock(const PointConfig& point, const std::string& slug, Certificate& certificate,
                     std::string& text, Json& extra) const {
    if (!certificate.witness.cycle.empty() || !certificate.witness.worms.empty()) {
      const std::string drawing = (out_ / ("deadlock-" + slug + ".svg")).string();
      write_file_atomically(drawing, draw_witness(certificate));
      text += fmt::format("  drawing      {}\n", drawing);
      extra["files"]["drawing"] = drawing;
    }
    // A fabric that was not followed to its end is too large to be overloaded by the way.
    if (certificate.limit == kVerifyStatesKey) return;
    const auto replay = replay_deadlock(certificate, point, (out_ / ("deadlock-" + slug)).string());
    if (!replay) return;
    extra["files"]["configuration"] = replay->file;
    extra["simulation"] = {{"deadlocked", replay->deadlocked}, {"workload", replay->how}};
    if (replay->deadlocked) extra["simulation"]["cycle"] = replay->cycle;
    text += fmt::format("  simulation   {}: {}\n", replay->file,
                        replay->deadlocked
                            ? fmt::format("deadlocks, found at cycle {} ({})", replay->cycle, replay->how)
                            : std::string("does not deadlock"));
    if (replay->deadlocked && certificate.verdict == Verdict::kUnknown) {
      certificate.verdict = Verdict::kDeadlockPossible;
      certificate.method = "simulation";
      certificate.limit.clear();
    }
  }

  static void add_load(const Certificate& certificate, const PointSpec& spec, const PointConfig& point,
                       std::uint64_t most_header_states, std::string& text, Json& extra) {
    if (!spec.pattern || !has_effect("traffic.pattern", point.resolved)) return;
    const auto load =
        channel_load(*certificate.plan, *certificate.channels, *spec.pattern, most_header_states);
    if (!load) return;
    const auto& topology = *certificate.plan->topology;
    const Link& busiest = topology.links()[index(load->busiest)];
    const auto pattern = point.resolved.at("traffic").at("pattern").at("kind").get<std::string>();
    const std::string link = topology.router_name(busiest.from) + "." + topology.port_name(busiest.out);
    text += fmt::format(
        "  load under {}: {:.4g} hops; a link carries {:.4g} flits per flit and terminal in the mean, {:.4g} "
        "at "
        "most ({}); at most {:.4g} flits/node/cycle if headers divide evenly, {:.4g} however they do\n",
        pattern, load->mean_hops, load->mean, load->max, link, load->throughput_bound, load->distance_bound);
    extra["load"] = {{"pattern", pattern},
                     {"mean_hops", load->mean_hops},
                     {"link_load", {{"mean", load->mean}, {"max", load->max}, {"busiest", link}}},
                     {"throughput_bound_flits_per_node_cycle", load->throughput_bound},
                     {"distance_bound_flits_per_node_cycle", load->distance_bound}};
  }

  const Options& options_;
  std::vector<PointConfig> points_;
  fs::path out_;
  std::set<std::string> slugs_;
  Json list_ = Json::array();
  bool all_proved_ = true;
};

}  // namespace

int verify_command(const Options& options) {
  try {
    return Verification(options).run();
  } catch (const Interrupted&) {
    print_error("noctule: interrupted\n");
    return kInterrupted;
  }
}

}  // namespace noctule
