// Dimension order on tori: datelines that are missing or in the wrong place.

#include "support/cube_network.h"
#include "support/mutant_relation.h"
#include "support/mutants.h"

namespace noctule::mutants {
namespace {

using Rule = std::function<unsigned(const RingHop&)>;

Mutant by_rule(const std::string& name, const std::vector<unsigned>& radix, const Rule& rule,
               const NodeDescription& node = careful()) {
  return {name + "_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            return plan(cube, dimension_order(cube, rule), node);
          }};
}

unsigned dateline(const RingHop& hop) {
  return hop.wrap_ahead ? 0 : 1;
}

/// Both classes of every hop on offer, of dimension order.
Mutant both_classes(const std::vector<unsigned>& radix) {
  return {"both_classes_on_offer_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            const auto one = dimension_order(cube, [](const RingHop&) { return 0U; });
            Changes changes;
            changes.offer = [one](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              CandidateList first;
              one->candidates(here, to, state, first);
              for (unsigned c = 0; c < 2; ++c) list.add(first[0].port, VcClass(c));
            };
            return plan(cube, changed(one, changes));
          }};
}

/// `wrapped_bit`, but the bit is forgotten at the next hop in the dimension.
Mutant forgets_the_wrap(const std::vector<unsigned>& radix) {
  return {"wrapped_bit_forgotten_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            Changes changes;
            changes.next = [cube](RouterId here, RouterId, RouteState, Candidate taken) {
              return with_wrap(*cube, here, 0, taken);
            };
            return plan(cube,
                        changed(dimension_order(cube, [](const RingHop& h) { return h.on_wrap ? 1U : 0U; }),
                                changes));
          }};
}

void add_missing_datelines(Tables& tables) {
  const Rule none = [](const RingHop&) { return 0U; };
  using Radices = std::vector<std::vector<unsigned>>;
  for (const auto& radix :
       Radices{{4}, {5}, {8}, {4, 4}, {5, 5}, {6, 6}, {7, 4}, {3, 5}, {4, 4, 4}, {3, 3, 5}})
    tables.cyclic.push_back(by_rule("no_dateline", radix, none));
  for (const auto& radix : Radices{{3}, {3, 3}, {2, 3}})  // no two hops in a row
    tables.harmless.push_back(by_rule("no_dateline", radix, none));
  for (const unsigned lanes : {2U, 3U}) {
    auto node = careful();
    node.lanes = lanes;
    const auto name = "no_dateline_lanes" + std::to_string(lanes);
    tables.cyclic.push_back(by_rule(name, {8}, none, node));
    tables.cyclic.push_back(by_rule(name, {4, 4}, none, node));
    tables.cyclic.push_back(by_rule(name, {5}, none, node));  // takes several worms of each source
  }
  for (const auto release : {VcRelease::kTailCrossed, VcRelease::kTailLeft, VcRelease::kNextBufferEmpty}) {
    NodeDescription node;
    node.release = release;
    node.input_depth = 4;
    const auto number = std::to_string(static_cast<int>(release));
    tables.cyclic.push_back(by_rule("no_dateline_deep_release" + number, {5}, none, node));
    node.input_depth = 1;
    node.output_depth = 2;
    tables.cyclic.push_back(by_rule("no_dateline_outputs_release" + number, {4, 4}, none, node));
  }
}

void add_wrong_datelines(Tables& tables) {
  auto& cyclic = tables.cyclic;
  cyclic.push_back(by_rule("always_class1", {5, 5}, [](const RingHop&) { return 1U; }));
  const Rule parity = [](const RingHop& hop) { return static_cast<unsigned>(index(hop.destination)) % 2; };
  for (const unsigned k : {6U, 7U, 8U}) cyclic.push_back(by_rule("class_by_destination_parity", {k}, parity));
  for (const unsigned k : {4U, 5U})  // a worm of two hops shares no class with the next one
    tables.harmless.push_back(by_rule("class_by_destination_parity", {k}, parity));
  cyclic.push_back(both_classes({5}));  // takes two worms of each source
  cyclic.push_back(both_classes({8}));
  cyclic.push_back(both_classes({4, 4}));
  cyclic.push_back(forgets_the_wrap({5}));
  cyclic.push_back(forgets_the_wrap({6, 6}));
  cyclic.push_back(by_rule("dateline_in_plus_only", {5, 5}, [](const RingHop& hop) {
    return CubeNetwork::is_plus(hop.port) ? dateline(hop) : 0U;
  }));
  cyclic.push_back(by_rule("dateline_in_x_only", {4, 5},
                           [](const RingHop& hop) { return hop.d == 0 ? dateline(hop) : 1U; }));
  cyclic.push_back(by_rule("dateline_in_two_of_three", {4, 4, 4},
                           [](const RingHop& hop) { return hop.d < 2 ? dateline(hop) : 0U; }));
  for (const unsigned k : {4U, 5U})
    cyclic.push_back(by_rule("class_by_position", {k, k}, [k](const RingHop& hop) {
      unsigned at = static_cast<unsigned>(index(hop.here));
      for (unsigned d = 0; d < hop.d; ++d) at /= k;
      return at % k >= k / 2 ? 1U : 0U;
    }));
  // Whoever has wrapped in X goes through all of Y in class 1.
  for (const unsigned k : {4U, 5U})
    cyclic.push_back(by_rule("one_wrapped_bit_for_both", {k, k},
                             [](const RingHop& hop) { return hop.on_wrap || hop.state != 0 ? 1U : 0U; }));
  cyclic.push_back(by_rule("class_of_the_other_dimension", {5, 5},
                           [](const RingHop& hop) { return (hop.state >> (1 - hop.d) & 1) != 0 ? 1U : 0U; }));
}

void add_moved_datelines(Tables& tables) {
  auto& harmless = tables.harmless;
  harmless.push_back(by_rule("dateline", {5, 5}, dateline));
  harmless.push_back(
      by_rule("dateline_swapped_classes", {6, 6}, [](const RingHop& hop) { return 1 - dateline(hop); }));
  harmless.push_back(by_rule("class1_from_the_hop_after_the_wrap", {5, 5},
                             [](const RingHop& hop) { return hop.wrapped ? 1U : 0U; }));
  harmless.push_back(by_rule("class1_from_the_hop_before_the_wrap", {7}, [](const RingHop& hop) {
    return hop.wrap_ahead && index(hop.here) != 6 && index(hop.here) != 0 ? 0U : 1U;
  }));
  // Worms that never wrap may keep to either class.
  harmless.push_back(by_rule("wrap_free_worms_by_destination", {6, 6}, [](const RingHop& hop) {
    if (hop.on_wrap || hop.wrapped) return 1U;
    return hop.wrap_ahead ? 0U : static_cast<unsigned>(index(hop.destination)) % 2;
  }));
  // No shortest way that crosses the wrap goes half round the ring.
  harmless.push_back(by_rule("class_by_whether_a_worm_wraps", {6},
                             [](const RingHop& hop) { return hop.wrap_ahead || hop.wrapped ? 0U : 1U; }));
  harmless.push_back({"oblivious_level_relabelled_5x5", [] {
                        const auto cube = torus({5, 5});
                        Changes changes;
                        changes.turn_into = [](RouterId, RouterId, RouteState, Candidate c) {
                          c.vc_class = VcClass(1 - index(c.vc_class));
                          return c;
                        };
                        return plan(cube, changed(registered(cube, "oblivious"), changes));
                      }});
}

void add_oblivious(Tables& tables) {
  const auto fixed = [](const char* name, std::vector<unsigned> radix, unsigned level) -> Mutant {
    return {std::string("oblivious_always_") + name + "_" + text_of(radix), [=] {
              const auto cube = torus(radix);
              Changes changes;
              changes.turn_into = [=](RouterId, RouterId, RouteState, Candidate c) {
                c.vc_class = VcClass(level);
                return c;
              };
              return plan(cube, changed(registered(cube, "oblivious"), changes));
            }};
  };
  tables.cyclic.push_back(fixed("high", {4, 4}, 0));
  tables.cyclic.push_back(fixed("low", {5, 5}, 1));
  tables.cyclic.push_back(fixed("low", {3, 3}, 1));
  // Links that run the other way: low before high is as good.
  tables.harmless.push_back({"oblivious_links_turned_round_5x5", [] {
                               const auto cube = torus({5, 5});
                               Changes changes;
                               changes.classes = 2;
                               changes.turn_into = [](RouterId, RouterId, RouteState, Candidate c) {
                                 c.port = CubeNetwork::plus(CubeNetwork::dimension_of(c.port));
                                 return c;
                               };
                               return plan(cube, changed(registered(cube, "oblivious"), changes));
                             }});
}

}  // namespace

void add_ring_mutants(Tables& tables) {
  add_missing_datelines(tables);
  add_wrong_datelines(tables);
  add_moved_datelines(tables);
  add_oblivious(tables);
}

}  // namespace noctule::mutants
