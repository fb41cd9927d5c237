// Fully adaptive relations whose escape channels are missing, cyclic, or not always on offer.

#include "support/mutant_relation.h"
#include "support/mutants.h"

namespace noctule::mutants {
namespace {

constexpr VcClass kNonstar{2};

/// *-Channels with other star channels: `star` adds those on offer for a dimension that is to be corrected.
using Star = std::function<void(const RingHop&, bool most_significant, CandidateList&)>;

Mutant star_channels(const std::string& name, const std::vector<unsigned>& radix, const Star& star,
                     const NodeDescription& node = careful()) {
  return {"star_" + name + "_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            Changes changes;
            changes.classes = 3;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              bool first = true;
              for (unsigned d = 0; d < cube->dimensions(); ++d) {
                const auto hops = ring_hops(*cube, here, to, d, state);
                for (const auto& hop : hops) {
                  star(hop, first, list);
                  if (d > 0) list.add(hop.port, kNonstar);
                }
                if (!hops.empty()) first = false;
              }
            };
            return plan(cube, changed(registered(cube, "star_channels", {{"nonstar_on_top", true}}), changes),
                        node);
          }};
}

unsigned by_wrapped_bit(const RingHop& hop) {
  return hop.on_wrap || hop.wrapped ? 1 : 0;
}

void add_star_classes(Tables& tables) {
  auto& cyclic = tables.cyclic;
  const auto of_class = [](std::function<unsigned(const RingHop&)> rule) -> Star {
    return [rule = std::move(rule)](const RingHop& hop, bool most_significant, CandidateList& list) {
      if (most_significant) list.add(hop.port, VcClass(rule(hop)));
    };
  };
  tables.harmless.push_back(star_channels("as_published", {5, 5}, of_class(by_wrapped_bit)));
  tables.harmless.push_back(star_channels(
      "class_by_wrap_ahead", {6, 6}, of_class([](const RingHop& hop) { return hop.wrap_ahead ? 0U : 1U; })));
  tables.harmless.push_back(
      star_channels("class1_only_after_the_wrap", {5, 5},
                    of_class([](const RingHop& hop) { return hop.wrapped ? 1U : 0U; })));
  for (const auto& radix : {std::vector<unsigned>{4, 4}, {5, 5}, {4, 4, 4}}) {
    cyclic.push_back(star_channels("one_class", radix, of_class([](const RingHop&) { return 0U; })));
    cyclic.push_back(star_channels("class1_only", radix, of_class([](const RingHop&) { return 1U; })));
  }
  cyclic.push_back(star_channels("one_wrapped_bit_for_both", {5, 5}, of_class([](const RingHop& hop) {
                                   return hop.on_wrap || hop.state != 0 ? 1U : 0U;
                                 })));
  cyclic.push_back(star_channels("one_class_in_y", {5, 5}, of_class([](const RingHop& hop) {
                                   return hop.d == 1 ? 0U : by_wrapped_bit(hop);
                                 })));
  cyclic.push_back(star_channels("one_class_in_x", {5, 5}, of_class([](const RingHop& hop) {
                                   return hop.d == 0 ? 0U : by_wrapped_bit(hop);
                                 })));
}

/// The wrapped bit is set on star hops alone.
Mutant nonstar_wraps_unnoticed(const std::vector<unsigned>& radix) {
  return {"star_nonstar_wraps_unnoticed_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            const auto before = registered(cube, "star_channels");
            Changes changes;
            changes.next = [=](RouterId here, RouterId to, RouteState state, Candidate taken) {
              return taken.vc_class == kNonstar ? state : before->next_state(here, to, state, taken);
            };
            return plan(cube, changed(before, changes));
          }};
}

void add_star_places(Tables& tables) {
  auto& cyclic = tables.cyclic;
  const Star anywhere = [](const RingHop& hop, bool, CandidateList& list) {
    list.add(hop.port, VcClass(by_wrapped_bit(hop)));
  };
  const Star only_without_nonstar = [](const RingHop& hop, bool most_significant, CandidateList& list) {
    if (most_significant && hop.d == 0) list.add(hop.port, VcClass(by_wrapped_bit(hop)));
  };
  for (const auto& radix : {std::vector<unsigned>{4, 4}, {5, 5}}) {
    cyclic.push_back(star_channels("in_any_dimension", radix, anywhere));
    cyclic.push_back(star_channels("missing_beside_nonstar", radix, only_without_nonstar));
  }
  cyclic.push_back(star_channels("in_any_dimension", {3, 4, 4}, anywhere));
  // It takes three hops in a ring: a star channel, the nonstar one across the wrap, a star channel.
  for (const unsigned k : {6U, 7U}) cyclic.push_back(nonstar_wraps_unnoticed({k, k}));
  for (const unsigned k : {4U, 5U}) tables.harmless.push_back(nonstar_wraps_unnoticed({k, k}));
  cyclic.push_back(
      star_channels("not_half_way_round", {4, 4}, [](const RingHop& hop, bool first, CandidateList& list) {
        if (first && (hop.d == 0 || !hop.wrap_ahead)) list.add(hop.port, VcClass(by_wrapped_bit(hop)));
      }));
}

/// Duato's scheme as a table of turns: class 1 anywhere, class 0 in dimension order.
Mutant duato(const std::string& name, const std::vector<std::string>& forbid,
             const NodeDescription& node = careful(), const std::vector<unsigned>& radix = {5, 5}) {
  return {"duato_" + name + "_" + text_of(radix), [=] {
            const auto cube = mesh(radix);
            return plan(cube, turns(cube, forbid, 2, {"*.0"}), node);
          }};
}

void add_duato(Tables& tables) {
  auto& cyclic = tables.cyclic;
  const std::vector<std::string> rules{"y_*.0 -> x_*", "y_*.0 -> y_*.1"};
  tables.harmless.push_back(duato("as_published", rules));
  cyclic.push_back(duato("escape_without_order", {"y_*.0 -> y_*.1"}));
  tables.undecided.push_back(duato("escape_forbids_one_turn", {"y_plus.0 -> x_*", "y_*.0 -> y_*.1"}));
  tables.harmless.push_back(duato("no_escape_into_x", {"y_*.0 -> x_*", "y_*.0 -> y_*.1", "*.1 -> x_*.0"}));
  cyclic.push_back(duato("no_escape_into_y", {"y_*.0 -> x_*", "y_*.0 -> y_*.1", "*.1 -> y_*.0"}));
  cyclic.push_back(duato("no_escape_at_a_column", {"y_*.0 -> x_*", "y_*.0 -> y_*.1",
                                                   "*.1 -> *.0 at router_1_*", "*.1 -> *.0 at router_2_*"}));
}

/// The same on a torus: class 2 anywhere, classes 0 and 1 in dimension order with such a rule.
Mutant duato_torus(const std::string& name, const std::vector<unsigned>& radix,
                   const std::function<unsigned(const RingHop&)>& rule) {
  return {"duato_torus_" + name + "_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            const auto escape = dimension_order(cube, rule);
            Changes changes;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              escape->candidates(here, to, state, list);
              for (unsigned d = 0; d < cube->dimensions(); ++d)
                for (const auto& hop : ring_hops(*cube, here, to, d, state)) list.add(hop.port, VcClass{2});
            };
            changes.next = [=](RouterId here, RouterId, RouteState state, Candidate taken) {
              return with_wrap(*cube, here, state, taken);
            };
            changes.escape = [](Candidate c) { return c.vc_class != VcClass{2}; };
            return plan(cube, changed(minimal(cube, 3), changes));
          }};
}

}  // namespace

void add_escape_mutants(Tables& tables) {
  add_star_classes(tables);
  add_star_places(tables);
  add_duato(tables);
  tables.harmless.push_back(
      duato_torus("dateline", {5, 5}, [](const RingHop& hop) { return hop.wrap_ahead ? 0U : 1U; }));
  for (const unsigned k : {4U, 5U})
    tables.cyclic.push_back(duato_torus("no_dateline", {k, k}, [](const RingHop&) { return 0U; }));
  tables.cyclic.push_back(duato_torus("dateline_in_x_only", {5, 5}, [](const RingHop& hop) {
    return hop.d == 0 && hop.wrap_ahead ? 0U : 1U;
  }));
}

}  // namespace noctule::mutants
