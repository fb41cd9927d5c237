#include "topology/without.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "core/globs.h"
#include "core/rng.h"
#include "topology/builder.h"
#include "topology/named_attachments.h"
#include "topology/reachability.h"

namespace noctule {
namespace {

class Remover {
 public:
  Remover(const Topology& topology, const Without& without)
      : topology_(topology),
        gone_(topology.routers()),
        cut_(topology.links().size()),
        left_(topology.routers()),
        terminals_(topology.attachments()) {
    by_name("without.routers", without.routers, topology.routers(), gone_,
            [&](std::size_t r) { return topology.router_name(RouterId(static_cast<std::uint32_t>(r))); });
    for (const Link& link : topology.links())
      if (gone_[index(link.from)] || gone_[index(link.to)]) cut_[index(link.id)] = true;
    by_name("without.links", without.links, cut_.size(), cut_,
            [&](std::size_t l) { return topology.link_name(topology.links()[l]); });
    for (const Link& link : topology.links())
      if (!cut_[index(link.id)]) left_.add(link.from, link.to);
    for (std::size_t t = 0; t < topology.terminals(); ++t) {
      const auto terminal = TerminalId(static_cast<std::uint32_t>(t));
      std::vector<Attachment> own;
      for (std::size_t a = 0; a < terminals_.size(); ++a)
        own.push_back({topology.injection_router(terminal, a), topology.consumption_router(terminal, a)});
      if (std::ranges::any_of(own, [&](const Attachment& at) {
            return gone_[index(at.injection)] || gone_[index(at.consumption)];
          }))
        continue;
      for (std::size_t a = 0; a < own.size(); ++a) terminals_[a].push_back(own[a]);
      old_numbers_.push_back(t);
    }
    if (old_numbers_.size() < 2)
      throw ConfigError("without.routers", fmt::format("{} terminal(s) are left; a network has two at least",
                                                       old_numbers_.size()));
    for (const auto& list : terminals_)
      if (const auto pair = left_.cut_off(list))
        throw ConfigError(
            "without",
            fmt::format("nothing leads from terminal {} at {} to terminal {} at {} any "
                        "more; leave a link between them",
                        old_numbers_[pair->first], topology.router_name(list[pair->first].injection),
                        old_numbers_[pair->second], topology.router_name(list[pair->second].consumption)));
    draw(without.random_links, without.seed);
  }

  [[nodiscard]] Topology rest() const {
    TopologyBuilder builder;
    std::vector<RouterId> number(topology_.routers());
    std::vector<std::string> names;
    std::vector<Position> positions;
    std::vector<std::string> planes;
    for (std::uint32_t r = 0; r < topology_.routers(); ++r) {
      if (gone_[r]) continue;
      std::vector<std::string> ports;
      for (std::size_t p = 0; p < topology_.ports(RouterId{r}); ++p)
        ports.push_back(topology_.port_name(RouterId{r}, PortId(static_cast<std::uint16_t>(p))));
      number[r] = builder.add_routers(1, ports);
      names.push_back(topology_.router_name(RouterId{r}));
      if (topology_.placed()) positions.push_back(topology_.position(RouterId{r}));
      planes.push_back(topology_.plane(RouterId{r}));
    }
    if (topology_.placed())
      builder.place_routers(
          [positions = std::move(positions)](RouterId router) { return positions[index(router)]; });
    builder.divide_picture([planes = std::move(planes)](RouterId router) { return planes[index(router)]; });
    builder.name_routers([names = std::move(names)](RouterId router) { return names[index(router)]; });
    for (const Link& link : topology_.links()) {
      if (cut_[index(link.id)]) continue;
      const LinkId id = builder.connect(number[index(link.from)], link.out, number[index(link.to)], link.in,
                                        topology_.kind(link.id));
      if (const auto own = topology_.attributes(link.id); own != LinkAttributes{})
        builder.set_attributes(id, own);
    }
    for (const Attachment& at : terminals_.front())
      builder.add_terminal(number[index(at.injection)], number[index(at.consumption)]);
    for (std::size_t a = 1; a < terminals_.size(); ++a) {
      std::vector<Attachment> further;
      for (const Attachment& at : terminals_[a])
        further.push_back({number[index(at.injection)], number[index(at.consumption)]});
      builder.attach(further);
    }
    if (const auto* named = topology_.geometry<NamedAttachments>())
      builder.add_geometry(std::make_shared<const NamedAttachments>(*named));
    return std::move(builder).build();
  }

 private:
  static void by_name(const char* key, const std::vector<std::string>& globs, std::size_t count,
                      std::vector<bool>& chosen, const std::function<std::string(std::size_t)>& name_of) {
    if (const auto nobody = each_match(globs, count, name_of, [&](std::size_t i) { chosen[i] = true; }))
      throw ConfigError(key, fmt::format("nothing is called '{}'; the first is '{}'", *nobody,
                                         count == 0 ? "" : name_of(0)));
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
      cut(link);
      if (back != nullptr) cut(*back);
      if (still_joined(link, back)) {
        --left;
        continue;
      }
      restore(link);
      if (back != nullptr) restore(*back);
    }
    if (left > 0)
      throw ConfigError(
          "without.random_links.count",
          fmt::format("{} links can go before a terminal is cut off, and {} are asked for; ask for "
                      "fewer",
                      count - left, count));
  }
  void cut(const Link& link) {
    cut_[index(link.id)] = true;
    left_.remove(link.from, link.to);
  }
  void restore(const Link& link) {
    cut_[index(link.id)] = false;
    left_.add(link.from, link.to);
  }
  /// Topology::back, or another link that leads back if that one is cut.
  [[nodiscard]] const Link* way_back(const Link& link) const {
    if (const Link* back = topology_.back(link); back == nullptr || !cut_[index(back->id)]) return back;
    for (std::size_t p = 0; p < topology_.ports(link.to); ++p) {
      const Link* back = topology_.outgoing(link.to, PortId(static_cast<std::uint16_t>(p)));
      if (back != nullptr && back->to == link.from && !cut_[index(back->id)]) return back;
    }
    return nullptr;
  }
  /// Where both ends still reach each other nobody is cut off. Else all are asked: a one-way link may have
  /// been spare.
  [[nodiscard]] bool still_joined(const Link& link, const Link* back) const {
    if (left_.leads(link.from, link.to) && (back == nullptr || left_.leads(link.to, link.from))) return true;
    return std::ranges::none_of(terminals_,
                                [&](const auto& list) { return left_.cut_off(list).has_value(); });
  }

  const Topology& topology_;
  std::vector<bool> gone_;  ///< by router
  std::vector<bool> cut_;   ///< by link
  Reachability left_;
  std::vector<std::vector<Attachment>> terminals_;  ///< by attachment: of those that are left
  std::vector<std::size_t> old_numbers_;            ///< of these
};

}  // namespace

Topology take_away(const Topology& topology, const Without& without) {
  return Remover(topology, without).rest();
}

}  // namespace noctule
