#include "topology/check_topology.h"

#include <fmt/format.h>

#include <set>

#include "core/error.h"
#include "core/foreign_code.h"

namespace noctule {
namespace {

constexpr const char* kKey = "topology.kind";
constexpr std::size_t kMostPorts = 4096;

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError(kKey, "the topology is no network: " + what);
}

void check_link(const Topology& topology, const Link& link, std::size_t number) {
  const std::size_t routers = topology.routers();
  const std::size_t ports = topology.ports();
  if (index(link.id) != number) refuse(fmt::format("link {} has the number {}", number, index(link.id)));
  if (index(link.from) >= routers || index(link.to) >= routers)
    refuse(fmt::format("link {} leads from router {} to {}; there are 0 to {}", number, index(link.from),
                       index(link.to), routers - 1));
  if (index(link.out) >= ports || index(link.in) >= ports)
    refuse(fmt::format("link {} leads from port {} to {}; there are 0 to {}", number, index(link.out),
                       index(link.in), ports - 1));
  const Link* out = topology.outgoing(link.from, link.out);
  const Link* in = topology.incoming(link.to, link.in);
  if (out == nullptr || out->id != link.id || in == nullptr || in->id != link.id)
    refuse(
        fmt::format("link {} is not the one that leaves router {} by port {} and enters router {} by port {}",
                    number, index(link.from), index(link.out), index(link.to), index(link.in)));
}

void check_all(const Topology& topology) {
  const std::size_t routers = topology.routers();
  if (routers == 0 || topology.terminals() < 2)
    refuse(fmt::format("{} routers and {} terminals; it needs two terminals", routers, topology.terminals()));
  if (topology.ports() > kMostPorts)
    refuse(fmt::format("{} ports; a router has at most {}", topology.ports(), kMostPorts));
  std::size_t number = 0;
  for (const Link& link : topology.links()) check_link(topology, link, number++);
  std::size_t ends = 0;
  std::set<std::string> names;
  for (std::size_t r = 0; r < routers; ++r) {
    const RouterId router{static_cast<std::uint32_t>(r)};
    if (!names.insert(topology.router_name(router)).second)
      refuse(fmt::format("two routers are called '{}'", topology.router_name(router)));
    for (std::size_t p = 0; p < topology.ports(); ++p) {
      const PortId port{static_cast<std::uint16_t>(p)};
      ends += (topology.outgoing(router, port) != nullptr) + (topology.incoming(router, port) != nullptr);
    }
  }
  if (ends != 2 * topology.links().size())
    refuse(fmt::format("its {} links have {} ends", topology.links().size(), ends));
  for (std::size_t t = 0; t < topology.terminals(); ++t)
    if (const auto at = topology.router_of(TerminalId{static_cast<std::uint32_t>(t)}); index(at) >= routers)
      refuse(fmt::format("terminal {} is at router {}; there are 0 to {}", t, index(at), routers - 1));
}

}  // namespace

void check_topology(const Topology& topology) {
  ask_part(kKey, "the topology", [&] { check_all(topology); });
}

}  // namespace noctule
