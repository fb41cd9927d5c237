#pragma once
// Shared by the tests of the levels: transactions of one initiator, one after the other, and what each takes.

#include <cstdint>
#include <vector>

#include "tlm/checked_system.h"

namespace noctule::tlm::tlm_test {

/// Lengths, addresses and pauses of the isolated transactions; times are off the grid of cycles, too.
struct Isolated {
  unsigned from, to, length;
  bool write;
  std::uint64_t local;
  sc_time pause;
  unsigned width = 0;  ///< of streaming; 0: none
};

/// Isolated transactions by b_transport: what each took, annotated and waited for.
struct Blocking {
  Blocking(const Platform& platform, const std::vector<Isolated>& list) : system(platform) {
    for (auto& memory : system.memories) memory->latency = sc_time(3.4, SC_NS);
    system.initiators[0]->body = [this, list](Initiator&) {
      for (const Isolated& one : list) run(one);
    };
  }
  void run(const Isolated& one) {
    Payload p;
    Payloads::fill(p, one.write, one.to * 0x10000 + one.local, data.data(), one.length);
    if (one.width != 0) p.set_streaming_width(one.width);
    sc_core::wait(one.pause);
    sc_time delay;
    const sc_time before = sc_core::sc_time_stamp();
    system.initiators[one.from]->socket->b_transport(p, delay);
    took.push_back(sc_core::sc_time_stamp() + delay - before);
    sc_core::wait(delay);
    EXPECT_EQ(p.get_response_status(), ::tlm::TLM_OK_RESPONSE);
  }
  CheckedSystem system;
  std::vector<unsigned char> data = std::vector<unsigned char>(64);
  std::vector<sc_time> took;
};

}  // namespace noctule::tlm::tlm_test
