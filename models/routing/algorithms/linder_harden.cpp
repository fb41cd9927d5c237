// Linder and Harden's adaptive routing on a 2-D torus, as described in Gravano et al. 1994, V.A. Two virtual
// networks, Y+ and Y-, by the direction in which a worm corrects Y; three copies ("levels") of each,
// the level being the number of wrap links crossed so far, in either dimension.

#include <algorithm>
#include <array>

#include "routing/cube_relation.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "linder_harden";
constexpr unsigned kLevels = 3;
const std::vector<std::string>& zero_offset_choices() {
  static const std::vector<std::string> names{"random", "positive"};
  return names;
}

/// State: bit 0: network Y-; bits 1-2: level. VC class on X links: 3 * network + level, on Y links: level;
/// the level of a VC is the one at its source.
class LinderHarden final : public CubeRelation {
 public:
  LinderHarden(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        random_zero_(choice_index(parameters, "zero_offset", zero_offset_choices()) == 0),
        fields_{{{"network", {"+", "-"}}, {"level", {"0", "1", "2"}}}} {
    require_dimensions(2, kName);
    require_torus(kName);
    require_both_ways(kName);
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return CubeGeometry::dimension_of(link.out) == 0 ? 2 * kLevels : kLevels;
  }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    const auto label = label_of(link.out, vc_class);
    return std::string("Y") + (label[0] != 0 ? '-' : '+') + "." + std::to_string(label[1]);
  }
  /// Exact: a level needs so many dimensions whose wrap can be behind the worm at this place.
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    if (index(vc_class) >= classes(link)) return false;
    const unsigned d = CubeGeometry::dimension_of(link.out);
    const unsigned other = 1 - d;
    const auto label = label_of(link.out, vc_class);
    const unsigned k = cube().radix(d);
    const unsigned other_k = cube().radix(other);
    const unsigned at = cube().coordinate(link.from, other);
    const auto moving =
        ring_use_on_link(CubeGeometry::is_plus(link.out), k, cube().coordinate(link.from, d), k / 2);
    const bool moving_after = moving.never && moving.after;
    const auto rested = [&](bool plus) { return ring_use_at(plus, other_k, at, other_k / 2).after; };
    // On a Y link the resting dimension is X, which a worm may have travelled either way.
    const bool resting_after = d == 0 ? rested(label[0] == 0) : rested(true) || rested(false);
    return label[1] <= unsigned{moving_after} + unsigned{resting_after};
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const override {
    return label_of(link.out, vc_class);
  }
  /// The buffer behind a wrap link belongs to the crossbar of the next level. (There is no level-2 VC on a
  /// wrap link: it would be the third wrap.)
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass vc_class) const override {
    auto label = label_of(link.out, vc_class);
    if (cube().is_wrap(link.from, link.out))
      label[1] = std::min<std::uint8_t>(static_cast<std::uint8_t>(label[1] + 1), kLevels - 1);
    return label;
  }

  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    const auto way = way_in_y(source, destination);
    return way.tie() || (way.hops == 0 && random_zero_) ? 2 : 1;
  }
  /// Where the network is drawn, n is its number.
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override {
    const auto way = way_in_y(source, destination);
    return n != 0 || (way.minus && !way.plus) ? 1 : 0;
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    const unsigned network = state & 1;
    const auto level = static_cast<unsigned>(state >> 1);
    const auto x = cube().minimal(0, cube().coordinate(here, 0), cube().coordinate(destination, 0));
    if (x.plus) list.add(CubeGeometry::plus(0), VcClass(kLevels * network + level));
    if (x.minus) list.add(CubeGeometry::minus(0), VcClass(kLevels * network + level));
    if (cube().coordinate(here, 1) != cube().coordinate(destination, 1))
      list.add(port_of(1, network != 0), VcClass(level));
  }

  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState state,
                                      Candidate taken) const override {
    return state + (cube().is_wrap(here, taken.port) ? 2 : 0);
  }
  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] unsigned header_bits() const override { return 3; }

  /// With an even Y radix a tie in Y is settled at injection: not every shortest path stays on offer.
  [[nodiscard]] RoutingClaims claims() const override { return {true, cube().radix(1) % 2 == 1, "acyclic"}; }

 private:
  [[nodiscard]] CubeGeometry::Minimal way_in_y(RouterId source, RouterId destination) const {
    return cube().minimal(1, cube().coordinate(source, 1), cube().coordinate(destination, 1));
  }
  [[nodiscard]] static VcLabel label_of(PortId port, VcClass vc_class) {
    const auto c = static_cast<std::uint8_t>(vc_class);
    if (CubeGeometry::dimension_of(port) == 1)
      return {static_cast<std::uint8_t>(CubeGeometry::is_plus(port) ? 0 : 1), c};
    return {static_cast<std::uint8_t>(c / kLevels), static_cast<std::uint8_t>(c % kLevels)};
  }

  bool random_zero_;
  std::array<VcField, 2> fields_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "Linder-Harden: fully adaptive minimal on a 2-D torus, two virtual networks of three levels each",
      {Parameter::choice("zero_offset", "random", zero_offset_choices(),
                         "network of a worm that needs no correction in Y: drawn per worm, or always Y+")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<LinderHarden>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
