// Does every registered planner keep the contract of MulticastPlanner on every mesh that it accepts, and
// refuse the others in words that help?

#include <gtest/gtest.h>

#include <set>

#include "core/json.h"
#include "multicast_support.h"
#include "topology/hamiltonian_path.h"

namespace noctule::multicast_test {
namespace {

std::vector<Shape> meshes() {
  return {mesh({2, 2}), mesh({2, 7}), mesh({4, 4}), mesh({5, 3}),   mesh({3, 6}),
          mesh({6, 6}), mesh({8, 8}), mesh({9}),    mesh({3, 2, 4})};
}

class EveryPlanner : public testing::TestWithParam<Variant> {
 protected:
  /// Runs a check on every mesh that the planner accepts.
  template <class Check>
  void on_every_mesh(Check check) {
    unsigned accepted = 0;
    for (const auto& shape : meshes()) {
      Planned net;
      try {
        net = planned(shape, GetParam().algorithm, GetParam().set);
      } catch (const ConfigError&) {
        EXPECT_NE(shape.radix.size(), 2U);
        continue;
      }
      ++accepted;
      SCOPED_TRACE(shape.text());
      check(net);
    }
    EXPECT_GE(accepted, 7U);
  }
  /// The same with drawn messages of all sizes.
  template <class Check>
  void on_drawn_messages(Check check) {
    on_every_mesh([&](const Planned& net) {
      Draws draws(net.cube->terminals());
      for (unsigned i = 0; i < 300 && !HasFatalFailure(); ++i)
        check(net, draws, draws.draw(1 + draws.below(net.cube->terminals() - 1)));
    });
  }
};

TEST_P(EveryPlanner, ServesEveryDestinationOnceAtItsRouter) {
  on_drawn_messages([](const Planned& net, Draws&, const Multicast& message) {
    const PlannedWorm before{{{RouterId{1}, TerminalId{1}}}, 0};
    Worms worms{before};
    net.planner->plan(message.source, message.destinations, worms);
    ASSERT_GE(worms.size(), 2U);
    EXPECT_EQ(worms.front(), before) << "appends";
    std::multiset<TerminalId> served;
    for (std::size_t w = 1; w < worms.size(); ++w) {
      ASSERT_FALSE(worms[w].stops.empty());
      EXPECT_NE(worms[w].stops.back().terminal, kNoTerminal);
      EXPECT_LT(worms[w].group, net.planner->groups().size());
      auto at = net.cube->injection_router(message.source);
      for (const auto& stop : worms[w].stops) {
        EXPECT_NE(stop.router, at) << "goes nowhere";
        at = stop.router;
        if (stop.terminal == kNoTerminal) continue;
        EXPECT_EQ(stop.router, net.cube->consumption_router(stop.terminal));
        served.insert(stop.terminal);
      }
    }
    EXPECT_EQ(served, std::multiset<TerminalId>(message.destinations.begin(), message.destinations.end()));
    if (!net.planner->several_destinations()) {
      EXPECT_EQ(worms.size(), 1 + message.destinations.size());
    }
  });
}

TEST_P(EveryPlanner, PlansASetNotAList) {
  on_drawn_messages([](const Planned& net, Draws& draws, const Multicast& message) {
    const auto worms = net.plan(message.source, message.destinations);
    auto shuffled = message.destinations;
    draws.shuffle(shuffled);
    ASSERT_EQ(net.plan(message.source, shuffled), worms);
  });
}

/// Behind its first destination a worm is one that the onward planner makes there.
void expect_goes_on_as_planned(const Planned& net, const Multicast& message) {
  const auto& onward = net.planner->onward();
  for (const auto& worm : net.plan(message.source, message.destinations)) {
    auto first = worm.stops.begin();
    while (first->terminal == kNoTerminal) ++first;
    const std::vector<Stop> rest(first + 1, worm.stops.end());
    if (rest.empty()) continue;
    Terminals destinations;
    for (const auto& stop : rest)
      if (stop.terminal != kNoTerminal) destinations.push_back(stop.terminal);
    Worms next;
    onward.plan(first->terminal, destinations, next);
    const auto same = [&](const PlannedWorm& w) {
      return w.stops == rest && onward.groups()[w.group] == net.planner->groups()[worm.group];
    };
    ASSERT_TRUE(std::any_of(next.begin(), next.end(), same))
        << "source " << index(message.source) << ", first destination " << index(first->terminal);
  }
}

TEST_P(EveryPlanner, GoesOnFromADestinationAsItsOnwardPlannerSays) {
  const auto small = planned(mesh({4, 4}), GetParam().algorithm, GetParam().set);
  every_message(16, 3, [&](const Multicast& message) {
    if (!HasFatalFailure()) expect_goes_on_as_planned(small, message);
  });
  on_drawn_messages(
      [](const Planned& net, Draws&, const Multicast& message) { expect_goes_on_as_planned(net, message); });
}

TEST_P(EveryPlanner, KeepsItsGroupsAndItsRoutingUnderItsOnwardPlanner) {
  on_every_mesh([](const Planned& net) {
    EXPECT_FALSE(net.planner->groups().empty());
    EXPECT_EQ(net.planner->onward().relation(), net.planner->relation());
    EXPECT_EQ(net.planner->onward().consumption_classes(), net.planner->consumption_classes());
    const std::set<std::string> names(net.planner->groups().begin(), net.planner->groups().end());
    EXPECT_EQ(names.size(), net.planner->groups().size());
    EXPECT_EQ(names.count("unicast"), 0U) << "is what messages with one destination are called";
  });
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryPlanner, testing::ValuesIn(every_planner()),
                         [](const auto& info) { return name_of(info.param); });

/// The router at the other side of the diagonal.
RouterId transposed(const CubeNetwork& from, const CubeNetwork& to, RouterId router) {
  const std::vector<unsigned> at{from.coordinate(router, 1), from.coordinate(router, 0)};
  return to.router_at(at);
}

TEST(PathPlanners, LabellingByColumnsIsLabellingByRowsOfTheTransposedMesh) {
  for (const char* name : {"dual_path", "multipath"}) {
    const auto rows = planned(mesh({5, 3}), name);
    const auto columns = planned(mesh({3, 5}), name, {{"labelling", "columns"}});
    Draws draws(15);
    for (unsigned i = 0; i < 300; ++i) {
      const auto& message = draws.draw(1 + draws.below(14));
      // One terminal per router, of the same number.
      const auto turned = [&](TerminalId t) {
        return terminal(index(transposed(*rows.cube, *columns.cube, rows.cube->consumption_router(t))));
      };
      Terminals destinations;
      for (const auto t : message.destinations) destinations.push_back(turned(t));
      auto worms = rows.plan(message.source, message.destinations);
      for (auto& worm : worms)
        for (auto& stop : worm.stops) {
          stop.router = transposed(*rows.cube, *columns.cube, stop.router);
          if (stop.terminal != kNoTerminal) stop.terminal = turned(stop.terminal);
        }
      ASSERT_EQ(columns.plan(turned(message.source), destinations), worms);
    }
  }
}

TEST(PathPlanners, RouteBetweenStopsAlongTheirOwnPath) {
  using Labelling = HamiltonianPath::Labelling;
  for (const auto labelling : {Labelling::kRows, Labelling::kColumns})
    for (const char* name : {"dual_path", "multipath"}) {
      const auto& text = HamiltonianPath::labellings()[labelling == Labelling::kRows ? 0 : 1];
      const auto net = planned(mesh({5, 4}), name, {{"labelling", text}});
      ASSERT_NE(net.planner->relation(), nullptr);
      const HamiltonianPath path(*net.cube, labelling, "", "");
      every_message(20, 2, [&](const Multicast& message) {
        for (const auto& worm : net.plan(message.source, message.destinations)) {
          std::vector<const Link*> links;
          auto at = net.cube->injection_router(message.source);
          for (const auto& stop : worm.stops) net.walk(std::exchange(at, stop.router), stop.router, links);
          const bool up = net.planner->groups()[worm.group] == "up";
          for (const auto* link : links) ASSERT_EQ(path.label(link->to) > path.label(link->from), up);
        }
      });
    }
}

std::pair<std::string, std::string> complaint(const Shape& shape, const std::string& name,
                                              const Json& set = Json::object()) {
  try {
    planned(shape, name, set);
  } catch (const ConfigError& e) {
    return {e.diagnostics().front().key, e.diagnostics().front().message};
  }
  return {};
}

void expect_refused(const Shape& shape, const std::string& name, const std::vector<std::string>& words) {
  const auto [key, message] = complaint(shape, name);
  EXPECT_EQ(key, "multicast.planner") << name;
  for (const auto& word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
}

TEST(BadTopologyForPlanners, PlannersSayWhatTheyNeed) {
  for (const std::string name : {"dual_path", "multipath", "column_path", "e_mcast"}) {
    expect_refused(routing_test::torus(2, 4), name, {name, "dimension 0 wraps", "topology.kind mesh"});
    expect_refused(Shape{{4, 4}, {false, true}}, name, {name, "dimension 1 wraps"});
  }
  for (const std::string name : {"multipath", "column_path", "e_mcast"})
    for (const auto& shape : {mesh({9}), mesh({3, 2, 4})})
      expect_refused(shape, name,
                     {name, "2 dimensions", "has " + std::to_string(shape.radix.size()), "dual_path"});
}

TEST(BadTopologyForPlanners, WhatIsLegalIsAccepted) {
  EXPECT_EQ(complaint(mesh({3, 2, 4}), "dual_path").second, "");
  EXPECT_EQ(complaint(mesh({9}), "dual_path").second, "");
  for (const auto& shape : routing_test::every_shape()) {
    EXPECT_EQ(complaint(shape, "individual").second, "") << shape.text();
    EXPECT_EQ(complaint(shape, "none").second, "") << shape.text();
  }
}

TEST(BadParameterOfPlanners, UnknownChoicesListTheAllowedOnes) {
  const auto [key, message] = complaint(mesh({4, 4}), "multipath", {{"partition", "halves"}});
  EXPECT_EQ(key, "multicast.partition");
  EXPECT_NE(message.find("'halves'"), std::string::npos) << message;
  EXPECT_NE(message.find("recommended, lmn"), std::string::npos) << message;
  EXPECT_EQ(complaint(mesh({4, 4}), "dual_path", {{"labelling", "row"}}).first, "multicast.labelling");
  EXPECT_EQ(complaint(mesh({4, 4}), "column_path", {{"same_row", ""}}).first, "multicast.same_row");
}

TEST(PlannerRegistration, HoldsThePapersPlannersAndReportsNoProblem) {
  for (const char* name : {"individual", "dual_path", "multipath", "column_path", "e_mcast"}) {
    ASSERT_NE(PlannerRegistry::instance().find(name), nullptr) << name;
    EXPECT_FALSE(PlannerRegistry::instance().at(name).description.empty());
  }
  EXPECT_EQ(planned(mesh({4, 4}), "none").planner, nullptr);
  const auto routing = [](const char* name) { return PlannerRegistry::instance().at(name).make.routing; };
  for (const char* name : {"none", "individual"}) EXPECT_EQ(routing(name), "") << name;
  for (const char* name : {"dual_path", "multipath"}) EXPECT_EQ(routing(name), "hamiltonian") << name;
  for (const char* name : {"column_path", "e_mcast"}) EXPECT_EQ(routing(name), "dimension_order") << name;
  EXPECT_TRUE(Catalog::instance().problems().empty());
}

}  // namespace
}  // namespace noctule::multicast_test
