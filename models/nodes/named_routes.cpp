#include "nodes/named_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/number_lines.h"

namespace noctule {
namespace {

class RouteReader {
 public:
  explicit RouteReader(const FabricPlan& plan) : plan_(plan), topology_(*plan.topology) {}

  /// The hops of a route; nothing: `fault` says what is wrong. Hops beyond the destination are not looked
  /// at, but kept.
  std::optional<std::vector<Candidate>> resolve(const NamedRoute& route, std::string& fault) const {
    std::vector<Candidate> hops;
    RouterId here = route.source;
    for (const std::string& name : route.hops) {
      if (here == route.destination) {
        hops.emplace_back();
        continue;
      }
      const auto hop = find(here, name);
      if (!hop) {
        fault = fmt::format("hop {} of the route from {} to {} is '{}'; {} has no such output: it has {}",
                            hops.size() + 1, topology_.router_name(route.source),
                            topology_.router_name(route.destination), name, topology_.router_name(here),
                            outputs(here));
        return std::nullopt;
      }
      hops.push_back(*hop);
      here = topology_.outgoing(here, hop->port)->to;
    }
    return hops;
  }

  /// Follows a route through the crossbars, in all lanes that it leaves open.
  [[nodiscard]] std::string blocked(const std::vector<PrescribedRoutes::Step>& steps,
                                    const NamedRoute& route) const {
    struct Input {
      std::int32_t crossbar;
      std::string name;
      bool operator<(const Input& other) const { return crossbar < other.crossbar; }
    };
    std::set<Input> inputs{{-1, "injection"}};
    for (std::size_t n = 0; n < steps.size(); ++n) {
      const auto& [at, hop, state] = steps[n];
      const Link& link = *topology_.outgoing(at, hop.port);
      const RouterPlan& router = *plan_.routers[index(at)];
      std::set<Input> next;
      for (const Input& input : inputs) {
        bool any = false;
        for (const auto o : router.outputs_of[index(hop.port) * router.classes + index(hop.vc_class)]) {
          const VcPlan& out = router.outputs[o];
          if (hop.lane != kAnyLane && out.lane != hop.lane) continue;
          if (input.crossbar >= 0 && out.crossbar != input.crossbar) continue;
          any = true;
          for (const VcPlan& in : plan_.routers[index(link.to)]->inputs)
            if (in.crossbar >= 0 && in.port == link.in && in.vc_class == out.vc_class && in.lane == out.lane)
              next.insert({in.crossbar, in.name});
        }
        if (!any)
          return fmt::format(
              "hop {} of the route from {} to {} is '{}'; no such output of {} is in the crossbar of input "
              "{}, "
              "by which the worm may arrive: name another lane, here or in the hop before",
              n + 1, topology_.router_name(route.source), topology_.router_name(route.destination),
              route.hops[n], topology_.router_name(at), input.name);
      }
      inputs = std::move(next);
    }
    return {};
  }

 private:
  [[nodiscard]] unsigned lanes_at(RouterId here, PortId port) const {
    return plan_.lanes(topology_.outgoing(here, port)->id);
  }
  [[nodiscard]] std::string without_lane(RouterId here, const VcPlan& out) const {
    return topology_.port_name(here, out.port) + "." +
           plan_.relation->class_name(*topology_.outgoing(here, out.port), out.vc_class);
  }
  /// Names are compared, not taken apart: those of classes may hold anything.
  [[nodiscard]] std::optional<Candidate> find(RouterId here, const std::string& name) const {
    const RouterPlan& router = *plan_.routers[index(here)];
    const auto end = router.outputs.begin() + static_cast<std::ptrdiff_t>(router.link_outputs());
    for (auto out = router.outputs.begin(); out != end; ++out)
      if (lanes_at(here, out->port) > 1 && out->name == name)
        return Candidate{out->port, out->vc_class, out->lane};
    for (auto out = router.outputs.begin(); out != end; ++out)
      if (without_lane(here, *out) == name) return Candidate{out->port, out->vc_class};
    return std::nullopt;
  }
  [[nodiscard]] std::string outputs(RouterId here) const {
    const RouterPlan& router = *plan_.routers[index(here)];
    std::vector<std::string> names;
    for (std::size_t o = 0; o < router.link_outputs(); ++o)
      if (router.outputs[o].lane == 0) names.push_back(without_lane(here, router.outputs[o]));
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    unsigned lanes = 1;
    for (std::size_t o = 0; o < router.link_outputs(); ++o)
      lanes = std::max(lanes, lanes_at(here, router.outputs[o].port));
    if (lanes > 1) text += fmt::format("; the lane may follow each, .0 to .{}", lanes - 1);
    return text;
  }

  const FabricPlan& plan_;
  const Topology& topology_;
};

}  // namespace

std::shared_ptr<const PrescribedRoutes> prescribe(const FabricPlan& plan,
                                                  const std::vector<NamedRoute>& routes) {
  const RouteReader reader(plan);
  std::vector<Diagnostic> found;
  std::vector<PrescribedRoutes::Route> resolved;
  for (const NamedRoute& route : routes) {
    std::string fault;
    if (auto hops = reader.resolve(route, fault))
      resolved.push_back({route.source, route.destination, std::move(*hops), route.place});
    else
      found.push_back({PrescribedRoutes::kKey, std::move(fault), route.place});
  }
  std::shared_ptr<const PrescribedRoutes> prescribed;
  try {
    prescribed = std::make_shared<const PrescribedRoutes>(plan.topology, plan.relation, resolved);
  } catch (const ConfigError& error) {
    found.insert(found.end(), error.diagnostics().begin(), error.diagnostics().end());
  }
  if (found.size() > 20) found.resize(20);
  if (!found.empty()) throw ConfigError(std::move(found));

  LineFaults faults(PrescribedRoutes::kKey);
  for (std::size_t r = 0; r < routes.size(); ++r)
    if (auto fault = reader.blocked(prescribed->steps(r), routes[r]); !fault.empty())
      faults.add(routes[r].place, std::move(fault));
  faults.raise();
  return prescribed;
}

}  // namespace noctule
