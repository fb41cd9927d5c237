// Is every declared key refused with line and column when it is misspelt, mistyped or out of range?

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/config_support.h"
#include "config/schema.h"
#include "core/json.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;

/// One key of the schema written into a file of its own.
struct Written {
  std::string yaml;
  int line = 0;
  int key_column = 0;
  int value_column = 0;
  bool element = false;  ///< an element of a list: there is no key to misspell
};

/// Writes `value` at a path such as "traffic.pattern{hotspot}.nodes[]", the last key's name with `suffix`.
Written write(const std::string& path, const std::string& value, const std::string& suffix = {}) {
  Written w;
  std::size_t indent = 0;
  int line = 1;
  const auto parts = split_key(path);
  bool item = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string name = parts[i];
    std::string entry;
    if (const auto brace = name.find('{'); brace != std::string::npos) {
      entry = name.substr(brace + 1, name.size() - brace - 2);
      name.resize(brace);
    }
    bool list = false;
    if (name.ends_with("[]")) {
      list = true;
      name.resize(name.size() - 2);
    }
    const bool last = i + 1 == parts.size();
    w.yaml += (item ? std::string(indent - 2, ' ') + "- " : std::string(indent, ' ')) + name +
              (last && !list ? suffix : "") + ":";
    w.line = line++;
    w.key_column = static_cast<int>(indent) + 1;
    item = list;
    if (last && !list) {
      w.value_column = w.key_column + static_cast<int>(name.size() + suffix.size()) + 2;
      w.yaml += " " + value + "\n";
    } else if (last) {
      w.yaml += "\n" + std::string(indent, ' ') + "- " + value + "\n";
      w.line = line++;
      w.value_column = static_cast<int>(indent) + 3;
      w.element = true;
    } else {
      w.yaml += "\n";
    }
    indent += list ? 4 : 2;
    if (entry.empty()) continue;
    const char* discriminator = name == "routing"     ? "algorithm"
                                : name == "node"      ? "model"
                                : name == "multicast" ? "planner"
                                                      : "kind";
    w.yaml += fmt::format("{}{}: {}\n", std::string(indent, ' '), discriminator, entry);
    ++line;
    if (list) indent += 2;
  }
  return w;
}

/// Keys as written in messages: without entries, elements numbered.
std::string message_key(std::string path) {
  for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
    path.erase(open, path.find('}') - open + 1);
  for (auto open = path.find("[]"); open != std::string::npos; open = path.find("[]"))
    path.insert(open + 1, "0");
  return path;
}

void expect_fault(const Written& w, int column, const std::string& key) {
  const auto found = faults_of(w.yaml);
  const auto place = fmt::format("file:{}:{}", w.line, column);
  EXPECT_TRUE(testing::has(found, place, key)) << "expected " << place << " " << key << " in\n"
                                               << w.yaml << "but found\n"
                                               << all_text(found);
}

TEST(EveryKey, MisspeltIsNamedWithItsPlaceAndTheRightSpelling) {
  int keys = 0;
  visit_keys([&](const std::string& path, const Parameter& p) {
    const auto w = write(path, "1", "x");
    if (w.element) return;
    ++keys;
    expect_fault(w, w.key_column, message_key(path) + "x");
    EXPECT_NE(all_text(faults_of(w.yaml)).find("did you mean '" + p.name + "'?"), std::string::npos) << path;
  });
  EXPECT_GT(keys, 60);
}

TEST(EveryKey, MistypedIsNamedWithItsPlace) {
  using Type = Parameter::Type;
  visit_keys([](const std::string& path, const Parameter& p) {
    const bool map_allowed = p.type == Type::kSection || p.type == Type::kSettings || p.type == Type::kLabels;
    const std::string wrong = map_allowed                          ? "[1]"
                              : p.type == Type::kVariant           ? "[1]"
                              : p.type == Type::kList || p.or_list ? "{a: 1}"
                                                                   : "[{a: 1}]";
    const auto w = write(path, wrong);
    expect_fault(w, w.value_column, message_key(path));
    if (p.type == Type::kInteger || p.type == Type::kReal || p.type == Type::kBoolean ||
        p.type == Type::kChoice) {
      const auto text = write(path, "qqqqqqqqqqqq");
      expect_fault(text, text.value_column, message_key(path));
    }
  });
}

TEST(EveryKey, OutOfRangeIsNamedWithItsPlace) {
  using Type = Parameter::Type;
  int ranges = 0;
  visit_keys([&](const std::string& path, const Parameter& p) {
    std::vector<std::string> outside;
    if (p.type == Type::kInteger) {
      outside.push_back(fmt::format("{}", static_cast<std::int64_t>(p.minimum) - 1));
      outside.push_back(p.maximum < 9e15 ? fmt::format("{}", static_cast<std::int64_t>(p.maximum) + 1)
                                         : "1e19");
    } else if (p.type == Type::kReal) {
      outside.push_back(p.above_minimum ? fmt::format("{}", p.minimum) : fmt::format("{}", p.minimum - 0.5));
      outside.push_back(fmt::format("{}", p.maximum + 0.5));
      outside.push_back("1e999");
    } else if (p.type == Type::kList && p.minimum > 0) {
      outside.push_back("[]");
    }
    for (const auto& value : outside) {
      ++ranges;
      const auto w = write(path, value);
      expect_fault(w, w.value_column, message_key(path));
    }
  });
  EXPECT_GT(ranges, 60);
}

TEST(EveryKey, HasADescriptionAndALegalDefault) {
  visit_keys([](const std::string& path, const Parameter& p) {
    EXPECT_FALSE(p.description.empty()) << path;
    EXPECT_EQ(p.description.find('\n'), std::string::npos) << path;
    if (p.default_value->is_null() || p.default_value->is_object() || path.find("[]") != std::string::npos)
      return;
    Faults faults;
    const auto text = p.default_value->dump();
    const auto node = parse_yaml(text, nullptr, faults);
    if (p.type == Parameter::Type::kVariant) return;
    const Json value = decode_value(p, node, path, faults);
    EXPECT_TRUE(faults.empty()) << path << ": default " << text << ": "
                                << (faults.empty() ? "" : faults[0].message);
    EXPECT_EQ(value, *p.default_value) << path;
  });
}

}  // namespace
}  // namespace noctule
