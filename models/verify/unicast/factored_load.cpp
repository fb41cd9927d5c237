#include "verify/unicast/factored_load.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "routing/dimension_ordered.h"

namespace noctule {
namespace {

constexpr double kRounding = 1e-9;

/// One terminal at each router, which sends a flit per cycle, evenly to all others.
bool uniform(const FabricPlan& plan, const ClassDemand& sent) {
  const Topology& topology = *plan.topology;
  if (topology.terminals() != topology.routers() || topology.terminals() < 2 || topology.attachments() > 1)
    return false;
  for (std::uint32_t t = 0; t < topology.terminals(); ++t) {
    const RouterId router = topology.injection_router(TerminalId{t});
    if (terminals_of(plan.injecting[index(router)]) != 1 ||
        topology.consumption_router(TerminalId{t}) != router)
      return false;
    const auto& spread = sent.sent[t];
    if (std::abs(spread.uniform - 1) > kRounding || !spread.rest.empty()) return false;
  }
  return true;
}

/// Worms of one dimension, one from every coordinate to every other one.
class RingLoad {
 public:
  RingLoad(const DimensionOrdered& relation, unsigned d)
      : relation_(relation), d_(d), radix_(relation.shape().radix(d)), flits_(2 * radix_) {
    for (unsigned from = 0; from < radix_ && sound_; ++from)
      for (unsigned to = 0; to < radix_; ++to)
        if (from != to) send(from, to);
  }

  /// Did every worm arrive?
  [[nodiscard]] bool sound() const { return sound_; }
  [[nodiscard]] bool links_given() const { return links_given_; }
  [[nodiscard]] bool classes_given() const { return classes_given_; }
  [[nodiscard]] double least_hops() const { return least_hops_; }
  /// Flits over the classes of the link that leaves a coordinate.
  [[nodiscard]] const std::vector<double>& flits(unsigned at, bool minus) const {
    return flits_[2 * at + (minus ? 1 : 0)];
  }

 private:
  struct Walk {
    unsigned here;
    DimensionOrdered::RingState state;
    double share;
    unsigned hops = 0;
  };

  void send(unsigned from, unsigned to) {
    const unsigned starts = relation_.draws() ? relation_.ring_starts(d_, from, to) | 1U : 1U;
    const double share = 1.0 / std::popcount(starts);
    for (unsigned start = 0; starts >> start != 0; ++start)
      if ((starts >> start & 1U) != 0)
        follow({from, static_cast<DimensionOrdered::RingState>(start), share}, to);
  }

  /// Headers divide evenly where two classes are on offer.
  void follow(const Walk& first, unsigned to) {
    unsigned least = 4 * radix_;
    const bool direction = relation_.ring_hop(d_, first.here, to, first.state).minus;
    // In the order of their hops, so that those of one place and state meet, and go on together.
    std::vector<Walk> walks{first};
    for (std::size_t w = 0; w < walks.size(); ++w) {
      const Walk walk = walks[w];
      if (walk.here == to) {
        least = std::min(least, walk.hops);
        continue;
      }
      if (walk.hops >= 4 * radix_) {
        sound_ = false;
        return;
      }
      auto hop = relation_.ring_hop(d_, walk.here, to, walk.state);
      links_given_ = links_given_ && hop.minus == direction;
      const unsigned ways = hop.or_next ? 2 : 1;
      classes_given_ = classes_given_ && ways == 1;
      for (unsigned way = 0; way < ways; ++way) {
        add(walk.here, hop, walk.share / ways);
        const Walk next{behind(walk.here, hop.minus), relation_.ring_next(d_, walk.here, hop, walk.state),
                        walk.share / ways, walk.hops + 1};
        const auto same = std::find_if(
            walks.begin() + static_cast<std::ptrdiff_t>(w) + 1, walks.end(), [&](const Walk& other) {
              return other.here == next.here && other.state == next.state && other.hops == next.hops;
            });
        if (same != walks.end())
          same->share += next.share;
        else
          walks.push_back(next);
        hop.vc_class = VcClass(static_cast<std::uint16_t>(index(hop.vc_class) + 1));
      }
    }
    least_hops_ += first.share * least;
  }

  void add(unsigned at, const DimensionOrdered::RingHop& hop, double share) {
    auto& classes = flits_[2 * at + (hop.minus ? 1 : 0)];
    if (classes.size() <= index(hop.vc_class)) classes.resize(index(hop.vc_class) + 1);
    classes[index(hop.vc_class)] += share;
  }
  [[nodiscard]] unsigned behind(unsigned at, bool minus) const {
    return (at + (minus ? radix_ - 1 : 1)) % radix_;
  }

  const DimensionOrdered& relation_;
  unsigned d_;
  unsigned radix_;
  std::vector<std::vector<double>> flits_;  ///< by coordinate and direction, by class
  double least_hops_ = 0;
  bool sound_ = true;
  bool links_given_ = true;
  bool classes_given_ = true;
};

}  // namespace

std::optional<ChannelLoad> factored_load(const FabricPlan& plan, const ChannelIndex& channels,
                                         const ClassDemand& sent) {
  const auto* relation = dynamic_cast<const DimensionOrdered*>(plan.relation.get());
  if (relation == nullptr || channels.partitioned() || channels.groups() != 1 ||
      plan.message_classes.restricted() || !uniform(plan, sent))
    return std::nullopt;
  const CubeGeometry& cube = relation->shape();
  std::vector<RingLoad> rings;
  for (unsigned d = 0; d < cube.dimensions(); ++d) {
    rings.emplace_back(*relation, d);
    if (!rings.back().sound()) return std::nullopt;
  }
  ChannelLoad load;
  load.by_link.resize(plan.topology->links().size());
  load.by_channel.resize(channels.virtual_channels());
  const auto n = static_cast<double>(plan.topology->terminals());
  // A worm from a to b in a row: any lower coordinates at its source, any higher ones at its destination.
  const auto rows = [&](unsigned d) { return n / cube.radix(d); };
  for (const Link& link : plan.topology->links()) {
    const unsigned d = CubeGeometry::dimension_of(link.out);
    const auto& flits = rings[d].flits(cube.coordinate(link.from, d), !CubeGeometry::is_plus(link.out));
    for (std::size_t c = 0; c < std::min<std::size_t>(flits.size(), relation->classes(link)); ++c) {
      const double here = flits[c] * rows(d) / (n - 1);
      load.by_channel[channels.of(link.id, VcClass(static_cast<std::uint16_t>(c)))] += here;
      load.by_link[index(link.id)] += here;
    }
  }
  for (unsigned d = 0; d < cube.dimensions(); ++d) {
    load.links_given = load.links_given && rings[d].links_given();
    load.classes_given = load.classes_given && rings[d].classes_given();
    load.least_hops += rings[d].least_hops() * rows(d) * rows(d) / (n - 1);
  }
  return load;
}

}  // namespace noctule
