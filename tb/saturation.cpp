#include "tb/saturation.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/model.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "tb/jobs.h"
#include "tb/load_limits.h"
#include "tb/point_keys.h"
#include "tb/record.h"
#include "tb/report.h"

namespace noctule {
namespace {

constexpr const char* kOption = "--saturation";
constexpr double kServedInFull = 0.97;  ///< of the messages generated in the measurement
constexpr const char* kRule =
    "the highest offered load, to within 1/64 of the one searched up to, at which the point is stable and "
    "delivers at least 0.97 of the packets that are generated in the measurement; a load at which it is "
    "not_converged is measured again, 4 and 16 times as long";
constexpr unsigned kMostLonger = 2;

bool undecided(const Json& point) {
  return point.at("status") == "not_converged";
}

bool served(const Json& point) {
  const Json* share = value_at(point, {"accepted", "fraction_of_generated"});
  return point.at("status") == "stable" && share != nullptr && share->get<double>() >= kServedInFull;
}

double accepted(const Json& point) {
  const Json* mean = value_at(point, {"accepted", "flits_per_node_cycle", "mean"});
  return mean == nullptr ? 0 : mean->get<double>();
}

/// What is kept of a point.
Json in_short(const Json& point) {
  Json json{{"offered_flits_per_node_cycle", point.at("offered").at("flits_per_node_cycle")},
            {"status", point.at("status")}};
  if (const Json* rate = value_at(point, {"accepted", "flits_per_node_cycle"}))
    json["accepted_flits_per_node_cycle"] = *rate;
  return json;
}

}  // namespace

SaturationSearches::SaturationSearches(std::vector<PointConfig> points, const std::string& program,
                                       const Options& options)
    : program_(program), options_(options) {
  for (auto& point : points) searches_.push_back(search_of(std::move(point)));
}

SaturationSearches::Search SaturationSearches::search_of(PointConfig point) {
  const PointSpec spec = configured_point(point, kNoTrace);
  const ModelConfig model = model_from_json(point.resolved);
  const FabricPlan plan = plan_of(spec);
  const auto limits = load_limits(spec, point, plan, ChannelIndex(plan), model.verify.states);
  if (spec.source->finite() || spec.source->closed_loop() || claims_of(spec).offered() ||
      limits.bounds.empty())
    throw ConfigError(kOption, fmt::format("{}: traffic.source '{}' offers no load that could be searched; "
                                           "use bernoulli, periodic or on_off, or leave {} out",
                                           point.label, model.traffic.source.name, kOption));
  Search search;
  const auto& bound = limits.bounds.front();
  search.highest = bound.flits_per_node_cycle;
  search.highest_is = fmt::format("the bound on throughput ({})", text_of(bound));
  // A terminal makes one message per cycle at most.
  if (spec.mean_length_flits < search.highest) {
    search.highest = spec.mean_length_flits;
    search.highest_is = "one message per terminal and cycle";
  }
  search.point = std::move(point);
  limit_to_offered(search);
  search.loads = SaturationSearch(search.highest);
  search.cost = check_limits(search.point, spec).seconds;
  return search;
}

/// A source may be unable to offer the highest load: then the highest that it can.
void SaturationSearches::limit_to_offered(Search& search) {
  constexpr int kHalvings = 12;
  const auto offers = [&](double load) {
    try {
      (void)configured_point(at(search, load), kNoTrace);
      return true;
    } catch (const ConfigError&) {
      return false;
    }
  };
  if (offers(search.highest)) return;
  double low = 0;
  double high = search.highest;
  for (int n = 0; n < kHalvings; ++n) (offers((low + high) / 2) ? low : high) = (low + high) / 2;
  if (low == 0) (void)configured_point(at(search, search.highest), kNoTrace);  // says why
  search.highest = low;
  search.highest_is = "what the source can offer";
}

PointConfig SaturationSearches::at(const Search& search, double load) {
  PointConfig point = search.point;
  Json& traffic = point.resolved["traffic"];
  traffic["load_unit"] = "flits_per_node_cycle";
  traffic["offered_load"] = load;
  point.set["traffic.offered_load"] = load;
  Json& measurement = point.resolved["measurement"];
  for (const char* key : {"cycles", "limit"})
    if (Json& cycles = measurement[key]; cycles.is_number())
      cycles = cycles.get<std::uint64_t>() << (2 * search.longer);
  return point;
}

void SaturationSearches::note(Search& search, const Json& point) const {
  search.points.push_back(point);
  if (undecided(point) && search.longer < kMostLonger) {
    ++search.longer;
    return;
  }
  search.longer = 0;
  search.loads.note(served(point));
}

bool SaturationSearches::run(Journal& journal) {
  for (;;) {
    std::vector<Job> jobs;
    std::vector<std::pair<Search*, PointKeys>> of_job;
    bool taken_over = false;
    for (Search& search : searches_) {
      const auto load = search.loads.next();
      if (!load) continue;
      const PointConfig point = at(search, *load);
      const PointKeys keys(point.resolved, program_);
      if (const auto known = options_.fresh ? std::nullopt : keys.find(journal)) {
        note(search, record_from_json(*known).point);
        keys_.push_back(keys.of(*known));
        taken_over = true;
        continue;
      }
      jobs.push_back({fmt::format("{} at {:.4g}", point.label, *load),
                      [point, quiet = options_.quiet](const ReportProgress& progress) {
                        return simulated_record(point, kNoTrace, 0, progress, quiet);
                      },
                      search.cost});
      of_job.emplace_back(&search, keys);
    }
    if (jobs.empty() && !taken_over) return false;
    const bool interrupted = run_jobs(jobs, options_, [&](const Outcome& outcome, ProgressLine&) {
      throw_failure(outcome);
      if (outcome.kind != Outcome::kDone) return;
      const Json record = Json::parse(outcome.record);
      note(*of_job[outcome.job].first, record_from_json(record).point);
      const std::string& key = of_job[outcome.job].second.of(record);
      journal.append(key, 0, record);
      keys_.push_back(key);
    });
    if (interrupted) return true;
  }
}

Json SaturationSearches::result(std::size_t i) const {
  const Search& search = searches_[i];
  if (search.points.empty()) return {};
  Json json{{"searched_up_to_flits_per_node_cycle", search.highest},
            {"searched_up_to_is", search.highest_is},
            {"rule", kRule}};
  if (search.loads.served() > 0) json["load_flits_per_node_cycle"] = search.loads.served();
  if (const auto refused = search.loads.refused()) json["not_served_at_flits_per_node_cycle"] = *refused;
  // Loads that are neither served nor refused, and the next one that is.
  const double served_load = search.loads.served();
  double refused_load = search.highest;
  bool open = false;
  for (const Json& point : search.points) {
    const auto load = point.at("offered").at("flits_per_node_cycle").get<double>();
    if (load > served_load && point.at("status") == "saturated") refused_load = std::min(refused_load, load);
  }
  const Json* most = &search.points.front();
  for (const Json& point : search.points) {
    json["points"].push_back(in_short(point));
    open = open || (undecided(point) &&
                    point.at("offered").at("flits_per_node_cycle") == search.loads.refused().value_or(-1));
    if (accepted(point) > accepted(*most)) most = &point;
    if (served(point) && point.at("offered").at("flits_per_node_cycle") == search.loads.served())
      json["accepted"] = point.at("accepted").at("flits_per_node_cycle");
  }
  if (search.loads.next()) {
    json["unfinished"] = true;
    open = true;
    refused_load = search.loads.refused().value_or(search.highest);
  }
  if (open) json["undecided_up_to_flits_per_node_cycle"] = refused_load;
  json["maximum_accepted"] = in_short(*most);
  return json;
}

Json with_loads_of_the_file(Json result, const std::vector<Json>& points) {
  Json& most = result["maximum_accepted"];
  const auto rate = [](const Json& of) {
    return number_at(of, {"accepted_flits_per_node_cycle", "mean"}, 0);
  };
  for (const Json& point : points)
    if (Json one = in_short(point); rate(one) > rate(most)) most = std::move(one);
  return result;
}

}  // namespace noctule
