// Does level loose never wait, so that an initiator runs ahead, and annotate what others make it wait for?

#include <vector>

#include "tlm/checked_system.h"
#include "tlm/levels_support.h"
#include "tlm_utils/tlm_quantumkeeper.h"

namespace noctule::tlm::tlm_test {
namespace {

TEST(LevelLoose, NeverWaitsAndAddsToTheDelay) {
  Platform platform;
  platform.more = key("loose");
  CheckedSystem system(platform);
  unsigned char data[64] = {};
  std::vector<sc_time> delays;
  system.initiators[0]->body = [&](Initiator& initiator) {
    sc_time delay(7, SC_NS);
    for (int n = 0; n < 3; ++n) {
      Payload p;
      Payloads::fill(p, n == 1, 0x40, data, 64);
      initiator.socket->b_transport(p, delay);
      delays.push_back(delay);
    }
    EXPECT_EQ(sc_core::sc_time_stamp(), SC_ZERO_TIME);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  ASSERT_EQ(delays.size(), 3U);
  const ZeroLoad& zero = system.network->fabric().zero_load();
  // Two flits of a read request, one of header and eight of data back.
  const double read = 2 + static_cast<double>(zero.latency(6, 1) + zero.latency(6, 9));
  EXPECT_EQ(delays[0], sc_time(7 + read, SC_NS));
  EXPECT_EQ(delays[2] - delays[1], sc_time(read, SC_NS));
}

TEST(LevelLoose, LetsAnInitiatorRunAheadByItsQuantum) {
  Platform platform;
  platform.more = key("loose");
  CheckedSystem system(platform);
  ::tlm::tlm_global_quantum::instance().set(sc_time(1, sc_core::SC_US));
  unsigned char data[64] = {};
  unsigned wakes = 0;
  sc_time end;
  system.initiators[0]->body = [&](Initiator& initiator) {
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    for (int n = 0; n < 100; ++n) {
      Payload p;
      Payloads::fill(p, false, 0, data, 64);
      sc_time delay = keeper.get_local_time();
      initiator.socket->b_transport(p, delay);
      keeper.set(delay);
      if (keeper.need_sync()) {
        keeper.sync();
        ++wakes;
      }
    }
    end = keeper.get_current_time();
  };
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  const ZeroLoad& zero = system.network->fabric().zero_load();
  EXPECT_EQ(end, sc_time(100 * (2 + static_cast<double>(zero.latency(6, 1) + zero.latency(6, 9))), SC_NS));
  EXPECT_GT(wakes, 1U);
  EXPECT_LT(wakes, 10U);
}

TEST(LevelLoose, WithUtilisationWaitsForOthersAndNotForItself) {
  Platform platform;
  platform.initiators = {0, 1};
  platform.targets = {3};
  platform.more = key("loose") + "  contention: utilisation\n  utilisation_window: 1000\n";
  CheckedSystem system(platform);
  unsigned char data[256] = {};
  sc_time delays[2];
  const auto write = [&](unsigned i) {
    Payload p;
    Payloads::fill(p, true, 0, data, 256);
    const sc_time before = delays[i];
    system.initiators[i]->socket->b_transport(p, delays[i]);
    return (delays[i] - before) / sc_time(1, SC_NS);
  };
  system.initiators[0]->body = [&](Initiator&) {
    const double lone = write(0);
    for (int n = 0; n < 200; ++n) EXPECT_EQ(write(0), lone) << "nobody else is there";
    delays[1] = delays[0];
    double sum = 0;
    for (int n = 0; n < 300; ++n) {
      const double took = write(0);
      (void)write(1);
      if (n >= 100) sum += took - lone;
    }
    // Two shared links and the consumption channel, each busy by the other one for some 33 of 70 cycles.
    EXPECT_GT(sum / 200, 3 * 7);
    EXPECT_LT(sum / 200, 3 * 20);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  system.expect_clean(Payloads{});
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
