// Does an isolated transaction take what the formulas say, between all pairs of terminals?

#include "tlm/tlm_support.h"

#include "topology/cube_geometry.h"

namespace noctule::tlm::tlm_test {
namespace {

Platform all_of_8x8() {
  Platform platform;
  platform.topology = "{kind: mesh, radix: [8, 8]}";
  platform.initiators.clear();
  platform.targets.clear();
  for (unsigned t = 0; t < 64; ++t) {
    platform.initiators.push_back(t);
    platform.targets.push_back(t);
  }
  return platform;
}

/// Request, target, response: each packet takes a cycle until it is born, and its zero-load latency.
Cycle expected(const TlmNetwork& network, unsigned from, unsigned to, Burst burst, Cycle service) {
  const Topology& topology = *network.fabric().plan().topology;
  const auto hops = network.fabric().plan().relation->hops(topology.injection_router(TerminalId{from}),
                                                           topology.consumption_router(TerminalId{to}));
  const ZeroLoad& zero = network.fabric().zero_load();
  return 1 + zero.latency(hops, network.packetizer().request_flits(burst)) + service + 1 +
         zero.latency(hops, network.packetizer().response_flits(burst));
}

TEST(AnIsolatedTransaction, ByBTransportTakesItsClosedFormBetweenAllPairsOf8x8) {
  System system(all_of_8x8());
  for (auto& memory : system.memories) memory->latency = sc_time(3, SC_NS);
  unsigned compared = 0;
  system.initiators[0]->body = [&](Initiator&) {
    std::vector<unsigned char> data(64);
    for (unsigned from = 0; from < 64; ++from)
      for (unsigned to = 0; to < 64; ++to)
        for (const bool write : {false, true}) {
          const unsigned length = 1 + (7 * from + 3 * to) % 64;
          const std::uint64_t local = (from + to) % 16;
          const sc_time before = sc_core::sc_time_stamp();
          EXPECT_EQ(system.initiators[from]->access(write, to * 0x10000 + local, data.data(), length),
                    ::tlm::TLM_OK_RESPONSE);
          const Cycle took = system.cycles(sc_core::sc_time_stamp() - before);
          EXPECT_EQ(took, expected(*system.network, from, to,
                                   {write ? Access::kWrite : Access::kRead, local, length}, 3))
              << from << " to " << to << (write ? " write " : " read ") << length;
          ++compared;
        }
  };
  sc_core::sc_start(sc_time(10, sc_core::SC_MS));
  EXPECT_EQ(compared, 64U * 64 * 2);
  EXPECT_EQ(system.network->open(), 0U);
  EXPECT_EQ(system.network->counters().packets, 64U * 64 * 4);
}

TEST(AnIsolatedTransaction, ByNbTransportTakesTheSameTime) {
  System system(all_of_8x8());
  for (auto& memory : system.memories) memory->latency = sc_time(2, SC_NS);
  Payloads payloads;
  unsigned compared = 0;
  sc_core::sc_event over;
  sc_time end_of_request;
  for (auto& initiator : system.initiators)
    initiator->backward = [&](Payload&, Phase& phase, sc_time&) {
      if (phase == ::tlm::END_REQ) {
        end_of_request = sc_core::sc_time_stamp();
        return ::tlm::TLM_ACCEPTED;
      }
      EXPECT_EQ(phase, ::tlm::BEGIN_RESP);
      over.notify(SC_ZERO_TIME);
      return ::tlm::TLM_COMPLETED;
    };
  system.initiators[0]->body = [&](Initiator&) {
    std::vector<unsigned char> data(64);
    for (unsigned from = 0; from < 64; ++from)
      for (unsigned to = 0; to < 64; to += 3) {
        const unsigned length = 1 + (5 * from + to) % 64;
        Payload& p = payloads.take(from % 2 == 0, to * 0x10000, data.data(), length);
        const sc_time before = sc_core::sc_time_stamp();
        EXPECT_EQ(system.initiators[from]->forward(p, ::tlm::BEGIN_REQ, sc_time(to % 4, SC_NS)),
                  ::tlm::TLM_ACCEPTED);
        sc_core::wait(over);
        EXPECT_EQ(end_of_request, before + sc_time(to % 4, SC_NS))
            << "an empty queue takes a request at once";
        EXPECT_EQ(system.cycles(sc_core::sc_time_stamp() - before),
                  expected(*system.network, from, to,
                           {from % 2 == 0 ? Access::kWrite : Access::kRead, 0, length}, 2) +
                      to % 4);
        p.release();
        ++compared;
      }
  };
  sc_core::sc_start(sc_time(10, sc_core::SC_MS));
  EXPECT_EQ(compared, 64U * 22);
  EXPECT_EQ(payloads.in_use, 0);
  EXPECT_EQ(system.network->open(), 0U);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
