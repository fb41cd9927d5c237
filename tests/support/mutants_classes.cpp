// Relations that move a worm from one class of channels to the next: 4-Classes, Linder-Harden, hop classes,
// north-last on a torus.

#include <algorithm>

#include "support/cube_network.h"
#include "support/mutant_relation.h"
#include "support/mutants.h"

namespace noctule::mutants {
namespace {

// 4-Classes. State: bit 0: X-, bit 1: Y-, bit 2: prefix. VC class: bit 0: prefix, bit 1: sign of the other
// dimension.
constexpr RouteState kPrefix = 4;

Mutant four_classes(const std::string& name, unsigned k, const std::function<Changes(const Cube&)>& changes) {
  return {"four_classes_" + name + "_k" + std::to_string(k), [=] {
            const auto cube = torus({k, k});
            return plan(cube, changed(registered(cube, "four_classes"), changes(cube)));
          }};
}

Changes second_wrap_keeps_prefix(const Cube& cube) {
  Changes changes;
  changes.turn_into = [cube](RouterId here, RouterId, RouteState state, Candidate c) {
    if ((state & kPrefix) != 0 && cube->is_wrap(here, c.port)) c.vc_class = VcClass(index(c.vc_class) | 1);
    return c;
  };
  return changes;
}

Changes wrap_free_start_in_prefix_0(const Cube&) {
  Changes changes;
  changes.start = [](RouterId, RouterId, std::vector<RouteState>& states) {
    for (auto& s : states) s &= ~kPrefix;
  };
  return changes;
}

Changes all_start_in_prefix_1(const Cube&) {
  Changes changes;
  changes.start = [](RouterId, RouterId, std::vector<RouteState>& states) {
    for (auto& s : states) s |= kPrefix;
  };
  return changes;
}

Changes prefix_never_flips(const Cube& cube) {
  Changes changes;
  changes.turn_into = [cube](RouterId here, RouterId, RouteState, Candidate c) {
    if (cube->is_wrap(here, c.port)) c.vc_class = VcClass(index(c.vc_class) ^ 1);
    return c;
  };
  return changes;
}

Changes switch_keeps_prefix(const Cube& cube) {
  Changes changes;
  changes.turn_into = [cube](RouterId here, RouterId, RouteState state, Candidate c) {
    const bool switches =
        !CubeNetwork::is_plus(c.port) && (state >> CubeNetwork::dimension_of(c.port) & 1) == 0;
    const RouteState prefix = (state >> 2 & 1) ^ RouteState { cube->is_wrap(here, c.port) };
    if (switches) c.vc_class = VcClass((index(c.vc_class) & ~std::size_t{1}) | prefix);
    return c;
  };
  return changes;
}

/// Prefix in which a worm of this class (signs as in the state) starts.
RouteState starting_prefix(const CubeNetwork& cube, RouterId here, RouterId to, RouteState signs) {
  for (unsigned d = 0; d < 2; ++d) {
    const auto at = cube.coordinate(here, d);
    const auto goal = cube.coordinate(to, d);
    if ((signs >> d & 1) != 0 ? goal > at : goal < at) return 0;
  }
  return 1;
}

/// Worms half way round start in either class, and may go from - to + as well.
Changes switches_both_ways(const Cube& cube) {
  const auto before = registered(cube, "four_classes");
  const auto tie = [cube](RouterId here, RouterId to, unsigned d) {
    return cube->minimal(d, cube->coordinate(here, d), cube->coordinate(to, d)).tie();
  };
  Changes changes;
  changes.start = [=](RouterId from, RouterId to, std::vector<RouteState>& states) {
    for (unsigned d = 0; d < 2; ++d)
      for (std::size_t i = 0, n = states.size(); tie(from, to, d) && i < n; ++i) {
        const RouteState signs = (states[i] & ~kPrefix) | RouteState{1} << d;
        states.push_back(signs | starting_prefix(*cube, from, to, signs) << 2);
      }
  };
  changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
    before->candidates(here, to, state, list);
    for (unsigned d = 0; d < 2; ++d) {
      if (!tie(here, to, d) || (state >> d & 1) == 0) continue;
      const RouteState signs = state & ~kPrefix & ~(RouteState{1} << d);
      const auto port = CubeNetwork::plus(d);
      const auto prefix = starting_prefix(*cube, here, to, signs) ^ RouteState { cube->is_wrap(here, port) };
      list.add(port, VcClass((signs >> (1 - d) & 1) << 1 | prefix));
    }
  };
  return changes;
}

/// The wrap link still has the old prefix; it flips behind it.
Changes prefix_flips_behind_the_wrap(const Cube& cube) {
  const auto before = registered(cube, "four_classes");
  auto changes = prefix_never_flips(cube);
  changes.next = [cube, before](RouterId here, RouterId to, RouteState state, Candidate taken) {
    const auto after = before->next_state(here, to, state, taken);
    return cube->is_wrap(here, taken.port) ? after ^ kPrefix : after;
  };
  return changes;
}

/// Signs are not kept: any shortest way, in the prefix of the worm.
Changes forgets_its_class(const Cube& cube) {
  Changes changes;
  changes.offer = [cube](RouterId here, RouterId to, RouteState state, CandidateList& list) {
    for (unsigned d = 0; d < 2; ++d)
      for (const auto& hop : ring_hops(*cube, here, to, d, 0))
        list.add(hop.port, VcClass((state >> 2 & 1) ^ RouteState{hop.on_wrap}));
  };
  return changes;
}

void add_four_classes(Tables& tables) {
  for (unsigned k = 4; k <= 8; ++k) {
    tables.cyclic.push_back(four_classes("second_wrap_keeps_prefix", k, second_wrap_keeps_prefix));
    tables.cyclic.push_back(four_classes("wrap_free_start_in_prefix0", k, wrap_free_start_in_prefix_0));
    tables.harmless.push_back(four_classes("prefix_flips_behind_the_wrap", k, prefix_flips_behind_the_wrap));
  }
  for (const unsigned k : {4U, 5U, 6U}) {
    tables.cyclic.push_back(four_classes("prefix_never_flips", k, prefix_never_flips));
    tables.cyclic.push_back(four_classes("all_start_in_prefix1", k, all_start_in_prefix_1));
    tables.cyclic.push_back(four_classes("forgets_its_class", k, forgets_its_class));
  }
  for (const unsigned k : {4U, 6U, 8U}) {
    tables.cyclic.push_back(four_classes("switch_keeps_prefix", k, switch_keeps_prefix));
    tables.cyclic.push_back(four_classes("switches_both_ways", k, switches_both_ways));
  }
  // Without ties there is nothing to switch.
  tables.harmless.push_back(four_classes("switch_keeps_prefix", 5, switch_keeps_prefix));
  tables.harmless.push_back(four_classes("switches_both_ways", 7, switches_both_ways));
}

/// Linder-Harden with another rule for the level (bits 1 and 2 of the state).
Mutant linder_harden(const std::string& name, unsigned k,
                     const std::function<unsigned(unsigned, unsigned, bool)>& level_after) {
  return {"linder_harden_" + name + "_k" + std::to_string(k), [=] {
            const auto cube = torus({k, k});
            Changes changes;
            changes.next = [=](RouterId here, RouterId, RouteState state, Candidate taken) {
              const auto level =
                  level_after(static_cast<unsigned>(state >> 1), CubeNetwork::dimension_of(taken.port),
                              cube->is_wrap(here, taken.port));
              return (state & 1) | RouteState{level} << 1;
            };
            return plan(cube, changed(registered(cube, "linder_harden"), changes));
          }};
}

/// State: levels as published, but every worm may use both networks.
Mutant linder_harden_both_networks(unsigned k) {
  return {"linder_harden_both_networks_k" + std::to_string(k), [=] {
            const auto cube = torus({k, k});
            const auto before = registered(cube, "linder_harden");
            Changes changes;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              const auto level = static_cast<unsigned>(state >> 1);
              for (const auto& hop : ring_hops(*cube, here, to, 0, 0))
                for (const unsigned network : {0U, 1U}) list.add(hop.port, VcClass(3 * network + level));
              for (const auto& hop : ring_hops(*cube, here, to, 1, 0)) list.add(hop.port, VcClass(level));
            };
            return plan(cube, changed(before, changes));
          }};
}

void add_linder_harden(Tables& tables) {
  auto& cyclic = tables.cyclic;
  for (const unsigned k : {4U, 5U}) {
    cyclic.push_back(linder_harden("not_raised_at_x_wraps", k, [](unsigned level, unsigned d, bool wrap) {
      return level + (wrap && d == 1 ? 1 : 0);
    }));
    cyclic.push_back(linder_harden("not_raised_at_y_wraps", k, [](unsigned level, unsigned d, bool wrap) {
      return level + (wrap && d == 0 ? 1 : 0);
    }));
    cyclic.push_back(linder_harden("never_raised", k, [](unsigned level, unsigned, bool) { return level; }));
    cyclic.push_back(linder_harden("reset_by_y_hops", k, [](unsigned level, unsigned d, bool wrap) {
      return wrap ? level + 1 : d == 1 ? 0 : level;
    }));
    cyclic.push_back(linder_harden_both_networks(k));
  }
  cyclic.push_back(linder_harden("lowered_at_the_second_wrap", 5, [](unsigned level, unsigned, bool wrap) {
    return wrap ? 1 - level : level;
  }));
  cyclic.push_back(linder_harden("saturates_at_1", 5, [](unsigned level, unsigned, bool wrap) {
    return std::min(1U, level + (wrap ? 1 : 0));
  }));
}

/// Fully adaptive on a torus, the class by hops taken (state), in such a way.
Mutant hop_classes(const std::string& name, const std::vector<unsigned>& radix, unsigned classes,
                   const std::function<unsigned(unsigned)>& class_of) {
  return {"hop_class_" + name + "_" + text_of(radix), [=] {
            const auto cube = torus(radix);
            Changes changes;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              for (unsigned d = 0; d < cube->dimensions(); ++d)
                for (const auto& hop : ring_hops(*cube, here, to, d, 0))
                  list.add(hop.port, VcClass(class_of(static_cast<unsigned>(state))));
            };
            changes.next = [](RouterId, RouterId, RouteState state, Candidate) { return state + 1; };
            return plan(cube, changed(minimal(cube, classes), changes));
          }};
}

/// Classes by the number of hops out of routers with an odd sum of coordinates.
Mutant negative_hops(const std::string& name, unsigned k, unsigned classes, bool counts) {
  return {"negative_hops_" + name + "_k" + std::to_string(k), [=] {
            const auto cube = torus({k, k});
            Changes changes;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              for (unsigned d = 0; d < 2; ++d)
                for (const auto& hop : ring_hops(*cube, here, to, d, 0))
                  list.add(hop.port, VcClass(counts ? state : 0));
            };
            changes.next = [cube](RouterId here, RouterId, RouteState state, Candidate) {
              return state + (cube->coordinate(here, 0) + cube->coordinate(here, 1)) % 2;
            };
            return plan(cube, changed(minimal(cube, classes), changes));
          }};
}

void add_hop_classes(Tables& tables) {
  tables.harmless.push_back(hop_classes("as_published", {5, 5}, 4, [](unsigned hops) { return hops; }));
  tables.harmless.push_back(hop_classes("counted_down", {4, 4}, 4, [](unsigned hops) { return 3 - hops; }));
  tables.cyclic.push_back(hop_classes("not_advanced", {4, 4}, 4, [](unsigned) { return 0U; }));
  tables.cyclic.push_back(
      hop_classes("advanced_every_other_hop", {5, 5}, 2, [](unsigned hops) { return hops / 2; }));
  tables.cyclic.push_back(
      hop_classes("saturates", {5, 5}, 3, [](unsigned hops) { return std::min(hops, 2U); }));
  tables.cyclic.push_back(hop_classes("wraps_round", {5, 5}, 3, [](unsigned hops) { return hops % 3; }));
  tables.cyclic.push_back(
      hop_classes("saturates", {3, 4, 4}, 4, [](unsigned hops) { return std::min(hops, 3U); }));
  tables.harmless.push_back(negative_hops("as_published", 4, 4, true));
  tables.cyclic.push_back(negative_hops("odd_radix", 5, 4, true));
  tables.cyclic.push_back(negative_hops("not_counted", 4, 1, false));
}

/// North-last (north: y_minus) on a torus, two classes. `south_early`: south hops before X is done.
struct NorthLast {
  bool south_wrap_waits_for_x;
  bool south_by_wrapped_bit;
};

Mutant north_last(const std::string& name, unsigned k, NorthLast rule) {
  return {"north_last_" + name + "_k" + std::to_string(k), [=] {
            const auto cube = torus({k, k});
            Changes changes;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              const auto x = ring_hops(*cube, here, to, 0, state);
              const auto y = ring_hops(*cube, here, to, 1, state);
              const auto dateline = [](const RingHop& hop) { return VcClass(hop.wrap_ahead ? 0 : 1); };
              if (!x.empty()) list.add(x[0].port, dateline(x[0]));
              if (y.empty()) return;
              const bool south = CubeNetwork::is_plus(y[0].port);
              if (!x.empty() && (!south || (y[0].on_wrap && rule.south_wrap_waits_for_x))) return;
              const bool by_bit = south && rule.south_by_wrapped_bit;
              list.add(y[0].port, by_bit ? VcClass(y[0].on_wrap || y[0].wrapped ? 1 : 0) : dateline(y[0]));
            };
            changes.next = [cube](RouterId here, RouterId, RouteState state, Candidate taken) {
              return with_wrap(*cube, here, state, taken);
            };
            return plan(cube, changed(minimal(cube, 2), changes));
          }};
}

void add_north_last(Tables& tables) {
  for (const unsigned k : {4U, 5U, 6U}) {
    tables.cyclic.push_back(north_last("plain_dateline", k, {false, false}));
    tables.cyclic.push_back(north_last("unrestricted_south", k, {false, true}));
    tables.harmless.push_back(north_last("repaired", k, {true, true}));
  }
  tables.cyclic.push_back(north_last("dateline_south", 5, {true, false}));
}

}  // namespace

void add_class_mutants(Tables& tables) {
  add_four_classes(tables);
  add_linder_harden(tables);
  add_hop_classes(tables);
  add_north_last(tables);
}

}  // namespace noctule::mutants
