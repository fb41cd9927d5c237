#include "verify/service.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {
namespace {

/// "'request'", or of several "'request' and 'response'".
std::string names_of(const MessageClasses& classes, const std::vector<std::uint8_t>& list) {
  std::string text;
  for (std::size_t n = 0; n < list.size(); ++n)
    text += fmt::format("{}'{}'", n == 0 ? "" : n + 1 == list.size() ? " and " : ", ", classes[list[n]].name);
  return text;
}
/// Classes of a higher priority than the group.
std::vector<std::uint8_t> before(const MessageClasses& classes, const ServiceGroup& group) {
  std::vector<std::uint8_t> list;
  for (const ServiceGroup& other : classes.service())
    if (other.level < group.level) list.insert(list.end(), other.classes.begin(), other.classes.end());
  std::ranges::sort(list);
  return list;
}

/// VCs of a group on the link that has most of them.
std::size_t most_vcs(const FabricPlan& plan, std::size_t group) {
  std::size_t most = 0;
  for (const auto& router : plan.routers) {
    std::vector<std::size_t> vcs(router->outbound.size());
    for (const std::uint16_t o : router->service[group].outputs)
      if (o < router->link_outputs()) most = std::max(most, ++vcs[router->outputs[o].channel]);
  }
  return most;
}

}  // namespace

std::optional<std::uint64_t> passed_over_at_most(const MessageClasses& classes, std::size_t group) {
  const auto& groups = classes.service();
  if (groups[group].level > 0) return std::nullopt;
  std::uint64_t sum = 0;
  std::size_t others = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (g != group && groups[g].level == groups[group].level) {
      sum += groups[g].weight;
      ++others;
    }
  return sum + (others > 1 ? others - 1 : 0);
}

std::string starvation_text(const MessageClasses& classes) {
  std::vector<std::uint8_t> low;
  std::vector<std::uint8_t> high;
  for (const ServiceGroup& group : classes.service())
    (group.level > 0 ? low : high)
        .insert((group.level > 0 ? low : high).end(), group.classes.begin(), group.classes.end());
  if (low.empty()) return "";
  return fmt::format(
      "strict priority lets {} starve: at a link that {} can fill, classes of a lower priority wait for "
      "ever; "
      "give them one priority, and each a weight for its share",
      names_of(classes, low), names_of(classes, high));
}

std::optional<std::uint64_t> waits_at_most(const MessageClasses& classes, std::size_t group,
                                           std::size_t vcs) {
  const auto bound = passed_over_at_most(classes, group);
  if (!bound || vcs == 0) return std::nullopt;
  return vcs * (*bound + 1) - 1;
}

std::vector<ProofCondition> service_conditions(const FabricPlan& plan) {
  const MessageClasses& classes = plan.message_classes;
  std::vector<ProofCondition> all;
  if (!classes.served_apart()) return all;
  const bool switched = std::ranges::any_of(
      plan.nodes.kinds(), [](const NodeDescription& node) { return node.switch_allocator != "none"; });
  const bool by_age = std::ranges::any_of(
      plan.nodes.kinds(), [](const NodeDescription& node) { return node.arbiter == ArbiterKind::kAge; });
  const bool serialised =
      plan.links.any([](const LinkDescription& link) { return link.cycles_per_flit > 1; });
  for (std::size_t g = 0; g < classes.service().size(); ++g) {
    const ServiceGroup& group = classes.service()[g];
    const auto bound = passed_over_at_most(classes, g);
    const std::string names = names_of(classes, group.classes);
    const std::string key = fmt::format("message_classes.{}.{}", classes[group.classes.front()].name,
                                        bound && *bound > 0 ? "weight" : "priority");
    std::string given;
    if (!bound)
      given = fmt::format("strict priority: they starve where {} fill a link",
                          names_of(classes, before(classes, group)));
    else if (*bound == 0)
      given = fmt::format("the highest priority: others never go first{}",
                          serialised ? ", but for a flit that a link has begun to carry" : "");
    else
      given = fmt::format("at most {} flit{} of others between two of theirs that could leave", *bound,
                          *bound == 1 ? "" : "s");
    if (switched && bound)
      given += "; a switch allocator may pass over one that loses an input port";
    else if (by_age && bound)
      given += "; of their own the oldest packet goes first";
    else if (const auto most = waits_at_most(classes, g, most_vcs(plan, g)))
      given +=
          fmt::format("; at most {} flits before one that waits in one of {} VCs", *most, most_vcs(plan, g));
    all.push_back({fmt::format("at links {} are served in the end, whatever other classes send", names), key,
                   std::move(given), bound.has_value(), false});
  }
  return all;
}

}  // namespace noctule
