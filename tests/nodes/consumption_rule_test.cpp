// Which consumption channels may a worm take? Rules of the node and of the planner, as tables; bad rules are
// refused by name.

#include "nodes/consumption_rule.h"
#include "core/json.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "support/cube_network.h"

namespace noctule {
namespace {

const CubeNetwork& plane() {
  static const CubeNetwork cube({4, 4}, {false, false});
  return cube;
}

std::shared_ptr<const MulticastPlanner> planner(const std::string& name) {
  const auto& entry = PlannerRegistry::instance().at(name);
  return entry.make.make(std::make_shared<CubeNetwork>(plane()), Parameters::defaults(entry.parameters));
}

NodeDescription node(const Json& set) {
  auto keys = Parameters::defaults(node_parameters());
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return node_from_parameters(keys);
}

ConsumptionRule rule(const std::string& planner_name, const Json& set) {
  return {plane(), *planner(planner_name), node(set)};
}

/// Ports by number; 4: none.
constexpr std::uint16_t kXPlus = 0, kXMinus = 1, kYPlus = 2, kYMinus = 3, kNone = 4;

Visit visit(std::uint8_t group, std::uint16_t incoming, std::uint16_t outgoing, bool several) {
  return {group, incoming, outgoing, several};
}

/// f(visit) for everything that a worm can be.
template <class F>
void every_visit(const ConsumptionRule& of, F f) {
  for (std::uint8_t group = 0; group <= of.unicast_group(); ++group)
    for (std::uint16_t in = 0; in <= of.no_port(); ++in)
      for (std::uint16_t out = 0; out <= of.no_port(); ++out)
        for (const bool several : {false, true}) f(visit(group, in, out, several));
}

TEST(ThePlannersRules, AreWhatTheNodeUsesUnlessItHasItsOwn) {
  const auto dual = rule("dual_path", {{"consumption_channels", 2}});
  EXPECT_EQ(dual.classes(), 2U);
  EXPECT_EQ(dual.unicast_group(), 2U);
  EXPECT_EQ(dual.no_port(), 4U);
  every_visit(dual, [&](const Visit& v) { EXPECT_EQ(dual.class_of(v), v.group == 1 ? 1U : 0U); });

  const auto e_mcast = rule("e_mcast", {{"consumption_channels", 4}});
  EXPECT_EQ(e_mcast.classes(), 4U);
  every_visit(e_mcast, [&](const Visit& v) { EXPECT_EQ(e_mcast.class_of(v), v.incoming % 4U); });

  const auto individual = rule("individual", {});
  EXPECT_EQ(individual.classes(), 1U);
  EXPECT_EQ(individual.unicast_group(), 1U);
  every_visit(individual, [&](const Visit& v) { EXPECT_EQ(individual.class_of(v), 0U); });

  const auto own = rule("dual_path", {{"consumption_classes", Json::array({Json{{"class", 0}}})}});
  EXPECT_EQ(own.classes(), 1U);
  every_visit(own, [&](const Visit& v) { EXPECT_EQ(own.class_of(v), 0U); });
}

TEST(Rules, TheFirstThatFitsCounts) {
  const Json rules = Json::array(
      {Json{{"class", 3}, {"incoming", "injection"}, {"destinations", "one"}},
       Json{{"class", 1}, {"outgoing", {"none", "x_plus"}}, {"group", "up"}},
       Json{{"class", 2}, {"destinations", "several"}}, Json{{"class", 0}, {"group", {"up", "down"}}},
       Json{{"class", 3}, {"incoming", {"x_plus", "y_minus"}}, {"group", "unicast"}}, Json{{"class", 1}}});
  const auto of = rule("dual_path", {{"consumption_channels", 4}, {"consumption_classes", rules}});
  EXPECT_EQ(of.classes(), 4U);
  const std::uint8_t up = 0, down = 1, unicast = 2;
  struct Expected {
    Visit visit;
    unsigned number;
  };
  const std::vector<Expected> table{
      {visit(up, kNone, kNone, false), 3},        {visit(unicast, kNone, kNone, false), 3},
      {visit(up, kNone, kNone, true), 1},         {visit(up, kYPlus, kXPlus, true), 1},
      {visit(up, kYPlus, kNone, false), 1},       {visit(up, kYPlus, kXMinus, true), 2},
      {visit(down, kXMinus, kXPlus, true), 2},    {visit(down, kXMinus, kNone, false), 0},
      {visit(up, kXMinus, kYPlus, false), 0},     {visit(unicast, kXPlus, kNone, false), 3},
      {visit(unicast, kYMinus, kNone, false), 3}, {visit(unicast, kYPlus, kNone, false), 1}};
  for (const auto& e : table)
    EXPECT_EQ(of.class_of(e.visit), e.number)
        << int{e.visit.group} << " " << e.visit.incoming << " " << e.visit.outgoing << " " << e.visit.several;
}

struct Access {
  const char* name;
  std::uint64_t own, allowed;  ///< of class 1
};

TEST(Channels, BelongToClassesOrAreShared) {
  // 2 classes, 5 channels.
  for (const Access& access :
       {Access{"own", 0b01010, 0b01010}, {"own_or_shared", 0b00010, 0b11110}, {"any", 0b00010, 0b11111}}) {
    const auto both = rule("dual_path", {{"consumption_channels", 5}, {"consumption_access", access.name}});
    for (const bool several : {false, true}) {
      EXPECT_EQ(both.channels(1, several).own, access.own) << access.name;
      EXPECT_EQ(both.channels(1, several).allowed, access.allowed) << access.name;
    }
    // Worms with one destination may have another.
    const auto apart =
        rule("dual_path",
             {{"consumption_channels", 5}, {"consumption_access", access.name}, {"unicast_access", "any"}});
    EXPECT_EQ(apart.channels(1, true).allowed, access.allowed);
    EXPECT_EQ(apart.channels(1, false).allowed, 0b11111U);
  }
  const auto own = rule("e_mcast", {{"consumption_channels", 10}, {"consumption_access", "own"}});
  EXPECT_EQ(own.channels(0, true).allowed, 0b0100010001U);
  EXPECT_EQ(own.channels(3, true).allowed, 0b0010001000U);
  const auto full = rule("individual", {{"consumption_channels", 64}});
  EXPECT_EQ(full.channels(0, false).own, 1U);
  EXPECT_EQ(full.channels(0, false).allowed, ~std::uint64_t{0});
  const auto any = rule("individual", {{"consumption_channels", 64}, {"consumption_access", "any"}});
  EXPECT_EQ(any.channels(0, true).allowed, ~std::uint64_t{0});
}

TEST(Waiting, IsCommittedOnlyWhereTheNodeSaysSo) {
  EXPECT_FALSE(rule("individual", {}).waits_committed());
  EXPECT_TRUE(rule("individual", {{"consumption_wait", "committed"}}).waits_committed());
}

/// What is wrong with these rules, on a node with 4 channels and planner dual_path.
Diagnostic fault_of(const Json& rules, unsigned channels = 4) {
  try {
    rule("dual_path", {{"consumption_channels", channels}, {"consumption_classes", rules}});
  } catch (const ConfigError& e) {
    return e.diagnostics()[0];
  }
  return {};
}

TEST(BadRules, AreRefusedByNumberFieldAndWhatThereIs) {
  const Json good{{"class", 0}};
  struct Bad {
    Json rule;
    const char* words;
  };
  for (const Bad& bad :
       {Bad{{{"class", 0}, {"group", "sideways"}}, "has no value 'sideways'; it has: up, down, unicast"},
        {{{"class", 0}, {"incoming", "z_plus"}}, "y_minus, injection"},
        {{{"class", 0}, {"incoming", "none"}}, "y_minus, injection"},
        {{{"class", 0}, {"outgoing", "injection"}}, "y_minus, none"},
        {{{"class", 0}, {"destinations", "two"}}, "one, several"},
        {{{"class", 0}, {"colour", "red"}}, "no field 'colour'"},
        {{{"group", "up"}}, "names one class"},
        {{{"class", {0, 1}}}, "names one class"},
        {{{"class", 64}}, "0 to 63"},
        {{{"class", "up"}}, "0 to 63"}}) {
    const auto found = fault_of(Json::array({good, bad.rule}));
    EXPECT_EQ(found.key, "node.consumption_classes[1]") << bad.rule.dump();
    EXPECT_NE(found.message.find(bad.words), std::string::npos) << found.message;
  }
}

TEST(EveryClass, NeedsAChannelOfItsOwn) {
  const Json three = Json::array({Json{{"class", 2}, {"group", "up"}}, Json{{"class", 0}}});
  EXPECT_EQ(fault_of(three, 3).key, "");
  const auto found = fault_of(three, 2);
  EXPECT_EQ(found.key, "node.consumption_channels");
  EXPECT_NE(found.message.find("3 classes"), std::string::npos) << found.message;
}

TEST(AWorm, ThatNoRuleFitsIsDescribed) {
  const Json rules = Json::array({Json{{"class", 0}, {"group", "up"}}});
  const auto of = rule("dual_path", {{"consumption_classes", rules}});
  EXPECT_EQ(of.class_of(visit(0, kXPlus, kNone, true)), 0U);
  struct Unfit {
    Visit visit;
    const char* words;
  };
  for (const Unfit& unfit :
       {Unfit{visit(1, kXPlus, kYMinus, true),
              "group down with several destinations that arrives by x_plus and goes on by y_minus"},
        {visit(2, kNone, kNone, false),
         "group unicast with one destination that arrives by injection and goes on by none"}})
    try {
      (void)of.class_of(unfit.visit);
      FAIL();
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.diagnostics()[0].key, "node.consumption_classes");
      EXPECT_NE(e.diagnostics()[0].message.find(unfit.words), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace noctule
