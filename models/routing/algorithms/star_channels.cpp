// *-Channels: fully adaptive minimal routing on any torus (Gravano et al. 1994, III). Star channels are a
// dimension-order escape; nonstar channels may be taken in any dimension that still needs correction.
// The paper's most significant dimension X_(n-1), corrected first by the star channels, is dimension 0 here;
// it needs no nonstar channels: 3 VCs per bidirectional link there, 5 in the others. Deadlock freedom
// also needs the node's flow rule of V.C (release `next_buffer_empty`).

#include <array>

#include "routing/cube_relation.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "star_channels";
constexpr unsigned kNonstar = 2;  // classes 0 and 1 are star 0 and star 1
const std::vector<std::string>& rules() {
  static const std::vector<std::string> names{"wrapped", "wrap_ahead"};
  return names;
}

/// State (rule wrapped only): bit d: the worm has crossed the wrap of dimension d, on whatever VC.
class StarChannels final : public CubeRelation {
 public:
  StarChannels(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        rule_(choice_index(parameters, "star_class", rules()) == 0 ? RingRule::kWrappedBit
                                                                   : RingRule::kWrapAhead),
        nonstar_on_top_(parameters.get<bool>("nonstar_on_top")),
        fields_{{{"kind", {"star", "nonstar"}}, {"class", {"0", "1"}}}} {
    require_torus(kName);
    require_both_ways(kName);
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return has_nonstar(CubeGeometry::dimension_of(link.out)) ? 3 : 2;
  }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return index(vc_class) == kNonstar ? "nonstar" : "star" + std::to_string(index(vc_class));
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    const unsigned d = CubeGeometry::dimension_of(link.out);
    const auto c = static_cast<unsigned>(vc_class);
    if (c >= kNonstar) return c == kNonstar && has_nonstar(d);
    return ring_class_used(rule_, CubeGeometry::is_plus(link.out), cube().radix(d), cube().reach(d),
                           cube().coordinate(link.from, d), c);
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    const auto c = static_cast<std::uint8_t>(vc_class);
    if (c == kNonstar) return {1, 0};
    return {0, c};
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    bool star = true;
    const unsigned n = cube().dimensions();
    for (unsigned d = 0; d < n; ++d) {
      const unsigned at = cube().coordinate(here, d);
      const unsigned to = cube().coordinate(destination, d);
      if (at == to) continue;
      const auto way = cube().minimal(d, at, to);
      const bool wrapped = (state >> d & 1) != 0;
      if (way.plus) offer(list, here, d, false, at, to, wrapped, star);
      if (way.minus) offer(list, here, d, true, at, to, wrapped, star);
      star = false;
    }
  }

  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState state,
                                      Candidate taken) const override {
    if (rule_ != RingRule::kWrappedBit) return state;
    return state | RouteState{cube().is_wrap(here, taken.port)} << CubeGeometry::dimension_of(taken.port);
  }
  [[nodiscard]] bool has_state() const override { return rule_ == RingRule::kWrappedBit; }
  [[nodiscard]] unsigned header_bits() const override { return has_state() ? cube().dimensions() : 0; }

  [[nodiscard]] RoutingClaims claims() const override { return {true, true, "escape"}; }
  [[nodiscard]] bool is_escape(RouterId, RouterId, RouteState, Candidate candidate) const override {
    return index(candidate.vc_class) < kNonstar;
  }

 private:
  [[nodiscard]] bool has_nonstar(unsigned dimension) const { return dimension > 0 || nonstar_on_top_; }

  void offer(CandidateList& list, RouterId here, unsigned d, bool minus, unsigned at, unsigned to,
             bool wrapped, bool star) const {
    const auto port = port_of(d, minus);
    if (star) list.add(port, VcClass(ring_class(rule_, !minus, at, to, cube().is_wrap(here, port), wrapped)));
    if (has_nonstar(d)) list.add(port, VcClass{kNonstar});
  }

  RingRule rule_;
  bool nonstar_on_top_;
  std::array<VcField, 2> fields_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "*-Channels (Gravano et al. 1994): fully adaptive minimal on any torus, dimension-order escape "
      "channels",
      {Parameter::choice("star_class", "wrapped", rules(),
                         "star class: wrapped = 0 before the wrap, 1 on the wrap link and after; wrap_ahead "
                         "= 0 while the wrap is still ahead, else 1 (no state in the header)"),
       Parameter::boolean("nonstar_on_top", false,
                          "nonstar channels on dimension 0 too: 3 VCs per direction there instead of 2")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<StarChannels>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
