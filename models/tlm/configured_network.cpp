#include <fmt/format.h>

#include <functional>

#include "config/effects.h"
#include "config/model.h"
#include "config/tlm.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "tlm/calibration.h"
#include "tlm/network.h"
#include "tlm/settings_check.h"

namespace noctule::tlm {
namespace {

NetworkParts parts_of(const PointConfig& point, bool calibrated) {
  const ModelConfig model = model_from_json(point.resolved);
  NetworkParts parts;
  parts.settings = tlm_from_json(point.resolved);
  PointSpec spec;
  spec.topology = make_topology(model);
  MessageClasses classes = make_message_classes(model, *spec.topology);
  if (classes.named() && point.resolved.at("depends").empty())
    classes.add_dependence(classes.number_of(parts.settings.request_class, "tlm.request_class"),
                           classes.number_of(parts.settings.response_class, "tlm.response_class"));
  spec.relation = make_routing(model, spec.topology);
  spec.planner = make_planner(model, spec.topology);
  spec.plans_unicasts = model.plans_unicasts;
  spec.message_classes = std::move(classes);
  spec.nodes = make_nodes(model, *spec.topology);
  spec.links = make_links(model, *spec.topology);
  if (!rtl_routers(model, *spec.topology).empty())
    throw ConfigError("nodes", "routers in hardware take no packets of TLM sockets; leave rtl out");
  parts.plan = plan_of(spec);
  parts.fabric.seed = model.seed;
  parts.fabric.stall = model.traffic.stall;
  parts.fabric.hierarchy = model.hierarchy;
  parts.fabric.occupancy_interval = model.measurement.occupancy_interval;
  if (const std::string file = point.resolved.at("tlm").value("calibration", std::string());
      calibrated && !file.empty())
    parts.calibration = read_calibration(file, calibrated_digest(point.resolved));
  parts.allow_deadlock = model.allow_deadlock;
  parts.annotate = [point](const ConfigError& error) { return point.annotate(error); };
  return parts;
}

PointConfig point_of(const Configuration& configuration) {
  const auto points = expand(configuration);
  if (points.size() != 1)
    throw configuration.annotate(ConfigError(
        configuration.resolved.at("compare").empty() ? "sweep" : "compare",
        fmt::format("the file describes {} fabrics; a network is one of them: leave sweep and compare "
                    "out",
                    points.size())));
  return points.front();
}

NetworkParts annotated_parts(const PointConfig& point, bool calibrated) {
  try {
    return parts_of(point, calibrated);
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

/// Refuses keys that count for nothing: those of `set`, and those that count for nothing in the file alone.
/// `alone()`: what the file is without `set`; may throw ConfigError.
NetworkParts parts_of(const Configuration& configuration, const std::vector<std::string>& set,
                      const std::function<Configuration()>& alone) {
  const PointConfig point = point_of(configuration);
  std::vector<UselessKey> useless = useless_keys(configuration, {point});
  if (!useless.empty() && !set.empty()) disown_what_options_made_useless(useless, alone);
  Faults faults;
  for (const UselessKey& key : useless)
    if (key.own) faults.push_back({key.key, key.message, key.place});
  if (!faults.empty()) throw to_error(std::move(faults));
  return annotated_parts(point, true);
}

DecodeOptions with(const std::vector<std::string>& set) {
  DecodeOptions options;
  options.set = set;
  return options;
}

}  // namespace

NetworkParts configured_network(const std::string& file, const std::vector<std::string>& set) {
  return parts_of(decode_file(file, with(set)), set, [&] { return decode_file(file); });
}

NetworkParts configured_network(const std::string& file, const std::vector<std::string>& set,
                                bool calibrated) {
  return annotated_parts(point_of(decode_file(file, with(set))), calibrated);
}

NetworkParts configured_network_text(const std::string& text, const std::string& name,
                                     const std::vector<std::string>& set) {
  return parts_of(decode_text(text, name, with(set)), set, [&] { return decode_text(text, name); });
}

void check_configured(const PointConfig& point) {
  const Json& section = point.resolved.at("tlm");
  if (section.at("initiators").empty() && section.at("targets").empty()) return;
  try {
    const NetworkParts parts = parts_of(point, true);
    check_settings(
        parts.settings,
        AddressMap(parts.settings.regions, parts.settings.targets.size(), parts.settings.otherwise),
        parts.plan);
    (void)keeps_order(parts.settings, parts.plan);
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

}  // namespace noctule::tlm
