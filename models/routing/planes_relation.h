#pragma once
// The relation of a network of several planes: in each plane that plane's own.

#include <memory>
#include <vector>

#include "routing/relation.h"
#include "topology/planes.h"

namespace noctule {

/// A relation of one plane, speaking of the routers and links of the whole.
class PlaneRelation final : public RoutingRelation {
 public:
  /// `relation`: over plane.network.
  PlaneRelation(Planes::Plane plane, std::shared_ptr<const RoutingRelation> relation)
      : plane_(std::move(plane)), relation_(std::move(relation)) {}

  [[nodiscard]] std::span<const VcField> fields() const override { return relation_->fields(); }
  [[nodiscard]] unsigned classes(const Link& link) const override { return relation_->classes(own(link)); }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    return relation_->class_name(own(link), vc_class);
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return relation_->exists(own(link), vc_class);
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const override {
    return relation_->output_label(own(link), vc_class);
  }
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass vc_class) const override {
    return relation_->input_label(own(link), vc_class);
  }
  [[nodiscard]] bool serves(RouterId source, RouterId destination) const override {
    return relation_->serves(own(source), own(destination));
  }
  [[nodiscard]] bool serves_all() const override { return relation_->serves_all(); }
  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    return relation_->initial_states(own(source), own(destination));
  }
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override {
    return relation_->initial_state(own(source), own(destination), n);
  }
  [[nodiscard]] bool sees_message_classes() const override { return relation_->sees_message_classes(); }
  [[nodiscard]] std::uint64_t initial_states_of_class(RouterId source, RouterId destination,
                                                      unsigned message_class) const override {
    return relation_->initial_states_of_class(own(source), own(destination), message_class);
  }
  [[nodiscard]] RouteState initial_state_of_class(RouterId source, RouterId destination,
                                                  unsigned message_class, std::uint64_t n) const override {
    return relation_->initial_state_of_class(own(source), own(destination), message_class, n);
  }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    relation_->candidates(own(here), own(destination), state, list);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override {
    return relation_->next_state(own(here), own(destination), state, taken);
  }
  [[nodiscard]] bool has_state() const override { return relation_->has_state(); }
  void fetch(RouterId here, RouterId destination, RouteState state) const override {
    relation_->fetch(own(here), own(destination), state);
  }
  [[nodiscard]] bool has_tables() const override { return relation_->has_tables(); }
  [[nodiscard]] unsigned header_bits() const override { return relation_->header_bits(); }
  [[nodiscard]] std::string remark() const override { return relation_->remark(); }
  [[nodiscard]] RoutingClaims claims() const override { return relation_->claims(); }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return relation_->hops(own(source), own(destination));
  }
  [[nodiscard]] bool is_escape(RouterId here, RouterId destination, RouteState state,
                               Candidate candidate) const override {
    return relation_->is_escape(own(here), own(destination), state, candidate);
  }
  [[nodiscard]] const Planes::Plane& plane() const { return plane_; }

 private:
  [[nodiscard]] RouterId own(RouterId router) const {
    return RouterId(static_cast<std::uint32_t>(index(router)) - plane_.first_router);
  }
  [[nodiscard]] const Link& own(const Link& link) const {
    return plane_.network->links()[index(link.id) - plane_.first_link];
  }

  Planes::Plane plane_;
  std::shared_ptr<const RoutingRelation> relation_;
};

/// Of all planes. It serves pairs within one plane; VC classes have the fields of their plane, which only
/// `of(router)` tells.
class PlanesRelation final : public RoutingRelation {
 public:
  /// `relations`: by plane, each over the network of its plane.
  PlanesRelation(std::shared_ptr<const Topology> topology,
                 const std::vector<std::shared_ptr<const RoutingRelation>>& relations);

  [[nodiscard]] const PlaneRelation& of(RouterId router) const { return planes_[number(router)]; }

  [[nodiscard]] unsigned classes(const Link& link) const override { return of(link.from).classes(link); }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    return of(link.from).class_name(link, vc_class);
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return of(link.from).exists(link, vc_class);
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  [[nodiscard]] bool serves(RouterId source, RouterId destination) const override {
    return number(source) == number(destination) && of(source).serves(source, destination);
  }
  /// Of pairs within one plane: packets do not go from one to another.
  [[nodiscard]] bool serves_all() const override;
  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    return of(source).initial_states(source, destination);
  }
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override {
    return of(source).initial_state(source, destination, n);
  }
  [[nodiscard]] bool sees_message_classes() const override;
  [[nodiscard]] std::uint64_t initial_states_of_class(RouterId source, RouterId destination,
                                                      unsigned message_class) const override {
    return of(source).initial_states_of_class(source, destination, message_class);
  }
  [[nodiscard]] RouteState initial_state_of_class(RouterId source, RouterId destination,
                                                  unsigned message_class, std::uint64_t n) const override {
    return of(source).initial_state_of_class(source, destination, message_class, n);
  }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    of(here).candidates(here, destination, state, list);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override {
    return of(here).next_state(here, destination, state, taken);
  }
  void fetch(RouterId here, RouterId destination, RouteState state) const override {
    of(here).fetch(here, destination, state);
  }
  [[nodiscard]] bool has_tables() const override;
  [[nodiscard]] bool has_state() const override;
  [[nodiscard]] unsigned header_bits() const override;
  [[nodiscard]] std::string remark() const override;
  /// What all of them claim.
  [[nodiscard]] RoutingClaims claims() const override;
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return of(source).hops(source, destination);
  }
  [[nodiscard]] bool is_escape(RouterId here, RouterId destination, RouteState state,
                               Candidate candidate) const override {
    return of(here).is_escape(here, destination, state, candidate);
  }

 private:
  [[nodiscard]] std::size_t number(RouterId router) const { return known_->number_of(router); }

  std::shared_ptr<const Topology> topology_;
  const Planes* known_;
  std::vector<PlaneRelation> planes_;
};

/// The relation that labels the VCs of this router: `relation`, or that of the router's plane.
[[nodiscard]] const RoutingRelation& relation_at(const RoutingRelation& relation, RouterId router);

}  // namespace noctule
