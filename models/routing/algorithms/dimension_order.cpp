// Dimension order ("e-cube"): corrects dimension 0 first, then 1, and so on, by a shortest way, on any
// k-ary n-cube. Deadlock-free by two VC classes per wrapped dimension (Dally and Seitz 1987), one class
// where the dimension does not wrap.

#include <array>

#include "core/key_effect.h"
#include "routing/cube_relation.h"
#include "routing/dimension_ordered.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "dimension_order";
const std::vector<std::string>& rules() {
  static const std::vector<std::string> names{"dateline", "wrapped_bit", "dateline_balanced"};
  return names;
}

class DimensionOrder final : public DimensionOrdered {
 public:
  DimensionOrder(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : DimensionOrdered(std::move(topology), kName),
        rule_(static_cast<RingRule>(choice_index(parameters, "vc_rule", rules()))),
        fields_{{{"class", {"0", "1"}}}} {
    for (unsigned d = 0; d < cube().dimensions(); ++d) {
      if (!cube().wraps(d)) continue;
      ++wrapped_dimensions_;
      if (cube().radix(d) % 2 == 0 && cube().both_ways()) ++tied_dimensions_;
    }
    if (tied_dimensions_ > 0) draw_starts();
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return cube().wraps(CubeGeometry::dimension_of(link.out)) ? 2 : 1;
  }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return "class" + std::to_string(index(vc_class));
  }
  [[nodiscard]] bool ring_exists(unsigned d, unsigned from, RingHop hop) const override {
    const auto c = static_cast<unsigned>(hop.vc_class);
    if (!cube().wraps(d)) return c == 0;
    return c < 2 && ring_class_used(rule_, !hop.minus, cube().radix(d), cube().reach(d), from, c);
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }

  [[nodiscard]] unsigned ring_starts(unsigned d, unsigned at, unsigned to) const override {
    return cube().minimal(d, at, to).tie() ? 1U << 0 | 1U << kTieMinus : 1U << 0;
  }
  [[nodiscard]] RingHop ring_hop(unsigned d, unsigned at, unsigned to, RingState state) const override {
    if (!cube().wraps(d)) return {at > to, VcClass{0}};
    const auto way = cube().minimal(d, at, to);
    const bool plus = way.tie() ? (state & kTieMinus) == 0 : way.plus;
    const bool second = (state & kSecond) != 0;
    if (rule_ == RingRule::kBalanced && !second && !wrap_ahead(plus, at, to))
      return {!plus, VcClass{0}, true};
    return {!plus, VcClass(ring_class(rule_, plus, at, to, is_wrap(d, at, plus), second))};
  }
  [[nodiscard]] RingState ring_next(unsigned d, unsigned at, RingHop hop, RingState state) const override {
    if (rule_ == RingRule::kWrapAhead || !cube().wraps(d)) return 0;
    const bool stays = rule_ == RingRule::kBalanced && hop.vc_class == VcClass{1};
    return (state & kSecond) | (stays || is_wrap(d, at, !hop.minus) ? kSecond : 0);
  }
  [[nodiscard]] bool has_state() const override {
    return tied_dimensions_ > 0 || (rule_ != RingRule::kWrapAhead && wrapped_dimensions_ > 0);
  }
  [[nodiscard]] unsigned header_bits() const override {
    return tied_dimensions_ + (rule_ != RingRule::kWrapAhead ? wrapped_dimensions_ : 0);
  }

  [[nodiscard]] RoutingClaims claims() const override { return {true, false, "acyclic"}; }

 private:
  /// Drawn at injection: half way round, goes in the - direction. Means nothing after the first hop.
  static constexpr RingState kTieMinus = 1;
  /// The worm has crossed the wrap or, by rule dateline_balanced, has taken class 1: from here on class 1.
  static constexpr RingState kSecond = 2;
  [[nodiscard]] bool is_wrap(unsigned d, unsigned at, bool plus) const {
    return at == (plus ? cube().radix(d) - 1 : 0);
  }
  RingRule rule_;
  std::array<VcField, 1> fields_;
  unsigned wrapped_dimensions_ = 0;
  unsigned tied_dimensions_ = 0;
};

const EffectOf kVcRule{{{"routing.vc_rule"}, kName, kSomeDimensionWraps, some_dimension_wraps}};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "minimal, dimension 0 first, on any mesh or torus; 2 VC classes per wrapped dimension (Dally-Seitz)",
      {Parameter::choice(
          "vc_rule", "dateline", rules(),
          "VC class in a wrapped dimension: dateline = 0 while the wrap is still ahead, else "
          "1; wrapped_bit = 0 before the wrap, 1 on the wrap link and after; dateline_balanced = "
          "dateline for worms that cross the wrap, class 0 or, from any hop on, 1 for the others")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<DimensionOrder>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
