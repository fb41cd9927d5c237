// Do requests and responses keep to planes of their own, at all levels?

#include "tlm/checked_system.h"

namespace noctule::tlm::tlm_test {
namespace {

/// Requests around a torus that runs one way, responses through a mesh of slow links.
Platform two_planes(const char* level) {
  Platform platform;
  platform.initiators.clear();
  platform.targets.clear();
  for (unsigned t = 0; t < 16; ++t) {
    platform.initiators.push_back(t);
    platform.targets.push_back(t);
  }
  platform.classes = "message_classes: {request: {buffer: 4}, response: {}}\n";
  platform.node = "{model: input_queued, lanes: 1, input_depth: 4, injection_vcs: 1, consumption_vcs: 1}";
  platform.more = fmt::format("  level: {}\n", level);
  platform.end =
      "planes:\n"
      "  request: {classes: [request], set: {topology.kind: torus, topology.directions: plus}}\n"
      "  response: {classes: [response], set: {link.flit_delay: 3}}\n";
  return platform;
}

class TlmPlanes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(At, TlmPlanes, testing::ValuesIn(kLevels));

TEST_P(TlmPlanes, TakeTheWaysOfTheirOwn) {
  CheckedSystem system(two_planes(GetParam()));
  std::vector<std::vector<sc_time>> took(16);
  system.initiators[0]->body = [&](Initiator&) {
    std::vector<unsigned char> data(8);
    for (unsigned from = 0; from < 16; ++from)
      for (unsigned to = 0; to < 16; ++to) {
        Payload p;
        Payloads::fill(p, true, to * 0x10000, data.data(), 8);
        sc_time delay;
        const sc_time before = sc_core::sc_time_stamp();
        system.initiators[from]->socket->b_transport(p, delay);
        EXPECT_EQ(p.get_response_status(), ::tlm::TLM_OK_RESPONSE);
        took[from].push_back(sc_core::sc_time_stamp() + delay - before);
        sc_core::wait(delay + sc_time(50, SC_NS));
      }
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(took[15].size(), 16U);
  const sc_time none = took[0][0];
  for (unsigned from = 0; from < 16; ++from)
    for (unsigned to = 0; to < 16; ++to) {
      const auto along = [&](unsigned a, unsigned b) { return a < b ? b - a : a - b; };
      const unsigned there = (to + 4 - from) % 4 + (to / 4 + 4 - from / 4) % 4;
      const unsigned back = along(from % 4, to % 4) + along(from / 4, to / 4);
      // A hop takes four cycles of the router and one of the link, or three.
      EXPECT_EQ(took[from][to], none + sc_time(5 * there + 7 * back, SC_NS)) << from << " to " << to;
    }
  system.expect_clean(Payloads{});
}

/// Writes and reads blocks of its own, many at a time, by nb_transport.
TEST_P(TlmPlanes, LeaveWhatWasWritten) {
  CheckedSystem system(two_planes(GetParam()));
  Payloads payloads;
  constexpr unsigned kBlocks = 40;
  constexpr unsigned kBytes = 96;
  struct Client {
    std::vector<std::vector<unsigned char>> data;
    bool requesting = false;
    unsigned left = 0;
    sc_core::sc_event over;
  };
  std::deque<Client> clients(16);
  unsigned wrong = 0, done = 0;
  for (unsigned i = 0; i < 16; ++i) {
    Client& client = clients[i];
    system.initiators[i]->backward = [&](Payload& p, Phase& phase, sc_time&) {
      if (phase == ::tlm::END_REQ) {
        client.requesting = false;
      } else {
        if (p.get_response_status() != ::tlm::TLM_OK_RESPONSE) ++wrong;
        --client.left;
        p.release();
      }
      client.over.notify(SC_ZERO_TIME);
      return phase == ::tlm::END_REQ ? ::tlm::TLM_ACCEPTED : ::tlm::TLM_COMPLETED;
    };
    system.initiators[i]->body = [&, i](Initiator& initiator) {
      for (const bool write : {true, false}) {
        client.data.assign(kBlocks, std::vector<unsigned char>(kBytes));
        client.left = kBlocks;
        for (unsigned b = 0; b < kBlocks; ++b) {
          for (auto& byte : client.data[b]) byte = write ? static_cast<unsigned char>(16 * b + i + 1) : 0;
          const std::uint64_t target = (i + b) % 16;
          while (client.requesting) sc_core::wait(client.over);
          client.requesting = true;
          initiator.forward(payloads.take(write, target * 0x10000 + (i * kBlocks + b) * kBytes,
                                          client.data[b].data(), kBytes),
                            ::tlm::BEGIN_REQ);
        }
        while (client.left > 0) sc_core::wait(client.over);
      }
      for (unsigned b = 0; b < kBlocks; ++b)
        for (const auto byte : client.data[b])
          wrong += byte == static_cast<unsigned char>(16 * b + i + 1) ? 0 : 1;
      ++done;
    };
  }
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  EXPECT_EQ(done, 16U);
  EXPECT_EQ(wrong, 0U);
  system.expect_clean(payloads);
}

TEST(PlanesOfANetwork, CarryBothClassesOrAreRefused) {
  Platform platform = two_planes("cycle");
  platform.end =
      "planes:\n"
      "  request: {classes: [request], set: {topology.kind: torus}}\n"
      "  response: {classes: [], set: {link.flit_delay: 3}}\n";
  try {
    (void)platform.build();
    FAIL() << "a response has no plane";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("response"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
