// Up*/down* (Schroeder et al. 1991, Autonet), on any connected network whose links come in pairs. A root is
// chosen; of the two links of a pair the one that leads towards it is up: to a router that is nearer to the
// root, or as near and of a lower number. A worm takes links up, then links down, and never turns from down
// to up. Ups lead to ever lower ranks and downs to ever higher ones, so that no channels wait in a circle:
// one VC class is enough. Of all ways of this form a worm is offered those that are shortest.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "routing/relation.h"
#include "topology/distances.h"

namespace noctule {
namespace {

constexpr const char* kName = "up_down";
constexpr const char* kKey = "routing.algorithm";
constexpr const char* kRootKey = "routing.root";
constexpr std::size_t kMostRouters = 8192;  ///< two tables of routers^2 entries of two bytes
constexpr std::uint16_t kNone = kNoDistance;

/// State: 1 once the worm has taken a link down, else 0.
class UpDown final : public RoutingRelation {
 public:
  UpDown(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : topology_(std::move(topology)), routers_(topology_->routers()) {
    if (routers_ > kMostRouters)
      throw ConfigError(kKey, fmt::format("{} keeps tables of routers^2 entries and takes up to {} routers; "
                                          "the topology has {}",
                                          kName, kMostRouters, routers_));
    require_pairs();
    root_ = choose_root(parameters.get<std::string>("root"));
    number_links();
    tabulate();
  }

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "class0"; }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return index(vc_class) == 0 && used_[index(link.id)];
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    each_way(here, destination, state != 0, [&](const Way& way) { list.add(way.out, VcClass{0}); });
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState, Candidate taken) const override {
    return up_[index(topology_->outgoing(here, taken.port)->id)] ? 0 : 1;
  }
  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] unsigned header_bits() const override { return 1; }

  [[nodiscard]] RoutingClaims claims() const override { return {minimal_, false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return length(source, destination, false);
  }
  [[nodiscard]] std::string remark() const override {
    return fmt::format("up*/down* with the root {}", topology_->router_name(root_));
  }

 private:
  void require_pairs() const {
    for (const Link& link : topology_->links()) {
      if (topology_->link_between(link.to, link.from) == nullptr)
        throw ConfigError(kKey,
                          fmt::format("{} needs a network whose links come in pairs; the topology given "
                                      "has the link {} to {} and none back. Use topology.kind graph with "
                                      "links both ways, or another relation",
                                      kName, topology_->link_name(link), topology_->router_name(link.to)));
    }
  }

  /// The named router, else the one that is least far from the farthest other; of several the first.
  [[nodiscard]] RouterId choose_root(const std::string& name) const {
    if (!name.empty()) {
      for (std::uint32_t r = 0; r < routers_; ++r)
        if (topology_->router_name(RouterId{r}) == name) return RouterId{r};
      throw ConfigError(kRootKey, fmt::format("no router is called '{}'; the first is '{}'", name,
                                              topology_->router_name(RouterId{0})));
    }
    std::vector<unsigned> farthest(routers_);
    for_each_distance(*topology_, every_router(), [&](RouterId, RouterId to, unsigned hops) {
      farthest[index(to)] = hops;  // they come in rising order
    });
    const auto least = std::min_element(farthest.begin(), farthest.end());
    return RouterId{static_cast<std::uint32_t>(least - farthest.begin())};
  }
  [[nodiscard]] std::vector<RouterId> every_router() const {
    std::vector<RouterId> all;
    for (std::uint32_t r = 0; r < routers_; ++r) all.push_back(RouterId{r});
    return all;
  }

  void number_links() {
    const auto level = distances_to(*topology_, root_);  // and as far back: links come in pairs
    for (std::uint32_t r = 0; r < routers_; ++r)
      if (level[r] == kNone) refuse_pair(root_, RouterId{r});
    for (const Link& link : topology_->links())
      up_.push_back(std::pair(level[index(link.to)], link.to) <
                    std::pair(level[index(link.from)], link.from));
    used_.assign(topology_->links().size(), false);
    for (std::uint32_t r = 0; r < routers_; ++r) {
      first_way_.push_back(ways_.size());
      for (std::size_t p = 0; p < topology_->ports(RouterId{r}); ++p)
        if (const Link* link = topology_->outgoing(RouterId{r}, PortId(p)))
          ways_.push_back({link->to, link->id, link->out, static_cast<bool>(up_[index(link->id)])});
    }
    first_way_.push_back(ways_.size());
  }
  [[noreturn]] void refuse_pair(RouterId from, RouterId to) const {
    throw ConfigError(
        kKey, fmt::format("{} needs a connected network: no links lead from {} to {}; join them", kName,
                          topology_->router_name(from), topology_->router_name(to)));
  }

  /// Hops to every destination, up or down, and with links down alone.
  void tabulate() {
    const auto starts = topology_->injects();
    const auto ends = topology_->consumes();
    const auto into = links_into();
    std::vector<RouterId> destinations;
    for (auto& table : length_) table.assign(routers_ * routers_, kNone);
    for (std::uint32_t d = 0; d < routers_; ++d) {
      if (!ends[d]) continue;
      destinations.push_back(RouterId{d});
      search(RouterId{d}, into);
    }
    for_each_distance(*topology_, destinations, [&](RouterId from, RouterId to, unsigned hops) {
      if (starts[index(from)] && length(from, to, false) != hops) minimal_ = false;
    });
    // The link to a terminal's router from one where a terminal injects is used; the others have to be
    // sought.
    std::size_t open = 0;
    for (const Link& link : topology_->links()) {
      used_[index(link.id)] = starts[index(link.from)] && ends[index(link.to)];
      open += used_[index(link.id)] ? 0 : 1;
    }
    for (std::size_t d = 0; d < destinations.size() && open > 0; ++d)
      open -= mark_used(destinations[d], starts);
  }

  /// A link as the search sees it that comes from its end.
  struct Into {
    RouterId from;
    bool up;
  };
  using LinksInto = std::vector<std::vector<Into>>;  ///< by router
  [[nodiscard]] LinksInto links_into() const {
    LinksInto into(routers_);
    for (const Link& link : topology_->links())
      into[index(link.to)].push_back({link.from, static_cast<bool>(up_[index(link.id)])});
    return into;
  }
  /// From the destination outwards.
  void search(RouterId destination, const LinksInto& into) {
    struct Place {
      RouterId router;
      bool down;  ///< only links down from here on
    };
    std::uint16_t* const lengths[2] = {&entry(RouterId{0}, destination, false),
                                       &entry(RouterId{0}, destination, true)};
    std::vector<Place> reached{{destination, true}, {destination, false}};
    lengths[0][index(destination)] = lengths[1][index(destination)] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const Place at = reached[next];
      const auto behind = static_cast<std::uint16_t>(lengths[at.down ? 1 : 0][index(at.router)] + 1);
      const auto reach = [&](RouterId from, bool down) {
        auto& known = lengths[down ? 1 : 0][index(from)];
        if (known != kNone) return;
        known = behind;
        reached.push_back({from, down});
      };
      for (const Into& link : into[index(at.router)]) {
        if (link.up) {
          if (!at.down) reach(link.from, false);
        } else if (at.down) {
          reach(link.from, true);
          reach(link.from, false);
        }
      }
    }
  }
  /// Links that some worm from a terminal takes. Returns how many were not known to be used.
  std::size_t mark_used(RouterId destination, const std::vector<bool>& starts) {
    std::size_t fresh = 0;
    std::vector<std::uint8_t> seen(routers_);  // bit: state
    std::vector<std::pair<RouterId, bool>> todo;
    for (std::uint32_t s = 0; s < routers_; ++s)
      if (starts[s] && RouterId{s} != destination) todo.emplace_back(RouterId{s}, false);
    while (!todo.empty()) {
      const auto [here, down] = todo.back();
      todo.pop_back();
      auto& known = seen[index(here)];
      if (here == destination || (known >> (down ? 1 : 0) & 1) != 0) continue;
      known = static_cast<std::uint8_t>(known | (down ? 2 : 1));
      each_way(here, destination, down, [&](const Way& way) {
        fresh += used_[index(way.link)] ? 0 : 1;
        used_[index(way.link)] = true;
        todo.emplace_back(way.to, !way.up);
      });
    }
    return fresh;
  }
  /// A link as a worm sees it that stands at its beginning.
  struct Way {
    RouterId to;
    LinkId link;
    PortId out;
    bool up;
  };
  /// Calls f with each first link of a shortest way that is left.
  template <class F>
  void each_way(RouterId here, RouterId destination, bool down, F&& f) const {
    const std::uint16_t* const onward[2] = {&length_[0][index(destination) * routers_],
                                            &length_[1][index(destination) * routers_]};
    const unsigned left = onward[down ? 1 : 0][index(here)];
    for (std::size_t w = first_way_[index(here)]; w < first_way_[index(here) + 1]; ++w) {
      const Way& way = ways_[w];
      if (!(down && way.up) && onward[way.up ? 0 : 1][index(way.to)] + 1U == left) f(way);
    }
  }

  [[nodiscard]] std::uint16_t& entry(RouterId from, RouterId to, bool down) {
    return length_[down ? 1 : 0][index(to) * routers_ + index(from)];
  }
  [[nodiscard]] unsigned length(RouterId from, RouterId to, bool down) const {
    return length_[down ? 1 : 0][index(to) * routers_ + index(from)];
  }

  std::shared_ptr<const Topology> topology_;
  std::size_t routers_;
  RouterId root_{};
  std::vector<bool> up_;                  ///< by link
  std::vector<bool> used_;                ///< by link
  std::vector<std::size_t> first_way_;    ///< by router, and one behind the last: its place in
  std::vector<Way> ways_;                 ///< by port
  std::vector<std::uint16_t> length_[2];  ///< [only links down][destination * routers + router]
  bool minimal_ = true;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "links up towards a root, then links down: on any connected network whose links come in pairs; one VC "
      "class",
      {Parameter::text(
          "root", "", "name of the router that up leads to; empty: the one nearest to its farthest router")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<UpDown>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
