#include "verify/unicast/sampled_worms.h"

#include "core/rng.h"
#include "routing/initial_states.h"

namespace noctule {
namespace {

constexpr std::size_t kSampledWorms = 20'000;

class Sampler {
 public:
  Sampler(const FabricPlan& plan, const ChannelIndex& channels, const RoutingFacts& facts,
          const std::vector<std::uint32_t>& numbering)
      : topology_(*plan.topology),
        relation_(*plan.relation),
        channels_(channels),
        facts_(facts),
        numbering_(numbering) {}

  SampledWorms run() {
    const std::size_t routers = topology_.routers();
    for (std::size_t i = 0; i < kSampledWorms && !found_.breach; ++i) {
      const auto source = RouterId(rng_.below(routers));
      const auto destination = RouterId(rng_.below(routers));
      if (source != destination && relation_.serves(source, destination)) follow(source, destination);
    }
    return found_;
  }

 private:
  void follow(RouterId source, RouterId destination) {
    const auto states = initial_states_of(relation_, source, destination);
    RouteState state = states[rng_.below(states.size())];
    unsigned hops = 0;
    std::int64_t highest = -1;
    for (RouterId here = source; here != destination; ++hops) {
      list_.clear();
      relation_.candidates(here, destination, state, list_);
      const std::size_t taken = list_.size() > 1 ? rng_.below(list_.size()) : 0;
      const bool known = !list_.empty() && index(list_[taken].port) < topology_.ports(here);
      const Link* link = known ? topology_.outgoing(here, list_[taken].port) : nullptr;
      if (link != nullptr && index(list_[taken].vc_class) >= relation_.classes(*link)) link = nullptr;
      const ChannelId c = link == nullptr ? kNoChannel : channels_.of(link->id, list_[taken].vc_class);
      if (link == nullptr || hops > facts_.longest_path || facts_.used[c] == 0 ||
          channels_.crossbar_before(c) < 0 || numbering_[c] <= highest) {
        found_.breach = {source, destination, here};
        return;
      }
      highest = numbering_[c];
      if (relation_.has_state()) state = relation_.next_state(here, destination, state, list_[taken]);
      here = link->to;
    }
    const unsigned said = relation_.hops(source, destination);
    if (said != kHopsVary && hops != said) found_.hops_exact = false;
    if (hops != topology_.distance(source, destination)) found_.minimal = false;
  }

  const Topology& topology_;
  const RoutingRelation& relation_;
  const ChannelIndex& channels_;
  const RoutingFacts& facts_;
  const std::vector<std::uint32_t>& numbering_;
  Rng rng_{hash_name("factored")};
  CandidateList list_;
  SampledWorms found_;
};

}  // namespace

SampledWorms sample_worms(const FabricPlan& plan, const ChannelIndex& channels, const RoutingFacts& facts,
                          const std::vector<std::uint32_t>& numbering) {
  return Sampler(plan, channels, facts, numbering).run();
}

}  // namespace noctule
