#include "routing/planes_relation.h"

#include <algorithm>

namespace noctule {

PlanesRelation::PlanesRelation(std::shared_ptr<const Topology> topology,
                               const std::vector<std::shared_ptr<const RoutingRelation>>& relations)
    : topology_(std::move(topology)),
      known_(&require_geometry<Planes>(*topology_, "planes", "a relation of several planes")) {
  if (relations.size() != known_->size())
    throw ConfigError("planes", "there are not as many relations as planes; give each plane one");
  for (std::size_t k = 0; k < relations.size(); ++k) planes_.emplace_back((*known_)[k], relations[k]);
}

bool PlanesRelation::serves_all() const {
  return std::ranges::all_of(planes_, &PlaneRelation::serves_all);
}

bool PlanesRelation::has_state() const {
  return std::ranges::any_of(planes_, &PlaneRelation::has_state);
}

bool PlanesRelation::has_tables() const {
  return std::ranges::any_of(planes_, &PlaneRelation::has_tables);
}

bool PlanesRelation::sees_message_classes() const {
  return std::ranges::any_of(planes_, &PlaneRelation::sees_message_classes);
}

unsigned PlanesRelation::header_bits() const {
  unsigned most = 0;
  for (const auto& plane : planes_) most = std::max(most, plane.header_bits());
  return most;
}

std::string PlanesRelation::remark() const {
  std::string text;
  for (const auto& plane : planes_)
    if (const std::string own = plane.remark(); !own.empty())
      text += (text.empty() ? "" : "; ") + plane.plane().name + ": " + own;
  return text;
}

RoutingClaims PlanesRelation::claims() const {
  RoutingClaims all{true, true, "acyclic"};
  for (const auto& plane : planes_) {
    const RoutingClaims own = plane.claims();
    all.minimal = all.minimal && own.minimal;
    all.fully_adaptive = all.fully_adaptive && own.fully_adaptive;
    if (own.deadlock_free == "none" || (own.deadlock_free == "escape" && all.deadlock_free == "acyclic"))
      all.deadlock_free = own.deadlock_free;
  }
  return all;
}

const RoutingRelation& relation_at(const RoutingRelation& relation, RouterId router) {
  const auto* planes = dynamic_cast<const PlanesRelation*>(&relation);
  return planes == nullptr ? relation : planes->of(router);
}

}  // namespace noctule
