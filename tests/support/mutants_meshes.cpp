// Turns: too many of them allowed, or too few.

#include "support/mutant_relation.h"
#include "support/mutants.h"

namespace noctule::mutants {
namespace {

struct Turn {
  const char* name;
  const char* text;
};
/// E: x_plus, N: y_plus. The first four turn to the left, the others to the right; each group is a cycle.
constexpr Turn kTurns[] = {{"EN", "x_plus -> y_plus"},   {"NW", "y_plus -> x_minus"},
                           {"WS", "x_minus -> y_minus"}, {"SE", "y_minus -> x_plus"},
                           {"ES", "x_plus -> y_minus"},  {"SW", "y_minus -> x_minus"},
                           {"WN", "x_minus -> y_plus"},  {"NE", "y_plus -> x_plus"}};

Mutant table(const std::string& name, bool wraps, const std::vector<unsigned>& radix,
             const std::vector<std::string>& forbid, unsigned classes = 1,
             const NodeDescription& node = careful()) {
  return {name + "_" + text_of(radix), [=] {
            const auto cube = wraps ? torus(radix) : mesh(radix);
            return plan(cube, turns(cube, forbid, classes), node);
          }};
}

void add_turns(Tables& tables) {
  for (const auto& turn : kTurns)
    tables.cyclic.push_back(table(std::string("forbids_only_") + turn.name, false, {4, 4}, {turn.text}));
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b) {
      const auto mutant = [&, name = std::string(kTurns[a].name) + "_and_" + kTurns[b].name] {
        return table("forbids_" + name, false, {4, 4}, {kTurns[a].text, kTurns[b].text});
      };
      const bool one_rotation = a / 4 == b / 4;
      // Both ways round the same corner: those worms have no shortest path left.
      const bool same_corner =
          kTurns[a].name[0] == kTurns[b].name[1] && kTurns[a].name[1] == kTurns[b].name[0];
      (one_rotation ? tables.cyclic : same_corner ? tables.refused : tables.harmless).push_back(mutant());
    }
  auto deep = careful();
  deep.input_depth = 4;
  deep.lanes = 2;
  tables.cyclic.push_back(table("forbids_only_EN_deep_lanes", false, {4, 4}, {kTurns[0].text}, 1, deep));
  tables.cyclic.push_back(table("west_first", true, {4, 4}, {"y_* -> x_minus"}));
  tables.cyclic.push_back(table("west_first", true, {5, 5}, {"y_* -> x_minus"}));
  tables.cyclic.push_back(table("west_first_two_classes", true, {4, 4}, {"y_* -> x_minus"}, 2));
}

/// Dimension order with a dateline as a table of turns, without one of its rules.
void add_dateline_tables(Tables& tables) {
  const std::vector<std::string> all{"y_* -> x_*",
                                     "any -> *.0 on wrap",
                                     "injection -> *.1 on inner",
                                     "x_* -> y_*.1 on inner",
                                     "x_*.0 -> x_*.1 on inner",
                                     "y_*.0 -> y_*.1 on inner",
                                     "x_*.1 -> x_*.0",
                                     "y_*.1 -> y_*.0"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto rules = all;
    rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i));
    // Without rules 1, 6 or 7 a worm may leave the order, and always has a way on that keeps it.
    const bool needed = i == 0 || i == 2 || i == 3;
    (needed ? tables.cyclic : tables.harmless)
        .push_back(table("dateline_table_without_rule" + std::to_string(i), true, {5, 5}, rules, 2));
  }
}

Mutant order_by(const std::string& name, const std::vector<unsigned>& radix,
                const std::function<bool(std::size_t)>& y_first) {
  return {name + "_" + text_of(radix), [=] {
            const auto cube = mesh(radix);
            const auto all = minimal(cube, 1);
            Changes changes;
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              CandidateList both;
              all->candidates(here, to, state, both);
              list.add(y_first(index(to)) ? both[both.size() - 1] : both[0]);
            };
            return plan(cube, changed(all, changes));
          }};
}

/// XY or YX, drawn when the worm is injected; each in a class of its own, or both in one.
Mutant order_drawn(const std::string& name, bool own_class) {
  return {name, [=] {
            const auto cube = mesh({4, 4});
            const auto all = minimal(cube, 1);
            Changes changes;
            changes.classes = own_class ? 2 : 1;
            changes.start = [](RouterId, RouterId, std::vector<RouteState>& states) { states = {0, 1}; };
            changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
              CandidateList both;
              all->candidates(here, to, state, both);
              list.add(both[state == 0 ? 0 : both.size() - 1].port, VcClass(own_class ? state : 0));
            };
            return plan(cube, changed(minimal(cube, own_class ? 2 : 1), changes));
          }};
}

Mutant fully_adaptive(const Cube& cube, const std::string& name, unsigned classes) {
  return {"fully_adaptive_" + name + "_classes" + std::to_string(classes),
          [=] { return plan(cube, minimal(cube, classes)); }};
}

}  // namespace

void add_mesh_mutants(Tables& tables) {
  add_turns(tables);
  add_dateline_tables(tables);
  auto& cyclic = tables.cyclic;
  const auto odd_sum = [](std::size_t to) { return (to / 4 + to) % 2 == 1; };
  cyclic.push_back(order_by("xy_or_yx_by_destination", {4, 4}, odd_sum));
  tables.harmless.push_back(
      order_by("xy_or_yx_by_destination_column", {5, 5}, [](std::size_t to) { return to % 5 < 2; }));
  tables.harmless.push_back(order_by("yx", {4, 4}, [](std::size_t) { return true; }));
  cyclic.push_back(order_drawn("xy_or_yx_drawn", false));
  tables.harmless.push_back(order_drawn("xy_or_yx_drawn_with_own_class", true));
  cyclic.push_back(fully_adaptive(mesh({3, 3}), "mesh_3x3", 1));
  cyclic.push_back(fully_adaptive(mesh({4, 4}), "mesh_4x4", 1));
  cyclic.push_back(fully_adaptive(mesh({4, 4}), "mesh_4x4", 2));
  cyclic.push_back(fully_adaptive(mesh({3, 3, 3}), "mesh_3x3x3", 1));
  cyclic.push_back(fully_adaptive(torus({4, 4}), "torus_4x4", 1));
  cyclic.push_back(fully_adaptive(torus({5, 5}), "torus_5x5", 1));
  cyclic.push_back(fully_adaptive(torus({4, 4}), "torus_4x4", 2));
  tables.cyclic.push_back(fully_adaptive(mesh({2, 2}), "mesh_2x2", 1));
}

}  // namespace noctule::mutants
