// What comes back of a transaction: is its payload as it was sent, with its bytes, its delay and its status,
// also where nobody serves it, where it is cut, and after a reset?

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "tlm/checked_system.h"
#include "tlm/transport_support.h"

namespace noctule::tlm::tlm_test {
namespace {

TEST(AnAddress, IsThatOfTheTargetThereAndTheInitiatorsAfterwards) {
  Platform platform;
  platform.targets = {15, 12};
  platform.map =
      "  map:\n    - {base: 0x8000_0000, size: 4KiB, target: t1, offset: 0x100}\n"
      "    - {base: 0x1000, size: 1KiB, interleave: {granule: 64, over: [t0, t1]}}\n";
  CheckedSystem system(platform);
  std::vector<std::uint64_t> seen;
  for (auto& memory : system.memories)
    memory->seen = [&](Payload& p) {
      seen.push_back(p.get_address());
      EXPECT_EQ(p.get_response_status(), ::tlm::TLM_INCOMPLETE_RESPONSE);
    };
  std::vector<unsigned char> data(8);
  system.initiators[0]->body = [&](Initiator& initiator) {
    for (const std::uint64_t address : {0x80000010ULL, 0x1000ULL, 0x1048ULL, 0x1080ULL}) {
      Payload p;
      Payloads::fill(p, true, address, data.data(), 8);
      sc_time delay(5, SC_NS);
      initiator.socket->b_transport(p, delay);
      EXPECT_EQ(p.get_address(), address);
      EXPECT_EQ(p.get_response_status(), ::tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(delay, SC_ZERO_TIME);
      EXPECT_FALSE(p.is_dmi_allowed());
    }
  };
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0x110, 0, 8, 0x40}));
  Payloads none;
  system.expect_clean(none);
}

TEST(AnAnnotatedDelay, IsWaitedFor) {
  CheckedSystem system(Platform{});
  std::vector<unsigned char> data(8);
  sc_time without, with;
  system.initiators[0]->body = [&](Initiator& initiator) {
    for (const double ns : {0.0, 25.0}) {
      Payload p;
      Payloads::fill(p, true, 0, data.data(), 8);
      sc_time delay(ns, SC_NS);
      const sc_time before = sc_core::sc_time_stamp();
      initiator.socket->b_transport(p, delay);
      (ns == 0 ? without : with) = sc_core::sc_time_stamp() - before;
      EXPECT_EQ(delay, SC_ZERO_TIME);
    }
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(with, without + sc_time(25, SC_NS));
}

TEST(AKeptDelay, ComesBackAsItWas) {
  Platform platform;
  platform.more = "  return_delay: keep\n";
  CheckedSystem system(platform);
  std::vector<unsigned char> data(8);
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload p;
    Payloads::fill(p, true, 0, data.data(), 8);
    sc_time delay(25, SC_NS);
    initiator.socket->b_transport(p, delay);
    EXPECT_EQ(delay, sc_time(25, SC_NS));
    EXPECT_GT(sc_core::sc_time_stamp(), sc_time(10, SC_NS));
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  Payloads none;
  system.expect_clean(none);
}

TEST(AReleasedPayload, CanBeSentAgainWithinTheCallThatFreesIt) {
  CheckedSystem system(Platform{});
  struct AtOnce final : ::tlm::tlm_mm_interface {
    void free(Payload* p) override {
      p->reset();
      if (again) again(*p);
    }
    std::function<void(Payload&)> again;
  } manager;
  Payload p(&manager);
  unsigned char data[4] = {};
  int rounds = 0;
  Initiator& initiator = *system.initiators[0];
  const auto send = [&](Payload& payload) {
    if (rounds++ == 5) return;
    Payloads::fill(payload, true, 0, data, 4);
    payload.acquire();
    EXPECT_EQ(initiator.forward(payload, ::tlm::BEGIN_REQ), ::tlm::TLM_ACCEPTED);
  };
  manager.again = send;
  sc_core::sc_event response;
  initiator.backward = [&](Payload& payload, Phase& phase, sc_time&) {
    if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
    payload.release();  // the network still holds it
    response.notify(SC_ZERO_TIME);
    return ::tlm::TLM_ACCEPTED;
  };
  initiator.body = [&](Initiator&) {
    send(p);
    for (int n = 0; n < 5; ++n) {
      sc_core::wait(response);
      EXPECT_EQ(initiator.forward(p, ::tlm::END_RESP), ::tlm::TLM_COMPLETED);
    }
  };
  sc_core::sc_start(sc_time(2, sc_core::SC_US));
  EXPECT_EQ(rounds, 6);
  Payloads none;
  system.expect_clean(none);
}

TEST(ATransaction, ThatNobodyServesEndsWithoutAFlit) {
  Platform platform;
  platform.more = "  split: false\n";
  platform.targets = {15, 12};
  CheckedSystem system(platform);
  std::vector<unsigned char> data(32);
  Sender sender(*system.initiators[0]);
  Payloads payloads;
  system.initiators[0]->body = [&](Initiator& initiator) {
    EXPECT_EQ(initiator.access(true, 0x20000, data.data(), 4), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(initiator.access(true, 0x1fffe, data.data(), 4), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(initiator.access(true, 0xfffe, data.data(), 4), ::tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), SC_ZERO_TIME);
    sender.send(payloads.take(false, 0x20000, data.data(), 4));
    sc_core::wait(sender.response);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(sender.statuses, std::vector{::tlm::TLM_ADDRESS_ERROR_RESPONSE});
  EXPECT_EQ(system.network->counters().packets, 0U);
  EXPECT_EQ(system.network->counters().refused, 4U);
  EXPECT_EQ(system.target_checkers[0]->rules().calls(), 0U);
  system.expect_clean(payloads);
}

TEST(ACutTransaction, MovesAllItsBytesAndHasTheWorstStatus) {
  Platform platform;
  platform.targets = {15, 12, 3};
  platform.map =
      "  map:\n    - {base: 0, size: 3KiB, interleave: {granule: 16, over: [t0, t1, t2]}}\n"
      "    - {base: 0xc00, size: 1KiB, target: t2, offset: 0xff00}\n";
  CheckedSystem system(platform);
  std::vector<unsigned char> data(1000), back(1000), enables{0xff, 0, 0xff, 0xff, 0};
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 7 + 1);
  system.initiators[0]->body = [&](Initiator& initiator) {
    EXPECT_EQ(initiator.access(true, 5, data.data(), 1000), ::tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(initiator.access(false, 5, back.data(), 1000), ::tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data, back);
    // Byte enables keep their phase from part to part.
    std::fill(back.begin(), back.end(), 0xee);
    Payload p;
    Payloads::fill(p, false, 5, back.data(), 1000);
    p.set_byte_enable_ptr(enables.data());
    p.set_byte_enable_length(5);
    sc_time delay;
    initiator.socket->b_transport(p, delay);
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(back[i], enables[i % 5] != 0 ? data[i] : 0xee) << i;
    // 0xff00 + 0x100 is past the end of the third memory.
    EXPECT_EQ(initiator.access(true, 0xc00 - 16, data.data(), 300), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(initiator.access(true, 0xc00 - 16, data.data(), 200), ::tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_GT(system.memories[0]->transactions, 20U);
  Payloads none;
  system.expect_clean(none);
}

TEST(AReset, EndsEveryTransactionAndLeaksNone) {
  Platform platform;
  platform.initiators = {0, 5};
  platform.targets = {15, 10};
  CheckedSystem system(platform);
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  system.network->rst_ni(rst_n);
  Payloads payloads;
  std::deque<Sender> senders;
  for (auto& initiator : system.initiators) senders.emplace_back(*initiator);
  // Both memories take their time; by nb_transport they answer with an annotation.
  for (auto& memory : system.memories) {
    memory->latency = sc_time(20, SC_NS);
    memory->waits = true;
  }
  std::vector<unsigned char> data(4096);
  unsigned errors = 0;
  unsigned done = 0;
  const auto body = [&](unsigned i) {
    return [&, i](Initiator& initiator) {
      for (unsigned n = 0; n < 300; ++n) {
        if (i == 0) {
          const auto status =
              initiator.access(n % 2 == 0, (n % 2) * 0x10000 + 64 * (n % 8), &data[64 * (n % 8)], 64);
          if (status == ::tlm::TLM_GENERIC_ERROR_RESPONSE) {
            ++errors;
            sc_core::wait(sc_time(10, SC_NS));
          }
          ++done;
        } else {
          senders[1].send(payloads.take(n % 2 == 0, (n % 2) * 0x10000, &data[2048], 64));
          if (!rst_n.read()) sc_core::wait(sc_time(10, SC_NS));
        }
      }
    };
  };
  for (unsigned i = 0; i < 2; ++i) system.initiators[i]->body = body(i);
  for (int n = 0; n < 30; ++n) {
    sc_core::sc_start(sc_time(173 + 13 * n, SC_NS));
    rst_n.write(false);
    sc_core::sc_start(sc_time(3 + n % 5, SC_NS));
    rst_n.write(true);
  }
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_EQ(done, 300U);
  EXPECT_EQ(senders[1].statuses.size(), 300U);
  EXPECT_GT(errors, 10U);
  EXPECT_LT(errors, 200U);
  EXPECT_GT(std::ranges::count(senders[1].statuses, ::tlm::TLM_GENERIC_ERROR_RESPONSE), 10);
  EXPECT_EQ(system.network->counters().failed,
            errors + static_cast<unsigned>(
                         std::ranges::count(senders[1].statuses, ::tlm::TLM_GENERIC_ERROR_RESPONSE)));
  system.expect_clean(payloads);
}

/// Whoever ends a program early may have other use for the extensions of what is under way.
TEST(ACutTransaction, ThatIsUnderWayAtTheEndLeavesTheExtensionsOfTheWholeAlone) {
  struct Mark final : ::tlm::tlm_extension<Mark> {
    [[nodiscard]] ::tlm::tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const ::tlm::tlm_extension_base&) override {}
    void free() override { ++freed; }
    int freed = 0;
  } mark;
  std::vector<unsigned char> data(256);
  Payload p;
  Payloads::fill(p, true, 0, data.data(), 256);
  p.set_extension(&mark);
  {
    Platform platform;
    platform.more = "  packet: {length_bits: 5}\n";
    CheckedSystem system(platform);
    system.initiators[0]->body = [&](Initiator& initiator) {
      sc_time delay;
      initiator.socket->b_transport(p, delay);
    };
    sc_core::sc_start(sc_time(5, SC_NS));
    EXPECT_EQ(system.network->open(), 1U);
  }
  EXPECT_EQ(mark.freed, 0);
  p.clear_extension(&mark);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
