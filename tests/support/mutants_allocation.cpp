// Nodes that break a sound relation: VCs taken too early, partitions that cut worms off.

#include "core/json.h"
#include "support/mutant_relation.h"
#include "support/mutants.h"
#include "support/nodes.h"

namespace noctule::mutants {
namespace {

NodeDescription with_release(VcRelease release, unsigned lanes = 1, unsigned depth = 1) {
  NodeDescription node;
  node.release = release;
  node.lanes = lanes;
  node.input_depth = depth;
  return node;
}

/// Fully adaptive with an escape network, on a node that lets a worm into a VC in which another one still is.
void add_early_release(Tables& tables) {
  const auto early = with_release(VcRelease::kTailCrossed);
  const auto star = [](const std::vector<unsigned>& radix, const std::string& name,
                       const NodeDescription& node, const Json& set = Json::object()) -> Mutant {
    return {"star_channels_" + name + "_" + text_of(radix), [=] {
              const auto cube = torus(radix);
              return plan(cube, registered(cube, "star_channels", set), node);
            }};
  };
  for (const auto& radix : {std::vector<unsigned>{4, 4}, {5, 5}, {6, 6}, {7, 7}, {4, 4, 4}})
    tables.cyclic.push_back(star(radix, "tail_crossed", early));
  tables.cyclic.push_back(star({5, 5}, "tail_crossed_wrap_ahead", early, {{"star_class", "wrap_ahead"}}));
  tables.cyclic.push_back(star({5, 5}, "tail_crossed_deep", with_release(VcRelease::kTailCrossed, 1, 4)));
  // A worm that finds the output buffer empty leaves a gap behind it, which goes round for ever.
  tables.undecided.push_back(star({4, 4}, "tail_left", with_release(VcRelease::kTailLeft)));
  tables.cyclic.push_back(star({4, 4}, "tail_crossed_lanes2", with_release(VcRelease::kTailCrossed, 2)));
  const auto duato = [](const std::string& name, const NodeDescription& node) -> Mutant {
    return {"duato_mesh_" + name, [=] {
              const auto cube = mesh({4, 4});
              return plan(cube, turns(cube, {"y_*.0 -> x_*", "y_*.0 -> y_*.1"}, 2, {"*.0"}), node);
            }};
  };
  tables.cyclic.push_back(duato("tail_crossed", early));
  tables.undecided.push_back(duato("tail_left", with_release(VcRelease::kTailLeft)));
  // Where no channels are in cycles, early is not too early.
  for (const char* algorithm : {"four_classes", "linder_harden", "dimension_order"})
    tables.harmless.push_back({std::string(algorithm) + "_tail_crossed_deep", [algorithm] {
                                 const auto cube = torus({4, 4});
                                 return plan(cube, registered(cube, algorithm),
                                             with_release(VcRelease::kTailCrossed, 2, 3));
                               }});
}

Mutant with_node(const std::string& name, const std::string& algorithm, const NodeDescription& node,
                 unsigned k, const std::function<Changes(const Cube&)>& changes = {}) {
  return {name, [=] {
            const auto cube = torus({k, k});
            auto relation = registered(cube, algorithm);
            if (changes) relation = changed(relation, changes(cube));
            return plan(cube, relation, node);
          }};
}

void add_partitions(Tables& tables) {
  auto& refused = tables.refused;
  // A header finds itself at a crossbar without the outputs that it needs.
  refused.push_back(with_node("four_classes_second_wrap_keeps_prefix_partitioned", "four_classes",
                              node_of("four_classes"), 5, [](const Cube& cube) {
                                Changes changes;
                                changes.turn_into = [cube](RouterId here, RouterId, RouteState state,
                                                           Candidate c) {
                                  if ((state & 4) != 0 && cube->is_wrap(here, c.port))
                                    c.vc_class = VcClass(index(c.vc_class) | 1);
                                  return c;
                                };
                                return changes;
                              }));
  refused.push_back(with_node("linder_harden_never_raised_partitioned", "linder_harden",
                              node_of("linder_harden"), 5, [](const Cube&) {
                                Changes changes;
                                changes.next = [](RouterId, RouterId, RouteState state, Candidate) {
                                  return state;
                                };
                                return changes;
                              }));
  auto by_kind = node_of("star_channels");
  by_kind.crossbar_per = {"kind"};
  refused.push_back(with_node("star_channels_by_kind", "star_channels", by_kind, 5));
  auto by_direction = careful();
  by_direction.crossbar_per = {"direction"};
  refused.push_back(with_node("dimension_order_by_direction", "dimension_order", by_direction, 5));
  auto by_class = careful();
  by_class.crossbar_per = {"class"};
  refused.push_back(with_node("dateline_by_class", "dimension_order", by_class, 5));
  auto unknown = careful();
  unknown.crossbar_per = {"colour"};
  refused.push_back(with_node("partition_by_unknown_field", "dimension_order", unknown, 5));

  // A lane of its own for each crossbar: every lane is a ring without a dateline.
  const auto ring = [](const std::string& name, bool partitioned, unsigned classes) -> Mutant {
    return {name, [=] {
              const auto cube = torus({5});
              auto node = careful();
              node.lanes = partitioned ? 2 : 1;
              node.crossbar_per = {partitioned ? "lane" : "class"};
              return plan(cube, minimal(cube, classes), node);
            }};
  };
  tables.cyclic.push_back(ring("no_dateline_lanes_partitioned", true, 1));
  tables.cyclic.push_back(ring("no_dateline_classes_partitioned", false, 2));
  // The same relation is one of dimension order once the partition has cut the turns from Y to X.
  auto cut = careful();
  cut.crossbars = {{{"class", {"0"}}}, {{"class", {"1"}}}};
  tables.cyclic.push_back({"fully_adaptive_classes_partitioned_4x4", [cut] {
                             const auto cube = mesh({4, 4});
                             return plan(cube, minimal(cube, 2), cut);
                           }});
  tables.harmless.push_back(
      with_node("four_classes_partitioned", "four_classes", node_of("four_classes"), 5));
  tables.harmless.push_back(
      with_node("linder_harden_partitioned", "linder_harden", node_of("linder_harden"), 4));
}

/// Broken promises: dead ends, states that are not declared, channels that do not exist.
void add_breaches(Tables& tables) {
  const auto broken = [&](const std::string& name, const std::string& algorithm,
                          const std::function<Changes(const Cube&)>& changes) {
    tables.refused.push_back(with_node(name, algorithm, careful(), 5, changes));
  };
  broken("dead_end_after_the_wrap", "dimension_order", [](const Cube& cube) {
    Changes changes;
    const auto before = registered(cube, "dimension_order");
    changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
      CandidateList all;
      before->candidates(here, to, state, all);
      for (const auto& c : all)
        if (!cube->is_wrap(here, c.port)) list.add(c);
    };
    return changes;
  });
  broken("class_that_is_none", "dimension_order", [](const Cube&) {
    Changes changes;
    changes.turn_into = [](RouterId here, RouterId, RouteState, Candidate c) {
      if (index(here) == 7) c.vc_class = VcClass{2};
      return c;
    };
    return changes;
  });
  broken("star_channels_without_stars", "star_channels", [](const Cube& cube) {
    Changes changes;
    const auto before = registered(cube, "star_channels");
    changes.offer = [=](RouterId here, RouterId to, RouteState state, CandidateList& list) {
      CandidateList all;
      before->candidates(here, to, state, all);
      for (const auto& c : all)
        if (c.vc_class == VcClass{2}) list.add(c);
    };
    return changes;
  });
  broken("linder_harden_level_3", "linder_harden", [](const Cube& cube) {
    Changes changes;
    changes.next = [cube](RouterId here, RouterId, RouteState state, Candidate taken) {
      return state + (cube->is_wrap(here, taken.port) ? 4 : 0);
    };
    return changes;
  });
}

}  // namespace

void add_allocation_mutants(Tables& tables) {
  add_early_release(tables);
  add_partitions(tables);
  add_breaches(tables);
}

}  // namespace noctule::mutants
