#pragma once
// Worms whose first hops are prescribed, over any relation: to replay a deadlock that was found by proof, and
// for directed tests. Whoever follows the relation from its initial states sees the relation underneath.

#include <memory>
#include <string>
#include <vector>

#include "routing/relation.h"

namespace noctule {

/// The relation underneath, plus the headers of prescribed routes. Such a header is offered its next
/// prescribed hop alone; having taken the last one it carries what the relation underneath would have given
/// it on that way, and is free.
class PrescribedRoutes final : public RoutingRelation {
 public:
  /// First hops from `source` on; at least one, at most all the way to `destination`.
  struct Route {
    RouterId source{};
    RouterId destination{};
    std::vector<Candidate> hops;  ///< with `lane`, or kAnyLane
    std::string place;            ///< where it is written ("file:line"), for messages; may be empty
  };
  /// Set in the routing state of a header on its prescribed way; no relation underneath may use that bit.
  static constexpr RouteState kPrescribed = RouteState{1} << 63;
  /// Key under which wrong routes are reported.
  static constexpr const char* kKey = "traffic.source";

  /// Throws ConfigError where a route takes a hop that `base` does not offer there (from none of its initial
  /// states), or goes on past its destination: every such route, with its place. ConfigError: `base` uses
  /// kPrescribed.
  PrescribedRoutes(std::shared_ptr<const Topology> topology, std::shared_ptr<const RoutingRelation> base,
                   const std::vector<Route>& routes);

  // --- states of prescribed headers -------------------------------------------------------------------
  [[nodiscard]] static constexpr bool is_prescribed(RouteState state) { return (state & kPrescribed) != 0; }
  /// Of a header before the first hop of a route.
  [[nodiscard]] static constexpr RouteState prescribed_state(std::size_t route) {
    return kPrescribed | RouteState{route} << kPositionBits;
  }
  /// The same; InternalError if there is no such route or it joins other routers.
  [[nodiscard]] RouteState start(std::size_t route, RouterId source, RouterId destination) const;
  /// What a header would carry if nothing were prescribed to it; other states are returned as they are.
  [[nodiscard]] RouteState unprescribed(RouteState state) const {
    return is_prescribed(state) ? step(state).state : state;
  }
  [[nodiscard]] const RoutingRelation& base() const { return *base_; }
  [[nodiscard]] std::size_t routes() const { return paths_.size(); }
  /// Is there such a route, and does it join these routers?
  [[nodiscard]] bool joins(std::size_t route, RouterId source, RouterId destination) const {
    return route < paths_.size() && paths_[route].source == source &&
           paths_[route].destination == destination;
  }
  /// What a route prescribes, and at which routers.
  struct Step {
    RouterId at{};
    Candidate hop;
    RouteState state = 0;  ///< of the relation underneath
  };
  [[nodiscard]] const std::vector<Step>& steps(std::size_t route) const { return paths_[route].steps; }

  // --- the relation -----------------------------------------------------------------------------------
  [[nodiscard]] std::span<const VcField> fields() const override { return base_->fields(); }
  [[nodiscard]] unsigned classes(const Link& link) const override { return base_->classes(link); }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    return base_->class_name(link, vc_class);
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return base_->exists(link, vc_class);
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const override {
    return base_->output_label(link, vc_class);
  }
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass vc_class) const override {
    return base_->input_label(link, vc_class);
  }
  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    return base_->initial_states(source, destination);
  }
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override;
  [[nodiscard]] bool sees_message_classes() const override { return base_->sees_message_classes(); }
  [[nodiscard]] std::uint64_t initial_states_of_class(RouterId source, RouterId destination,
                                                      unsigned message_class) const override {
    return base_->initial_states_of_class(source, destination, message_class);
  }
  [[nodiscard]] RouteState initial_state_of_class(RouterId source, RouterId destination,
                                                  unsigned message_class, std::uint64_t n) const override;
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override;
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override;
  [[nodiscard]] bool has_state() const override { return true; }
  void fetch(RouterId here, RouterId destination, RouteState state) const override {
    if (!is_prescribed(state)) base_->fetch(here, destination, state);
  }
  [[nodiscard]] bool has_tables() const override { return base_->has_tables(); }
  [[nodiscard]] unsigned header_bits() const override { return base_->header_bits(); }
  [[nodiscard]] RoutingClaims claims() const override { return base_->claims(); }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return base_->hops(source, destination);
  }
  [[nodiscard]] bool is_escape(RouterId here, RouterId destination, RouteState state,
                               Candidate candidate) const override {
    return base_->is_escape(here, destination, unprescribed(state), candidate);
  }

 private:
  static constexpr unsigned kPositionBits = 32;
  struct Path {
    RouterId source{};
    RouterId destination{};
    std::vector<Step> steps;
    RouteState after = 0;  ///< behind the last step
  };

  [[nodiscard]] static std::size_t route_of(RouteState state) {
    return static_cast<std::size_t>((state & ~kPrescribed) >> kPositionBits);
  }
  [[nodiscard]] static std::size_t position_of(RouteState state) {
    return static_cast<std::size_t>(state & 0xffff'ffffU);
  }
  [[nodiscard]] const Step& step(RouteState state) const;
  /// What is wrong with a route; empty: nothing, and its path has been added.
  std::string add(const Route& route);
  /// Follows the route from a state of `base` as far as it is offered.
  [[nodiscard]] Path follow(const Route& route, RouteState state) const;
  [[nodiscard]] std::string name(RouterId here, const Candidate& hop) const;
  [[nodiscard]] std::string offered(RouterId here, RouterId destination, RouteState state) const;

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const RoutingRelation> base_;
  std::vector<Path> paths_;
};

/// The relation, or the one underneath if routes are prescribed over it: what its class says of all worms.
[[nodiscard]] const RoutingRelation& without_prescriptions(const RoutingRelation& relation);

}  // namespace noctule
