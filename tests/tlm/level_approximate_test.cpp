// Does level approximate wake a thread once, let packets wait for each other, and keep delays, limits and
// resets?

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/checked_system.h"
#include "tlm/levels_support.h"

namespace noctule::tlm::tlm_test {
namespace {

TEST(LevelApproximate, ByBTransportWakesAThreadOnceAndLetsPacketsWait) {
  Platform platform;
  platform.initiators = {0, 1, 2};
  platform.more = key("approximate");
  CheckedSystem system(platform);
  unsigned char data[256] = {};
  std::vector<sc_time> ends(3);
  for (unsigned i = 0; i < 3; ++i)
    system.initiators[i]->body = [&, i](Initiator& initiator) {
      initiator.access(true, 256 * i, data, 256);
      ends[i] = sc_core::sc_time_stamp();
    };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_LE(sc_core::sc_delta_count(), 8U);
  // Terminal 0 is furthest and books first; the others wait at the links that they share, and last longer.
  const ZeroLoad& zero = system.network->fabric().zero_load();
  const auto lone = [&](unsigned hops) {
    return sc_time(2 + static_cast<double>(zero.latency(hops, 33) + zero.latency(hops, 1)), SC_NS);
  };
  EXPECT_EQ(ends[0], lone(6));
  EXPECT_GT(ends[1], lone(5));
  EXPECT_GT(ends[2], lone(4));
}

/// Two writes of 256 bytes by nb_transport to one target: from afar, and a little later from beside it. When
/// each reaches the target, and when its response is back.
struct MeetingWrites {
  explicit MeetingWrites(const std::string& level) : system(platform_of(level)) {
    system.memories[0]->forward = [this](Payload& p, Phase& phase, sc_time&) {
      if (phase != ::tlm::BEGIN_REQ) return ::tlm::TLM_ACCEPTED;
      reached[p.get_address() / 256] = sc_core::sc_time_stamp();
      p.set_response_status(::tlm::TLM_OK_RESPONSE);
      return ::tlm::TLM_COMPLETED;
    };
    for (unsigned i = 0; i < 2; ++i) {
      system.initiators[i]->backward = [this, i](Payload&, Phase& phase, sc_time&) {
        if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
        ended[i] = sc_core::sc_time_stamp();
        return ::tlm::TLM_COMPLETED;
      };
      system.initiators[i]->body = [this, i](Initiator& initiator) {
        sc_core::wait(sc_time(100 + 2 * i, SC_NS));
        Payload& p = payloads.take(true, 256 * i, data.data(), 256);
        initiator.forward(p, ::tlm::BEGIN_REQ);
        p.release();
      };
    }
  }
  static Platform platform_of(const std::string& level) {
    Platform platform;
    platform.initiators = {0, 2};
    platform.targets = {3};
    platform.more = key(level.c_str());
    return platform;
  }
  CheckedSystem system;
  Payloads payloads;
  std::vector<unsigned char> data = std::vector<unsigned char>(256);
  sc_time reached[2], ended[2];
};

TEST(LevelApproximate, ByNbTransportIsPutOffByWhatComesFirstToALink) {
  MeetingWrites exact("cycle");
  MeetingWrites coarse("approximate");
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  // The near one takes the last link before the far one is there, although it was begun later.
  EXPECT_GT(exact.reached[0], exact.reached[1] + sc_time(20, SC_NS));
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_NEAR(coarse.reached[i] / sc_time(1, SC_NS), exact.reached[i] / sc_time(1, SC_NS), 2) << i;
    EXPECT_NEAR(coarse.ended[i] / sc_time(1, SC_NS), exact.ended[i] / sc_time(1, SC_NS), 2) << i;
  }
  coarse.system.expect_clean(coarse.payloads);
}

TEST(LevelApproximate, SpendsTheAnnotatedDelayAndReturnsNone) {
  Platform platform;
  platform.more = key("approximate");
  CheckedSystem system(platform);
  unsigned char data[64] = {};
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload p;
    Payloads::fill(p, false, 0, data, 64);
    sc_time delay(25, SC_NS);
    initiator.socket->b_transport(p, delay);
    EXPECT_EQ(delay, SC_ZERO_TIME);
    const ZeroLoad& zero = system.network->fabric().zero_load();
    EXPECT_EQ(sc_core::sc_time_stamp(),
              sc_time(27 + static_cast<double>(zero.latency(6, 1) + zero.latency(6, 9)), SC_NS));
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
}

/// Two threads of one initiator.
class Second final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Second);
  Second(sc_core::sc_module_name name, std::function<void()> body) : sc_module(name), body_(std::move(body)) {
    SC_THREAD(run);
  }

 private:
  void run() { body_(); }
  std::function<void()> body_;
};

TEST(LevelApproximate, KeepsTheLimitOfOpenTransactions) {
  Platform platform;
  platform.more = key("approximate");
  CheckedSystem system(platform,
                       [](NetworkParts& parts) { parts.settings.initiators[0].max_outstanding = 1; });
  unsigned char data[128] = {};
  sc_time ends[2];
  Initiator& initiator = *system.initiators[0];
  initiator.body = [&](Initiator&) {
    initiator.access(false, 0, data, 64);
    ends[0] = sc_core::sc_time_stamp();
  };
  Second second("second", [&] {
    sc_core::wait(sc_time(1, SC_NS));
    initiator.access(false, 64, data + 64, 64);
    ends[1] = sc_core::sc_time_stamp();
  });
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(ends[1] - ends[0], ends[0]) << "one behind the other";
  system.expect_clean(Payloads{});
}

TEST(LevelApproximate, EndsWhatIsUnderWayAtAReset) {
  Platform platform;
  platform.more = key("approximate");
  CheckedSystem system(platform);
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  system.network->rst_ni(rst_n);
  unsigned char data[64] = {};
  std::vector<::tlm::tlm_response_status> statuses;
  std::vector<sc_time> ends;
  system.initiators[0]->body = [&](Initiator& initiator) {
    for (int n = 0; n < 3; ++n) {
      statuses.push_back(initiator.access(false, 0, data, 64));
      ends.push_back(sc_core::sc_time_stamp());
      sc_core::wait(sc_time(n == 1 ? 20 : 1, SC_NS));
    }
  };
  sc_core::sc_start(sc_time(9.5, SC_NS));
  rst_n.write(false);
  sc_core::sc_start(sc_time(10, SC_NS));
  rst_n.write(true);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(statuses, (std::vector{::tlm::TLM_GENERIC_ERROR_RESPONSE, ::tlm::TLM_GENERIC_ERROR_RESPONSE,
                                   ::tlm::TLM_OK_RESPONSE}));
  EXPECT_EQ(ends[0], sc_time(9.5, SC_NS));
  EXPECT_EQ(ends[1], sc_time(10.5, SC_NS)) << "in reset nothing begins";
  EXPECT_EQ(system.network->counters().failed, 2U);
  system.expect_clean(Payloads{});
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
