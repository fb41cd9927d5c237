// Do packets that book channels wait as long as others hold them, and no longer?

#include "analytic/link_bookings.h"

#include <gtest/gtest.h>

#include "analytic/link_utilisation.h"
#include "analytic/queueing.h"
#include "core/json.h"
#include "support/networks.h"

namespace noctule {
namespace {

TEST(AChannelCalendar, HasGapsBetweenWhatIsTaken) {
  ChannelCalendar calendar;
  EXPECT_EQ(calendar.gap(7, 100), 7U);
  calendar.take(10, 20);
  calendar.take(30, 40);
  EXPECT_EQ(calendar.gap(0, 10), 0U);
  EXPECT_EQ(calendar.gap(0, 11), 40U);
  EXPECT_EQ(calendar.gap(12, 10), 20U);
  EXPECT_EQ(calendar.gap(25, 6), 40U);
  calendar.take(18, 32);  // over both
  EXPECT_EQ(calendar.gap(12, 1), 40U);
  calendar.forget(39);
  EXPECT_EQ(calendar.gap(12, 1), 40U);
  calendar.forget(40);
  EXPECT_EQ(calendar.gap(12, 1), 12U);
}

/// Two rows of four routers with one lane each, and routes in the first.
struct Row {
  std::shared_ptr<const Topology> topology = topology_of("mesh", {{"radix", {4, 2}}});
  FabricPlan plan = plan_fabric({topology, relation_on(topology, "dimension_order")});
  ZeroLoad zero{plan};
  PacketRoutes routes{plan, zero};
  [[nodiscard]] PacketRoute& route(std::uint32_t from, std::uint32_t to) {
    return routes.route(TerminalId{from}, TerminalId{to}, 0);
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
  LinkBookings bookings(row.routes);
  EXPECT_EQ(bookings.book(row.route(0, 3), 100, 20, 100).all, 0U);
  // From the next router over two of the links, at the same time: the first has them all.
  const auto wait = bookings.book(row.route(1, 3), 100, 20, 100);
  EXPECT_GE(wait.all, 10U);
  EXPECT_LE(wait.all, 30U);
  EXPECT_EQ(wait.injection, 0U);
  // The other way nothing is in the way.
  EXPECT_EQ(bookings.book(row.route(3, 0), 100, 20, 100).all, 0U);
  // Another one from the same terminal waits until the injection channel is free.
  EXPECT_GE(bookings.book(row.route(0, 1), 100, 5, 100).injection, 20U);
  bookings.clear();
  EXPECT_EQ(bookings.book(row.route(0, 1), 100, 5, 100).all, 0U);
}

TEST(Bookings, LeaveGapsToWhoComesLater) {
  Row row;
  LinkBookings bookings(row.routes);
  (void)bookings.book(row.route(0, 3), 1000, 20, 10);
  EXPECT_EQ(bookings.book(row.route(0, 3), 10, 20, 10).all, 0U);
}

TEST(Utilisation, ChargesTheMeanWaitOfEachChannelThatOthersKeepBusy) {
  Row row;
  LinkUtilisation utilisation(row.routes, 1000);
  // In the first window client 1 keeps the last link and the last terminal busy for 400 of 1000 cycles.
  for (Cycle t = 0; t < 800; t += 40) EXPECT_EQ(utilisation.pass(row.route(2, 3), 1, t, 20), 0U);
  std::uint64_t sum = 0;
  for (Cycle t = 1000; t < 1900; t += 9) sum += utilisation.pass(row.route(0, 3), 2, t, 1);
  const double wanted = 100 * 2 * 20 * md1_wait(0.4);
  EXPECT_NEAR(static_cast<double>(sum), wanted, 2);
  EXPECT_DOUBLE_EQ(utilisation.busiest(), 0.4);
  EXPECT_EQ(utilisation.pass(row.route(2, 3), 1, 1900, 20), 0U) << "nobody waits for himself";
  EXPECT_EQ(utilisation.pass(row.route(0, 3), 2, 5000, 1), 0U) << "of the window before";
}

}  // namespace
}  // namespace noctule
