// cosim: RTL routers against the model, every output pin in every cycle.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "core/error_output.h"
#include "core/json.h"
#include "cosim/bench.h"
#include "cosim/reset_line.h"
#include "rtl/hardware_rules.h"
#include "run/child_process.h"
#include "run/configured_point.h"
#include "run/stop_signals.h"
#include "stats/tables.h"
#include "tb/cosim_draws.h"
#include "tb/cosim_keys.h"
#include "tb/cosim_record.h"
#include "tb/elaboration.h"
#include "tb/folder_record.h"
#include "tb/jobs.h"
#include "tb/options.h"
#include "tb/points.h"
#include "tb/record.h"
#include "tb/report.h"
#include "tb/result_folder.h"
#include "tb/stage_line.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

class Cosimulation {
 public:
  explicit Cosimulation(const Options& options) : options_(options) {
    const Configuration configuration = decode_file(options.file, {options.sets, options.axes, options.seed});
    points_ = points_of(configuration, options);
    check_cosim_keys(configuration, points_, options.quiet);
    const auto draws = points_.front().resolved.at("cosim").at("draws").get<std::uint64_t>();
    drawn_.resize(points_.size());
    for (std::uint64_t n = 0; n < draws && !options.pins; ++n) add_draw(n, draws);
    out_ = result_folder(options);
    std::set<std::string> taken;
    for (const PointConfig& point : points_) {
      CosimSpec spec;
      spec.point = configured_point(point, {});
      const ModelConfig model = model_from_json(point.resolved);
      spec.cosim = model.cosim;
      spec.rtl = all_or(std::move(spec.point.rtl), *spec.point.topology);
      spec.point.rtl.clear();
      spec.resets = draw_resets(point.seed, spec.cosim.resets, spec.cosim.cycles);
      specs_.push_back(std::move(spec));
      names_.push_back(free_name(taken, file_name_of(point.label, "-_."), names_.size()));
    }
  }

  int run() {
    if (options_.pins) return print_pins();
    check_results_not_read(out_, "cosim", {"cosim.json", "files.json"}, points_);
    for (std::size_t i = 0; i < specs_.size(); ++i)  // before what takes long
      (void)recorded_router(points_[i], *specs_[i].point.topology, specs_[i].rtl);
    make_result_folder(out_);
    compile();
    const StopSignals signals;  // from the first point to the last: a signal between them is one, too
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < specs_.size(); ++i) jobs.push_back(first_job(i));
    records_.resize(specs_.size());
    if (!simulate(jobs, [this](std::size_t i, Json record) { finished(i, std::move(record)); }))
      return kInterrupted;
    compare_digests();
    if (interrupted_) return kInterrupted;
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (!records_[i].is_null() && records_[i].at("diverged").get<bool>() && specs_[i].cosim.waveform &&
          !record_waveform(i))
        return kInterrupted;
    return report();
  }

 private:
  /// The points of the file once more, with what is drawn.
  void add_draw(std::uint64_t number, std::uint64_t of) {
    Options drawn = options_;
    drawn.quiet = true;  // of keys that do not count it was warned before
    const auto sets = draw_settings(points_.front(), number);
    for (PointConfig& point :
         points_of(decode_file(drawn.file, {drawn.sets, drawn.axes, drawn.seed, sets}), drawn)) {
      point.label += fmt::format(", draw {} of {}", number + 1, of);
      points_.push_back(std::move(point));
      drawn_.push_back(sets);
    }
  }

  /// The pins that a router of each fabric has; of several nodes, the routers of each. Points of one label
  /// whose routers have the same pins are one.
  int print_pins() const {
    Json list = Json::array();
    std::set<std::string> known;
    for (const CosimSpec& spec : specs_) {
      const FabricPlan plan = plan_of(spec.point);
      std::map<std::size_t, std::vector<RouterId>> of_kind;
      for (const RouterId router : routers_with(spec.rtl)) of_kind[plan.nodes.kind(router)].push_back(router);
      for (const auto& [kind, routers] : of_kind) {
        const PinMap map(plan, routers.front());
        const std::string like = plan.topology->router_name(routers.front());
        std::string text = fmt::format("{}: pins of {}\n", spec.point.label,
                                       of_kind.size() == 1 ? "a router" : routers_text(like, routers.size()));
        Json entries = Json::array();
        const auto add = [&](const std::vector<Pin>& pins, const char* direction) {
          for (const Pin& pin : pins) {
            text += fmt::format("  {:<6}  {:>3}  {}\n", direction, pin.width, pin.name);
            entries.push_back({{"label", spec.point.label},
                               {"direction", direction},
                               {"name", pin.name},
                               {"bits", pin.width}});
            if (of_kind.size() > 1) entries.back()["router"] = like;
          }
        };
        add({{"clk_i", 1}, {"rst_ni", 1}}, "input");
        add(map.inputs(), "input");
        add(map.outputs(), "output");
        if (!known.insert(text).second) continue;
        if (!options_.json) std::cout << text;
        list.insert(list.end(), entries.begin(), entries.end());
      }
    }
    if (options_.json) std::cout << list.dump(1) << '\n';
    return kDone;
  }
  static std::string routers_text(const std::string& first, std::size_t routers) {
    return routers == 1 ? first : fmt::format("{} and {} like it", first, routers - 1);
  }

  /// So that errors come before anything runs, and children find what is compiled.
  void compile() const {
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      try {
        const FabricPlan plan = plan_of(specs_[i].point);
        require_hardware(plan, routers_with(specs_[i].rtl));
        (void)build_rtl_nodes(plan, specs_[i].rtl, {}, say_compiling(options_.quiet));
      } catch (const ConfigError& error) {
        throw points_[i].annotate(error);
      }
    }
  }

  [[nodiscard]] Job job_of(std::size_t i, const std::string& waveform, RouterId router = {},
                           Cycle from = 0) const {
    const auto work = [this, i, waveform, router, from](const ReportProgress& progress) {
      CosimSpec spec = specs_[i];
      spec.point = configured_point(points_[i], {});  // a source of its own
      spec.point.rtl.clear();
      spec.point.compiling = say_compiling(options_.quiet);
      spec.waveform = waveform;
      spec.recorded = router;
      spec.from = from;
      std::string text;
      const auto run = [&] {
        const CosimRecord record = run_cosim(
            spec, [&](double fraction) { progress(fraction); }, [] { return stop_requested(); });
        text = to_json(record).dump();
      };
      if (spec.cosim.mode == CosimMode::kPlain)
        run();
      else
        run_in_sc_main(run);
      return text;
    };
    return {name_of(i), work,
            static_cast<double>(specs_[i].cosim.cycles) *
                static_cast<double>(specs_[i].point.topology->routers())};
  }

  /// With what the point was given.
  [[nodiscard]] std::string name_of(std::size_t i) const {
    return point_name(points_[i].label, points_[i].set);
  }

  /// Records the router that the configuration wants recorded.
  [[nodiscard]] Job first_job(std::size_t i) const {
    const auto router = recorded_router(points_[i], *specs_[i].point.topology, specs_[i].rtl);
    return router ? job_of(i, recording_file(i, "record"), *router) : job_of(i, "");
  }

  [[nodiscard]] std::string recording_file(std::size_t i, const char* what) const {
    return (out_ / fmt::format("{}-{}.vcd", what, names_[i])).string();
  }

  /// False: interrupted.
  template <class F>
  bool simulate(const std::vector<Job>& jobs, F&& done) {
    interrupted_ = run_jobs(jobs, options_, [&](const Outcome& outcome, ProgressLine& progress) {
      progress.clear();
      if (outcome.kind == Outcome::kConfigError) throw_failure(outcome);
      if (outcome.kind == Outcome::kDone) done(outcome.job, Json::parse(outcome.record));
      if (outcome.kind != Outcome::kCrashed && outcome.kind != Outcome::kInternalError) return;
      print_error("noctule: {}\n", outcome.message);  // costs this point only
      lost_ = true;
    });
    if (interrupted_) print_error("noctule: interrupted; what had finished is in {}\n", out_.string());
    return !interrupted_;
  }

  void finished(std::size_t i, Json record) {
    records_[i] = std::move(record);
    write();
    if (options_.json || options_.quiet) return;
    const Json& r = records_[i];
    std::cout << fmt::format(
        "{}: {} in {} router-cycles ({} with a flit moving), {} values compared, mode {}, {} resets, "
        "seed {}\n",
        name_of(i), r.at("diverged").get<bool>() ? "DIVERGED" : "no difference",
        r.at("router_cycles").get<std::uint64_t>(), r.at("moving_router_cycles").get<std::uint64_t>(),
        r.at("compared_values").get<std::uint64_t>(), to_string(specs_[i].cosim.mode),
        specs_[i].resets.size(), points_[i].seed);
    if (!drawn_[i].empty()) std::cout << fmt::format("  drawn: {}\n", fmt::join(drawn_[i], " "));
    for (const Json& toggles : r.at("toggles"))
      std::cout << toggle_text(fmt::format("pins of {}", toggles.at("module").get<std::string>()).c_str(),
                               toggles.at("pins"))
                << toggle_text("inside", toggles.at("inside"));
    std::cout << std::flush;
  }

  /// In swapped mode the same traffic must also end the same in a fabric of the model alone.
  void compare_digests() {
    std::vector<Job> jobs;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].cosim.mode != CosimMode::kSwapped || records_[i].is_null() ||
          records_[i].at("diverged").get<bool>())
        continue;
      Job job = job_of(i, "");
      job.work = [this, i](const ReportProgress&) {
        std::string digest;
        run_in_sc_main([&] {
          CosimSpec spec = specs_[i];
          spec.point = configured_point(points_[i], {});
          spec.rtl.assign(spec.rtl.size(), std::nullopt);
          digest = Json(fmt::format("{:016x}", run_cosim(spec).digest)).dump();
        });
        return digest;
      };
      jobs.push_back(std::move(job));
      of.push_back(i);
    }
    if (jobs.empty()) return;
    simulate(jobs, [&](std::size_t job, const Json& digest) {
      Json& record = records_[of[job]];
      record["model_digest"] = digest;
      if (record.at("digest") != digest) {
        record["diverged"] = true;
        print_error("noctule: {}: deliveries differ from those of the model alone: digest {} and {}\n",
                    name_of(of[job]), record.at("digest").get<std::string>(), digest.get<std::string>());
      }
    });
    write();
  }

  /// Runs again what diverged, up to the divergence. False: interrupted.
  bool record_waveform(std::size_t i) {
    constexpr Cycle kBefore = 64;
    Json& record = records_[i];
    if (record.at("first_divergence").is_null()) return true;
    const auto cycle = record.at("first_divergence").at("cycle").get<Cycle>();
    const std::string file = recording_file(i, "divergence");
    specs_[i].cosim.cycles = cycle + 3;
    const RouterId router{record.at("router").get<std::uint32_t>()};
    const std::vector<Job> jobs{job_of(i, file, router, cycle > kBefore ? cycle - kBefore : 0)};
    bool recorded = false;
    const bool done = simulate(jobs, [&](std::size_t, const Json& again) {
      recorded = again.at("first_divergence") == record.at("first_divergence");
      if (!recorded) print_error("noctule: {}: {}\n", name_of(i), kOtherCourse);
    });
    if (recorded) {
      record["first_divergence"]["vcd"] = file;
      write();
    }
    return done;
  }

  [[nodiscard]] Json document() const {
    Json json{{"diverged", false},
              {"router_cycles", 0},
              {"moving_router_cycles", 0},
              {"compared_values", 0},
              {"first_divergence", nullptr}};
    Json list = Json::array();
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (records_[i].is_null()) continue;
      Json point = records_[i];
      for (const char* sum : {"router_cycles", "moving_router_cycles", "compared_values"})
        json[sum] = json[sum].get<std::uint64_t>() + point.at(sum).get<std::uint64_t>();
      if (point.at("diverged").get<bool>()) json["diverged"] = true;
      if (json["first_divergence"].is_null()) json["first_divergence"] = point.at("first_divergence");
      point.erase("router");
      Json row{{"label", specs_[i].point.label},
               {"set", specs_[i].point.set},
               {"mode", to_string(specs_[i].cosim.mode)},
               {"seed", points_[i].seed},
               {"resets", specs_[i].resets},
               {"drawn", drawn_[i]}};
      row.update(point);
      list.push_back(std::move(row));
    }
    json["points"] = std::move(list);
    return json;
  }

  void write() const { write_file_atomically((out_ / "cosim.json").string(), document().dump(1) + "\n"); }

  /// Waveforms of differences that an earlier run found go.
  void record_files() const {
    FolderRecord record(out_, "cosim");
    record.add(out_ / "cosim.json");
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (!specs_[i].cosim.record.empty()) record.add(recording_file(i, "record"));
    for (const Json& point : records_)
      if (const Json* file = value_at(point, {"first_divergence", "vcd"}))
        record.add(file->get<std::string>());
    record.settle(options_.quiet);
  }

  int report() const {
    record_files();
    const Json json = document();
    if (options_.json) std::cout << json.dump(1) << '\n';
    for (const Json& point : json.at("points")) {
      if (point.at("first_divergence").is_null() || options_.json) continue;
      std::cout << '\n'
                << point_name(point.at("label").get<std::string>(), point.at("set")) << ": "
                << point.at("text").get<std::string>();
      if (point.at("first_divergence").contains("vcd"))
        std::cout << "  waveform     " << point.at("first_divergence").at("vcd").get<std::string>() << '\n';
    }
    if (lost_) {
      const auto lost = std::ranges::count_if(records_, [](const Json& record) { return record.is_null(); });
      print_error("noctule: {} of {} points lost; the others are in {}\n", lost, records_.size(),
                  (out_ / "cosim.json").string());
      return kInternal;
    }
    return json.at("diverged").get<bool>() ? kDoesNotHold : kDone;
  }

  const Options& options_;
  std::vector<PointConfig> points_;
  std::vector<std::vector<std::string>> drawn_;  ///< by point: what is set; empty: as in the file
  std::vector<CosimSpec> specs_;
  std::vector<std::string> names_;  ///< by point, in the names of its files
  std::vector<Json> records_;
  fs::path out_;
  bool interrupted_ = false;
  bool lost_ = false;  ///< the process of a point
};

}  // namespace

int cosim_command(const Options& options) {
  return Cosimulation(options).run();
}

}  // namespace noctule
