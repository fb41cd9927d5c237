// Which priorities and weights of message classes are refused, which classes are served as one, and what is
// said of those that can starve?

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/error.h"
#include "fabric/service_support.h"
#include "verify/service.h"

namespace noctule::fabric_test {
namespace {

TEST(Service, SaysWhichClassesStarve) {
  EXPECT_EQ(starvation_text(MessageClasses({{"a", {}, 0, {}, 0, 3}, {"b", {}, 1}})), "");
  const MessageClasses classes({{"bulk", {}, 0}, {"urgent", {}, 1, {}, 2}, {"rest", {}, 2, {}, 1}});
  const std::string text = starvation_text(classes);
  EXPECT_NE(text.find("lets 'rest' and 'bulk' starve: at a link that 'urgent' can fill"), std::string::npos)
      << text;
  const auto conditions = service_conditions(plan_with(apart({classes.begin(), classes.end()}, 6), mesh({3}),
                                                       "dimension_order", {{"lanes", 6}}, "generic"));
  ASSERT_EQ(conditions.size(), 3U);
  EXPECT_TRUE(conditions[0].holds);
  EXPECT_EQ(
      conditions[0].given,
      "the highest priority: others never go first; at most 1 flits before one that waits in one of 2 VCs");
  EXPECT_FALSE(conditions[1].holds);
  EXPECT_FALSE(conditions[2].holds);
  EXPECT_EQ(conditions[2].key, "message_classes.bulk.priority");
  EXPECT_FALSE(conditions[2].for_deadlock_freedom);
}

/// Throws, and names the key.
void expect_refused(const std::function<void()>& plan, const std::string& key, const std::string& words) {
  try {
    plan();
    ADD_FAILURE() << "not refused: " << key;
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, key) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Service, RefusesWhatItCannotDo) {
  const auto plan = [](const Json& set) {
    return [set] { plan_with(high_and_low(2), mesh({3, 3}), "dimension_order", set, "generic"); };
  };
  expect_refused(plan({{"lanes", 2}, {"link_sharing", "fixed_slot"}}), "node.link_sharing", "its own share");
  expect_refused(plan({{"lanes", 2}, {"injection_channels", "unlimited"}, {"scan", "first_come"}}),
                 "node.injection_channels", "one line");
  expect_refused(plan({{"lanes", 2}, {"scan", "first_come"}, {"connections_per_cycle", 1}}),
                 "node.connections_per_cycle", "all");
  Json speculative;
  for (const Variant& variant : variants())
    if (variant.name == "textbook_speculative") speculative = variant.set;
  expect_refused(plan(speculative), "node.speculative", "false");
  const auto with = [](const VcSelector& high, const VcSelector& low) {
    return [high, low] {
      plan_with(MessageClasses({{"high", high, 0, {}, 1}, {"low", low, 1, {}, 0}}), mesh({3, 3}),
                "dimension_order", {{"lanes", 2}}, "generic");
    };
  };
  expect_refused(with({{"lane", {"0"}}}, {}), "message_classes.low.vcs", "VCs of its own");
  expect_refused(with({}, {}), "message_classes.low.vcs", "may both take");
  expect_refused(
      [] {
        MessageClasses({{"high", {}, 0, {}, 1}, {"low", {}, 0, {}, 0}});
      },
      "message_classes.low.interface", "queue");
  expect_refused(
      [] {
        MessageClasses({{"high", {}, 0, {}, 1, 3}, {"low", {}, 1, {}, 0}});
      },
      "message_classes.high.weight", "no effect");
}

TEST(Service, KeepsClassesOfOnePriorityWithoutWeightsTogether) {
  const MessageClasses classes(
      {{"a", {}, 0, {}, 2}, {"b", {}, 0, {}, 2}, {"c", {}, 1, {}, 0, 2}, {"d", {}, 2}});
  ASSERT_EQ(classes.service().size(), 3U);
  EXPECT_EQ(classes.group_of(0), classes.group_of(1));
  EXPECT_EQ(classes.service()[0].level, 0);
  EXPECT_EQ(classes.service()[1].level, classes.service()[2].level);
  EXPECT_EQ(classes.service()[1].weight, 2U);
  EXPECT_EQ(classes.service()[2].weight, 1U);
  EXPECT_FALSE(MessageClasses({{"a", {}, 0, {}, 2}, {"b", {}, 0, {}, 2}}).served_apart());
}

}  // namespace
}  // namespace noctule::fabric_test
