#include "routing/two_phase.h"

#include <bit>

#include "core/error.h"
#include "core/rng.h"
#include "routing/dimension_ordered.h"

namespace noctule {
namespace {

// Bits: the leg, the coin, the router in between, what the leg's relation gives.
constexpr unsigned kRouterBits = 25;
constexpr unsigned kRouterShift = 2;
constexpr unsigned kLegShift = kRouterShift + kRouterBits;

}  // namespace

/// The relation of a leg, its VC classes shifted to those that the leg has on each link.
class TwoPhaseRelation::Leg final : public RoutingRelation {
 public:
  Leg(std::shared_ptr<const Topology> topology, std::shared_ptr<const RoutingRelation> relation,
      unsigned phase)
      : topology_(std::move(topology)), relation_(std::move(relation)), phase_(phase) {
    fields_.push_back({"phase", {"0", "1"}});
    const auto own = relation_->fields();
    fields_.insert(fields_.end(), own.begin(), own.end());
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return kPhases * relation_->classes(link);
  }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    const auto [phase, own] = split(link, vc_class);
    return "phase" + std::to_string(phase) + "_" + relation_->class_name(link, own);
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return index(vc_class) < classes(link) && relation_->exists(link, split(link, vc_class).second);
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const override {
    const auto [phase, own] = split(link, vc_class);
    return with_phase(phase, relation_->output_label(link, own));
  }
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass vc_class) const override {
    const auto [phase, own] = split(link, vc_class);
    return with_phase(phase, relation_->input_label(link, own));
  }

  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const override {
    return relation_->initial_states(source, destination);
  }
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t n) const override {
    return relation_->initial_state(source, destination, n);
  }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    const std::size_t before = list.size();
    relation_->candidates(here, destination, state, list);
    if (phase_ > 0)
      list.change_from(before, [&](Candidate& candidate) {
        candidate.vc_class =
            VcClass(static_cast<std::uint16_t>(index(candidate.vc_class) + first(here, candidate)));
      });
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override {
    return relation_->next_state(here, destination, state, own(here, taken));
  }
  [[nodiscard]] bool has_state() const override { return relation_->has_state(); }
  [[nodiscard]] unsigned header_bits() const override { return relation_->header_bits(); }
  [[nodiscard]] RoutingClaims claims() const override { return relation_->claims(); }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return relation_->hops(source, destination);
  }
  [[nodiscard]] bool is_escape(RouterId here, RouterId destination, RouteState state,
                               Candidate candidate) const override {
    return relation_->is_escape(here, destination, state, own(here, candidate));
  }

 private:
  /// Phase and class of the leg's relation.
  [[nodiscard]] std::pair<unsigned, VcClass> split(const Link& link, VcClass vc_class) const {
    const unsigned each = std::max(1U, relation_->classes(link));
    return {static_cast<unsigned>(index(vc_class)) / each,
            VcClass(static_cast<std::uint16_t>(index(vc_class) % each))};
  }
  static VcLabel with_phase(unsigned phase, const VcLabel& own) {
    VcLabel label{static_cast<std::uint8_t>(phase)};
    label.insert(label.end(), own.begin(), own.end());
    return label;
  }
  /// Number of the leg's first class on the link that a candidate takes.
  [[nodiscard]] unsigned first(RouterId here, Candidate candidate) const {
    return phase_ * relation_->classes(*topology_->outgoing(here, candidate.port));
  }
  [[nodiscard]] Candidate own(RouterId here, Candidate candidate) const {
    candidate.vc_class =
        VcClass(static_cast<std::uint16_t>(index(candidate.vc_class) - first(here, candidate)));
    return candidate;
  }

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const RoutingRelation> relation_;
  unsigned phase_;
  std::vector<VcField> fields_;
};

TwoPhaseRelation::TwoPhaseRelation(std::shared_ptr<const Topology> topology,
                                   std::shared_ptr<const RoutingRelation> leg)
    : topology_(std::move(topology)) {
  const auto* ordered = dynamic_cast<const DimensionOrdered*>(leg.get());
  coin_ = ordered == nullptr || ordered->draws();
  if (topology_->routers() >> kRouterBits != 0)
    throw ConfigError("topology", "worms of two legs go through networks of at most 33,554,431 routers");
  for (unsigned phase = 0; phase < kPhases; ++phase)
    legs_.push_back(std::make_shared<const Leg>(topology_, leg, phase));
}

RouteState TwoPhaseRelation::pack(const Carried& carried) {
  if (carried.of_leg >> (63 - kLegShift) != 0)  // the highest bit is that of prescribed routes
    throw InternalError("the relation of a leg gives its headers more than 36 bits");
  return RouteState{carried.phase} | RouteState{carried.coin} << 1 |
         RouteState{index(carried.intermediate)} << kRouterShift | carried.of_leg << kLegShift;
}

TwoPhaseRelation::Carried TwoPhaseRelation::unpack(RouteState state) {
  return {static_cast<unsigned>(state & 1), (state & 2) != 0,
          RouterId(static_cast<std::uint32_t>(state >> kRouterShift & ((1U << kRouterBits) - 1))),
          state >> kLegShift};
}

RouteState TwoPhaseRelation::begin(unsigned phase, bool coin, RouterId from, RouterId to) const {
  const std::uint64_t choices = legs_[phase]->initial_states(from, to);
  std::uint64_t n = choices == 1 ? 0 : mix64(std::uint64_t{index(from)} << 32 ^ index(to)) % choices;
  if (coin) n = choices - 1 - n;
  return pack({phase, coin, phase == 0 ? to : RouterId{0}, legs_[phase]->initial_state(from, to, n)});
}

RouteState TwoPhaseRelation::initial_state(RouterId source, RouterId destination, std::uint64_t n) const {
  const bool coin = coin_ && n % 2 != 0;
  const RouterId first = intermediate(source, destination, coin_ ? n / 2 : n);
  return first == source ? begin(1, coin, source, destination) : begin(0, coin, source, first);
}

void TwoPhaseRelation::candidates(RouterId here, RouterId destination, RouteState state,
                                  CandidateList& list) const {
  const Carried carried = unpack(state);
  legs_[carried.phase]->candidates(here, target(carried, destination), carried.of_leg, list);
}

RouteState TwoPhaseRelation::next_state(RouterId here, RouterId destination, RouteState state,
                                        Candidate taken) const {
  Carried carried = unpack(state);
  const RouterId to = topology_->outgoing(here, taken.port)->to;
  if (to == destination) return state;  // nobody asks for its way any more
  if (carried.phase == 0 && to == carried.intermediate) return begin(1, carried.coin, to, destination);
  carried.of_leg =
      legs_[carried.phase]->next_state(here, target(carried, destination), carried.of_leg, taken);
  return pack(carried);
}

unsigned TwoPhaseRelation::header_bits() const {
  return legs_[0]->header_bits() + (coin_ ? 2 : 1) +
         static_cast<unsigned>(std::bit_width(topology_->routers() - 1));
}

bool TwoPhaseRelation::is_escape(RouterId here, RouterId destination, RouteState state,
                                 Candidate candidate) const {
  const Carried carried = unpack(state);
  return legs_[carried.phase]->is_escape(here, target(carried, destination), carried.of_leg, candidate);
}

std::shared_ptr<const RoutingRelation> leg_of(const std::shared_ptr<const Topology>& topology,
                                              const std::string& algorithm) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  return entry.make(topology, Parameters::defaults(entry.parameters));
}

}  // namespace noctule
