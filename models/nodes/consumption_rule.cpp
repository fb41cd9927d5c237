#include "nodes/consumption_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {
namespace {

constexpr const char* kClassesKey = "node.consumption_classes";
constexpr const char* kInjection = "injection";
constexpr const char* kEnd = "none";

std::string key_of(std::size_t rule) {
  return fmt::format("{}[{}]", kClassesKey, rule);
}

ConsumptionRule::Channels channels_of(ConsumptionAccess access, unsigned c, unsigned classes,
                                      unsigned count) {
  ConsumptionRule::Channels channels;
  channels.own = std::uint64_t{1} << c;
  switch (access) {
    case ConsumptionAccess::kOwn:
      for (unsigned j = c; j < count; j += classes) channels.own |= std::uint64_t{1} << j;
      channels.allowed = channels.own;
      break;
    case ConsumptionAccess::kOwnOrShared:
      channels.allowed = channels.own;
      for (unsigned j = classes; j < count; ++j) channels.allowed |= std::uint64_t{1} << j;
      break;
    case ConsumptionAccess::kAny:
      channels.allowed = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      break;
  }
  return channels;
}

}  // namespace

ConsumptionRule::ConsumptionRule(const Topology& topology, const MulticastPlanner& planner,
                                 const NodeDescription& node)
    : groups_(planner.groups().begin(), planner.groups().end()),
      committed_(node.consumption_wait == ConsumptionWait::kCommitted) {
  groups_.emplace_back("unicast");
  ports_.assign(topology.directions().begin(), topology.directions().end());
  ports_.emplace_back();
  const auto rules =
      node.consumption_classes.empty() ? planner.consumption_classes() : node.consumption_classes;
  if (!node.consumption_classes.empty()) check(rules);
  for (const auto& rule : rules) classes_ = std::max(classes_, rule.number + 1);
  const unsigned count = node.consumption_slots();
  if (node.consumption_channels != kUnlimited && classes_ > count)
    throw ConfigError(
        "node.consumption_channels",
        fmt::format("{} consumption channel(s) per terminal, but worms are of {} classes: each class "
                    "needs a channel of its own; raise node.consumption_channels or write "
                    "node.consumption_classes with fewer classes",
                    count, classes_));
  if (count > kMostChannels)
    throw ConfigError("node.consumption_vcs",
                      fmt::format("{} consumption channels per terminal, virtual ones counted; with a "
                                  "multicast.planner at most {} are supported",
                                  count, kMostChannels));
  tabulate(rules);
  for (unsigned c = 0; c < classes_; ++c)
    for (const auto access : {node.unicast_access, node.consumption_access})
      channels_.push_back(channels_of(access, c, classes_, count));
}

void ConsumptionRule::check(const std::vector<ConsumptionClassRule>& rules) const {
  for (std::size_t r = 0; r < rules.size(); ++r)
    for (const auto& [field, values] : rules[r].when) {
      std::vector<std::string> known{"one", "several"};
      if (field == "group") known = groups_;
      if (field == "incoming" || field == "outgoing") {
        known = ports_;
        known.back() = field == "incoming" ? kInjection : kEnd;
      }
      for (const auto& value : values)
        if (std::find(known.begin(), known.end(), value) == known.end())
          throw ConfigError(key_of(r), fmt::format("field '{}' has no value '{}'; it has: {}", field, value,
                                                   fmt::join(known, ", ")));
    }
}

void ConsumptionRule::tabulate(const std::vector<ConsumptionClassRule>& rules) {
  table_.assign(groups_.size() * ports_.size() * ports_.size() * 2, kNone);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t in = 0; in < ports_.size(); ++in)
      for (std::size_t out = 0; out < ports_.size(); ++out)
        for (const bool several : {false, true}) {
          const Visit visit{static_cast<std::uint8_t>(g), static_cast<std::uint16_t>(in),
                            static_cast<std::uint16_t>(out), several};
          const auto value = [&](const std::string& field) -> std::string {
            if (field == "group") return groups_[g];
            if (field == "incoming") return in == no_port() ? kInjection : ports_[in];
            if (field == "outgoing") return out == no_port() ? kEnd : ports_[out];
            return several ? "several" : "one";
          };
          for (const auto& rule : rules) {
            const bool fits = std::all_of(rule.when.begin(), rule.when.end(), [&](const auto& wanted) {
              return std::find(wanted.second.begin(), wanted.second.end(), value(wanted.first)) !=
                     wanted.second.end();
            });
            if (!fits) continue;
            table_[place(visit)] = static_cast<std::uint8_t>(rule.number);
            break;
          }
        }
}

void ConsumptionRule::refuse(const Visit& v) const {
  throw ConfigError(
      kClassesKey,
      fmt::format(
          "no rule fits a worm of group {} with {} that arrives by {} and goes on by {}; add a rule for it, "
          "or one without fields at the end, which fits all",
          groups_[v.group], v.several ? "several destinations" : "one destination",
          v.incoming == no_port() ? kInjection : ports_[v.incoming],
          v.outgoing == no_port() ? kEnd : ports_[v.outgoing]));
}

}  // namespace noctule
