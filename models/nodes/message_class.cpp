#include "nodes/message_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

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
  set_attachments();
  set_service();
}

void MessageClasses::set_attachments() {
  std::vector<std::uint8_t> attachment(interfaces_);
  for (const MessageClass& c : classes_) attachment[c.interface] = c.attachment;
  for (const MessageClass& c : classes_)
    if (attachment[c.interface] != c.attachment)
      throw ConfigError(
          fmt::format("{}.{}.interface", kKey, c.name),
          "it is shared with a class of another plane or attachment; a terminal has an interface to each "
          "that is no other's: give each class one of its own");
  first_interface_ = {0};
  for (unsigned a = 0; a < interfaces_; ++a) {
    const std::size_t last = first_interface_.size() - 1;
    if (attachment[a] == last + 1U && first_interface_.back() < a)
      first_interface_.push_back(a);
    else if (attachment[a] != last)
      throw ConfigError(kKey,
                        fmt::format("interface {} is to plane or attachment {}; number interfaces from 0 on, "
                                    "one of these after the other, and give each a class",
                                    a, attachment[a]));
  }
  first_interface_.push_back(interfaces_);
}

MessageClasses MessageClasses::attached(const std::vector<std::uint8_t>& attachments) const {
  std::vector<MessageClass> classes = classes_;
  for (std::size_t c = 0; c < classes.size(); ++c) classes[c].attachment = attachments[c];
  number_interfaces(classes);
  MessageClasses all(std::move(classes));
  for (std::size_t c = 0; c < causes_.size(); ++c)
    for (const std::uint8_t then : causes_[c]) all.add_dependence(static_cast<std::uint8_t>(c), then);
  return all;
}

void number_interfaces(std::vector<MessageClass>& classes) {
  std::map<std::pair<unsigned, unsigned>, std::uint8_t> number;  // by attachment and old number
  for (const MessageClass& c : classes) number[{c.attachment, c.interface}] = 0;
  std::uint8_t next = 0;
  for (auto& [unused, n] : number) n = next++;
  for (MessageClass& c : classes) c.interface = number.at({c.attachment, c.interface});
}

std::size_t MessageClasses::attachment_of(unsigned interface) const {
  const auto behind = std::ranges::upper_bound(first_interface_, interface);
  return static_cast<std::size_t>(behind - first_interface_.begin()) - 1;
}

void MessageClasses::set_service() {
  std::vector<std::uint8_t> priorities;
  for (const MessageClass& c : classes_) priorities.push_back(c.priority);
  std::ranges::sort(priorities, std::greater<>());
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  for (std::size_t level = 0; level < priorities.size(); ++level) {
    std::vector<std::uint8_t> members;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].priority == priorities[level]) members.push_back(static_cast<std::uint8_t>(c));
    const auto weighted =
        std::ranges::find_if(members, [&](auto c) { return classes_[c].weight.has_value(); });
    const auto number = static_cast<std::uint8_t>(level);
    if (weighted == members.end()) {
      service_.push_back({number, 1, std::move(members)});
      continue;
    }
    if (members.size() == 1)
      throw ConfigError(fmt::format("{}.{}.weight", kKey, classes_[*weighted].name),
                        fmt::format("has no effect: no other class has priority {}, and weights share links "
                                    "among classes of one priority; leave it out, or give both one priority",
                                    priorities[level]));
    for (const std::uint8_t c : members) service_.push_back({number, classes_[c].weight.value_or(1), {c}});
  }
  for (std::size_t a = 0; a < classes_.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (classes_[a].interface == classes_[b].interface && group_of(a) != group_of(b))
        throw ConfigError(fmt::format("{}.{}.interface", kKey, classes_[a].name),
                          fmt::format("'{}' and '{}' differ in priority or weight, and would wait for each "
                                      "other in the queue of one interface; give each one of its own",
                                      classes_[b].name, classes_[a].name));
}

std::size_t MessageClasses::group_of(std::size_t c) const {
  const auto has = [c](const ServiceGroup& group) {
    return std::ranges::find(group.classes, c) != group.classes.end();
  };
  return static_cast<std::size_t>(std::ranges::find_if(service_, has) - service_.begin());
}

bool MessageClasses::restricted() const {
  return attachments() > 1 || std::ranges::any_of(classes_, [](const auto& c) { return !c.vcs.empty(); });
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
  std::vector<std::size_t> from{0};  // by position: that of the class that leads there
  for (std::size_t n = 0; n < reached.size(); ++n) {
    if (reached[n] == first) {
      std::vector<std::uint8_t> circle{first};  // backwards
      for (; n != 0; n = from[n]) circle.push_back(reached[from[n]]);
      std::ranges::reverse(circle);
      std::rotate(circle.begin(), std::ranges::min_element(circle), circle.end());
      circle.push_back(circle.front());
      std::string text;
      for (const std::uint8_t c : circle) text += (text.empty() ? "" : " -> ") + classes_[c].name;
      throw ConfigError("depends",
                        fmt::format("is circular: {}; messages would cause others without end; leave one of "
                                    "the steps out",
                                    text));
    }
    for (const std::uint8_t next : causes_[reached[n]])
      if (std::ranges::find(reached, next) == reached.end()) {
        reached.push_back(next);
        from.push_back(n);
      }
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
