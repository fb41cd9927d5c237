#include "tb/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include "core/error_output.h"
#include "tb/points.h"
#include "tb/report.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// Of one point alone: what a waveform could show next.
std::string slowest_text(const Json& points) {
  const Json::json_pointer place("/latency_cycles/network/slowest");
  if (points.size() != 1 || !points[0].contains(place)) return "";
  const Json& p = points[0].at(place);
  return fmt::format("longest in the network: packet {} to terminal {}, from cycle {} to {}\n",
                     p.at("packet").get<std::string>(), p.at("destination").get<std::uint64_t>(),
                     p.at("injected").get<Cycle>(), p.at("consumed").get<Cycle>());
}

}  // namespace

RunReport::RunReport(const Options& options, const PointsRun& run, fs::path out, bool interrupted)
    : options_(options), run_(run), out_(std::move(out)), interrupted_(interrupted) {}

void RunReport::print(const WrittenResults& written, bool lists_points) const {
  const Json& points = written.points();
  if (!options_.quiet) say_what_was_not_traced();
  if (options_.json) {
    std::cout << written.document.dump(1) << '\n';
    return;
  }
  if (options_.quiet) return;
  if (lists_points) {
    std::cout << points_table(points, written.document.at("config")) << '\n';
    if (const std::string classes = classes_text(points); !classes.empty()) std::cout << classes << '\n';
  }
  std::cout << status_summary(points);
  if (const auto missing = run_.wanted() - std::ssize(points); missing > 0)
    std::cout << fmt::format(", {} {}", missing, interrupted_ ? "not finished" : "lost");
  if (run_.taken_over() > 0)
    std::cout << fmt::format("; {} taken over from an earlier run (--fresh runs all)", run_.taken_over());
  std::cout << "\nresults.json gives the rule of each status\n" << slowest_text(points);
  if (!written.comparison.empty()) std::cout << '\n' << written.comparison;
  for (const auto& record : run_.records())
    if (record && !record->autopsy.empty()) std::cout << '\n' << record->autopsy;
  std::cout << "\nresults     " << (out_ / "results.json").string() << "  (and results.csv, links.csv, "
            << "latency_hist.csv, terminals.csv, config.json)\n";
  for (const auto& file : written.plots) std::cout << "plot        " << file << '\n';
  for (const auto& point : points)
    if (point.contains("files"))
      for (const auto& [kind, file] : point["files"].items())
        std::cout << fmt::format("{:<11} {}\n", kind == "vcd" ? "waveform" : kind, file.get<std::string>());
}

int RunReport::verdict(const WrittenResults& written) const {
  const Json& points = written.points();
  if (interrupted_) {
    const auto again = run_.run_again();
    print_error(
        "noctule: interrupted; {} of {} points are finished and in {}; the same command{} goes on{}\n",
        points.size(), run_.wanted(), out_.string(), options_.fresh ? " without --fresh" : "",
        again == 0 ? ""
                   : fmt::format(", but runs {} of them again: waveforms, event logs and RTL are not "
                                 "taken over",
                                 again));
    return kInterrupted;
  }
  if (run_.exit_code() != kDone) {
    say_what_is_lost(std::ssize(points));
    return run_.exit_code();
  }
  int code = kDone;
  const bool explained = std::ranges::any_of(
      run_.records(), [](const auto& record) { return record && !record->autopsy.empty(); });
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto status = points[i].at("status").get<std::string>();
    const std::string& expected = written.expected[i];
    const bool fine = expected == "any" ? status != "deadlocked" : status == expected;
    if (fine) continue;
    code = kDoesNotHold;
    print_error("noctule: {} is {}{}\n", point_name(points[i].at("label"), points[i].at("set")), status,
                expected == "any" ? "" : fmt::format(", expected was {}", expected));
    if (status == "deadlocked" && !explained)
      print_error("  {}\n", points[i].at("status_rule").get<std::string>());
  }
  return code;
}

/// Waveforms and event logs whose window begins when the run has ended.
void RunReport::say_what_was_not_traced() const {
  for (std::size_t i = 0; i < run_.records().size(); ++i) {
    if (!run_.records()[i]) continue;
    const Json& point = run_.records()[i]->point;
    if (value_at(point, {"files", "vcd"}) == nullptr && value_at(point, {"files", "events"}) == nullptr)
      continue;
    const PointConfig& config = run_.points()[i];
    const double from = number_at(config.resolved, {"trace", "from"}, 0);
    const double end =
        number_at(point, {"cycles", "warm_up"}, 0) + number_at(point, {"cycles", "measured"}, 0);
    if (from >= end)
      print_error(
          "noctule: warning: {}: nothing is traced: trace.from is {:.0f}, and the run ended after {:.0f} "
          "cycles; begin earlier\n",
          point_name(config.label, config.set), from, end);
  }
}

/// After the messages that name the points that failed.
void RunReport::say_what_is_lost(std::ptrdiff_t finished) const {
  if (finished > 0) {
    print_error("noctule: {} of {} points lost; the other {} are in {}{}\n", run_.wanted() - finished,
                run_.wanted(), finished, out_.string(),
                run_.run_again() != 0
                    ? "; the same command runs those with waveforms, event logs or RTL again, too"
                    : fmt::format("; the same command{} runs only what is lost",
                                  options_.fresh ? " without --fresh" : ""));
    return;
  }
  std::error_code ignored;
  print_error("noctule: no point has a result{}\n",
              fs::exists(out_ / "results.json", ignored)
                  ? fmt::format("; {} still holds the results of an earlier run", out_.string())
                  : "");
}

}  // namespace noctule
