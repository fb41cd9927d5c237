// Do packets that book channels wait as long as others hold them, and no longer?

#include "analytic/link_bookings.h"

#include <gtest/gtest.h>

#include "analytic/link_utilisation.h"
#include "analytic/queueing.h"
#include "core/json.h"
#include "support/networks.h"

namespace noctule {
namespace {

/// Two rows of four routers, and routes in the first; links of so many VCs.
struct Row {
  explicit Row(unsigned lanes = 1) : plan(plan_of(lanes)) {}
  static FabricPlan plan_of(unsigned lanes) {
    const auto topology = topology_of("mesh", {{"radix", {4, 2}}});
    NodeDescription node;
    node.lanes = lanes;
    node.input_depth = 4;
    node.output_depth = 0;
    node.vc_allocator = node.switch_allocator = "separable_input_first";
    return plan_fabric({topology, relation_on(topology, "dimension_order"), node});
  }
  FabricPlan plan;
  ZeroLoad zero{plan};
  PacketRoutes routes{plan, zero};
  LinkBookings bookings{routes};
  [[nodiscard]] PacketRoute& route(std::uint32_t from, std::uint32_t to) {
    return routes.route(TerminalId{from}, TerminalId{to}, 0);
  }
  LinkBookings::Waits book(std::uint32_t from, std::uint32_t to, Cycle born, std::uint32_t flits,
                           bool final = false) {
    PacketRoute& way = route(from, to);
    const std::uint64_t body =
        routes.zero_load(way, TerminalId{from}, flits) - routes.zero_load(way, TerminalId{from}, 1) + 1;
    return bookings.book({&way, born, flits, body, final}, 0);
  }
};

TEST(ARoute, HasAStopForEachChannelInTheOrderOfTheWay) {
  Row row;
  const PacketRoute& route = row.route(0, 3);
  EXPECT_EQ(route.hops, 3U);
  ASSERT_EQ(route.stops.size(), 5U);
  for (std::size_t n = 1; n < 5; ++n) EXPECT_GE(route.stops[n].offset, route.stops[n - 1].offset);
  EXPECT_EQ(&route, &row.route(0, 3)) << "found once";
  EXPECT_EQ(row.routes.zero_load(row.route(0, 3), TerminalId{0}, 7), row.zero.latency(3, 7));
}

TEST(Bookings, MakeTheSecondPacketOfALinkWaitForTheFirst) {
  Row row;
  EXPECT_EQ(row.book(0, 3, 100, 20).all, 0U);
  // From the next router over two of the links: behind the first.
  const auto wait = row.book(1, 3, 110, 20);
  EXPECT_GE(wait.all, 10U);
  EXPECT_LE(wait.all, 20U);
  EXPECT_EQ(wait.injection, 0U);
  // The other way nothing is in the way.
  EXPECT_EQ(row.book(3, 0, 100, 20).all, 0U);
  // Another one from the same terminal waits until the injection channel is free.
  EXPECT_GE(row.book(0, 1, 100, 5).injection, 20U);
  row.bookings.clear();
  EXPECT_EQ(row.book(0, 1, 100, 5).all, 0U);
}

TEST(Bookings, LeaveGapsToWhoComesLater) {
  Row row;
  const auto late = row.book(0, 3, 1000, 20);
  EXPECT_EQ(row.book(0, 3, 10, 20).all, 0U);
  EXPECT_EQ(row.bookings.put_off(late.number), 0U);
}

TEST(Bookings, ServeInTheOrderOfArrivalAndPutOffWhoBookedBefore) {
  Row row;
  const auto far = row.book(0, 3, 100, 20);  // at the last link after all of its way
  const auto near = row.book(2, 3, 100, 20);
  EXPECT_EQ(near.all, 0U) << "it is there first";
  const auto by = row.bookings.put_off(far.number);
  EXPECT_GE(by, 14U);
  EXPECT_LE(by, 20U);
  // What comes behind both waits for both.
  EXPECT_GE(row.book(2, 3, 110, 1).all, 20U + by - 10U);
}

TEST(Bookings, ThatAreToldForGoodAreNotPutOff) {
  Row row;
  const auto far = row.book(0, 3, 100, 20, true);
  const auto near = row.book(2, 3, 100, 20);
  EXPECT_EQ(row.bookings.put_off(far.number), 0U);
  Row other;
  const auto told = other.book(0, 3, 100, 20);
  (void)other.book(2, 3, 100, 20);
  EXPECT_EQ(near.all, other.bookings.put_off(told.number)) << "it waits instead";
}

TEST(Bookings, HoldTheLinksBehindAWormThatWaits) {
  Row row;
  (void)row.book(3, 2, 100, 1);                // elsewhere
  (void)row.book(6, 7, 100, 100);              // the other row
  (void)row.book(2, 3, 100, 100);              // holds the last link for some 100 cycles
  (void)row.book(0, 3, 101, 30);               // waits there, and holds the two links before
  EXPECT_GE(row.book(1, 2, 130, 5).all, 60U);  // over one of these
  EXPECT_LE(row.book(4, 5, 130, 5).all, 0U);
}

TEST(Bookings, LetWormsInDifferentVcsShareALink) {
  Row row(2);
  const auto first = row.book(0, 2, 100, 40);
  const auto second = row.book(1, 3, 112, 40);  // comes when 10 of the first have passed
  // Both at half speed until the first one's other 30 are through.
  EXPECT_NEAR(static_cast<double>(row.bookings.put_off(first.number)), 30, 4);
  EXPECT_NEAR(static_cast<double>(second.all), 30, 4);
  // A short one is through soon, and takes a cycle or two of the others.
  Row with_short(2);
  const auto body = with_short.book(0, 2, 100, 40);
  EXPECT_LE(with_short.book(1, 3, 112, 1).all, 2U);
  EXPECT_LE(with_short.bookings.put_off(body.number), 2U);
}

TEST(Utilisation, ChargesTheMeanWaitOfEachChannelThatOthersKeepBusy) {
  Row row;
  LinkUtilisation utilisation(row.routes, 1000);
  // In the first window client 1 keeps the last link and the last terminal busy for 400 of 1000 cycles.
  for (Cycle t = 0; t < 800; t += 40) EXPECT_EQ(utilisation.pass(row.route(2, 3), true, 1, t, 20), 0U);
  std::uint64_t sum = 0;
  for (Cycle t = 1000; t < 1900; t += 9) sum += utilisation.pass(row.route(0, 3), t % 2 == 0, 2, t, 1);
  const double wanted = 100 * 2 * 20 * md1_wait(0.4);
  EXPECT_NEAR(static_cast<double>(sum), wanted, 2);
  EXPECT_DOUBLE_EQ(utilisation.busiest(), 0.4);
  EXPECT_EQ(utilisation.pass(row.route(2, 3), true, 1, 1900, 20), 0U) << "nobody waits for himself";
  EXPECT_EQ(utilisation.pass(row.route(0, 3), true, 2, 5000, 1), 0U) << "of the window before";
}

TEST(Waits, HavePartsByWhoKeepsAChannelBusy) {
  Row row;
  LinkUtilisation utilisation(row.routes, 1000);
  // Requests of client 1 keep the last link and the last terminal busy for 400 of 1000 cycles.
  for (Cycle t = 0; t < 800; t += 40) (void)utilisation.shares(row.route(2, 3), true, 1, t, 20);
  const auto part = [](const WaitShares& shares, WaitPart one) {
    return shares.of[static_cast<std::size_t>(one)];
  };
  const WaitShares same = utilisation.shares(row.route(0, 3), true, 2, 1000, 5);
  EXPECT_DOUBLE_EQ(part(same, WaitPart::kLinks), 0.4 * 10) << "the rest of 20 flits";
  EXPECT_DOUBLE_EQ(part(same, WaitPart::kLeave), 0.4 * 10);
  EXPECT_DOUBLE_EQ(part(same, WaitPart::kShared), 0);
  EXPECT_DOUBLE_EQ(same.busiest, 0.4);
  const WaitShares other = utilisation.shares(row.route(0, 3), false, 3, 1000, 5);
  EXPECT_DOUBLE_EQ(part(other, WaitPart::kLinks), 0);
  EXPECT_DOUBLE_EQ(part(other, WaitPart::kShared), 0.4 * 5);
  // The next packet of the same client enters behind it.
  EXPECT_GE(utilisation.shares(row.route(0, 3), true, 2, 1001, 5).own, 4);
  EXPECT_LE(utilisation.shares(row.route(0, 3), true, 2, 1020, 5).own, 0);
}

TEST(Waits, AreFoundAgainByTheFit) {
  WaitWeights wanted{{2, 0.5, 3, 0.25}, 1.5, 1};
  std::vector<WaitSample> samples;
  for (unsigned n = 0; n < 200; ++n) {
    WaitSample one;
    for (unsigned p = 0; p < kWaitParts.size(); ++p) one.shares.of[p] = (n * (3 * p + 7) + p) % 11;
    one.shares.own = n % 3;
    one.shares.busy = 0.01 * (n % 30);
    one.shares.busiest = one.shares.busy + 0.1;
    one.wait = wanted.wait(one.shares);
    one.packets = 1 + n % 5;
    samples.push_back(one);
  }
  WaitWeights found = fit_waits(samples);
  for (std::size_t p = 0; p < kWaitParts.size(); ++p) EXPECT_NEAR(found.of[p], wanted.of[p], 1e-6) << p;
  EXPECT_DOUBLE_EQ(found.steep, 1.5);
  EXPECT_DOUBLE_EQ(found.busiest, 0.39);
  // Who waits less the more there is of a part: that part weighs nothing.
  for (WaitSample& one : samples) one.wait -= one.shares.of[1];
  found = fit_waits(samples);
  EXPECT_EQ(found.of[1], 0);
  for (const double weight : found.of) EXPECT_GE(weight, 0);
}

}  // namespace
}  // namespace noctule
