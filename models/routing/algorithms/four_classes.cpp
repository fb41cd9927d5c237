// 4-Classes: fully adaptive minimal routing on a 2-D torus (Gravano et al. 1994, IV). A worm belongs to one
// of four classes by the signs in which it corrects X and Y; every class is a virtual network of two
// prefixes. A worm that needs a wrap starts in prefix 0, any other in prefix 1; each wrap link flips the
// prefix and already carries the new one. Several printed cases of the routing function are damaged; the
// rules here are the repaired ones, checked acyclic by enumeration.

#include <array>

#include "routing/cube_relation.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "four_classes";
const std::vector<std::string>& zero_offset_choices() {
  static const std::vector<std::string> names{"random", "positive"};
  return names;
}

const std::vector<std::string>& tie_choices() {
  static const std::vector<std::string> names{"adaptive", "drawn"};
  return names;
}

/// State: bit 0: X sign is -; bit 1: Y sign is -; bit 2: prefix.
/// VC class on a link: bit 0: prefix; bit 1: the sign of the *other* dimension is -.
class FourClasses final : public CubeRelation {
 public:
  FourClasses(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        random_zero_(choice_index(parameters, "zero_offset", zero_offset_choices()) == 0),
        drawn_ties_(choice_index(parameters, "tie", tie_choices()) == 1),
        fields_{{{"sign_x", {"+", "-"}}, {"sign_y", {"+", "-"}}, {"prefix", {"0", "1"}}}} {
    require_dimensions(2, kName);
    require_torus(kName);
    require_both_ways(kName);
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link&) const override { return 4; }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    const auto s = state_of({link.out, vc_class});
    return std::string("X") + ((s & 1) != 0 ? '-' : '+') + "Y" + ((s & 2) != 0 ? '-' : '+') +
           ((s & 4) != 0 ? ".1" : ".0");
  }
  /// Exact for radices above 2. A tie (even k, k/2 hops to go) counts as + until the - link is taken, so
  /// no worm of a class rests with k/2 hops to go in a - dimension; and as a switch forgets the wraps
  /// crossed before it, not both dimensions of X-Y- can be behind a wrap after k/2 hops. Where ties are drawn
  /// - is no different from +.
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    if (index(vc_class) > 3) return false;
    const unsigned d = CubeGeometry::dimension_of(link.out);
    const unsigned o = 1 - d;
    const bool plus = CubeGeometry::is_plus(link.out);
    const bool other_plus = (index(vc_class) & 2) == 0;
    const unsigned from = cube().coordinate(link.from, d);
    const unsigned at = cube().coordinate(link.from, o);
    const unsigned k = cube().radix(d);
    const unsigned other_k = cube().radix(o);
    const auto moving = ring_use_on_link(plus, k, from, k / 2);
    const auto moving_short = ring_use_on_link(plus, k, from, (k - 1) / 2);
    auto resting = ring_use_at(other_plus, other_k, at, other_k / 2);
    const auto resting_short = ring_use_at(other_plus, other_k, at, (other_k - 1) / 2);
    if (!other_plus && !drawn_ties_) resting.before = resting_short.before;
    const bool both_after = moving.after && resting.after &&
                            (plus || other_plus || drawn_ties_ || moving_short.after || resting_short.after);
    if ((index(vc_class) & 1) == 0)
      return (moving.before && (resting.never || resting.before)) || (moving.never && resting.before) ||
             both_after;
    return (moving.never && (resting.never || resting.after)) ||
           (moving.after && (resting.never || resting.before)) || (moving.before && resting.after);
  }
  /// The crossbar that drives a wrap link belongs to the other prefix of the same class.
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const override {
    auto label = input_label(link, vc_class);
    if (cube().is_wrap(link.from, link.out)) label[2] ^= 1;
    return label;
  }
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass vc_class) const override {
    const auto s = static_cast<std::uint8_t>(state_of({link.out, vc_class}));
    return {static_cast<std::uint8_t>(s & 1), static_cast<std::uint8_t>(s >> 1 & 1),
            static_cast<std::uint8_t>(s >> 2)};
  }

  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    std::uint64_t count = 1;
    for (unsigned d = 0; d < 2; ++d)
      if (start_sign(source, destination, d) == Sign::kDrawn) count *= 2;
    return count;
  }
  /// Bits of n: the signs that are drawn, X first.
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override {
    RouteState signs = 0;
    for (unsigned d = 0; d < 2; ++d) {
      const Sign sign = start_sign(source, destination, d);
      if (sign == Sign::kMinus || (sign == Sign::kDrawn && (n & 1) != 0)) signs |= RouteState{1} << d;
      if (sign == Sign::kDrawn) n >>= 1;
    }
    return signs | starting_prefix(source, destination, signs) << 2;
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    const auto prefix = state >> 2;
    for (unsigned d = 0; d < 2; ++d) {
      const unsigned at = cube().coordinate(here, d);
      const unsigned to = cube().coordinate(destination, d);
      if (at == to) continue;
      const bool minus = (state >> d & 1) != 0;
      offer(list, here, d, minus, state, prefix);
      const unsigned apart = at < to ? to - at : at - to;
      if (!drawn_ties_ && !minus && 2 * apart == cube().radix(d)) {
        const auto switched = state | RouteState{1} << d;
        offer(list, here, d, true, switched, starting_prefix(here, destination, switched));
      }
    }
  }

  /// Class and prefix of the worm are those of the VC that it holds.
  [[nodiscard]] RouteState next_state(RouterId, RouterId, RouteState, Candidate taken) const override {
    return state_of(taken);
  }
  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] unsigned header_bits() const override { return 3; }

  /// A tie that is drawn at injection leaves out some shortest paths.
  [[nodiscard]] RoutingClaims claims() const override {
    const bool ties = cube().radix(0) % 2 == 0 || cube().radix(1) % 2 == 0;
    return {true, !(drawn_ties_ && ties), "acyclic"};
  }

 private:
  [[nodiscard]] static RouteState state_of(Candidate c) {
    const unsigned d = CubeGeometry::dimension_of(c.port);
    const RouteState own = CubeGeometry::is_plus(c.port) ? 0 : 1;
    const RouteState v = index(c.vc_class);
    return own << d | (v >> 1) << (1 - d) | (v & 1) << 2;
  }

  enum class Sign : std::uint8_t { kPlus, kMinus, kDrawn };
  /// Sign of a worm's class in dimension d when it is injected.
  [[nodiscard]] Sign start_sign(RouterId source, RouterId destination, unsigned d) const {
    const auto way = cube().minimal(d, cube().coordinate(source, d), cube().coordinate(destination, d));
    if (way.hops == 0) return random_zero_ ? Sign::kDrawn : Sign::kPlus;
    if (way.tie()) return drawn_ties_ ? Sign::kDrawn : Sign::kPlus;
    return way.plus ? Sign::kPlus : Sign::kMinus;
  }

  /// Prefix of a worm of this class injected here: 0 if it will cross any wrap, else 1.
  [[nodiscard]] RouteState starting_prefix(RouterId here, RouterId destination, RouteState signs) const {
    for (unsigned d = 0; d < 2; ++d) {
      const unsigned at = cube().coordinate(here, d);
      const unsigned to = cube().coordinate(destination, d);
      if ((signs >> d & 1) != 0 ? to > at : to < at) return 0;
    }
    return 1;
  }

  void offer(CandidateList& list, RouterId here, unsigned d, bool minus, RouteState signs,
             RouteState prefix) const {
    const auto port = port_of(d, minus);
    const RouteState other = signs >> (1 - d) & 1;
    list.add(port, VcClass(other << 1 | (prefix ^ RouteState{cube().is_wrap(here, port)})));
  }

  bool random_zero_;
  bool drawn_ties_;
  std::array<VcField, 3> fields_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "4-Classes (Gravano et al. 1994): fully adaptive minimal on a 2-D torus, 8 VCs per bidirectional link",
      {Parameter::choice("zero_offset", "random", zero_offset_choices(),
                         "sign of the class in a dimension that needs no correction: drawn per worm, or "
                         "always +"),
       Parameter::choice(
           "tie", "adaptive", tie_choices(),
           "even radix, half of it to go: + until the - link is taken, which changes the class; or "
           "drawn per worm, as where each class has a crossbar of its own")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<FourClasses>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
