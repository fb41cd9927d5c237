#include "topology/planes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "topology/builder.h"

namespace noctule {
namespace {

constexpr const char* kKey = "planes";

using Networks = std::vector<std::pair<std::string, std::shared_ptr<const Topology>>>;

void check(const Networks& networks) {
  if (networks.size() < 2 || networks.size() > kMostPlanes)
    throw ConfigError(kKey, fmt::format("{} plane(s) are given; 2 to {} are possible, and a network of one "
                                        "is written without planes",
                                        networks.size(), kMostPlanes));
  const auto& [first, network] = networks.front();
  for (auto it = networks.begin(); it != networks.end(); ++it) {
    if (!is_identifier(it->first))
      throw ConfigError(kKey, fmt::format("a plane is called '{}'; names consist of letters, digits and "
                                          "underscores",
                                          it->first));
    if (std::find_if(networks.begin(), it, [&](const auto& other) { return other.first == it->first; }) != it)
      throw ConfigError(kKey, fmt::format("two planes are called '{}'", it->first));
    if (it->second->attachments() > 1)
      throw ConfigError(fmt::format("{}.{}", kKey, it->first),
                        "its terminals have several attachments; a plane has one for each, so give the "
                        "attachments planes of their own, or leave out planes");
    if (it->second->terminals() != network->terminals())
      throw ConfigError(
          fmt::format("{}.{}", kKey, it->first),
          fmt::format("it has {} terminals, and plane '{}' has {}: every terminal is attached to "
                      "every plane; give them networks with as many",
                      it->second->terminals(), first, network->terminals()));
  }
}

/// Two routers would have one name: that of a plane goes on as the other's router does.
void check_names(const Networks& networks) {
  for (const auto& [name, network] : networks)
    for (const auto& [longer, other] : networks) {
      if (!longer.starts_with(name + "_")) continue;
      const std::string rest = longer.substr(name.size() + 1) + "_";
      std::unordered_set<std::string> taken;
      for (std::uint32_t r = 0; r < network->routers(); ++r) taken.insert(network->router_name(RouterId{r}));
      for (std::uint32_t r = 0; r < other->routers(); ++r)
        if (const std::string own = other->router_name(RouterId{r}); taken.contains(rest + own))
          throw ConfigError(kKey, fmt::format("router '{}' of plane '{}' and router '{}' of plane '{}' would "
                                              "both be called '{}_{}': give one of the planes another name",
                                              rest + own, name, own, longer, longer, own));
    }
}

RouterId shifted(RouterId router, const Planes::Plane& plane) {
  return RouterId(static_cast<std::uint32_t>(index(router)) + plane.first_router);
}
RouterId inside(RouterId router, const Planes::Plane& plane) {
  return RouterId(static_cast<std::uint32_t>(index(router)) - plane.first_router);
}

void add_network(TopologyBuilder& builder, const Planes::Plane& plane) {
  const Topology& network = *plane.network;
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    std::vector<std::string> ports;
    for (std::size_t p = 0; p < network.ports(RouterId{r}); ++p)
      ports.push_back(network.port_name(RouterId{r}, PortId(static_cast<std::uint16_t>(p))));
    builder.add_routers(1, ports);
  }
  for (const Link& link : network.links()) {
    const LinkId id = builder.connect(shifted(link.from, plane), link.out, shifted(link.to, plane), link.in,
                                      network.kind(link.id));
    if (const auto own = network.attributes(link.id); own != LinkAttributes{})
      builder.set_attributes(id, own);
  }
}

void add_terminals(TopologyBuilder& builder, const Planes& planes) {
  for (const auto& plane : planes) {
    std::vector<Attachment> all;
    for (std::uint32_t t = 0; t < plane.network->terminals(); ++t)
      all.push_back({shifted(plane.network->injection_router(TerminalId{t}), plane),
                     shifted(plane.network->consumption_router(TerminalId{t}), plane)});
    if (plane.first_router > 0) {
      builder.attach(all);
      continue;
    }
    for (const Attachment& at : all) builder.add_terminal(at.injection, at.consumption);
  }
}

/// Each plane to the right of the one before it, with a gap.
std::vector<double> shifts(const Planes& planes) {
  std::vector<double> shift;
  double next = 0;
  for (const auto& plane : planes) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::uint32_t r = 0; r < plane.network->routers(); ++r) {
      const double x = plane.network->position(RouterId{r}).x;
      least = std::min(least, x);
      most = std::max(most, x);
    }
    shift.push_back(next - least);
    next += most - least + 2;
  }
  return shift;
}

/// What holds of all planes together: their terminals' traffic may use all of them.
ClosedForms closed_forms(const std::shared_ptr<const Planes>& planes) {
  ClosedForms closed;
  closed.distance = [planes](RouterId from, RouterId to) {
    const auto& plane = planes->of(from);
    return planes->number_of(from) == planes->number_of(to)
               ? plane.network->distance(inside(from, plane), inside(to, plane))
               : kUnreachable;
  };
  closed.diameter = 0;
  closed.mean_distance = 0;
  closed.bisection = 0;
  closed.capacity = 0;
  for (const auto& plane : *planes) {
    closed.diameter = std::max(*closed.diameter, plane.network->diameter());
    *closed.mean_distance += plane.network->mean_distance() / static_cast<double>(planes->size());
    *closed.bisection += plane.network->bisection();
    *closed.capacity += plane.network->capacity();
  }
  return closed;
}

}  // namespace

Topology join_planes(const Networks& networks) {
  check(networks);
  check_names(networks);
  std::vector<Planes::Plane> list;
  std::uint32_t routers = 0;
  std::uint32_t links = 0;
  for (const auto& [name, network] : networks) {
    list.push_back({name, network, routers, links});
    routers += static_cast<std::uint32_t>(network->routers());
    links += static_cast<std::uint32_t>(network->links().size());
  }
  const auto planes = std::make_shared<const Planes>(std::move(list));
  TopologyBuilder builder;
  for (const auto& plane : *planes) add_network(builder, plane);
  add_terminals(builder, *planes);
  builder.name_routers([planes](RouterId router) {
    const auto& plane = planes->of(router);
    return plane.name + "_" + plane.network->router_name(inside(router, plane));
  });
  builder.place_routers([planes, shift = shifts(*planes)](RouterId router) {
    const auto& plane = planes->of(router);
    Position at = plane.network->position(inside(router, plane));
    at.x += shift[planes->number_of(router)];
    return at;
  });
  builder.divide_picture([planes](RouterId router) {
    const auto& plane = planes->of(router);
    const std::string part = plane.network->plane(inside(router, plane));
    return part.empty() ? plane.name : plane.name + ", " + part;
  });
  builder.know(closed_forms(planes));
  builder.add_geometry(planes);
  return std::move(builder).build();
}

std::string stream_name(const Topology& topology, RouterId router) {
  const auto* planes = topology.geometry<Planes>();
  if (planes == nullptr) return topology.router_name(router);
  const auto& plane = planes->of(router);
  const std::string name = plane.network->router_name(inside(router, plane));
  return plane.first_router == 0 ? name : fmt::format("{}.{}", planes->number_of(router), name);
}

}  // namespace noctule
