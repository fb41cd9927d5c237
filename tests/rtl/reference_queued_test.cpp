// The reference of an input-queued router, against what the rules say, cycle by cycle.

#include <gmock/gmock.h>

#include "rtl/rtl_support.h"

namespace noctule::rtl_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Queued = Bench<>;

// On the pins in 0, in its queue in 1, where it gets a VC; the switch in 2, the link in 3.
TEST(ReferenceQueuedRouter, PassesALoneHeaderOnInThreeCycles) {
  Queued b(input_queued(), {1, 1});
  const Worm worm{7, {3, 1}};
  b.send("x_plus", 4, worm);
  EXPECT_THAT(b.active(), IsEmpty());
  b.tick();
  EXPECT_THAT(b.active(), IsEmpty());
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("x_plus_credit_o"));
  EXPECT_EQ(b.get("x_plus_credit_o"), 4U);
  b.tick();
  EXPECT_THAT(b.active(), ElementsAre("x_plus_flit_o", "x_plus_valid_o", "x_plus_vc_o"));
  EXPECT_EQ(b.get("x_plus_vc_o"), 1U);
  EXPECT_EQ(b.get("x_plus_flit_o"), b.flit(worm));
  b.tick();
  EXPECT_THAT(b.active(), IsEmpty());
}

TEST(ReferenceQueuedRouter, PassesAFlitPerCycleAsLongAsThereAreCredits) {
  auto setting = input_queued();
  setting.node["input_depth"] = 2;
  Queued b(setting, {1, 1});
  const Worm worm{7, {3, 1}, 6};
  std::vector<Cycle> left;
  unsigned credits = 2;
  std::uint32_t next = 0;
  for (; b.cycle < 30; b.tick()) {
    if (b.get("x_plus_valid_o") != 0) {
      EXPECT_EQ(b.get("x_plus_flit_o"), b.flit(worm, static_cast<std::uint32_t>(left.size())));
      left.push_back(b.cycle);
    }
    if (b.cycle == 10 || b.cycle == 12) b.set("x_plus_credit_i", 1);
    if (credits > 0 && next < worm.length) {
      b.send("x_plus", 1, worm, next++);
      --credits;
    }
    if (b.get("x_plus_credit_o") != 0) ++credits;
  }
  // Two places behind the link; a credit in 10 counts from 11 on, the flit has the switch then.
  EXPECT_THAT(left, ElementsAre(3, 4, 12, 14));
}

// Three headers bid for lane 0 in one cycle; the lowest input gets it. Pointers of those who lost stay: the
// next lowest gets lane 1 in the next cycle.
TEST(ReferenceQueuedRouter, MatchesHeadersWithVcsInputFirst) {
  Queued b(input_queued(), {1, 1});
  b.send("x_plus", 1, {1, {1, 3}, 2});
  b.send("x_minus", 1, {2, {1, 3}, 2});
  b.send("y_plus", 1, {3, {1, 3}, 2});
  std::vector<std::pair<int, std::uint64_t>> seen;
  std::vector<Cycle> at;
  for (; b.cycle < 10; b.tick()) {
    if (b.tag("y_plus") < 0) continue;
    seen.emplace_back(b.tag("y_plus"), b.get("y_plus_vc_o"));
    at.push_back(b.cycle);
  }
  EXPECT_THAT(seen, ElementsAre(std::make_pair(1, 1UL), std::make_pair(2, 2UL), std::make_pair(3, 4UL)));
  EXPECT_THAT(at, ElementsAre(3, 4, 5));
}

// An input VC that got lane 0 bids for lane 1 next, an output VC prefers the inputs behind the one that it
// served.
TEST(ReferenceQueuedRouter, MovesThePointersOfThoseServed) {
  Queued b(input_queued(), {1, 1});
  std::vector<std::uint64_t> lanes;
  const auto send = [&](const std::string& link, std::uint32_t tag) { b.send(link, 1, {tag, {3, 1}}); };
  for (std::uint32_t n = 0; n < 5; ++n) {
    send("x_plus", n);
    b.tick(3);
    lanes.push_back(b.get("x_plus_vc_o"));
  }
  EXPECT_THAT(lanes, ElementsAre(1, 2, 4, 8, 1));
  send("injection", 9);  // it has not been served: lane 0; there the pointer is behind x_plus
  send("x_plus", 10);    // lane 1
  b.tick(3);
  std::vector<std::pair<int, std::uint64_t>> seen;
  for (int c = 0; c < 2; ++c, b.tick()) seen.emplace_back(b.tag("x_plus"), b.get("x_plus_vc_o"));
  // The switch served x_plus last, so injection comes first.
  EXPECT_THAT(seen, ElementsAre(std::make_pair(9, 1UL), std::make_pair(10, 2UL)));
}

// A response bids for the first of its own lanes, though others come before it; where it ends it may take
// all.
TEST(ReferenceQueuedRouter, KeepsAClassToItsLanes) {
  Queued b(two_classes(), {1, 1});
  const auto lane_of = [&](std::uint8_t message_class, std::vector<unsigned> to, const std::string& link) {
    b.send("x_plus", 1, {7, std::move(to), 1, 0, message_class});
    b.tick(3);
    return b.get(link + "_vc_o");
  };
  EXPECT_EQ(lane_of(1, {3, 1}, "x_plus"), 4U);
  EXPECT_EQ(lane_of(0, {3, 1}, "x_plus"), 1U) << "behind lane 2 comes lane 0";
  EXPECT_EQ(lane_of(0, {3, 1}, "x_plus"), 2U);
  EXPECT_EQ(lane_of(0, {3, 1}, "x_plus"), 1U) << "2 and 3 are not its own";
  EXPECT_EQ(lane_of(1, {1, 1}, "consumption"), 1U);
}

// Three inputs, one output port: they take turns, tight. They get their VCs one per cycle, and bid for the
// switch from the next one on.
TEST(ReferenceQueuedRouter, SharesTheSwitchRoundRobin) {
  Queued b(input_queued(), {1, 1});
  const auto send = [&](const std::string& link, std::uint32_t tag, std::uint32_t n) {
    b.send(link, 1, {tag, {1, 1}, 4}, n);
  };
  std::vector<int> tags;
  for (std::uint32_t n = 0; b.cycle < 15; b.tick(), ++n) {
    if (n < 4) {
      send("x_plus", 1, n);
      send("y_minus", 2, n);
      send("injection", 3, n);
    }
    if (b.tag("consumption") >= 0) tags.push_back(b.tag("consumption"));
  }
  EXPECT_THAT(tags, ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3));
}

// An input port sends one flit per cycle, whatever its VCs could do: they take turns.
TEST(ReferenceQueuedRouter, LetsOneFlitPerInputPortThrough) {
  Queued b(input_queued(), {1, 1});
  std::vector<std::uint64_t> freed;
  for (std::uint32_t n = 0; b.cycle < 20; b.tick()) {
    if (b.get("x_plus_credit_o") != 0) freed.push_back(b.get("x_plus_credit_o"));
    if (b.cycle % 2 == 0 && n < 3)
      b.send("x_plus", 1, {1, {3, 1}, 3}, n);
    else if (n < 3)
      b.send("x_plus", 2, {2, {1, 3}, 3}, n++);
  }
  EXPECT_THAT(freed, ElementsAre(1, 2, 1, 2, 1, 2));
}

// The same where both have flits all the time: they have filled the four places behind each of their VCs, and
// wait; then two credits come for each.
TEST(ReferenceQueuedRouter, TakesTurnsAmongTheVcsOfAnInputPort) {
  auto setting = input_queued();
  setting.node["input_depth"] = 4;
  Queued b(setting, {1, 1});
  const auto worm = [](std::uint32_t v) { return Worm{v + 1, {3, 1}, 12}; };
  std::vector<std::uint32_t> next(2);
  std::vector<unsigned> credits(2, 4);
  std::vector<std::uint64_t> freed;
  for (; b.cycle < 40; b.tick()) {
    const std::uint64_t pulses = b.get("x_plus_credit_o");
    const std::uint32_t v = b.cycle % 2 == 0 ? 0 : 1;
    if (credits[v] > 0) {
      b.send("x_plus", 1U << v, worm(v), next[v]++);
      --credits[v];
    }
    for (std::uint32_t w = 0; w < 2; ++w) credits[w] += (pulses >> w & 1) != 0 ? 1 : 0;
    if (b.cycle == 25 || b.cycle == 26) b.set("x_plus_credit_i", 3);
    if (b.cycle > 25 && pulses != 0) freed.push_back(pulses);
  }
  EXPECT_THAT(freed, ElementsAre(1, 2, 1, 2));
}

// The terminal takes a flit in every cycle, whatever consumption_ready_i says.
TEST(ReferenceQueuedRouter, HasATerminalThatIsAlwaysReady) {
  Queued b(input_queued(), {1, 1});
  const Worm worm{1, {1, 1}, 4};
  std::vector<Cycle> seen;
  for (std::uint32_t n = 0; b.cycle < 12; b.tick(), ++n) {
    if (n < worm.length) b.send("x_plus", 1, worm, n);
    b.set("consumption_ready_i", 0);
    if (b.get("consumption_valid_o") == 0) continue;
    EXPECT_EQ(b.get("consumption_flit_o"), b.flit(worm, static_cast<std::uint32_t>(seen.size())));
    EXPECT_EQ(b.get("consumption_vc_o"), 1U);
    seen.push_back(b.cycle);
  }
  EXPECT_THAT(seen, ElementsAre(3, 4, 5, 6));
}

}  // namespace
}  // namespace noctule::rtl_test
