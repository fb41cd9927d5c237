#include "tb/cosim_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {
namespace {

Json to_json(const std::vector<ToggleRecord>& records) {
  Json list = Json::array();
  const auto part = [](const Toggles& toggles) {
    return Json{{"bits", toggles.bits()}, {"toggled", toggles.toggled()}, {"never", toggles.never()}};
  };
  for (const ToggleRecord& record : records)
    list.push_back({{"module", record.module}, {"pins", part(record.pins)}, {"inside", part(record.inside)}});
  return list;
}

}  // namespace

const char* to_string(CosimMode mode) {
  switch (mode) {
    case CosimMode::kShadow:
      return "shadow";
    case CosimMode::kSwapped:
      return "swapped";
    case CosimMode::kPlain:
      break;
  }
  return "plain";
}

std::string toggle_text(const char* of, const Json& part) {
  constexpr std::size_t kNamed = 6;
  std::string names;
  const auto& never = part.at("never");
  for (std::size_t n = 0; n < std::min(kNamed, never.size()); ++n)
    names += fmt::format("{}{}", n == 0 ? ", never: " : ", ", never[n].get<std::string>());
  if (never.size() > kNamed) names += fmt::format(" and {} more", never.size() - kNamed);
  return fmt::format("  {}: {} of {} bits toggled{}\n", of, part.at("toggled").get<std::uint64_t>(),
                     part.at("bits").get<std::uint64_t>(), names);
}

Json to_json(const CosimRecord& record) {
  Json json{{"diverged", record.divergence.has_value()},
            {"router_cycles", record.count.router_cycles},
            {"moving_router_cycles", record.count.moving},
            {"compared_values", record.count.values},
            {"first_divergence", nullptr},
            {"packets_delivered", record.delivered},
            {"toggles", to_json(record.toggles)},
            {"digest", fmt::format("{:016x}", record.digest)}};
  if (record.user_s > 0)
    json["speed"] = {
        {"user_s", record.user_s},
        {"router_cycles_per_s", static_cast<double>(record.count.router_cycles) / record.user_s}};
  if (!record.divergence) return json;
  const Divergence& d = *record.divergence;
  json["first_divergence"] = {{"router", d.router_name},
                              {"port", d.port},
                              {"cycle", d.cycle},
                              {"expected", fmt::format("{:#x}", d.expected)},
                              {"actual", fmt::format("{:#x}", d.actual)}};
  if (!d.text.empty()) {
    json["first_divergence"]["place"] = d.place;
    json["first_divergence"]["text"] = d.text;
  }
  json["router"] = index(d.router);
  json["text"] = record.text;
  return json;
}

}  // namespace noctule
