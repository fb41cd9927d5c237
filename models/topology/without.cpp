#include "topology/without.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/rng.h"
#include "topology/builder.h"

namespace noctule {
namespace {

class Remover {
 public:
  Remover(const Topology& topology, const Without& without)
      : topology_(topology), gone_(topology.routers()), cut_(topology.links().size()) {
    by_name("without.routers", without.routers, topology.routers(), gone_,
            [&](std::size_t r) { return topology.router_name(RouterId(static_cast<std::uint32_t>(r))); });
    for (const Link& link : topology.links())
      if (gone_[index(link.from)] || gone_[index(link.to)]) cut_[index(link.id)] = true;
    by_name("without.links", without.links, cut_.size(), cut_,
            [&](std::size_t l) { return topology.link_name(topology.links()[l]); });
    for (std::size_t t = 0; t < topology.terminals(); ++t) {
      const auto terminal = TerminalId(static_cast<std::uint32_t>(t));
      if (!gone_[index(topology.injection_router(terminal))] &&
          !gone_[index(topology.consumption_router(terminal))])
        terminals_.push_back(terminal);
    }
    if (terminals_.size() < 2)
      throw ConfigError("without.routers", fmt::format("{} terminal(s) are left; a network has two at least",
                                                       terminals_.size()));
    if (const auto pair = cut_off())
      throw ConfigError("without",
                        fmt::format("nothing leads from terminal {} at {} to terminal {} at {} any "
                                    "more; leave a link between them",
                                    index(pair->first), name_of(pair->first, true), index(pair->second),
                                    name_of(pair->second, false)));
    draw(without.random_links, without.seed);
  }

  [[nodiscard]] Topology rest() const {
    TopologyBuilder builder;
    std::vector<RouterId> number(topology_.routers());
    std::vector<std::string> names;
    for (std::uint32_t r = 0; r < topology_.routers(); ++r) {
      if (gone_[r]) continue;
      std::vector<std::string> ports;
      for (std::size_t p = 0; p < topology_.ports(RouterId{r}); ++p)
        ports.push_back(topology_.port_name(RouterId{r}, PortId(static_cast<std::uint16_t>(p))));
      number[r] = builder.add_routers(1, ports);
      names.push_back(topology_.router_name(RouterId{r}));
    }
    builder.name_routers([names = std::move(names)](RouterId router) { return names[index(router)]; });
    for (const Link& link : topology_.links())
      if (!cut_[index(link.id)])
        builder.connect(number[index(link.from)], link.out, number[index(link.to)], link.in,
                        topology_.kind(link.id));
    for (const TerminalId terminal : terminals_)
      builder.add_terminal(number[index(topology_.injection_router(terminal))],
                           number[index(topology_.consumption_router(terminal))]);
    return std::move(builder).build();
  }

 private:
  template <class NameOf>
  static void by_name(const char* key, const std::vector<std::string>& globs, std::size_t count,
                      std::vector<bool>& chosen, NameOf name_of) {
    if (globs.empty()) return;
    std::vector<bool> matched(globs.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = name_of(i);
      for (std::size_t g = 0; g < globs.size(); ++g)
        if (fnmatch(globs[g].c_str(), name.c_str(), 0) == 0) matched[g] = chosen[i] = true;
    }
    for (std::size_t g = 0; g < globs.size(); ++g)
      if (!matched[g])
        throw ConfigError(key, fmt::format("nothing is called '{}'; the first is '{}'", globs[g],
                                           count == 0 ? "" : name_of(0)));
  }
  [[nodiscard]] std::string name_of(TerminalId terminal, bool injection) const {
    return topology_.router_name(injection ? topology_.injection_router(terminal)
                                           : topology_.consumption_router(terminal));
  }

  /// Routers that what is left of the links leads to.
  [[nodiscard]] std::vector<bool> reached(RouterId from) const {
    std::vector<bool> seen(topology_.routers());
    std::vector<RouterId> todo{from};
    seen[index(from)] = true;
    while (!todo.empty()) {
      const RouterId here = todo.back();
      todo.pop_back();
      for (std::size_t p = 0; p < topology_.ports(here); ++p) {
        const Link* link = topology_.outgoing(here, PortId(static_cast<std::uint16_t>(p)));
        if (link == nullptr || cut_[index(link->id)] || seen[index(link->to)]) continue;
        seen[index(link->to)] = true;
        todo.push_back(link->to);
      }
    }
    return seen;
  }
  /// Two terminals of which one cannot send to the other any more.
  [[nodiscard]] std::optional<std::pair<TerminalId, TerminalId>> cut_off() const {
    std::vector<bool> asked(topology_.routers());
    for (const TerminalId source : terminals_) {
      const RouterId from = topology_.injection_router(source);
      if (asked[index(from)]) continue;
      asked[index(from)] = true;
      const auto seen = reached(from);
      for (const TerminalId destination : terminals_)
        if (source != destination && !seen[index(topology_.consumption_router(destination))])
          return std::pair(source, destination);
    }
    return {};
  }

  void draw(unsigned count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(topology_.links().size());
    std::iota(order.begin(), order.end(), 0U);
    Rng rng(seed, "without");
    unsigned left = count;
    for (std::size_t i = 0; i < order.size() && left > 0; ++i) {
      std::swap(order[i], order[i + rng.below(order.size() - i)]);
      if (cut_[order[i]]) continue;
      const Link& link = topology_.links()[order[i]];
      const Link* back = way_back(link);
      cut_[index(link.id)] = true;
      if (back != nullptr) cut_[index(back->id)] = true;
      if (still_joined(link, back)) {
        --left;
        continue;
      }
      cut_[index(link.id)] = false;
      if (back != nullptr) cut_[index(back->id)] = false;
    }
    if (left > 0)
      throw ConfigError(
          "without.random_links.count",
          fmt::format("{} links can go before a terminal is cut off, and {} are asked for; ask for "
                      "fewer",
                      count - left, count));
  }
  /// The link of the opposite direction between the same ports' routers.
  [[nodiscard]] const Link* way_back(const Link& link) const {
    for (std::size_t p = 0; p < topology_.ports(link.to); ++p) {
      const Link* back = topology_.outgoing(link.to, PortId(static_cast<std::uint16_t>(p)));
      if (back != nullptr && back->to == link.from && !cut_[index(back->id)]) return back;
    }
    return nullptr;
  }
  /// Where both ends still reach each other nobody is cut off. Else all are asked: a one-way link may have
  /// been spare.
  [[nodiscard]] bool still_joined(const Link& link, const Link* back) const {
    if (reached(link.from)[index(link.to)] && (back == nullptr || reached(link.to)[index(link.from)]))
      return true;
    return !cut_off();
  }

  const Topology& topology_;
  std::vector<bool> gone_;  ///< by router
  std::vector<bool> cut_;   ///< by link
  std::vector<TerminalId> terminals_;
};

}  // namespace

Topology take_away(const Topology& topology, const Without& without) {
  return Remover(topology, without).rest();
}

}  // namespace noctule
