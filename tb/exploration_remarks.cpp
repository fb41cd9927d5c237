#include "tb/exploration_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "stats/tables.h"
#include "tb/report.h"

namespace noctule {

std::vector<std::string> varying_keys(const Json& rows) {
  std::vector<std::string> keys;
  for (const auto& key : swept_keys(rows)) {
    std::map<std::string, std::set<std::string>> values;
    for (const Json& row : rows)
      if (row.at("set").contains(key)) values[row.at("label")].insert(row.at("set").at(key).dump());
    if (std::ranges::any_of(values, [](const auto& of_label) { return of_label.second.size() > 1; }))
      keys.push_back(key);
  }
  return keys;
}

std::string given_text(const Json& row, const std::vector<std::string>& keys) {
  std::string text;
  for (const auto& key : keys)
    if (row.at("set").contains(key))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, plain_text(row.at("set").at(key)));
  return text;
}

std::string unproved_fabrics(const Json& rows, const std::vector<std::string>& keys) {
  std::vector<std::pair<std::string, std::string>> said;  // what, and of which
  for (const Json& row : rows) {
    if (row.at("verdict") == "proved") continue;
    std::string text = fmt::format("{}: {}: {}\n", row.at("label").get<std::string>(),
                                   row.at("verdict").get<std::string>(), row.at("reason").get<std::string>());
    if (const auto cycle = row.value("cycle", std::string()); !cycle.empty())
      text += fmt::format("  {}\n", cycle);
    std::string which = given_text(row, keys);
    const auto known = std::ranges::find(said, text, [](const auto& one) { return one.first; });
    if (known == said.end())
      said.emplace_back(std::move(text), std::move(which));
    else
      known->second += "; " + which;
  }
  std::string all;
  for (const auto& [text, which] : said)
    all += fmt::format("\n{}{}", text, which.empty() ? "" : "  with " + which + "\n");
  return all;
}

std::string unlike_routers(const Json& rows, const std::vector<std::string>& keys) {
  std::string all;
  for (const Json& row : rows) {
    if (!row.contains("router_kinds")) continue;
    const std::string given = given_text(row, keys);
    all += fmt::format("\n{}{}{}: buffers and VCs are the mean of\n", row.at("label").get<std::string>(),
                       given.empty() ? "" : " with ", given);
    for (const Json& kind : row.at("router_kinds"))
      all += fmt::format("  {}: {} flits/router, {} VCs/router\n", kind.at("text").get<std::string>(),
                         number_text(&kind.at("flit_buffers_per_router"), 1),
                         number_text(&kind.at("virtual_channels_per_router"), 1));
  }
  return all;
}

}  // namespace noctule
