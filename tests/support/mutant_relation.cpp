#include "support/mutant_relation.h"

#include "core/json.h"
#include "routing/initial_states.h"
#include "support/cube_network.h"

namespace noctule::mutants {
namespace {

class Minimal final : public RoutingRelation {
 public:
  Minimal(Cube cube, unsigned classes)
      : cube_(std::move(cube)), classes_(classes), fields_(1, VcField{"class", {}}) {
    for (unsigned c = 0; c < classes; ++c) fields_[0].values.push_back(std::to_string(c));
  }
  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link&) const override { return classes_; }
  [[nodiscard]] std::string class_name(const Link&, VcClass c) const override {
    return "class" + std::to_string(index(c));
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass c) const override {
    return {static_cast<std::uint8_t>(c)};
  }
  void candidates(RouterId here, RouterId to, RouteState, CandidateList& list) const override {
    for (unsigned d = 0; d < cube_->dimensions(); ++d) {
      const auto way = cube_->minimal(d, cube_->coordinate(here, d), cube_->coordinate(to, d));
      for (unsigned c = 0; c < classes_; ++c) {
        if (way.plus) list.add(CubeNetwork::plus(d), VcClass(c));
        if (way.minus) list.add(CubeNetwork::minus(d), VcClass(c));
      }
    }
  }
  [[nodiscard]] unsigned hops(RouterId from, RouterId to) const override { return cube_->distance(from, to); }

 private:
  Cube cube_;
  unsigned classes_;
  std::vector<VcField> fields_;
};

class Changed final : public RoutingRelation {
 public:
  Changed(Relation from, Changes changes) : from_(std::move(from)), changes_(std::move(changes)) {}

  [[nodiscard]] std::span<const VcField> fields() const override { return from_->fields(); }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return changes_.classes != 0 ? changes_.classes : from_->classes(link);
  }
  [[nodiscard]] std::string class_name(const Link& link, VcClass c) const override {
    return from_->class_name(link, c);
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass c) const override {
    return from_->output_label(link, c);
  }
  [[nodiscard]] VcLabel input_label(const Link& link, VcClass c) const override {
    return from_->input_label(link, c);
  }
  [[nodiscard]] std::uint64_t initial_states(RouterId from, RouterId to) const override {
    return starts(from, to).size();
  }
  [[nodiscard]] RouteState initial_state(RouterId from, RouterId to, std::uint64_t n) const override {
    return starts(from, to)[n];
  }
  void candidates(RouterId here, RouterId to, RouteState state, CandidateList& list) const override {
    if (changes_.offer) return changes_.offer(here, to, state, list);
    CandidateList before;
    from_->candidates(here, to, state, before);
    for (const auto& c : before) list.add(changes_.turn_into ? changes_.turn_into(here, to, state, c) : c);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId to, RouteState s, Candidate c) const override {
    return changes_.next ? changes_.next(here, to, s, c) : from_->next_state(here, to, s, c);
  }
  [[nodiscard]] bool has_state() const override { return changes_.next || from_->has_state(); }
  [[nodiscard]] RoutingClaims claims() const override { return from_->claims(); }
  [[nodiscard]] unsigned hops(RouterId from, RouterId to) const override { return from_->hops(from, to); }
  [[nodiscard]] bool is_escape(RouterId h, RouterId to, RouteState s, Candidate c) const override {
    return changes_.escape ? changes_.escape(c) : from_->is_escape(h, to, s, c);
  }

 private:
  [[nodiscard]] std::vector<RouteState> starts(RouterId from, RouterId to) const {
    std::vector<RouteState> states;
    for (const RouteState state : initial_states_of(*from_, from, to)) states.push_back(state);
    if (changes_.start) changes_.start(from, to, states);
    return states;
  }

  Relation from_;
  Changes changes_;
};

Cube cube(std::vector<unsigned> radix, bool wrap) {
  const std::vector<bool> wraps(radix.size(), wrap);
  return std::make_shared<const CubeNetwork>(std::move(radix), wraps);
}

}  // namespace

Cube torus(std::vector<unsigned> radix) {
  return cube(std::move(radix), true);
}
Cube mesh(std::vector<unsigned> radix) {
  return cube(std::move(radix), false);
}

Relation registered(const Cube& cube, const std::string& algorithm, const Json& set) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  return entry.make(cube, parameters);
}

Relation turns(const Cube& cube, const std::vector<std::string>& forbid, unsigned classes,
               const std::vector<std::string>& escape) {
  return registered(cube, "turn_table", {{"forbid", forbid}, {"classes", classes}, {"escape", escape}});
}

Relation minimal(const Cube& cube, unsigned classes) {
  return std::make_shared<Minimal>(cube, classes);
}

Relation changed(Relation from, Changes changes) {
  return std::make_shared<Changed>(std::move(from), std::move(changes));
}

std::vector<RingHop> ring_hops(const CubeNetwork& cube, RouterId here, RouterId destination, unsigned d,
                               RouteState state) {
  const unsigned at = cube.coordinate(here, d);
  const unsigned to = cube.coordinate(destination, d);
  const auto way = cube.minimal(d, at, to);
  std::vector<RingHop> hops;
  for (const bool plus : {true, false}) {
    if (!(plus ? way.plus : way.minus)) continue;
    const PortId port = plus ? CubeNetwork::plus(d) : CubeNetwork::minus(d);
    hops.push_back({here, destination, d, port, cube.is_wrap(here, port), (state >> d & 1) != 0,
                    plus ? to < at : to > at, state});
  }
  return hops;
}

RouteState with_wrap(const CubeNetwork& cube, RouterId here, RouteState state, Candidate taken) {
  return state | RouteState{cube.is_wrap(here, taken.port)} << CubeNetwork::dimension_of(taken.port);
}

Relation dimension_order(const Cube& cube, std::function<unsigned(const RingHop&)> class_of) {
  Changes changes;
  changes.offer = [cube, class_of = std::move(class_of)](RouterId here, RouterId to, RouteState state,
                                                         CandidateList& list) {
    for (unsigned d = 0; list.empty(); ++d) {
      const auto hops = ring_hops(*cube, here, to, d, state);
      if (!hops.empty()) list.add(hops[0].port, VcClass(class_of(hops[0])));
    }
  };
  changes.next = [cube](RouterId here, RouterId, RouteState state, Candidate taken) {
    return with_wrap(*cube, here, state, taken);
  };
  return changed(minimal(cube, 2), std::move(changes));
}

NodeDescription careful() {
  NodeDescription node;
  node.release = VcRelease::kNextBufferEmpty;
  return node;
}

}  // namespace noctule::mutants
