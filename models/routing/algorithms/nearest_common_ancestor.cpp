// Up to a router above both, and down again (Leiserson 1985): minimal on fat trees. Whichever ways lead up,
// worms that go up wait for links of higher levels, worms that go down for those of lower ones, and none
// turns from down to up: one VC class is enough.

#include <algorithm>
#include <bit>
#include <vector>

#include "routing/relation.h"
#include "topology/tree_geometry.h"

namespace noctule {
namespace {

constexpr const char* kName = "nearest_common_ancestor";
const std::vector<std::string>& up_choices() {
  static const std::vector<std::string> names{"adaptive", "random", "fixed"};
  return names;
}
enum class Up : std::uint8_t { kAdaptive, kRandom, kFixed };

/// State, for Up::kRandom alone: the ways up that are still to be taken, as digits to the base of kWays, the
/// next one lowest.
class NearestCommonAncestor final : public RoutingRelation {
 public:
  NearestCommonAncestor(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : topology_(std::move(topology)),
        tree_(require_geometry<TreeGeometry>(*topology_, "routing.algorithm", kName)),
        up_(static_cast<Up>(choice_index(parameters, "up", up_choices()))) {
    for (std::uint32_t r = 0; r < topology_->routers(); ++r) ways_ = std::max(ways_, tree_.ups(RouterId{r}));
  }

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "class0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }

  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    if (up_ != Up::kRandom) return 1;
    std::uint64_t count = 1;
    for (unsigned l = tree_.meeting_level(source, destination); l > 1; --l) count *= ways_;
    return count;
  }
  [[nodiscard]] RouteState initial_state(RouterId, RouterId, std::uint64_t n) const override { return n; }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    if (const auto down = tree_.down(here, destination)) return list.add(*down, VcClass{0});
    const unsigned ups = tree_.ups(here);
    switch (up_) {
      case Up::kAdaptive:
        for (unsigned u = 0; u < ups; ++u) list.add(tree_.up(u), VcClass{0});
        break;
      case Up::kRandom:
        list.add(tree_.up(static_cast<unsigned>(state % ways_) % ups), VcClass{0});
        break;
      case Up::kFixed:
        list.add(tree_.up(bit_for(here, destination) % ups), VcClass{0});
        break;
    }
  }
  [[nodiscard]] RouteState next_state(RouterId, RouterId, RouteState state, Candidate taken) const override {
    return up_ == Up::kRandom && tree_.is_up(taken.port) ? state / ways_ : state;
  }
  [[nodiscard]] bool has_state() const override { return up_ == Up::kRandom && ways_ > 1; }
  [[nodiscard]] unsigned header_bits() const override {
    unsigned bits = 0;
    if (has_state())
      for (unsigned l = 1; l < tree_.levels(); ++l) bits += static_cast<unsigned>(std::bit_width(ways_ - 1));
    return bits;
  }

  [[nodiscard]] RoutingClaims claims() const override { return {true, up_ == Up::kAdaptive, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return 2 * (tree_.meeting_level(source, destination) - 1);
  }

 private:
  /// The same destinations share ways up: bit l - 1 of the destination's number at level l.
  [[nodiscard]] unsigned bit_for(RouterId here, RouterId destination) const {
    return static_cast<unsigned>(index(destination) >> (tree_.level(here) - 1));
  }

  std::shared_ptr<const Topology> topology_;
  const TreeGeometry& tree_;
  Up up_;
  unsigned ways_ = 1;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "on trees: up to the lowest level above source and destination, then down; minimal, one VC class",
      {Parameter::choice("up", "adaptive", up_choices(),
                         "links up: adaptive = any; random = drawn for each packet at its source; fixed = by "
                         "bits of the destination's number")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<NearestCommonAncestor>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
