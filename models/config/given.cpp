#include "config/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <system_error>

#include "config/decimal.h"
#include "config/spelling.h"
#include "core/words.h"

namespace noctule {

using Kind = ConfigNode::Kind;

std::optional<bool> as_boolean(const ConfigNode& node) {
  if (node.kind != Kind::kScalar || node.quoted) return std::nullopt;
  std::string word;
  for (const char c : node.scalar) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* yes : {"true", "yes", "on"})
    if (word == yes) return true;
  for (const char* no : {"false", "no", "off"})
    if (word == no) return false;
  return std::nullopt;
}

std::string shown(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  // Not in the middle of a character.
  if (text.size() > 60) {
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0) == 0x80) result.pop_back();
    if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0x80) result.pop_back();
    result += "...";
  }
  return result;
}

std::string with_hint(const std::string& nearest) {
  return nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest);
}

std::string describe_given(const ConfigNode& node) {
  switch (node.kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kList:
      return fmt::format("a list of {}", node.items.size());
    case Kind::kMap:
      return "a section";
    case Kind::kScalar:
      break;
  }
  if (node.quoted) return fmt::format("the text '{}'", shown(node.scalar));
  if (as_boolean(node)) return fmt::format("the boolean {}", node.scalar);
  if (looks_like_number(node.scalar)) return shown(node.scalar);
  return fmt::format("the text '{}'", shown(node.scalar));
}

std::string with_commas(const std::string& text) {
  std::string list;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (!digit && text[i] != 'x') return text;
    const bool between = i > 0 && i + 1 < text.size();
    if (!digit && !between) return text;
    list += digit ? std::string(1, text[i]) : ", ";
  }
  return list;
}

bool has_unit(const std::string& text) {
  const auto end = text.find_first_not_of("0123456789.");
  if (end == 0 || end == std::string::npos) return false;
  const std::string rest = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
  return !rest.empty() && (rest[0] == '%' || std::isalpha(static_cast<unsigned char>(rest[0])) != 0);
}

bool is_range(const std::string& text) {
  static const std::regex kRange(R"(-?[0-9.eE+-]*[0-9](:|\.\.)-?[0-9.][0-9.eE+-]*(:[0-9.][0-9.eE+-]*)?)");
  return text.size() < 80 && std::regex_match(text, kRange);
}

ConfigNode without_ranges(const ConfigNode& node, double most, std::string& wrong) {
  if (node.kind != Kind::kScalar && node.kind != Kind::kList) return node;
  static const std::regex kPart(R"( *(0|[1-9][0-9]{0,9})(-(0|[1-9][0-9]{0,9}))? *)");
  ConfigNode list;
  list.kind = Kind::kList;
  list.place = node.place;
  const auto add = [&](const ConfigNode& given, std::string_view part) {
    const std::string text(part);
    std::smatch match;
    if (!std::regex_match(text, match, kPart)) {
      list.items.push_back(ConfigNode::of_scalar(text, given.place, given.quoted));
      return &given != &node;  // a text of something else is no list
    }
    const std::uint64_t first = std::stoull(match[1]);
    const std::uint64_t last = match[3].matched ? std::stoull(match[3]) : first;
    if (last < first)
      wrong = fmt::format("the range '{}' ends before it begins; write {}-{}", text, last, first);
    else if (static_cast<double>(list.items.size() + (last - first)) >= most)
      wrong = fmt::format("more than {:.0f} numbers are given; '{}' is too long a range", most, text);
    for (auto n = first; wrong.empty() && n <= last; ++n)
      list.items.push_back(ConfigNode::of_scalar(std::to_string(n), given.place));
    return wrong.empty();
  };
  if (node.kind == Kind::kScalar &&
      !each_part(node.scalar, [&](std::string_view part) { return add(node, part); }) && wrong.empty())
    return node;
  for (const auto& item : node.items)
    if (wrong.empty() && (item.kind != Kind::kScalar || item.quoted))
      list.items.push_back(item);
    else if (wrong.empty())
      each_part(item.scalar, [&](std::string_view part) { return add(item, part); });
  return list;
}

std::string about_no_number(const std::string& text, const std::vector<std::string>& words) {
  if (is_range(text)) return "; a range is an axis, FROM:TO:STEP: `--axis KEY=0.1:0.5:0.1`, or `sweep`";
  if (text.ends_with('%')) return "; a share is a number from 0 to 1: 5 % is 0.05";
  if (has_unit(text)) return "; write the number alone, without a unit";
  return with_hint(nearest_spelling(text, words));
}

std::string file_path(const ConfigNode& node) {
  namespace fs = std::filesystem;
  if (node.scalar.empty()) return node.scalar;
  const bool in_file = node.place.line > 0 && node.place.source != nullptr;
  const fs::path folder = in_file ? fs::path(*node.place.source).parent_path() : fs::path();
  std::error_code error;
  const fs::path whole = fs::absolute(folder / node.scalar, error);
  return error ? node.scalar : whole.lexically_normal().string();
}

}  // namespace noctule
