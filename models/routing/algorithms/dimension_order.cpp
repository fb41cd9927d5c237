// Dimension order ("e-cube"): corrects dimension 0 first, then 1, and so on, by a shortest way, on any
// k-ary n-cube. Deadlock-free by two VC classes per wrapped dimension (Dally and Seitz 1987), one class
// where the dimension does not wrap.

#include <array>

#include "routing/cube_relation.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "dimension_order";
const std::vector<std::string>& rules() {
  static const std::vector<std::string> names{"dateline", "wrapped_bit"};
  return names;
}

/// State: bit d: the - direction was drawn for dimension d, whose offset at injection was half its radix;
/// bit kWrappedShift + d (rule wrapped_bit only): the worm has crossed the wrap of dimension d.
class DimensionOrder final : public CubeRelation {
 public:
  DimensionOrder(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        rule_(choice_index(parameters, "vc_rule", rules()) == 0 ? RingRule::kWrapAhead
                                                                : RingRule::kWrappedBit),
        fields_{{{"class", {"0", "1"}}}} {
    for (unsigned d = 0; d < cube().dimensions(); ++d) {
      if (!cube().wraps(d)) continue;
      ++wrapped_dimensions_;
      if (cube().radix(d) % 2 == 0) ++tied_dimensions_;
    }
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(PortId port) const override {
    return cube().wraps(KAryNCube::dimension_of(port)) ? 2 : 1;
  }
  [[nodiscard]] std::string class_name(PortId, VcClass vc_class) const override {
    return "class" + std::to_string(index(vc_class));
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    const unsigned d = KAryNCube::dimension_of(link.out);
    const auto c = static_cast<unsigned>(vc_class);
    if (!cube().wraps(d)) return c == 0;
    return c < 2 && ring_class_used(rule_, KAryNCube::is_plus(link.out), cube().radix(d),
                                    cube().coordinate(link.from, d), c);
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }

  void initial_states(RouterId source, RouterId destination, std::vector<RouteState>& states) const override {
    states.assign(1, RouteState{0});
    if (tied_dimensions_ == 0) return;
    for (unsigned d = 0; d < cube().dimensions(); ++d) {
      if (!cube().minimal(d, cube().coordinate(source, d), cube().coordinate(destination, d)).tie()) continue;
      const auto known = states.size();
      for (std::size_t i = 0; i < known; ++i) states.push_back(states[i] | RouteState{1} << d);
    }
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    for (unsigned d = 0;; ++d) {
      const unsigned at = cube().coordinate(here, d);
      const unsigned to = cube().coordinate(destination, d);
      if (at == to) continue;
      const auto way = cube().minimal(d, at, to);
      const bool plus = way.tie() ? (state >> d & 1) == 0 : way.plus;
      const auto port = port_of(d, !plus);
      list.add(port, VcClass(cube().wraps(d) ? ring_class(rule_, plus, at, to, cube().is_wrap(here, port),
                                                          (state >> (kWrappedShift + d) & 1) != 0)
                                             : 0));
      return;
    }
  }

  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState state,
                                      Candidate taken) const override {
    const unsigned d = KAryNCube::dimension_of(taken.port);
    if (rule_ != RingRule::kWrappedBit || !cube().wraps(d)) return state;
    return state | RouteState{cube().is_wrap(here, taken.port)} << (kWrappedShift + d);
  }
  [[nodiscard]] bool has_state() const override {
    return tied_dimensions_ > 0 || (rule_ == RingRule::kWrappedBit && wrapped_dimensions_ > 0);
  }
  [[nodiscard]] unsigned header_bits() const override {
    return tied_dimensions_ + (rule_ == RingRule::kWrappedBit ? wrapped_dimensions_ : 0);
  }

  [[nodiscard]] RoutingClaims claims() const override { return {true, false, "acyclic"}; }

 private:
  static constexpr unsigned kWrappedShift = KAryNCube::kMaxDimensions;
  RingRule rule_;
  std::array<VcField, 1> fields_;
  unsigned wrapped_dimensions_ = 0;
  unsigned tied_dimensions_ = 0;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "minimal, dimension 0 first, on any mesh or torus; 2 VC classes per wrapped dimension (Dally-Seitz)",
      {Parameter::choice("vc_rule", "dateline", rules(),
                         "VC class in a wrapped dimension: dateline = 0 while the wrap is still ahead, else "
                         "1; wrapped_bit = 0 before the wrap, 1 on the wrap link and after")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<DimensionOrder>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
