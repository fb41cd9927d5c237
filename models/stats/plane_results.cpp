#include "stats/plane_results.h"

#include <algorithm>

namespace noctule {

std::vector<PlaneResult> plane_results(const std::vector<PlaneContext>& planes,
                                       const MeasurementOutcome& outcome,
                                       const std::vector<unsigned>& link_cycles, std::uint64_t node_cycles,
                                       const std::vector<std::string>& class_names) {
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
  };
  std::vector<PlaneResult> results;
  for (const PlaneContext& plane : planes) {
    PlaneResult result{plane.name, plane.routers, plane.links, {}};
    std::uint64_t flits = 0;
    for (const std::size_t c : plane.message_classes) {
      result.message_classes.push_back(class_names.at(c));
      if (c < outcome.window.classes.size()) flits += outcome.window.classes[c].flits_delivered;
    }
    result.flits_per_node_cycle = ratio(flits, node_cycles);
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    const auto& carried = outcome.window.link_flits;
    for (std::size_t l = plane.first_link; l < std::min(plane.first_link + plane.links, carried.size());
         ++l) {
      const std::uint64_t busy = carried[l] * (link_cycles.empty() ? 1U : link_cycles[l]);
      sum += busy;
      most = std::max(most, busy);
    }
    result.link_utilization_mean = ratio(sum, outcome.measured_cycles * plane.links);
    result.link_utilization_max = ratio(most, outcome.measured_cycles);
    results.push_back(std::move(result));
  }
  return results;
}

Json to_json(const std::vector<PlaneResult>& planes) {
  Json json = Json::object();
  for (const PlaneResult& plane : planes)
    json[plane.name] = Json{
        {"message_classes", plane.message_classes},
        {"routers", plane.routers},
        {"links", plane.links},
        {"accepted", {{"flits_per_node_cycle", plane.flits_per_node_cycle}}},
        {"link_utilization", {{"mean", plane.link_utilization_mean}, {"max", plane.link_utilization_max}}}};
  return json;
}

}  // namespace noctule
