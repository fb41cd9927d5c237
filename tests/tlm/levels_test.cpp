// Do the levels at which no flit moves keep the protocol, the data and the time of what meets nothing?

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tlm/blocking_support.h"
#include "tlm/checked_system.h"
#include "tlm/levels_support.h"

namespace noctule::tlm::tlm_test {
namespace {

Platform all_of_4x4(const std::string& more) {
  Platform platform;
  platform.more = more;
  platform.initiators.clear();
  platform.targets.clear();
  for (unsigned t = 0; t < 16; ++t) {
    platform.initiators.push_back(t);
    platform.targets.push_back(t);
  }
  return platform;
}

std::vector<Isolated> isolated(unsigned terminals, unsigned step) {
  std::vector<Isolated> all;
  for (unsigned from = 0; from < terminals; ++from)
    for (unsigned to = from % step; to < terminals; to += step)
      all.push_back({from, to, 1 + (7 * from + 3 * to) % 64, (from + to) % 2 == 0, (from + 5 * to) % 16,
                     sc_time(100 + static_cast<double>(from * to % 7) * 0.3, SC_NS)});
  return all;
}

class Levels : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Every, Levels, testing::Values("approximate", "loose"));

TEST_P(Levels, AnIsolatedTransactionTakesWhatItTakesInTheFabric) {
  const auto list = isolated(16, 1);
  Blocking exact(all_of_4x4(""), list);
  Blocking level(all_of_4x4(key(GetParam())), list);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(exact.took.size(), 256U);
  EXPECT_EQ(level.took, exact.took);
  level.system.expect_clean(Payloads{});
}

TEST_P(Levels, AnIsolatedTransactionIsExactWhereATargetWaitsItself) {
  const auto list = isolated(16, 5);
  Blocking exact(all_of_4x4(""), list);
  Blocking level(all_of_4x4(key(GetParam())), list);
  for (Blocking* const one : {&exact, &level})
    for (auto& memory : one->system.memories) memory->waits = true;
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(exact.took.size(), list.size());
  EXPECT_EQ(level.took, exact.took);
}

TEST_P(Levels, AnIsolatedTransactionIsExactWhereLinksAndRoutersDiffer) {
  Platform platform = all_of_4x4("");
  platform.end =
      "links: [{links: ['router_1_*.x_plus'], set: {flit_delay: 3, cycles_per_flit: 2}}]\n"
      "nodes: [{routers: ['router_*_2'], set: {input_depth: 2}}]\n";
  const auto list = isolated(16, 3);
  Blocking exact(platform, list);
  platform.more = key(GetParam());
  Blocking level(platform, list);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(exact.took.size(), list.size());
  EXPECT_EQ(level.took, exact.took);
}

TEST_P(Levels, HeadersDrawTheWayThatTheyDrawInTheFabric) {
  Platform platform = all_of_4x4("");
  platform.node = "{model: input_queued, lanes: 4, input_depth: 4, injection_vcs: 1, consumption_vcs: 1}";
  platform.classes = "message_classes: {request: {vcs: {lane: [0, 1]}}, response: {vcs: {lane: [2, 3]}}}\n";
  platform.end = "routing: valiant\n";
  platform.more = "  reorder: buffer\n";
  const auto list = isolated(16, 1);
  Blocking exact(platform, list);
  platform.more += key(GetParam());
  Blocking level(platform, list);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(exact.took.size(), 256U);
  EXPECT_EQ(level.took, exact.took);
}

/// The same by nb_transport: when their phases come.
struct FourPhases {
  FourPhases(const Platform& platform, const std::vector<Isolated>& list) : system(platform) {
    for (auto& memory : system.memories) memory->latency = sc_time(2, SC_NS);
    for (auto& initiator : system.initiators)
      initiator->backward = [this](Payload&, Phase& phase, sc_time&) {
        at.push_back(sc_core::sc_time_stamp());
        if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
        over.notify(SC_ZERO_TIME);
        return ::tlm::TLM_COMPLETED;
      };
    system.initiators[0]->body = [this, list](Initiator&) {
      for (const Isolated& one : list) {
        sc_core::wait(sc_time(40, SC_NS));
        Payload& p = payloads.take(one.write, one.to * 0x10000, data.data(), one.length);
        began.push_back(sc_core::sc_time_stamp());
        system.initiators[one.from]->forward(p, ::tlm::BEGIN_REQ, sc_time(one.to % 4, SC_NS));
        sc_core::wait(over);
        p.release();
      }
    };
  }
  CheckedSystem system;
  Payloads payloads;
  sc_core::sc_event over;
  std::vector<unsigned char> data = std::vector<unsigned char>(1024);
  std::vector<sc_time> began;
  std::vector<sc_time> at;
};

TEST_P(Levels, PhasesOfAnIsolatedTransactionComeWhenTheyComeInTheFabric) {
  const auto list = isolated(16, 3);
  FourPhases exact(all_of_4x4(""), list);
  FourPhases level(all_of_4x4(key(GetParam())), list);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(exact.at.size(), 2 * list.size());
  EXPECT_EQ(level.at, exact.at);
  level.system.expect_clean(level.payloads);
}

TEST_P(Levels, RefuseInNoTimeWhatNobodyServes) {
  Platform platform;
  platform.more = key(GetParam());
  CheckedSystem system(platform);
  unsigned char data[8] = {};
  system.initiators[0]->body = [&](Initiator& initiator) {
    EXPECT_EQ(initiator.access(true, 0x20000, data, 8), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), SC_ZERO_TIME);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(system.network->counters().refused, 1U);
  EXPECT_EQ(system.network->counters().packets, 0U);
  system.expect_clean(Payloads{});
}

TEST_P(Levels, EndWithAnErrorWhatATargetIsAtWorkOnAtAReset) {
  Platform platform;
  platform.more = key(GetParam());
  platform.map = "  map:\n    - {base: 0, size: 128KiB, target: t0}\n";  // twice what the memory has
  CheckedSystem system(platform);
  system.memories[0]->waits = true;
  system.memories[0]->latency = sc_time(30, SC_NS);
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  system.network->rst_ni(rst_n);
  unsigned char data[8] = {};
  auto status = ::tlm::TLM_OK_RESPONSE;
  system.initiators[0]->body = [&](Initiator& initiator) {
    status = initiator.access(true, 0x10000, data, 8);
  };
  sc_core::sc_start(sc_time(9.5, SC_NS));
  rst_n.write(false);
  sc_core::sc_start(sc_time(1, SC_NS));
  rst_n.write(true);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(status, ::tlm::TLM_GENERIC_ERROR_RESPONSE) << "and not that of the address";
  system.expect_clean(Payloads{});
}

TEST_P(Levels, MoveNoFlit) {
  Platform platform;
  platform.more = key(GetParam());
  CheckedSystem system(platform);
  unsigned char data[8] = {1, 2, 3};
  system.initiators[0]->body = [&](Initiator& initiator) { initiator.access(true, 0, data, 8); };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(system.memories[0]->transactions, 1U);
  EXPECT_EQ(system.network->counters().packets, 2U);
  EXPECT_EQ(system.network->fabric().moves(), 0U);
}

TEST(LevelLoose, ToldOfACutTransactionByPhasesIsRoughlyRight) {
  Platform platform;
  platform.targets = {15, 12};
  platform.map = "  map:\n    - {base: 0, size: 64KiB, interleave: {granule: 64, over: [t0, t1]}}\n";
  std::vector<Isolated> list;
  for (const unsigned length : {65U, 128U, 200U, 256U, 600U, 1000U})
    for (const bool write : {false, true}) list.push_back({0, 0, length, write, 0, {}});
  FourPhases exact(platform, list);
  platform.more = key("loose");
  FourPhases loose(platform, list);
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  ASSERT_EQ(exact.at.size(), 2 * list.size());
  ASSERT_EQ(loose.at.size(), 2 * list.size());
  for (std::size_t n = 0; n < list.size(); ++n) {
    const double ratio = (loose.at[2 * n + 1] - loose.began[n]) / (exact.at[2 * n + 1] - exact.began[n]);
    EXPECT_GE(ratio, list[n].length > 256 ? 0.65 : 0.83) << list[n].length << " bytes, " << list[n].write;
    EXPECT_LE(ratio, 1.12) << list[n].length << " bytes, " << list[n].write;
  }
}

/// Does a network with these keys grant direct memory access?
bool granted(const std::string& more) {
  Platform platform;
  platform.more = more;
  CheckedSystem system(platform);
  system.memories[0]->dmi_last = 0xffff;
  Payload p;
  Payloads::fill(p, false, 0x100, nullptr, 4);
  ::tlm::tlm_dmi dmi;
  bool granted = false;
  system.initiators[0]->body = [&](Initiator& initiator) {
    granted = initiator.socket->get_direct_mem_ptr(p, dmi);
  };
  sc_core::sc_start(sc_time(1, SC_NS));
  return granted;
}

TEST(DirectAccess, IsGrantedAtLevelLoose) {
  EXPECT_TRUE(granted(key("loose")));
}
TEST(DirectAccess, IsDeniedAtLevelLooseWhereTheFileSaysSo) {
  EXPECT_FALSE(granted(key("loose") + "  dmi: denied\n"));
}
TEST(DirectAccess, IsDeniedAtLevelApproximate) {
  EXPECT_FALSE(granted(key("approximate")));
}

TEST(ALevel, SaysWhatDoesNotGoWithIt) {
  for (const auto& [more, where] : std::vector<std::pair<std::string, std::string>>{
           {key("cycle") + "  contention: utilisation\n", "tlm.contention"},
           {key("approximate") + "  contention: utilisation\n", "tlm.contention"},
           {key("approximate") + "  dmi: granted\n", "tlm.dmi"},
           {key("loose") + "  return_delay: keep\n", "tlm.return_delay"}}) {
    Platform platform;
    platform.more = more;
    try {
      (void)configured_network_text(platform.text(), "test.yaml");
      ADD_FAILURE() << more;
    } catch (const ConfigError& error) {
      ASSERT_EQ(error.diagnostics().size(), 1U) << error.what();
      EXPECT_EQ(error.diagnostics()[0].key, where);
      EXPECT_NE(std::string(error.what()).find("test.yaml:"), std::string::npos) << error.what();
    }
  }
}

TEST(ALevel, WithoutFlitsTakesNoClock) {
  Platform platform;
  platform.more = key("loose");
  System system(platform);
  sc_core::sc_clock clock("clock", 1, SC_NS);
  system.network->clk_i(clock);
  EXPECT_THROW(sc_core::sc_start(SC_ZERO_TIME), ConfigError);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
