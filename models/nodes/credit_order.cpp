#include "nodes/credit_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.h"

namespace noctule {
namespace {

constexpr std::uint32_t kNoRank = ~0U;

/// "a, b and c": the routers that give each other credits in one cycle, of which one has no rank.
std::string circle_text(const Topology& topology, const LinkDescriptions& links,
                        const std::vector<std::uint32_t>& ranks) {
  // Every router without a rank waits for another one; so to go from one to the next ends in a circle.
  const auto next = [&](RouterId sender) {
    for (std::size_t p = 0; p < topology.ports(sender); ++p)
      if (const Link* link = topology.outgoing(sender, PortId(p));
          link != nullptr && links[link->id].credit_delay == 0 && ranks[index(link->to)] == kNoRank)
        return link->to;
    throw InternalError("a router without a rank waits for none");
  };
  RouterId at{static_cast<std::uint32_t>(std::ranges::find(ranks, kNoRank) - ranks.begin())};
  std::vector<bool> seen(ranks.size());
  for (; !seen[index(at)]; at = next(at)) seen[index(at)] = true;
  constexpr std::size_t kShown = 6;
  std::string text = topology.router_name(at);
  std::size_t shown = 1;
  for (RouterId r = next(at); r != at; r = next(r)) {
    if (++shown > kShown) return text + ", ...";
    text += ", " + topology.router_name(r);
  }
  return text;
}

/// Flits compete for nothing: a slot for every VC, and no buffer before the link.
bool compete_for_nothing(const NodeDescriptions& nodes, const LinkDescriptions& links) {
  return nodes.alike() && nodes.kinds().front().direct() &&
         nodes.kinds().front().link_sharing == LinkSharing::kFixedSlot &&
         links.all([](const LinkDescription& link) {
           return link.credit_delay == 0 &&
                  link.shape.sharing.value_or(LinkSharing::kFixedSlot) == LinkSharing::kFixedSlot;
         });
}

}  // namespace

CreditOrder credit_order(const Topology& topology, const NodeDescriptions& nodes,
                         const LinkDescriptions& links) {
  bool immediate = false;
  for (const LinkDescription& link : links.kinds()) {
    if (link.flit_delay < 1) throw ConfigError("link.flit_delay", "a flit takes at least 1 cycle on a link");
    if (link.cycles_per_flit < 1)
      throw ConfigError("link.cycles_per_flit", "a link carries a flit in 1 cycle at least");
    immediate = immediate || link.credit_delay == 0;
  }
  if (!immediate) return {};
  if (compete_for_nothing(nodes, links)) return {true, {}};

  std::vector<std::uint32_t> ranks(topology.routers(), kNoRank);
  std::vector<std::uint32_t> waits(topology.routers());  // for so many receivers of its links
  for (const Link& link : topology.links())
    if (links[link.id].credit_delay == 0) ++waits[index(link.from)];
  std::vector<RouterId> ready;
  for (std::uint32_t r = 0; r < waits.size(); ++r)
    if (waits[r] == 0) {
      ranks[r] = 0;
      ready.push_back(RouterId{r});
    }
  for (std::size_t n = 0; n < ready.size(); ++n)
    for (std::size_t p = 0; p < topology.ports(ready[n]); ++p) {
      const Link* link = topology.incoming(ready[n], PortId(p));
      if (link == nullptr || links[link->id].credit_delay != 0 || --waits[index(link->from)] != 0) continue;
      ranks[index(link->from)] = ranks[index(ready[n])] + 1;  // the last receiver has the highest rank
      ready.push_back(link->from);
    }
  if (ready.size() < ranks.size())
    throw ConfigError(
        links.alike() ? "link.credit_delay" : "links",
        fmt::format("immediate credits (credit_delay 0) go round in a circle: {}; that is possible only "
                    "where flits compete for nothing else: node.output_depth 0, node.link_sharing "
                    "fixed_slot, routers alike, immediate credits on all links; or let credits that go "
                    "one way round be immediate and give those that come back credit_delay 1",
                    circle_text(topology, links, ranks)));
  return {false, std::move(ranks)};
}

}  // namespace noctule
