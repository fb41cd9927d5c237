#include "nodes/router_planner.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "core/error.h"
#include "nodes/label_matcher.h"
#include "routing/planes_relation.h"

namespace noctule {
namespace {

/// Plans the routers of one description in one plane.
class Planner {
 public:
  Planner(const FabricPlan& plan, const NodeDescription& node, RouterId example)
      : fabric_(plan),
        topology_(*plan.topology),
        relation_(relation_at(*plan.relation, example)),
        node_(node),
        several_(several_interfaces(plan, example)),
        shapes_(plan.links.any([](const auto& link) { return link.shape != LinkShape{}; })),
        matcher_(topology_, relation_, plan.most_lanes()) {
    selectors_ = node.crossbars.empty() ? expand(node.crossbar_per) : node.crossbars;
    for (std::size_t i = 0; i < selectors_.size(); ++i)
      matcher_.validate(selectors_[i], fmt::format("node.crossbars[{}]", i));
    for (std::size_t i = 0; i < node.prefer.size(); ++i)
      matcher_.validate(node.prefer[i], fmt::format("node.prefer[{}]", i));
    for (std::size_t c = 0; c < plan.message_classes.size(); ++c)
      if (plan.carries(example, c))
        matcher_.validate(plan.message_classes[c].vcs,
                          fmt::format("message_classes.{}.vcs", plan.message_classes[c].name));
  }

  /// Everything about a router that its plan depends on: routers of equal signature have equal plans.
  [[nodiscard]] std::string signature(RouterId router) const {
    const auto& injecting = fabric_.injecting[index(router)];
    const auto& consuming = fabric_.consuming[index(router)];
    std::string key;
    const auto end = std::back_inserter(key);
    fmt::format_to(end, "{} {} {} {} ", fabric_.nodes.kind(router), injecting.size(), consuming.size(),
                   injecting == consuming);
    if (topology_.attachments() > 1 && fabric_.planes.empty())
      for (const auto* ends : {&injecting, &consuming})
        for (std::size_t slot = 0; slot < ends->size(); ++slot)
          fmt::format_to(end, "{}/{} ", ordinal(*ends, slot), (*ends)[slot].interface);
    for (std::size_t p = 0; p < topology_.ports(router); ++p) {
      fmt::format_to(end, ":{}", topology_.direction(router, PortId(p)));
      for (const bool out : {false, true}) {
        const Link* link =
            out ? topology_.outgoing(router, PortId(p)) : topology_.incoming(router, PortId(p));
        key += link != nullptr ? 'l' : '-';
        if (link != nullptr && !fabric_.nodes.alike())
          fmt::format_to(end, "{},", fabric_.nodes.kind(out ? link->to : link->from));
        if (link != nullptr && shapes_)
          fmt::format_to(end, "{}/{}/{},", fabric_.lanes(link->id), fabric_.parallel_links(link->id),
                         static_cast<int>(fabric_.sharing(link->id)));
        for (unsigned c = 0; link != nullptr && c < relation_.classes(*link); ++c) {
          const bool exists = relation_.exists(*link, VcClass(c));
          key += exists ? 'e' : '-';
          if (!exists) continue;
          for (const auto value :
               out ? relation_.output_label(*link, VcClass(c)) : relation_.input_label(*link, VcClass(c)))
            key += static_cast<char>('0' + value);
        }
      }
    }
    for (const auto* list : {&selectors_, &node_.prefer})
      for (const auto& selector : *list)
        if (const auto it = selector.find("position"); it != selector.end())
          for (const auto& glob : it->second)
            key += fnmatch(glob.c_str(), topology_.router_name(router).c_str(), 0) == 0 ? 'p' : 'n';
    for (const MessageClass& c : fabric_.message_classes)
      if (const auto it = c.vcs.find("position"); it != c.vcs.end())
        for (const auto& glob : it->second)
          key += fnmatch(glob.c_str(), topology_.router_name(router).c_str(), 0) == 0 ? 'p' : 'n';
    return key;
  }

  [[nodiscard]] RouterPlan plan(RouterId router) const {
    const auto& injecting = fabric_.injecting[index(router)];
    const auto& consuming = fabric_.consuming[index(router)];
    RouterPlan plan;
    plan.injecting = static_cast<std::uint16_t>(injecting.size());
    plan.consuming = static_cast<std::uint16_t>(consuming.size());
    plan.same_terminals = injecting == consuming;
    plan.crossbars = static_cast<std::uint16_t>(std::max<std::size_t>(1, selectors_.size()));
    plan.classes = classes_at(router);
    plan.outputs_of.resize(topology_.ports(router) * plan.classes);
    plan.preferred.resize(node_.prefer.size());
    if (fabric_.message_classes.restricted()) plan.of_message_class.resize(fabric_.message_classes.size());
    for (std::size_t p = 0; p < topology_.ports(router); ++p) {
      if (const Link* link = topology_.incoming(router, PortId(p)))
        add_channels(plan, router, *link, PortId(p), false);
      if (const Link* link = topology_.outgoing(router, PortId(p)))
        add_channels(plan, router, *link, PortId(p), true);
    }
    const unsigned again = node_.retransmission_buffers;
    const unsigned channels = injection_inputs(plan);
    const unsigned entries = channels + again;
    for (unsigned t = 0; t < plan.injecting; ++t) {
      const std::size_t first = plan.inputs.size();
      add_terminal(plan.inputs, "injection", injecting, t, channels, node_.injection_vcs, t * entries);
      if (node_.injection_channels == kUnlimited && channels > 1)
        plan.inputs[first].name.resize(plan.inputs[first].name.rfind('_'));
      add_terminal(plan.inputs, "retransmission", injecting, t, again, 1, t * entries + channels);
    }
    for (unsigned t = 0; t < plan.consuming; ++t)
      add_terminal(plan.outputs, "consumption", consuming, t, node_.consumption_channels,
                   node_.consumption_vcs, t * node_.consumption_channels);
    plan.injection_vcs = static_cast<std::uint16_t>(channels * node_.injection_vcs + again);
    plan.consumption_vcs = static_cast<std::uint16_t>(node_.consumption_slots());
    if (fabric_.message_classes.served_apart()) add_service(plan, router);
    return plan;
  }

 private:
  /// Do terminals have several interfaces to the network, or plane, of the router? Then channels are called
  /// by them.
  [[nodiscard]] static bool several_interfaces(const FabricPlan& plan, RouterId router) {
    const MessageClasses& classes = plan.message_classes;
    return (plan.planes.empty() ? classes.interfaces() : classes.interfaces_at(plan.plane(router))) > 1;
  }
  /// Number of the slot's terminal among those of the list.
  [[nodiscard]] static std::size_t ordinal(const std::vector<TerminalEnd>& ends, std::size_t slot) {
    std::size_t number = 0;
    for (std::size_t s = 1; s <= slot; ++s) number += ends[s].terminal != ends[s - 1].terminal ? 1 : 0;
    return number;
  }
  /// Injection channels that a terminal has in the plan. Where they are unlimited: the place where headers
  /// wait, then one for the worm that has an output, for each output.
  [[nodiscard]] unsigned injection_inputs(const RouterPlan& plan) const {
    if (node_.injection_channels != kUnlimited) return node_.injection_channels;
    return static_cast<unsigned>(1 + plan.outputs.size() +
                                 std::size_t{plan.consuming} * node_.consumption_slots());
  }
  /// VC classes of the link of this router that has most.
  [[nodiscard]] std::uint16_t classes_at(RouterId router) const {
    unsigned classes = 0;
    for (std::size_t p = 0; p < topology_.ports(router); ++p)
      if (const Link* link = topology_.outgoing(router, PortId(p)))
        classes = std::max(classes, relation_.classes(*link));
    return static_cast<std::uint16_t>(classes);
  }
  /// Who is served before whom. ConfigError where classes of two groups may take one VC.
  void add_service(RouterPlan& plan, RouterId router) const {
    const MessageClasses& classes = fabric_.message_classes;
    std::vector<int> owner(plan.link_outputs(), -1);  // a class that may take it
    for (std::size_t c = 0; c < classes.size(); ++c)
      for (std::size_t o = 0; fabric_.carries(router, c) && o < owner.size(); ++o) {
        if (!plan.of_message_class.empty() &&
            std::ranges::find(plan.of_message_class[c], o) == plan.of_message_class[c].end())
          continue;
        if (owner[o] >= 0 && classes.group_of(static_cast<std::size_t>(owner[o])) != classes.group_of(c)) {
          const std::string& other = classes[static_cast<std::size_t>(owner[o])].name;
          throw ConfigError(
              fmt::format("message_classes.{}.vcs", classes[c].name),
              fmt::format("'{}' and '{}' differ in priority or weight and may both take the VC {} of {}: in "
                          "one buffer worms wait for each other whatever their class; give each class VCs "
                          "of its own",
                          other, classes[c].name, plan.outputs[o].name, topology_.router_name(router)));
        }
        owner[o] = static_cast<int>(c);
      }
    for (const ServiceGroup& group : classes.service()) {
      ServicePlan& service = plan.service.emplace_back(ServicePlan{group.level, group.weight, {}});
      const auto has = [&](std::size_t o) {
        if (o < owner.size())
          return owner[o] >= 0 &&
                 std::ranges::find(group.classes, static_cast<std::uint8_t>(owner[o])) != group.classes.end();
        const std::size_t interface =
            fabric_.consuming[index(router)][(o - owner.size()) / plan.consumption_vcs].interface;
        return std::ranges::any_of(group.classes, [&](auto c) { return classes[c].interface == interface; });
      };
      for (std::size_t o = 0; o < plan.outputs.size(); ++o)
        if (has(o)) service.outputs.push_back(static_cast<std::uint16_t>(o));
    }
  }
  /// One selector per combination of values of the fields.
  [[nodiscard]] std::vector<VcSelector> expand(const std::vector<std::string>& fields) const {
    std::vector<VcSelector> selectors;
    if (fields.empty()) return selectors;
    selectors.emplace_back();
    for (const auto& field : fields) {
      std::vector<VcSelector> wider;
      for (const auto& selector : selectors)
        for (const auto& value : matcher_.values_of(field, "node.crossbar_per")) {
          wider.push_back(selector);
          wider.back()[field] = {value};
        }
      selectors = std::move(wider);
    }
    return selectors;
  }

  /// The injection or consumption channels of the interface in this slot, of which the first is number
  /// `first`: "injection", "injection1" (of terminal 1), "injection_2" (channel 2), "injection.3" (VC 3);
  /// where terminals have several interfaces "injection_request1" and so on.
  void add_terminal(std::vector<VcPlan>& vcs, const std::string& what, const std::vector<TerminalEnd>& ends,
                    unsigned slot, unsigned channels, unsigned per_channel, unsigned first) const {
    for (unsigned c = 0; c < channels; ++c)
      for (unsigned v = 0; v < per_channel; ++v) {
        std::string name = what;
        if (several_) name += "_" + fabric_.message_classes.interface_name(ends[slot].interface);
        if (terminals_of(ends) > 1) name += std::to_string(ordinal(ends, slot));
        if (channels > 1) name += "_" + std::to_string(c);
        if (per_channel > 1) name += "." + std::to_string(v);
        vcs.push_back({{},
                       static_cast<std::uint16_t>(first + c),
                       static_cast<std::uint16_t>(v),
                       {},
                       0,
                       -1,
                       std::move(name)});
      }
  }

  /// The parallel links of one direction at one end, with the VCs that ride on each.
  void add_channels(RouterPlan& plan, RouterId router, const Link& link, PortId port, bool out) const {
    auto& channels = out ? plan.outbound : plan.inbound;
    auto& vcs = out ? plan.outputs : plan.inputs;
    const unsigned lanes = fabric_.lanes(link.id);
    const unsigned replicas = fabric_.parallel_links(link.id);
    const bool mixed = fabric_.nodes[link.from].link_assignment == LinkAssignment::kMixed;
    const auto depth = static_cast<std::uint16_t>(fabric_.nodes[link.to].input_depth);
    std::vector<VcClass> present;
    for (unsigned c = 0; c < relation_.classes(link); ++c)
      if (relation_.exists(link, VcClass(c))) present.push_back(VcClass(c));
    for (unsigned replica = 0; replica < replicas; ++replica) {
      ChannelPlan channel{port,
                          static_cast<std::uint16_t>(replica),
                          static_cast<std::uint16_t>(vcs.size()),
                          0,
                          depth,
                          fabric_.sharing(link.id)};
      for (std::size_t c = 0; c < present.size(); ++c)
        for (unsigned lane = 0; lane < lanes; ++lane) {
          if ((mixed ? lane % replicas : c * replicas / present.size()) != replica) continue;
          add_vc(plan, router, link, port, present[c], lane, channels.size(), channel.count++, out);
        }
      if (channel.count > 0) channels.push_back(channel);
    }
  }

  void add_vc(RouterPlan& plan, RouterId router, const Link& link, PortId port, VcClass vc_class,
              unsigned lane, std::size_t channel, std::uint16_t number, bool out) const {
    const VcLabel label =
        out ? relation_.output_label(link, vc_class) : relation_.input_label(link, vc_class);
    require_label(label, link, vc_class);
    VcPlan vc{port,     static_cast<std::uint16_t>(channel), number,
              vc_class, static_cast<std::uint16_t>(lane),    -1,
              {}};
    vc.name = topology_.port_name(router, port) + "." + relation_.class_name(link, vc_class);
    if (fabric_.lanes(link.id) > 1) vc.name += "." + std::to_string(lane);
    vc.crossbar = crossbar_of(router, vc, label, out);
    auto& vcs = out ? plan.outputs : plan.inputs;
    const auto place = static_cast<std::uint16_t>(vcs.size());
    vcs.push_back(vc);
    if (!out) return;
    plan.outputs_of[index(link.out) * plan.classes + index(vc_class)].push_back(place);
    for (std::size_t s = 0; s < node_.prefer.size(); ++s)
      if (matcher_.matches(node_.prefer[s], router, vc, label)) plan.preferred[s].push_back(place);
    for (std::size_t c = 0; c < plan.of_message_class.size(); ++c)
      if (fabric_.carries(router, c) && matcher_.matches(fabric_.message_classes[c].vcs, router, vc, label))
        plan.of_message_class[c].push_back(place);
  }

  /// One value of every field.
  void require_label(const VcLabel& label, const Link& link, VcClass vc_class) const {
    const auto fields = relation_.fields();
    bool right = label.size() == fields.size();
    for (std::size_t f = 0; right && f < fields.size(); ++f) right = label[f] < fields[f].values.size();
    if (!right)
      throw ConfigError(
          "routing.algorithm",
          fmt::format("the relation labels class {} of link {} wrongly: a label has "
                      "one value of each of its {} fields, and this one has [{}]",
                      index(vc_class), topology_.link_name(link), fields.size(), fmt::join(label, ", ")));
  }

  [[nodiscard]] std::int32_t crossbar_of(RouterId router, const VcPlan& vc, const VcLabel& label,
                                         bool out) const {
    if (selectors_.empty()) return 0;
    std::int32_t found = -1;
    for (std::size_t s = 0; s < selectors_.size(); ++s) {
      if (!matcher_.matches(selectors_[s], router, vc, label)) continue;
      if (found >= 0)
        throw ConfigError("node.crossbars", fmt::format("{} {} of {} matches crossbar {} and crossbar {}; a "
                                                        "partition gives each VC to exactly one",
                                                        out ? "output" : "input", vc.name,
                                                        topology_.router_name(router), found, s));
      found = static_cast<std::int32_t>(s);
    }
    if (found < 0)
      throw ConfigError("node.crossbars",
                        fmt::format("{} {} of {} matches no crossbar; a partition gives each "
                                    "VC to exactly one (an empty selector matches all)",
                                    out ? "output" : "input", vc.name, topology_.router_name(router)));
    return found;
  }

  const FabricPlan& fabric_;
  const Topology& topology_;
  const RoutingRelation& relation_;
  const NodeDescription& node_;
  bool several_;  ///< interfaces
  bool shapes_;   ///< some links are not of the shape that their senders' nodes give
  LabelMatcher matcher_;
  std::vector<VcSelector> selectors_;
};
}  // namespace

void plan_routers(FabricPlan& plan) {
  struct Alike {
    Planner planner;
    std::map<std::string, std::shared_ptr<const RouterPlan>> known = {};
  };
  std::map<std::pair<std::size_t, std::size_t>, Alike> inside;  // by kind of node and plane
  for (std::uint32_t r = 0; r < plan.topology->routers(); ++r) {
    const RouterId router{r};
    const std::size_t kind = plan.nodes.kind(router);
    const std::pair key{kind, plan.plane(router)};
    auto alike = inside.find(key);
    if (alike == inside.end())
      alike = inside.emplace(key, Alike{Planner(plan, plan.nodes.kinds()[kind], router)}).first;
    auto& [planner, known] = alike->second;
    auto& slot = known[planner.signature(router)];
    if (!slot) slot = std::make_shared<const RouterPlan>(planner.plan(router));
    plan.routers.push_back(slot);
  }
}

}  // namespace noctule
