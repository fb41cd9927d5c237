// check: everything short of simulating.

#include <fmt/format.h>

#include <iostream>

#include "config/decode.h"
#include "run/configured_point.h"
#include "run/progress.h"
#include "tb/options.h"

namespace noctule {
namespace {

/// What a router of this fabric is, in a line.
std::string router_text(const PointSpec& spec) {
  const FabricPlan plan = plan_fabric(spec.topology, spec.relation, spec.node);
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

}  // namespace

int check_command(const Options& options) {
  const Configuration configuration = decode_file(options.file, {options.sets, options.axes, options.seed});
  const auto points = expand(configuration);
  double seconds = 0;
  double bytes = 0;
  std::string routers;
  Json list = Json::array();
  for (const auto& point : points) {
    const PointSpec spec = configured_point(point, {});
    const PointEstimate estimate = check_limits(point, spec);
    seconds += estimate.seconds;
    bytes = std::max(bytes, estimate.bytes);
    const std::string text = fmt::format("{:<24} {}\n", point.label, router_text(spec));
    if (routers.find(text) == std::string::npos) routers += text;
    list.push_back({{"label", point.label},
                    {"set", point.set},
                    {"memory_bytes", estimate.bytes},
                    {"time_s", estimate.seconds}});
  }
  if (options.json) {
    std::cout << Json{{"config", configuration.resolved}, {"points", list}}.dump(1) << '\n';
  } else if (!options.quiet) {
    std::cout << fmt::format(
        "{}: correct\n{}{} point{}; at most about {:.0f} MB each and {} of one core in all\n", options.file,
        routers, points.size(), points.size() == 1 ? "" : "s", bytes / (1024 * 1024), duration_text(seconds));
  }
  return kDone;
}

}  // namespace noctule
