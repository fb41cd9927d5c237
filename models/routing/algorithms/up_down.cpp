// Up*/down* (Schroeder et al. 1991, Autonet), on any connected network whose links come in pairs. A root is
// chosen; of the two links of a pair the one that leads towards it is up: to a router that is nearer to the
// root, or as near and of a lower number. A worm takes links up, then links down, and never turns from down
// to up. Ups lead to ever lower ranks and downs to ever higher ones, so that no channels wait in a circle:
// one VC class is enough. Of all ways of this form a worm is offered those that are shortest.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory_resource>
#include <vector>

#include "core/pages.h"
#include "routing/relation.h"
#include "topology/distances.h"
#include "topology/one_way_links.h"

namespace noctule {
namespace {

constexpr const char* kName = "up_down";
constexpr const char* kKey = "routing.algorithm";
constexpr const char* kRootKey = "routing.root";
constexpr std::size_t kMostRouters = 8192;  ///< tables of routers^2 entries: 2 bytes, and 2 bits per port
constexpr std::uint16_t kNone = kNoDistance;

/// State: 1: the worm has taken a link down; else 0.
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
    const Offers& offers = offers_[index(here)];
    const std::uint8_t* const offered = &offered_[place_of(offers, destination, state != 0)];
    for (unsigned b = 0; b < offers.bytes; ++b) add_ports(offered[b], 8 * b, list);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState, Candidate taken) const override {
    return downs_[offers_[index(here)].downs + index(taken.port)];
  }
  [[nodiscard]] bool has_state() const override { return true; }
  void fetch(RouterId here, RouterId destination, RouteState state) const override {
    __builtin_prefetch(&offered_[place_of(offers_[index(here)], destination, state != 0)]);
  }
  [[nodiscard]] bool has_tables() const override { return true; }
  [[nodiscard]] unsigned header_bits() const override { return 1; }

  [[nodiscard]] RoutingClaims claims() const override { return {minimal_, false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return hops_[index(destination) * routers_ + index(source)];
  }
  [[nodiscard]] std::string remark() const override {
    return fmt::format("up*/down* with the root {}", topology_->router_name(root_));
  }

 private:
  void require_pairs() const {
    if (const Link* const link = first_one_way_link(*topology_); link != nullptr)
      throw ConfigError(kKey,
                        fmt::format("{} needs a network whose links come in pairs; the topology given "
                                    "has the link {} to {} and none back. Give or take away links both "
                                    "ways, or use another relation",
                                    kName, topology_->link_name(*link), topology_->router_name(link->to)));
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
    std::size_t places = 0;
    for (std::uint32_t r = 0; r < routers_; ++r) {
      const auto bytes = static_cast<std::uint32_t>((topology_->ports(RouterId{r}) + 7) / 8);
      offers_.push_back({places, static_cast<std::uint32_t>(downs_.size()), bytes});
      places += 2 * bytes * routers_;
      downs_.resize(downs_.size() + topology_->ports(RouterId{r}));
    }
    for (const Link& link : topology_->links())
      downs_[offers_[index(link.from)].downs + index(link.out)] = up_[index(link.id)] ? 0 : 1;
    offered_.assign(places, 0);
  }
  [[noreturn]] void refuse_pair(RouterId from, RouterId to) const {
    throw ConfigError(
        kKey, fmt::format("{} needs a connected network: no links lead from {} to {}; join them", kName,
                          topology_->router_name(from), topology_->router_name(to)));
  }

  /// Hops to every destination, and the links with which the shortest ways begin.
  void tabulate() {
    const auto starts = topology_->injects();
    const auto ends = topology_->consumes();
    const auto into = links_into();
    std::vector<RouterId> destinations;
    hops_.assign(routers_ * routers_, kNone);
    for (std::uint32_t d = 0; d < routers_; ++d) {
      if (!ends[d]) continue;
      destinations.push_back(RouterId{d});
      search(RouterId{d}, into);
    }
    for_each_distance(*topology_, destinations, [&](RouterId from, RouterId to, unsigned hops) {
      if (starts[index(from)] && hops_[index(to) * routers_ + index(from)] != hops) minimal_ = false;
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
  /// From the destination outwards: hops up or down, and with links down alone.
  void search(RouterId destination, const LinksInto& into) {
    struct Place {
      RouterId router;
      bool down;  ///< only links down from here on
    };
    std::vector<std::uint16_t> downwards(routers_, kNone);
    std::uint16_t* const lengths[2] = {&hops_[index(destination) * routers_], downwards.data()};
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
    for (const Link& link : topology_->links()) {
      const bool up = up_[index(link.id)];
      const unsigned left = lengths[up ? 0 : 1][index(link.to)] + 1U;
      for (const bool down : {false, true})
        if (!(down && up) && left == lengths[down ? 1 : 0][index(link.from)])
          set_port(&offered_[place_of(offers_[index(link.from)], destination, down)], link.out);
    }
  }
  /// Links that some worm from a terminal takes. Returns how many were not known to be used.
  std::size_t mark_used(RouterId destination, const std::vector<bool>& starts) {
    std::size_t fresh = 0;
    std::vector<std::uint8_t> seen(routers_);  // bit: state
    std::vector<std::pair<RouterId, bool>> todo;
    CandidateList offers;
    for (std::uint32_t s = 0; s < routers_; ++s)
      if (starts[s] && RouterId{s} != destination) todo.emplace_back(RouterId{s}, false);
    while (!todo.empty()) {
      const auto [here, down] = todo.back();
      todo.pop_back();
      auto& known = seen[index(here)];
      if (here == destination || (known >> (down ? 1 : 0) & 1) != 0) continue;
      known = static_cast<std::uint8_t>(known | (down ? 2 : 1));
      offers.clear();
      candidates(here, destination, down ? 1 : 0, offers);
      for (const Candidate& offer : offers) {
        const Link& link = *topology_->outgoing(here, offer.port);
        fresh += used_[index(link.id)] ? 0 : 1;
        used_[index(link.id)] = true;
        todo.emplace_back(link.to, !up_[index(link.id)]);
      }
    }
    return fresh;
  }

  /// What a router offers, as bits by port: one row for each destination and state.
  struct Offers {
    std::size_t first;    ///< where its rows begin in offered_
    std::uint32_t downs;  ///< where its links begin in downs_
    std::uint32_t bytes;  ///< of a row
  };
  [[nodiscard]] static std::size_t place_of(const Offers& offers, RouterId destination, bool down) {
    return offers.first + (2 * index(destination) + (down ? 1 : 0)) * offers.bytes;
  }
  static void add_ports(unsigned bits, unsigned first, CandidateList& list) {
    for (; bits != 0; bits &= bits - 1)
      list.add(PortId(first + static_cast<unsigned>(std::countr_zero(bits))), VcClass{0});
  }
  static void set_port(std::uint8_t* row, PortId port) {
    row[index(port) / 8] = static_cast<std::uint8_t>(row[index(port) / 8] | 1U << index(port) % 8);
  }

  std::shared_ptr<const Topology> topology_;
  std::size_t routers_;
  RouterId root_{};
  std::vector<bool> up_;             ///< by link
  std::vector<bool> used_;           ///< by link
  std::vector<std::uint16_t> hops_;  ///< [destination * routers + router]
  std::vector<Offers> offers_;       ///< by router: its part of the two below
  std::vector<std::uint8_t> downs_;  ///< by router and port: does its link lead down?
  /// Links with which the shortest ways that are left begin.
  std::pmr::vector<std::uint8_t> offered_{&Pages::instance()};
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
