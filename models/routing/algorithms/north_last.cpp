// North-last (Glass and Ni 1992), partially adaptive on 2-D meshes and tori; north is the - direction of
// dimension 1. Hops in X and to the south may be taken in any order, hops to the north once X is corrected.
//
// On a mesh these turns alone are free of cycles. On a torus two VC classes per wrapped dimension are needed,
// and the obvious rules, those that serve dimension order in each ring (vc_rule dateline, wrapped_bit), are
// not enough: hops to the south that are taken early tie rows and columns into cycles. Boppana and Chalasani
// 1993 do not say which rule they used. The default here, found by enumeration, is acyclic: the wrap to the
// south waits until X is corrected, and south links are classed by whether the worm has crossed it.

#include <array>

#include "core/key_effect.h"
#include "routing/cube_relation.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "north_last";
constexpr unsigned kX = 0;
constexpr unsigned kY = 1;
const std::vector<std::string>& rules() {
  static const std::vector<std::string> names{"wrap_last", "dateline", "wrapped_bit"};
  return names;
}

enum class Rule : std::uint8_t { kWrapLast, kDateline, kWrappedBit };

/// State, by dimension d: bit d: half way round, goes in the - direction (drawn at injection, means nothing
/// after the first hop in the dimension); bit 2 + d: has crossed the wrap, where a rule asks for it.
class NorthLast final : public CubeRelation {
 public:
  NorthLast(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        rule_(static_cast<Rule>(choice_index(parameters, "vc_rule", rules()))),
        fields_{{{"class", {"0", "1"}}}} {
    require_dimensions(2, kName);
    require_both_ways(kName);
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return cube().wraps(CubeGeometry::dimension_of(link.out)) ? 2 : 1;
  }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return "class" + std::to_string(index(vc_class));
  }
  /// A worm can start at any place of a ring with nothing to correct in the other: the rings decide.
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    const unsigned d = CubeGeometry::dimension_of(link.out);
    if (index(vc_class) >= classes(link)) return false;
    return !cube().wraps(d) ||
           ring_class_used(rule_of(link.out), CubeGeometry::is_plus(link.out), cube().radix(d),
                           cube().reach(d), cube().coordinate(link.from, d), static_cast<unsigned>(vc_class));
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }

  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    return (tied(kX, source, destination) ? 2U : 1U) * (tied(kY, source, destination) ? 2U : 1U);
  }
  /// Bits of n: the directions of the ties, X first.
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override {
    RouteState state = 0;
    for (const unsigned d : {kX, kY}) {
      if (!tied(d, source, destination)) continue;
      state |= (n & 1) << d;
      n >>= 1;
    }
    return state;
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    const bool x_done = cube().coordinate(here, kX) == cube().coordinate(destination, kX);
    if (!x_done) offer(list, here, destination, kX, minus_in(kX, here, destination, state), state);
    if (cube().coordinate(here, kY) == cube().coordinate(destination, kY)) return;
    const bool north = minus_in(kY, here, destination, state);
    const bool waits = north || (rule_ == Rule::kWrapLast && crosses(here, kSouth));
    if (x_done || !waits) offer(list, here, destination, kY, north, state);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState state,
                                      Candidate taken) const override {
    const bool remembered = rule_of(taken.port) == RingRule::kWrappedBit && crosses(here, taken.port);
    return remembered ? state | wrapped(CubeGeometry::dimension_of(taken.port)) : state;
  }
  [[nodiscard]] bool has_state() const override { return header_bits() > 0; }
  [[nodiscard]] unsigned header_bits() const override {
    return unsigned{ties(kX)} + unsigned{ties(kY)} +
           unsigned{rule_ == Rule::kWrappedBit && cube().wraps(kX)} +
           unsigned{rule_ != Rule::kDateline && cube().wraps(kY)};
  }

  [[nodiscard]] RoutingClaims claims() const override {
    return {true, false, rule_ == Rule::kWrapLast || !cube().wraps(kY) ? "acyclic" : "none"};
  }

 private:
  static constexpr PortId kSouth = CubeGeometry::plus(kY);
  [[nodiscard]] static constexpr RouteState wrapped(unsigned d) { return RouteState{4} << d; }

  [[nodiscard]] bool tied(unsigned d, RouterId source, RouterId destination) const {
    return cube().minimal(d, cube().coordinate(source, d), cube().coordinate(destination, d)).tie();
  }
  [[nodiscard]] bool ties(unsigned d) const { return cube().wraps(d) && cube().radix(d) % 2 == 0; }
  [[nodiscard]] bool crosses(RouterId here, PortId port) const {
    return cube().wraps(CubeGeometry::dimension_of(port)) && cube().is_wrap(here, port);
  }
  [[nodiscard]] RingRule rule_of(PortId port) const {
    const bool bit = rule_ == Rule::kWrappedBit || (rule_ == Rule::kWrapLast && port == kSouth);
    return bit ? RingRule::kWrappedBit : RingRule::kWrapAhead;
  }
  [[nodiscard]] bool minus_in(unsigned d, RouterId here, RouterId destination, RouteState state) const {
    const auto way = cube().minimal(d, cube().coordinate(here, d), cube().coordinate(destination, d));
    return way.tie() ? (state >> d & 1) != 0 : way.minus;
  }
  void offer(CandidateList& list, RouterId here, RouterId destination, unsigned d, bool minus,
             RouteState state) const {
    const auto port = port_of(d, minus);
    const unsigned c = cube().wraps(d) ? ring_class(rule_of(port), !minus, cube().coordinate(here, d),
                                                    cube().coordinate(destination, d),
                                                    cube().is_wrap(here, port), (state & wrapped(d)) != 0)
                                       : 0;
    list.add(port, VcClass(static_cast<std::uint16_t>(c)));
  }

  Rule rule_;
  std::array<VcField, 1> fields_;
};

const EffectOf kVcRule{{{"routing.vc_rule"}, kName, kSomeDimensionWraps, some_dimension_wraps}};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "north-last (Glass and Ni 1992): partially adaptive minimal on a 2-D mesh, or torus with 2 VC classes; "
      "north is y_minus, south y_plus, west x_minus, east x_plus; as y grows upwards in pictures, north is "
      "at "
      "their lower edge, here and in turn_table",
      {Parameter::choice("vc_rule", "wrap_last", rules(),
                         "on a torus: wrap_last = the wrap to the south is crossed once X is corrected, VC "
                         "class of south links 0 before it, 1 on it and after, of others 0 while their wrap "
                         "is ahead, else 1; dateline and wrapped_bit, as of dimension_order, deadlock")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<NorthLast>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
