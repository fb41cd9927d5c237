#include "nodes/message_class.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "topology/builder.h"

namespace noctule {
namespace {

constexpr const char* kKey = "message_classes";

}  // namespace

MessageClasses::MessageClasses(std::vector<MessageClass> classes)
    : classes_(std::move(classes)), causes_(classes_.size()) {
  if (classes_.empty() || classes_.size() > kMostMessageClasses)
    throw ConfigError(kKey, fmt::format("{} message classes are given; 1 to {} are possible", classes_.size(),
                                        kMostMessageClasses));
  for (auto it = classes_.begin(); it != classes_.end(); ++it) {
    if (!is_identifier(it->name))
      throw ConfigError(kKey,
                        fmt::format("a message class is called '{}'; names consist of letters, digits and "
                                    "underscores",
                                    it->name));
    if (std::find_if(classes_.begin(), it, [&](const auto& other) { return other.name == it->name; }) != it)
      throw ConfigError(kKey, fmt::format("two message classes are called '{}'", it->name));
    interfaces_ = std::max(interfaces_, it->interface + 1U);
  }
  for (unsigned a = 0; a < interfaces_; ++a)
    if (std::ranges::none_of(classes_, [&](const auto& c) { return c.interface == a; }))
      throw ConfigError(kKey, fmt::format("no message class uses interface {}; number them from 0 on", a));
}

bool MessageClasses::restricted() const {
  return std::ranges::any_of(classes_, [](const auto& c) { return !c.vcs.empty(); });
}

std::string MessageClasses::interface_name(unsigned interface) const {
  std::string name;
  for (const auto& c : classes_)
    if (c.interface == interface) name += (name.empty() ? "" : "_") + c.name;
  return name;
}

void MessageClasses::add_dependence(std::uint8_t first, std::uint8_t then) {
  // Does `then` lead to `first`?
  std::vector<std::uint8_t> reached{then};
  for (std::size_t n = 0; n < reached.size(); ++n) {
    if (reached[n] == first)
      throw ConfigError("depends",
                        fmt::format("a message of class '{}' would cause another of its class, and so on "
                                    "without end; leave out what leads from '{}' back to '{}'",
                                    classes_[first].name, classes_[then].name, classes_[first].name));
    for (const std::uint8_t next : causes_[reached[n]])
      if (std::ranges::find(reached, next) == reached.end()) reached.push_back(next);
  }
  if (std::ranges::find(causes_[first], then) == causes_[first].end()) causes_[first].push_back(then);
}

std::vector<std::uint8_t> MessageClasses::awaited_by(std::size_t c) const {
  return classes_[c].buffer ? causes_[c] : std::vector<std::uint8_t>();
}

bool MessageClasses::ends_wait() const {
  for (std::size_t c = 0; c < classes_.size(); ++c)
    if (!awaited_by(c).empty()) return true;
  return false;
}

std::uint8_t MessageClasses::number_of(const std::string& name, const std::string& key) const {
  for (std::size_t c = 0; c < classes_.size(); ++c)
    if (classes_[c].name == name) return static_cast<std::uint8_t>(c);
  std::vector<std::string> names;
  for (const auto& c : classes_) names.push_back(c.name);
  throw ConfigError(
      key, named()
               ? fmt::format("there is no message class '{}'; there are: {}", name, fmt::join(names, ", "))
               : fmt::format("there is no message class '{}'; name it in message_classes", name));
}

}  // namespace noctule
