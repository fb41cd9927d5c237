#pragma once
// Worms that go to a drawn router first and from there to their destination (Valiant and Brebner 1981): two
// legs of the same relation, each on VC classes of its own. The relation chooses the routers that may be
// drawn; their number is asked for, and no list of them is kept.
//
// Why a proof of the legs is one of the whole: a worm never goes back from the second leg to the first, and
// the legs share no VC. So if the dependencies of the worms of one leg, between all routers, can be numbered,
// so can all: those of the first leg before those of the second (verify/unicast/legs.h).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routing/relation.h"

namespace noctule {

class TwoPhaseRelation : public RoutingRelation {
 public:
  static constexpr unsigned kPhases = 2;

  /// `leg`: minimal or not, from every router to every other. Its headers carry less than 2^36.
  TwoPhaseRelation(std::shared_ptr<const Topology> topology, std::shared_ptr<const RoutingRelation> leg);

  /// Routers that a packet may go to first: how many, at least one, and the n-th; no two are the same. The
  /// source and the destination may be among them: such a packet has one leg.
  [[nodiscard]] virtual std::uint64_t intermediates(RouterId source, RouterId destination) const = 0;
  [[nodiscard]] virtual RouterId intermediate(RouterId source, RouterId destination,
                                              std::uint64_t n) const = 0;

  /// Worms of one leg alone, on the VC classes that it has here.
  [[nodiscard]] std::shared_ptr<const RoutingRelation> leg(unsigned phase) const { return legs_[phase]; }

  [[nodiscard]] std::span<const VcField> fields() const final { return legs_[0]->fields(); }
  [[nodiscard]] unsigned classes(const Link& link) const final { return legs_[0]->classes(link); }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const final {
    return legs_[0]->class_name(link, vc_class);
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const final {
    return legs_[0]->exists(link, vc_class);
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const final {
    return legs_[0]->output_label(link, vc_class);
  }
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass vc_class) const final {
    return legs_[0]->input_label(link, vc_class);
  }

  /// Twice as many as intermediates where legs of some pairs draw their start (half way round a ring).
  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const final {
    return intermediates(source, destination) * (coin_ ? 2 : 1);
  }
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination, std::uint64_t n) const final;
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const final;
  /// A worm that comes past its destination on the first leg is consumed there.
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const final;
  [[nodiscard]] bool has_state() const final { return true; }
  [[nodiscard]] unsigned header_bits() const final;
  [[nodiscard]] bool is_escape(RouterId here, RouterId destination, RouteState state,
                               Candidate candidate) const final;

 private:
  class Leg;
  /// What a header carries: the leg, a coin that was thrown at the source, where the first leg ends, and what
  /// the leg's relation gives it.
  struct Carried {
    unsigned phase;
    bool coin;
    RouterId intermediate;
    RouteState of_leg;
  };
  static RouteState pack(const Carried& carried);
  static Carried unpack(RouteState state);
  [[nodiscard]] static RouterId target(const Carried& carried, RouterId destination) {
    return carried.phase == 0 ? carried.intermediate : destination;
  }
  /// A header at the start of a leg. Where the leg's relation draws a state, a hash of the pair and the coin
  /// decide: with the other side of the coin it is the opposite one.
  [[nodiscard]] RouteState begin(unsigned phase, bool coin, RouterId from, RouterId to) const;

  std::shared_ptr<const Topology> topology_;
  std::vector<std::shared_ptr<const RoutingRelation>> legs_;  ///< by phase
  bool coin_;
};

/// A registered relation with its defaults, as a leg.
[[nodiscard]] std::shared_ptr<const RoutingRelation> leg_of(const std::shared_ptr<const Topology>& topology,
                                                            const std::string& algorithm);

}  // namespace noctule
