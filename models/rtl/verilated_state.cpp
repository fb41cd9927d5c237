#include "rtl/verilated_state.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <sstream>
#include <string_view>

namespace noctule {
namespace {

constexpr std::string_view kTypes[] = {"CData/*", "SData/*", "IData/*", "QData/*", "VlWide<", "VlUnpacked<"};

bool starts_with_type(std::string_view text) {
  for (const std::string_view type : kTypes)
    if (text.substr(0, type.size()) == type) return true;
  return false;
}

/// Bits by the first comment of the kind "/*46:0*/"; 0: there is none.
unsigned width_of(std::string_view text) {
  const std::size_t at = text.find("/*");
  if (at == std::string_view::npos) return 0;
  unsigned high = 0;
  unsigned low = 0;
  const char* const end = text.data() + text.size();
  const auto upper = std::from_chars(text.data() + at + 2, end, high);
  if (upper.ec != std::errc{} || upper.ptr == end || *upper.ptr != ':') return 0;
  if (std::from_chars(upper.ptr + 1, end, low).ec != std::errc{} || low > high) return 0;
  return high - low + 1;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// "gen__BRA__3__KET____DOT__full_q" is gen[3].full_q.
std::string path_of(std::string member) {
  replace_all(member, "__PVT__", "");
  replace_all(member, "__DOT__", ".");
  replace_all(member, "__BRA__", "[");
  replace_all(member, "__KET__", "]");
  return member;
}

/// Verilator's own have "__V" in their names.
bool is_design(std::string_view member) {
  return member.find("__V") == std::string_view::npos && member != "vlSymsp";
}

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
  return line;
}

/// Notes what a line of the class declares, if it is a signal or a child.
void declare(VerilatedClass& of, std::string_view line) {
  if (line.empty() || line.back() != ';') return;
  line.remove_suffix(1);
  const std::size_t space = line.rfind(' ');
  if (space == std::string_view::npos) return;
  const std::string member(line.substr(space + 1));
  const std::string_view type = trimmed(line.substr(0, space));
  if (!is_design(member) || member.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                                     "0123456789_") != std::string::npos)
    return;
  if (starts_with_type(type)) {
    if (const unsigned width = width_of(type); width > 0)
      of.signals.push_back({member, path_of(member), width});
  } else if (type.substr(0, 5) == "Vdut_" && type.back() == '*' && type.find(' ') == std::string_view::npos) {
    of.children.push_back({member, std::string(type.substr(0, type.size() - 1)), path_of(member)});
  }
}

}  // namespace

std::map<std::string, VerilatedClass> parse_state(const std::vector<std::string>& headers) {
  std::map<std::string, VerilatedClass> classes;
  for (const std::string& header : headers) {
    std::istringstream lines(header);
    VerilatedClass* in = nullptr;
    for (std::string text; std::getline(lines, text);) {
      const std::string_view line = trimmed(text);
      constexpr std::string_view kClass = "class ";
      if (line.substr(0, kClass.size()) == kClass && line.find("VerilatedModule") != std::string_view::npos) {
        const std::string_view rest = line.substr(kClass.size());
        in = &classes[std::string(rest.substr(0, rest.find(' ')))];
      } else if (in != nullptr && line.find("// CONSTRUCTORS") != std::string_view::npos) {
        in = nullptr;
      } else if (in != nullptr) {
        declare(*in, line);
      }
    }
  }
  return classes;
}

std::string make_layout(const std::map<std::string, VerilatedClass>& classes) {
  std::string text;
  for (const auto& [name, of] : classes) text += fmt::format("extern const Layout layout_{};\n", name);
  for (const auto& [name, of] : classes) {
    text += fmt::format("const Signal signals_{}[] = {{\n", name);
    for (const auto& s : of.signals)
      text += fmt::format(
          "  {{\"{0}\", offsetof({1}, {2}), sizeof({1}::{2}), Element<decltype({1}::{2})>::bytes, {3}}},\n",
          s.path, name, s.member, s.width);
    text += "  {nullptr, 0, 0, 0, 0}};\n" + fmt::format("const Child children_{}[] = {{\n", name);
    for (const auto& child : of.children)
      if (classes.count(child.type) != 0)
        text += fmt::format("  {{\"{}.\", offsetof({}, {}), &layout_{}}},\n", child.path, name, child.member,
                            child.type);
    text += fmt::format(
        "  {{nullptr, 0, nullptr}}}};\nconst Layout layout_{0}{{sizeof({0}), signals_{0}, children_{0}}};\n",
        name);
  }
  return text;
}

}  // namespace noctule
