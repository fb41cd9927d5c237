#include "verify/unicast/factored.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "routing/prescribed_routes.h"
#include "topology/cube_geometry.h"
#include "verify/graph/dependency_graph.h"
#include "verify/unicast/sampled_worms.h"

namespace noctule {
namespace {

constexpr unsigned kRingStates = 1U << DimensionOrdered::kRingStateBits;

/// By dimension.
std::vector<unsigned> most_classes(const Topology& topology, const DimensionOrdered& relation) {
  std::vector<unsigned> most(relation.shape().dimensions());
  for (const Link& link : topology.links()) {
    unsigned& known = most[CubeGeometry::dimension_of(link.out)];
    known = std::max(known, relation.classes(link));
  }
  return most;
}

/// Everything that worms of one dimension can do.
class RingSurvey {
 public:
  RingSurvey(const DimensionOrdered& relation, unsigned d, unsigned classes)
      : relation_(relation),
        d_(d),
        radix_(relation.shape().radix(d)),
        classes_(classes),
        graph(radix_ * 2 * classes_),
        used(graph.vertices()),
        first(graph.vertices()),
        last(graph.vertices()) {
    for (unsigned to = 0; to < radix_; ++to)
      for (unsigned at = 0; at < radix_; ++at)
        if (at != to) follow_from(at, to);
    graph.finish();
  }

  [[nodiscard]] ChannelId channel(unsigned at, bool minus, VcClass vc_class) const {
    return (at * 2 + (minus ? 1 : 0)) * classes_ + static_cast<ChannelId>(index(vc_class));
  }
  /// Coordinate behind a hop.
  [[nodiscard]] unsigned behind(unsigned at, bool minus) const {
    return minus ? (at == 0 ? radix_ - 1 : at - 1) : (at + 1 == radix_ ? 0 : at + 1);
  }
  [[nodiscard]] unsigned radix() const { return radix_; }

 private:
  void follow_from(unsigned at, unsigned to) {
    const unsigned shortest = relation_.shape().minimal(d_, at, to).hops;
    const unsigned starts = relation_.draws() ? relation_.ring_starts(d_, at, to) : 1;
    if ((starts & 1) == 0 || starts >> kRingStates != 0) sound = false;
    for (DimensionOrdered::RingState start = 0; starts >> start != 0; ++start) {
      if ((starts >> start & 1) == 0) continue;
      std::vector<Walk> todo{{at, start}};
      for (std::size_t walks = 0; !todo.empty(); ++walks) {
        const Walk walk = todo.back();
        todo.pop_back();
        if (walks > 4 * radix_ || !follow(walk, to, todo)) {
          sound = false;
          return;
        }
      }
      if (longest_here_ != (relation_.shape().wraps(d_) ? shortest : at < to ? to - at : at - to))
        minimal = false;
      longest = std::max(longest, longest_here_);
      longest_here_ = 0;
    }
  }
  /// A worm on its way: `next`: it takes the second of the classes on offer.
  struct Walk {
    unsigned here;
    DimensionOrdered::RingState state;
    ChannelId before = kNoChannel;
    unsigned hops = 0;
    bool next = false;
  };
  /// To the end; where there is a choice, the other way is left in `todo`. False: the relation is unsound.
  bool follow(Walk walk, unsigned to, std::vector<Walk>& todo) {
    for (; walk.here != to; ++walk.hops) {
      if (walk.hops > 4 * radix_) return false;
      auto hop = relation_.ring_hop(d_, walk.here, to, walk.state);
      if (walk.next) {
        hop.vc_class = VcClass(static_cast<std::uint16_t>(index(hop.vc_class) + 1));
        walk.next = false;
      } else if (hop.or_next) {
        todo.push_back(walk);
        todo.back().next = true;
      }
      if (index(hop.vc_class) >= classes_ || !relation_.ring_exists(d_, walk.here, hop) ||
          leaves_edge(walk.here, hop.minus))
        return false;
      const ChannelId c = channel(walk.here, hop.minus, hop.vc_class);
      used[c] = true;
      if (walk.before != kNoChannel)
        graph.add(walk.before, c);
      else
        first[c] = true;
      ++states;
      const auto after = relation_.ring_next(d_, walk.here, hop, walk.state);
      if (after >= kRingStates || (after != walk.state && !relation_.has_state())) return false;
      walk.state = after;
      walk.here = behind(walk.here, hop.minus);
      walk.before = c;
    }
    last[walk.before] = true;
    longest_here_ = std::max(longest_here_, walk.hops);
    return true;
  }
  [[nodiscard]] bool leaves_edge(unsigned at, bool minus) const {
    return !relation_.shape().wraps(d_) && at == (minus ? 0 : radix_ - 1);
  }

  const DimensionOrdered& relation_;
  unsigned d_;
  unsigned radix_;
  unsigned classes_;
  unsigned longest_here_ = 0;

 public:
  DependencyGraph graph;
  std::vector<bool> used;
  std::vector<bool> first;  ///< may be the first hop of a worm in this dimension
  std::vector<bool> last;   ///< may be the last one
  bool sound = true;  ///< every worm arrives, on channels that exist, with states that fit into the header
  bool minimal = true;
  unsigned longest = 0;
  std::uint64_t states = 0;
};

class Factoring {
 public:
  Factoring(const FabricPlan& plan, const ChannelIndex& channels, const DimensionOrdered& relation)
      : plan_(plan), channels_(channels), cube_(relation.shape()) {
    const auto classes = most_classes(*plan.topology, relation);
    for (unsigned d = 0; d < cube_.dimensions(); ++d) rings_.emplace_back(relation, d, classes[d]);
  }

  [[nodiscard]] bool sound() const {
    return std::all_of(rings_.begin(), rings_.end(), [](const auto& ring) { return ring.sound; });
  }

  FactoredProof prove() {
    FactoredProof proof;
    std::vector<std::vector<std::uint32_t>> numbers;
    for (unsigned d = 0; d < rings_.size(); ++d) {
      auto number = rings_[d].graph.numbering();
      if (!number) {
        proof.cyclic_dimension = d;
        return proof;
      }
      check_ring(rings_[d], *number);
      numbers.push_back(std::move(*number));
    }
    spread(numbers, proof);
    count(proof.facts);
    sample(proof);
    return proof;
  }

 private:
  /// The second opinion on a ring's numbers.
  static void check_ring(const RingSurvey& ring, const std::vector<std::uint32_t>& number) {
    for (ChannelId c = 0; c < ring.graph.vertices(); ++c)
      for (const ChannelId next : ring.graph.successors(c))
        if (number[c] >= number[next]) throw InternalError("the numbering of a ring does not rise");
  }

  [[nodiscard]] ChannelId ring_channel(ChannelId c) const {
    const Link& link = plan_.topology->links()[index(channels_.link(c))];
    const unsigned d = CubeGeometry::dimension_of(link.out);
    return rings_[d].channel(cube_.coordinate(link.from, d), !CubeGeometry::is_plus(link.out),
                             channels_.vc_class(c));
  }

  /// From the channels of the rings to those of the fabric.
  void spread(const std::vector<std::vector<std::uint32_t>>& numbers, FactoredProof& proof) const {
    std::vector<std::uint32_t> offset(1, 0);
    for (const auto& number : numbers)
      offset.push_back(offset.back() + static_cast<std::uint32_t>(number.size()));
    proof.numbering.assign(channels_.size(), offset.back());  // consumption after all
    auto& facts = proof.facts;
    facts.used.assign(channels_.virtual_channels(), 0);
    for (ChannelId c = 0; c < channels_.virtual_channels(); ++c) {
      const unsigned d = CubeGeometry::dimension_of(plan_.topology->links()[index(channels_.link(c))].out);
      const ChannelId r = ring_channel(c);
      facts.used[c] = rings_[d].used[r] ? 1 : 0;
      proof.numbering[c] = offset[d] + numbers[d][r];
    }
    facts.used_as_escape = facts.used;
  }

  void count(RoutingFacts& facts) const {
    const std::size_t routers = cube_.size();
    facts.direct.channels = static_cast<std::size_t>(std::count(facts.used.begin(), facts.used.end(), 1));
    unsigned moving = 0;  // dimensions in which there is any way to go
    for (unsigned d = 0; d < rings_.size(); ++d) {
      const RingSurvey& ring = rings_[d];
      const std::size_t rows = routers / ring.radix();
      facts.longest_path += ring.longest;
      facts.minimal = facts.minimal && ring.minimal;
      facts.header_states += ring.states;
      moving += ring.radix() > 1 ? 1 : 0;
      const auto ends = static_cast<std::size_t>(std::count(ring.last.begin(), ring.last.end(), true));
      facts.direct.dependencies += rows * (ring.graph.edges() + ends);
      for (unsigned e = d + 1; e < rings_.size(); ++e) {
        const auto begins =
            static_cast<std::size_t>(std::count(rings_[e].first.begin(), rings_[e].first.end(), true));
        facts.direct.dependencies += routers / ring.radix() / rings_[e].radix() * ends * begins;
      }
    }
    facts.fully_adaptive = facts.fully_adaptive_at_injection = moving < 2;
  }

  /// Worms of the whole fabric against their rings.
  void sample(FactoredProof& proof) const;

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  const CubeGeometry& cube_;
  std::vector<RingSurvey> rings_;
};

void Factoring::sample(FactoredProof& proof) const {
  const SampledWorms seen = sample_worms(plan_, channels_, proof.facts, proof.numbering);
  if (seen.breach)
    throw ConfigError(
        "routing.algorithm",
        fmt::format(
            "the relation declares dimension order, but a worm from {} to {} does something else at {}",
            cube_.name_of(seen.breach->source), cube_.name_of(seen.breach->destination),
            cube_.name_of(seen.breach->here)));
  proof.facts.hops_exact = seen.hops_exact;
}

}  // namespace

std::optional<FactoredProof> prove_by_factors(const FabricPlan& plan, const ChannelIndex& channels) {
  const auto* relation = dynamic_cast<const DimensionOrdered*>(&without_prescriptions(*plan.relation));
  if (relation == nullptr || channels.partitioned() || relation->shape().dimensions() < 2)
    return std::nullopt;
  Factoring factoring(plan, channels, *relation);
  if (!factoring.sound()) return std::nullopt;  // following every worm says what is wrong, and where
  return factoring.prove();
}

bool in_first_row(const Topology& topology, const Link& link) {
  const auto& cube = *topology.geometry<CubeGeometry>();
  for (unsigned d = 0; d < cube.dimensions(); ++d)
    if (d != CubeGeometry::dimension_of(link.out) && cube.coordinate(link.from, d) != 0) return false;
  return true;
}

}  // namespace noctule
