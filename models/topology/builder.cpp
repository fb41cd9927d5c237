#include "topology/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>

#include "core/foreign_code.h"

namespace noctule {
namespace {

constexpr const char* kKey = "topology.kind";

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError(kKey, "the topology is no network: " + what);
}

}  // namespace

bool is_identifier(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string name_fault(const std::string& router) {
  constexpr std::array<std::string_view, 5> kTaken{"clk_i", "rst_ni", "injection", "consumption", "tick"};
  if (!is_identifier(router)) return "names are of letters, digits and underscores";
  if (std::find(kTaken.begin(), kTaken.end(), router) != kTaken.end())
    return "that is the name of a part of every fabric; give it another one";
  return {};
}

template <>
TopologyRegistry& TopologyRegistry::instance() {
  static TopologyRegistry registry;
  return registry;
}

std::uint16_t TopologyBuilder::scheme(const std::vector<std::string>& ports) {
  const auto known = std::find(schemes_.begin(), schemes_.end(), ports);
  if (known != schemes_.end()) return static_cast<std::uint16_t>(known - schemes_.begin());
  if (ports.size() > kMostPorts)
    refuse(fmt::format("{} ports; a router has at most {}", ports.size(), kMostPorts));
  if (schemes_.size() == std::numeric_limits<std::uint16_t>::max())
    refuse("its routers have too many different sets of port names");
  auto& directions = topology_.directions_;
  std::vector<std::uint16_t> numbers;
  for (const auto& name : ports) {
    if (!is_identifier(name))
      refuse(fmt::format("a port is called '{}'; names are of letters, digits and underscores", name));
    if (std::ranges::count(ports, name) > 1)
      refuse(fmt::format("two ports of a router are called '{}'; links are chosen by that name", name));
    const auto at = std::find(directions.begin(), directions.end(), name);
    numbers.push_back(static_cast<std::uint16_t>(at - directions.begin()));
    if (at == directions.end()) directions.push_back(name);
  }
  schemes_.push_back(ports);
  topology_.port_directions_.push_back(std::move(numbers));
  return static_cast<std::uint16_t>(schemes_.size() - 1);
}

RouterId TopologyBuilder::add_routers(std::size_t count, const std::vector<std::string>& ports) {
  const auto number = scheme(ports);
  const RouterId first{static_cast<std::uint32_t>(routers())};
  if (routers() + count > Topology::kMostRouters)
    refuse(fmt::format("more than {} routers", Topology::kMostRouters));
  topology_.most_ports_ = std::max(topology_.most_ports_, ports.size());
  topology_.scheme_.resize(topology_.scheme_.size() + count, number);
  topology_.first_port_.reserve(topology_.first_port_.size() + count);
  for (std::size_t i = 0; i < count; ++i)
    topology_.first_port_.push_back(topology_.first_port_.back() + static_cast<std::uint32_t>(ports.size()));
  topology_.out_.resize(topology_.first_port_.back(), Topology::kNone);
  topology_.in_.resize(topology_.first_port_.back(), Topology::kNone);
  return first;
}

std::uint32_t& TopologyBuilder::place(std::vector<std::uint32_t>& table, RouterId router, PortId port,
                                      const char* what) {
  if (index(router) >= routers())
    refuse(fmt::format("a link {} router {}; there are {}", what, index(router), routers()));
  if (index(port) >= topology_.ports(router))
    refuse(fmt::format("a link {} router {} by port {}; it has {}", what, index(router), index(port),
                       topology_.ports(router)));
  auto& link = table[topology_.first_port_[index(router)] + index(port)];
  if (link != Topology::kNone)
    refuse(fmt::format("two links: each {} router {} by port {} ('{}')", what, index(router), index(port),
                       topology_.port_name(router, port)));
  return link;
}

LinkId TopologyBuilder::connect(RouterId from, PortId out, RouterId to, PortId in, LinkKind kind) {
  const auto id = static_cast<std::uint32_t>(topology_.links_.size());
  auto& leaves = place(topology_.out_, from, out, "leaves");
  auto& enters = place(topology_.in_, to, in, "enters");
  if (from == to) refuse(fmt::format("a link leads from router {} to itself", index(from)));
  leaves = enters = id;
  topology_.links_.push_back({LinkId{id}, from, out, to, in});
  topology_.kinds_.push_back(kind);
  return LinkId{id};
}

void TopologyBuilder::set_attributes(LinkId link, const LinkAttributes& attributes) {
  if (index(link) >= topology_.links_.size())
    refuse(fmt::format("link {} has attributes; there are {} links", index(link), topology_.links_.size()));
  const auto check = [&](const char* what, std::optional<std::uint16_t> cycles, unsigned least) {
    if (cycles && (*cycles < least || *cycles > kMostLinkCycles))
      refuse(fmt::format("link {} has {} {}; {} to {} are possible", index(link), what, *cycles, least,
                         kMostLinkCycles));
  };
  check("flit_delay", attributes.flit_delay, 1);
  check("credit_delay", attributes.credit_delay, 0);
  check("cycles_per_flit", attributes.cycles_per_flit, 1);
  topology_.attributes_.resize(topology_.links_.size());
  topology_.attributes_[index(link)] = attributes;
}

void TopologyBuilder::add_geometry(std::shared_ptr<const Geometry> geometry) {
  if (geometry == nullptr) refuse("a geometry is null");
  topology_.geometries_.push_back(std::move(geometry));
}

void TopologyBuilder::know(ClosedForms closed) {
  if (closed.mean_distance && !(std::isfinite(*closed.mean_distance) && *closed.mean_distance >= 0))
    refuse(fmt::format("its mean distance is {}", *closed.mean_distance));
  if (closed.capacity && !(*closed.capacity > 0)) refuse(fmt::format("its capacity is {}", *closed.capacity));
  topology_.closed_ = std::move(closed);
}

TerminalId TopologyBuilder::add_terminal(RouterId injection, RouterId consumption) {
  const auto id = static_cast<std::uint32_t>(topology_.attachments_.size());
  if (!topology_.further_.empty())
    refuse(fmt::format("terminal {} is added once others have a further attachment", id));
  if (id >= Topology::kMostRouters) refuse(fmt::format("more than {} terminals", Topology::kMostRouters));
  for (const RouterId router : {injection, consumption})
    if (index(router) >= routers())
      refuse(fmt::format("terminal {} is at router {}; there are {}", id, index(router), routers()));
  topology_.attachments_.push_back({injection, consumption});
  return TerminalId{id};
}

void TopologyBuilder::attach(const std::vector<Attachment>& terminals) {
  if (terminals.size() != topology_.terminals())
    refuse(fmt::format("{} terminals, of which {} have a further attachment; all have as many",
                       topology_.terminals(), terminals.size()));
  for (const Attachment& at : terminals)
    for (const RouterId router : {at.injection, at.consumption})
      if (index(router) >= routers())
        refuse(fmt::format("a terminal is attached to router {}; there are {}", index(router), routers()));
  topology_.further_.insert(topology_.further_.end(), terminals.begin(), terminals.end());
}

/// By their hashes: the names of a large network are not kept.
void TopologyBuilder::check_names() const {
  std::vector<std::pair<std::size_t, std::uint32_t>> hashes;
  hashes.reserve(routers());
  for (std::uint32_t r = 0; r < routers(); ++r) {
    const auto name = topology_.router_name(RouterId{r});
    if (const auto fault = name_fault(name); !fault.empty())
      refuse(fmt::format("router {} is called '{}'; {}", r, name, fault));
    hashes.emplace_back(std::hash<std::string>{}(name), r);
  }
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 1; i < hashes.size(); ++i)
    for (std::size_t j = i; j-- > 0 && hashes[j].first == hashes[i].first;)
      if (const auto name = topology_.router_name(RouterId{hashes[i].second});
          name == topology_.router_name(RouterId{hashes[j].second}))
        refuse(fmt::format("two routers are called '{}'", name));
}

Topology TopologyBuilder::build() && {
  if (!topology_.router_names_)
    topology_.router_names_ = [](RouterId router) { return fmt::format("router_{}", index(router)); };
  if (!topology_.positions_)
    topology_.positions_ = [n = static_cast<double>(routers())](RouterId router) -> Position {
      const double angle = 2 * std::numbers::pi * static_cast<double>(index(router)) / n;
      const double radius = n / (2 * std::numbers::pi);
      return {radius * std::sin(angle), radius * std::cos(angle)};
    };
  if (routers() == 0 || topology_.terminals() < 2)
    refuse(
        fmt::format("{} routers and {} terminals; it needs two terminals", routers(), topology_.terminals()));
  check_names();
  topology_.links_.shrink_to_fit();
  if (!topology_.attributes_.empty()) topology_.attributes_.resize(topology_.links_.size());
  return std::move(topology_);
}

std::shared_ptr<const Topology> make_topology(const std::string& kind, const Parameters& keys) {
  return ask_part(kKey, "the topology", [&] {
    TopologyBuilder builder;
    TopologyRegistry::instance().at(kind).make.fill(keys, builder);
    return std::make_shared<const Topology>(std::move(builder).build());
  });
}

}  // namespace noctule
