#include "config/imported.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {

void ImportedConfiguration::set(const std::string& key, const std::string& value, const std::string& from) {
  const auto dot = key.find('.');
  Entry entry{dot == std::string::npos ? "" : key.substr(0, dot),
              dot == std::string::npos ? key : key.substr(dot + 1), value, from};
  const auto same = std::ranges::find_if(
      entries_, [&](const Entry& e) { return e.section == entry.section && e.key == entry.key; });
  if (same != entries_.end())
    *same = std::move(entry);
  else
    entries_.push_back(std::move(entry));
}

std::string ImportedConfiguration::yaml(const std::string& heading) const {
  std::string text = fmt::format("# {}\n", heading);
  for (const auto& remark : remarks_) text += fmt::format("# remark: {}\n", remark);
  std::vector<std::string> sections{""};  // keys at the top come first
  for (const Entry& e : entries_)
    if (std::ranges::find(sections, e.section) == sections.end()) sections.push_back(e.section);
  for (const auto& section : sections) {
    if (!section.empty()) text += fmt::format("\n{}:\n", section);
    for (const Entry& e : entries_)
      if (e.section == section)
        text += fmt::format("{}{}: {}  # {}\n", section.empty() ? "" : "  ", e.key, e.value, e.from);
  }
  return text;
}

}  // namespace noctule
