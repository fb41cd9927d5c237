// Are the consumption classes that planners ask for those of Boppana et al. 1998, 3.2, complete, and free of
// cycles together with the channels that the worms travel by?

#include <gtest/gtest.h>

#include <set>

#include "multicast_support.h"

namespace noctule::multicast_test {
namespace {

using Rules = std::vector<ConsumptionClassRule>;
using Fields = std::map<std::string, std::string>;

/// The class of the first rule that fits; none: -1.
int class_of(const Rules& rules, const Fields& worm) {
  for (const auto& rule : rules) {
    const auto holds = [&](const auto& condition) {
      const auto& [field, values] = condition;
      return std::find(values.begin(), values.end(), worm.at(field)) != values.end();
    };
    if (std::all_of(rule.when.begin(), rule.when.end(), holds)) return static_cast<int>(rule.number);
  }
  return -1;
}

TEST(ConsumptionClasses, AreThePapers) {
  const auto rules = [](const char* name) {
    return planned(mesh({4, 4}), name).planner->consumption_classes();
  };
  EXPECT_EQ(class_of(rules("individual"), {}), 0);
  for (const char* name : {"dual_path", "multipath", "column_path"}) {
    EXPECT_EQ(class_of(rules(name), {{"group", "up"}}), 0) << name;
    EXPECT_EQ(class_of(rules(name), {{"group", "down"}}), 1) << name;
    EXPECT_EQ(class_of(rules(name), {{"group", "unicast"}}), 0) << name;
  }
  const std::vector<std::string> directions{"x_plus", "x_minus", "y_plus", "y_minus"};
  for (int c = 0; c < 4; ++c)
    EXPECT_EQ(class_of(rules("e_mcast"), {{"incoming", directions[static_cast<std::size_t>(c)]}}), c);
  EXPECT_EQ(class_of(rules("e_mcast"), {{"incoming", "injection"}}), 0);
}

/// Resources: links, then the consumption channels of each router by class. A worm acquires them one after
/// the other, the consumption channel of a destination before the next link.
class Dependencies {
 public:
  Dependencies(const Planned& net, Rules rules)
      : net_(net),
        rules_(std::move(rules)),
        next_(net.cube->links().size() + kClasses * net.cube->routers()) {}

  void add_multicast(const Multicast& message) {
    for (const auto& worm : net_.plan(message.source, message.destinations))
      add(message.source, worm, net_.planner->groups()[worm.group]);
  }
  void add_unicast(TerminalId source, TerminalId destination) {
    add(source, {{{net_.cube->consumption_router(destination), destination}}, 0}, "unicast");
  }
  [[nodiscard]] bool acyclic() const {
    std::vector<unsigned> degree(next_.size());
    for (const auto& to : next_)
      for (const auto r : to) ++degree[r];
    std::vector<std::size_t> free;
    for (std::size_t r = 0; r < degree.size(); ++r)
      if (degree[r] == 0) free.push_back(r);
    std::size_t removed = 0;
    for (; !free.empty(); ++removed) {
      const auto r = free.back();
      free.pop_back();
      for (const auto to : next_[r])
        if (--degree[to] == 0) free.push_back(to);
    }
    return removed == next_.size();
  }

 private:
  static constexpr std::size_t kClasses = 4;

  void add(TerminalId source, const PlannedWorm& worm, const std::string& group) {
    std::vector<std::size_t> acquired;
    auto at = net_.cube->injection_router(source);
    std::string incoming = "injection";
    for (const auto& stop : worm.stops) {
      std::vector<const Link*> links;
      net_.walk(std::exchange(at, stop.router), stop.router, links);
      for (const auto* link : links) acquired.push_back(index(link->id));
      incoming = net_.cube->port_name(links.back()->in);
      if (stop.terminal == kNoTerminal) continue;
      const int number = class_of(rules_, {{"group", group}, {"incoming", incoming}});
      ASSERT_GE(number, 0) << group << " " << incoming;
      acquired.push_back(net_.cube->links().size() + kClasses * index(stop.router) +
                         static_cast<std::size_t>(number));
    }
    for (std::size_t i = 1; i < acquired.size(); ++i) next_[acquired[i - 1]].insert(acquired[i]);
  }

  const Planned& net_;
  Rules rules_;
  std::vector<std::set<std::size_t>> next_;
};

class PlannersClasses : public testing::TestWithParam<Variant> {};

TEST_P(PlannersClasses, IsFreeOfCyclesWithItsClassesAndNotWithOne) {
  for (const auto& shape : {mesh({4, 4}), mesh({5, 3})}) {
    const auto net = planned(shape, GetParam().algorithm, GetParam().set);
    Dependencies with_classes(net, net.planner->consumption_classes());
    Dependencies with_one(net, {{0, {}}});
    every_message(net.cube->terminals(), 2, [&](const Multicast& message) {
      with_classes.add_multicast(message);
      with_one.add_multicast(message);
      if (message.destinations.size() == 1) with_classes.add_unicast(message.source, message.destinations[0]);
    });
    EXPECT_TRUE(with_classes.acyclic()) << shape.text();
    EXPECT_EQ(with_one.acyclic(), !net.planner->several_destinations()) << shape.text();
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, PlannersClasses, testing::ValuesIn(every_planner()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace noctule::multicast_test
