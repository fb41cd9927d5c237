// Where the keys that schema.cpp declares count for anything.

#include <fmt/format.h>

#include "config/effects.h"
#include "core/json.h"
#include "core/key_effect.h"
#include "traffic/source.h"

namespace noctule {
namespace {

bool is_finite(const Json& resolved) {
  return ends_by_itself(traffic_of(resolved));
}

/// Is there an event log of all points, by option --events?
bool logs_all(const Json& resolved) {
  return resolved.at("trace").contains(kEventsOption);
}
/// Are there waveforms or event logs in the result folder?
bool traces_there(const Json& resolved) {
  const Json& trace = resolved.at("trace");
  return trace.at("vcd") == true || (trace.at("events") == true && !logs_all(resolved));
}
bool traces(const Json& resolved) {
  return traces_there(resolved) || logs_all(resolved);
}

/// Cycles of the longest run that a configuration allows.
double longest_run(const Json& resolved) {
  const Json& m = resolved.at("measurement");
  const auto number = [&](const char* key, const char* otherwise) {
    return (m.at(key).is_number() ? m.at(key) : m.at(otherwise)).get<double>();
  };
  if (is_finite(resolved)) return m.at("limit").get<double>();
  return number("warm_up", "warm_up_limit") + number("cycles", "limit");
}

const EffectOf kRandomLinks{
    {{"without.random_links.seed"}, "", "without.random_links.count is above 0", [](const Json& resolved) {
       return resolved.at("without").at("random_links").at("count") > 0;
     }}};
const EffectOf kUnicasts{
    {{"multicast.unicasts"}, "", "there is a multicast.planner", [](const Json& resolved) {
       return resolved.at("multicast").at("planner") != "none";
     }}};
const EffectOf kDestinations{
    {{"traffic.multicast.least", "traffic.multicast.most"},
     "",
     "traffic.multicast.fraction is above 0",
     [](const Json& resolved) { return resolved.at("traffic").at("multicast").at("fraction") > 0; }}};
const EffectOf kWindow{
    {{"measurement.warm_up", "measurement.cycles", "measurement.batches"},
     "",
     "the workload does not end by itself: with traffic.source trace_file, workload and static a run "
     "lasts from cycle 0 until the network has drained, at most measurement.limit",
     [](const Json& resolved) { return !is_finite(resolved); }}};
const EffectOf kWarmUpLimit{{{"measurement.warm_up_limit"},
                             "",
                             "measurement.warm_up is auto, and the workload does not end by itself",
                             [](const Json& resolved) {
                               return resolved.at("measurement").at("warm_up") == "auto" &&
                                      !is_finite(resolved);
                             }}};
const EffectOf kPrecision{
    {{"measurement.precision"},
     "",
     "measurement.cycles is auto, and the workload does not end by itself",
     [](const Json& resolved) {
       return resolved.at("measurement").at("cycles") == "auto" && !is_finite(resolved);
     },
     [](const Json& resolved) {
       const Json& cycles = resolved.at("measurement").at("cycles");
       if (cycles == "auto") return std::string();
       return fmt::format(
           "it counts only where measurement.cycles is auto, and that is {}: --set measurement.cycles=auto "
           "measures until the intervals are that narrow; or leave it out",
           cycles.dump());
     }}};
const EffectOf kLimit{
    {{"measurement.limit"},
     "",
     "measurement.cycles is auto, or the workload ends by itself (traffic.source trace_file, "
     "workload, static)",
     [](const Json& resolved) {
       return resolved.at("measurement").at("cycles") == "auto" || is_finite(resolved);
     }}};
const EffectOf kWaveform{{{"trace.scope", "trace.gtkw"}, "", "trace.vcd is true", [](const Json& resolved) {
                            return resolved.at("trace").at("vcd") == true;
                          }}};
const EffectOf kTrace{
    {{"trace.cycles"}, "", "something is traced: trace.vcd, trace.events, or --events", traces}};
const EffectOf kTracedPoints{
    {{"trace.points"},
     "",
     "something is traced into the result folder: trace.vcd, or trace.events without --events",
     traces_there}};
const EffectOf kEvents{
    {{"trace.events"},
     "",
     "there is no option --events, whose file is of all points",
     [](const Json& resolved) { return resolved.at("trace").at("events") != true || !logs_all(resolved); }}};
const EffectOf kFrom{
    {{"trace.from"},
     "",
     "something is traced (trace.vcd, trace.events, or --events) and the run can last that long: "
     "measurement.warm_up and cycles, or limit",
     [](const Json& resolved) {
       return traces(resolved) && resolved.at("trace").at("from").get<double>() < longest_run(resolved);
     },
     [](const Json& resolved) {
       if (!traces(resolved)) return std::string();
       const Json& m = resolved.at("measurement");
       const bool known = !is_finite(resolved) && m.at("warm_up").is_number() && m.at("cycles").is_number();
       return fmt::format("the run ends at cycle {:.0f}{}; begin earlier, or let it be longer ({})",
                          longest_run(resolved), known ? "" : " at the latest",
                          known                 ? "measurement.warm_up, measurement.cycles"
                          : is_finite(resolved) ? "measurement.limit"
                                                : "measurement.warm_up, cycles and limit");
     }}};

}  // namespace
}  // namespace noctule
