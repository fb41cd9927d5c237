// The reference of a router with buffers of one flit, against what the rules say, cycle by cycle.

#include <gmock/gmock.h>

#include "core/json.h"
#include "rtl/rtl_support.h"

namespace noctule::rtl_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Unit = Bench<>;

TEST(ReferenceUnitRouter, IsSilentAtRest) {
  Unit b(unit(), {1, 1});
  for (int c = 0; c < 5; ++c) {
    EXPECT_THAT(b.active(), IsEmpty());
    b.tick();
  }
}

// On the pins in cycle 0, in the input buffer in 1, where it crosses; on the next link in 2.
TEST(ReferenceUnitRouter, PassesALoneHeaderOnInTwoCycles) {
  Unit b(unit(), {1, 1});
  const Worm worm{7, {3, 1}, 1};
  b.send("x_plus", 1, worm);
  EXPECT_THAT(b.active(), IsEmpty());
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("x_plus_credit_o"));
  EXPECT_EQ(b.get("x_plus_credit_o"), 1U);
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("x_plus_flit_o", "x_plus_valid_o", "x_plus_vc_o"));
  EXPECT_EQ(b.get("x_plus_flit_o"), b.flit(worm));
  EXPECT_EQ(b.get("x_plus_vc_o"), 1U);
  b.tick();
  EXPECT_THAT(b.active(), IsEmpty());
}

TEST(ReferenceUnitRouter, TurnsInjectsAndConsumes) {
  Unit b(unit(), {1, 1});
  b.send("injection", 1, {1, {1, 0}});
  b.send("x_minus", 1, {2, {1, 3}});
  b.send("y_plus", 1, {3, {1, 1}});
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("injection_credit_o", "x_minus_credit_o", "y_plus_credit_o"));
  b.tick();
  EXPECT_EQ(b.tag("y_minus"), 1);
  EXPECT_EQ(b.tag("y_plus"), 2);
  EXPECT_EQ(b.tag("consumption"), 3);
}

// A buffer of one flit passes one every second cycle: it is filled in one cycle and emptied in the next.
TEST(ReferenceUnitRouter, PassesAFlitEverySecondCycle) {
  Unit b(unit(), {1, 1});
  const Worm worm{7, {3, 1}, 4};
  std::vector<Cycle> left;
  std::uint32_t next = 0;
  bool credit = true;
  for (int c = 0; c < 12; ++c) {
    if (b.get("x_plus_credit_o") != 0) credit = true;
    if (b.get("x_plus_valid_o") != 0) {
      EXPECT_EQ(b.get("x_plus_flit_o"), b.flit(worm, static_cast<std::uint32_t>(left.size())));
      left.push_back(b.cycle);
      b.set("x_plus_credit_i", 1);  // as if the next router were as fast; a cycle late does not matter here
    }
    if (credit && next < 4 && b.get("x_plus_credit_o") == 0) {
      b.send("x_plus", 1, worm, next++);
      credit = false;
    }
    b.tick();
  }
  EXPECT_THAT(left, ElementsAre(2, 4, 6, 8));
}

TEST(ReferenceUnitRouter, WaitsForTheCredit) {
  Unit b(unit(), {1, 1});
  b.send("x_plus", 1, {1, {3, 1}});
  b.tick(2);
  EXPECT_EQ(b.tag("x_plus"), 1);
  b.send("x_plus", 1, {2, {3, 1}});
  b.tick();
  EXPECT_EQ(b.get("x_plus_credit_o"), 1U);  // it crosses: the output buffer is empty
  for (int c = 0; c < 4; ++c) {
    b.tick();
    EXPECT_THAT(b.active(), IsEmpty()) << c;  // and stays there
  }
  b.set("x_plus_credit_i", 1);
  EXPECT_THAT(b.active(), IsEmpty());
  b.tick();
  EXPECT_EQ(b.tag("x_plus"), 2);  // in the cycle from which the credit counts
}

// A worm whose tail waits in the output buffer has given its VC away, or not.
TEST(ReferenceUnitRouter, GivesAVcAwayByTheReleaseRule) {
  struct Case {
    const char* rule;
    Cycle granted;  ///< to the second worm
  };
  // The first worm crosses in 1 and leaves in 2; its credit is on the pins in 5 and counts from 6 on. The
  // second one is in its buffer from 2 on. tail_crossed: the VC is free from 2 on, the output buffer only
  // from 3 on.
  for (const Case& c : {Case{"tail_crossed", 3}, Case{"tail_left", 3}, Case{"next_buffer_empty", 6}}) {
    Unit b(unit({{"release", c.rule}}), {1, 1});
    b.send("x_plus", 1, {1, {3, 1}});
    b.tick();
    b.send("injection", 1, {2, {3, 1}});
    for (b.cycle = 1; b.cycle < 10;) {
      if (b.cycle == 5) b.set("x_plus_credit_i", 1);
      EXPECT_EQ(b.get("injection_credit_o"), b.cycle == c.granted ? 1U : 0U) << c.rule << ", " << b.cycle;
      b.tick();
    }
  }
}

// What tail_crossed and tail_left differ in: who has the VC while the tail waits for a credit. The header
// that got it early keeps it from one that comes later and is scanned first.
TEST(ReferenceUnitRouter, ReservesAVcBehindATailThatHasCrossed) {
  for (const bool early : {true, false}) {
    Unit b(unit({{"release", early ? "tail_crossed" : "tail_left"}}), {1, 1});
    b.send("x_plus", 1, {1, {1, 3}});
    b.tick(2);
    b.send("x_plus", 1, {2, {1, 3}});  // in 2; crosses in 3; waits for a credit
    b.tick();
    b.send("injection", 1, {3, {1, 3}});  // in 3
    b.tick(2);
    b.send("x_minus", 1, {4, {1, 3}});  // in 5; behind x_plus, served last, it comes before injection
    b.tick();
    b.set("y_plus_credit_i", 1);  // in 6
    b.tick();
    EXPECT_EQ(b.tag("y_plus"), 2);
    b.tick();
    EXPECT_EQ(b.get("injection_credit_o"), early ? 1U : 0U);
    EXPECT_EQ(b.get("x_minus_credit_o"), early ? 0U : 1U);
  }
}

TEST(ReferenceUnitRouter, KeepsAFlitThatTheTerminalDoesNotTake) {
  Unit b(unit(), {1, 1});
  b.send("x_plus", 1, {1, {1, 1}});
  b.tick();
  b.send("y_plus", 1, {2, {1, 1}});
  b.tick();
  for (int c = 0; c < 4; ++c) {
    EXPECT_THAT(b.active(), ElementsAre("consumption_flit_o", "consumption_valid_o")) << c;
    EXPECT_EQ(b.tag("consumption"), 1);
    b.set("consumption_ready_i", 0);
    b.tick();
  }
  EXPECT_EQ(b.tag("consumption"), 1);
  EXPECT_EQ(b.get("y_plus_credit_o"), 0U);
  b.tick();  // taken
  EXPECT_THAT(b.active(), ElementsAre("y_plus_credit_o"));
  b.tick();
  EXPECT_EQ(b.tag("consumption"), 2);
}

/// Inputs that the next single flits, one on each of these links, are served in; connections_per_cycle 1.
std::vector<std::string> order_of_service(Unit& b, const std::vector<std::string>& links,
                                          const std::vector<unsigned>& to) {
  for (std::size_t n = 0; n < links.size(); ++n) b.send(links[n], 1, {static_cast<std::uint32_t>(n), to});
  std::vector<std::string> order;
  for (int c = 0; c < 20; ++c) {
    b.tick();
    for (const auto& link : links)
      if (b.get(link + "_credit_o") != 0) order.push_back(link);
  }
  return order;
}

TEST(ReferenceUnitRouter, ScansFromTheInputBehindTheOneServedLast) {
  Unit b(unit({{"connections_per_cycle", 1}}), {1, 1});
  const std::vector<std::string> all{"x_minus", "x_plus", "y_minus", "y_plus", "injection"};
  EXPECT_THAT(order_of_service(b, all, {1, 1}),
              ElementsAre("x_plus", "x_minus", "y_plus", "y_minus", "injection"));
  // The pointer is behind the last input: it begins from the first one again.
  EXPECT_THAT(order_of_service(b, {"injection", "x_minus"}, {1, 1}), ElementsAre("x_minus", "injection"));
  EXPECT_THAT(order_of_service(b, {"y_plus"}, {1, 1}), ElementsAre("y_plus"));
  EXPECT_THAT(order_of_service(b, {"x_plus", "y_plus", "y_minus"}, {1, 1}),
              ElementsAre("y_minus", "x_plus", "y_plus"));
}

TEST(ReferenceUnitRouter, MakesAsManyConnectionsInACycleAsItMay) {
  for (const unsigned limit : {1U, 2U, 0U}) {
    Unit b(unit({{"connections_per_cycle", limit == 0 ? Json("all") : Json(limit)}}), {1, 1});
    b.send("x_plus", 1, {1, {3, 1}});
    b.send("x_minus", 1, {2, {0, 1}});
    b.send("y_plus", 1, {3, {1, 3}});
    b.tick();
    EXPECT_EQ(b.active().size(), limit == 0 ? 3U : limit);
  }
}

TEST(ReferenceUnitRouter, SelectsTheFirstOrRotates) {
  for (const bool rotating : {false, true}) {
    auto setting = unit({{"lanes", 3}});
    setting.node["selection"] = rotating ? "rotating" : "first";
    Unit b(setting, {1, 1});
    std::vector<std::uint64_t> lanes;
    for (std::uint32_t n = 0; n < 4; ++n) {
      b.send("x_plus", 1, {n, {3, 1}});
      b.tick(2);
      lanes.push_back(b.get("x_plus_vc_o"));
      b.set("x_plus_credit_i", lanes.back());
      b.tick();
    }
    if (rotating)
      EXPECT_THAT(lanes, ElementsAre(1, 2, 4, 1));
    else
      EXPECT_THAT(lanes, ElementsAre(1, 1, 1, 1));
  }
}

// The VCs of a link take turns, whoever has a flit and a credit: lane 0 has its second flit in time for cycle
// 4, but comes behind lane 2.
TEST(ReferenceUnitRouter, SharesALinkRoundRobin) {
  Unit b(unit({{"lanes", 3}}), {1, 1});
  b.send("x_plus", 1, {1, {3, 1}, 2}, 0);
  b.send("injection", 1, {2, {3, 1}, 2}, 0);
  b.tick();
  b.send("x_plus", 2, {3, {3, 1}, 2}, 0);
  b.tick();
  std::vector<int> tags;
  std::vector<std::uint64_t> lanes;
  for (; b.cycle < 6; b.tick()) {
    tags.push_back(b.tag("x_plus"));
    lanes.push_back(b.get("x_plus_vc_o"));
    if (b.cycle != 2) continue;
    b.send("x_plus", 1, {1, {3, 1}, 2}, 1);
    b.set("x_plus_credit_i", 1);
  }
  EXPECT_THAT(tags, ElementsAre(1, 2, 3, 1));
  EXPECT_THAT(lanes, ElementsAre(1, 2, 4, 1));
}

TEST(ReferenceUnitRouter, MatchesHeadersWithVcsByAnAllocator) {
  // Four headers, two lanes: in the first cycle all bid for lane 0. The first one gets it, and its pointers
  // move.
  auto setting = unit({{"lanes", 2}, {"vc_allocator", "separable_input_first"}});
  setting.node["selection"] = "random";
  Unit b(setting, {1, 1});
  b.send("x_plus", 1, {1, {3, 1}, 2});
  b.send("injection", 1, {2, {3, 1}, 2});
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("x_plus_credit_o"));
  b.tick();  // lane 0 is taken: the other one bids for lane 1
  EXPECT_THAT(b.active(),
              ElementsAre("injection_credit_o", "x_plus_flit_o", "x_plus_valid_o", "x_plus_vc_o"));
  EXPECT_EQ(b.get("x_plus_vc_o"), 1U);
  b.tick();
  EXPECT_EQ(b.tag("x_plus"), 2);
  EXPECT_EQ(b.get("x_plus_vc_o"), 2U);
}

TEST(ReferenceUnitRouter, WritesTheStateIntoHeadersThatLeave) {
  Unit b(star_channels(), {3, 1});
  b.send("injection", 1, {1, {0, 2}, 2});
  b.tick(2);
  // Rotating selection begins with the lowest output: x_plus, over the wrap-around link, star channel 1 for
  // it.
  ASSERT_EQ(b.tag("x_plus"), 1);
  const std::uint64_t header = b.get("x_plus_flit_o");
  EXPECT_EQ(b.map->format().state(header), 1U);
  EXPECT_EQ(b.map->format().with_state(header, 0), b.flit({1, {0, 2}, 2}));
  Unit straight(star_channels(), {1, 1});
  straight.send("injection", 1, {1, {2, 2}});
  straight.tick(2);
  EXPECT_EQ(straight.get("x_plus_flit_o"), straight.flit({1, {2, 2}}));
}

// Worms of 4-Classes that have not crossed a wrap-around link and do not need one have prefix 1. On links of
// x their class is 2 * (sign of y is -) + 1, their state sign of x, sign of y, prefix from bit 0 on; crossbar
// 4 * sign_x + 2 * sign_y + prefix.
constexpr std::uint64_t kOnYPlus = 2;
constexpr std::uint64_t kOnYMinus = 8;

// Gravano et al. 1994, V.C: the crossbar behind the one that took the consumption channel last looks first.
TEST(ReferenceUnitRouter, LetsCrossbarsTakeTurnsAtTheConsumptionChannel) {
  Unit b(four_classes(), {1, 1});
  const auto three = [&](std::uint32_t tag) { b.send("x_plus", kOnYMinus, {tag, {1, 1}, 1, 6}); };
  const auto five = [&](std::uint32_t tag) { b.send("x_minus", kOnYPlus, {tag, {1, 1}, 1, 5}); };
  const auto next = [&] {
    do b.tick();
    while (b.get("consumption_valid_o") == 0 && b.cycle < 100);
    return b.tag("consumption");
  };
  three(10);
  five(11);
  EXPECT_EQ(next(), 10);  // crossbar 3 comes first from 0 on,
  EXPECT_EQ(next(), 11);  // then 5; now 6 is first
  three(20);
  five(21);
  EXPECT_EQ(next(), 20);
  EXPECT_EQ(next(), 21);
  three(30);
  EXPECT_EQ(next(), 30);  // now 4 is first
  three(40);
  five(41);
  EXPECT_EQ(next(), 41);
  EXPECT_EQ(next(), 40);
}

// A worm with two hops to go in x either way may go +x in crossbar 1 or -x, which is to cross a wrap-around
// link, in crossbar 4. A header in the injection channel waits in both; the one that looks first serves it.
TEST(ReferenceUnitRouter, OffersHeadersOfTheTerminalToAllCrossbars) {
  const Worm tie{1, {3, 1}, 1, 4};
  Unit first(four_classes(), {1, 1});
  first.send("injection", 1, tie);
  first.tick(2);
  EXPECT_EQ(first.tag("x_plus"), 1);
  EXPECT_EQ(first.get("x_plus_flit_o"), first.flit(tie));
  EXPECT_EQ(first.tag("x_minus"), -1);

  Unit turned(four_classes(), {1, 1});
  turned.send("x_plus", kOnYPlus, {9, {1, 1}, 1, 4});  // crossbar 1 has had the consumption: 2 is first
  turned.tick(3);
  turned.send("injection", 1, tie);
  turned.tick(2);
  EXPECT_EQ(turned.tag("x_minus"), 1);
  EXPECT_EQ(turned.map->format().state(turned.get("x_minus_flit_o")), 1U);  // X-Y+, prefix 0
  EXPECT_EQ(turned.tag("x_plus"), -1);

  Unit busy(four_classes(), {1, 1});
  busy.send("x_plus", kOnYPlus, {9, {2, 1}, 2, 4});  // has the VC of x_plus until its tail is through
  busy.tick();
  busy.send("injection", 1, tie);
  busy.tick(2);
  EXPECT_EQ(busy.tag("x_minus"), 1);
}

// One connection per crossbar and cycle, of all crossbars at once.
TEST(ReferenceUnitRouter, ConnectsInAllCrossbarsAtOnce) {
  Unit b(four_classes(), {1, 1});
  b.send("x_plus", kOnYPlus, {1, {2, 1}, 1, 4});
  b.send("x_minus", kOnYPlus, {2, {0, 1}, 1, 5});
  b.send("y_plus", kOnYPlus, {3, {1, 2}, 1, 4});  // in crossbar 1, like the first
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("x_minus_credit_o", "x_plus_credit_o"));
  b.tick();
  EXPECT_EQ(b.get("y_plus_credit_o"), kOnYPlus);
}

TEST(ReferenceUnitRouter, RefusesWhatIsIllegalOnItsPins) {
  Unit b(unit(), {0, 1});  // at an edge
  const auto reset = [&] {
    b.in = b.map->at_rest(b.id);
    b.router->reset(b.in.data(), b.out.data());
  };
  b.send("x_plus", 1, {1, {3, 1}});  // no link comes from there
  EXPECT_THROW(b.tick(), InternalError);
  reset();
  b.send("y_plus", 2, {1, {3, 1}});  // one VC
  EXPECT_THROW(b.tick(), InternalError);
  reset();
  b.send("y_plus", 1, {1, {3, 1}, 2}, 1);  // no header
  EXPECT_THROW(b.tick(), InternalError);
  reset();
  b.set("x_plus_credit_i", 1);  // it has all
  EXPECT_THROW(b.tick(), InternalError);
  reset();
  b.send("y_plus", 1, {1, {0, 1}, 3}, 0);
  b.set("consumption_ready_i", 0);
  b.tick();
  b.set("consumption_ready_i", 0);
  b.tick();
  b.send("y_plus", 1, {1, {0, 1}, 3}, 1);
  b.set("consumption_ready_i", 0);
  b.tick();
  b.send("y_plus", 1, {1, {0, 1}, 3}, 2);  // the one before is still there
  b.set("consumption_ready_i", 0);
  EXPECT_THROW(b.tick(), InternalError);
}

TEST(ReferenceUnitRouter, IsNotThereForNodesWithoutHardware) {
  auto setting = unit();
  setting.node["selection"] = "random";
  EXPECT_THROW(Unit(setting, {1, 1}), ConfigError);
}

}  // namespace
}  // namespace noctule::rtl_test
