// Does a thread that is reset or killed within b_transport leave all free that its transaction had, and a
// target that throws likewise?

#include <stdexcept>

#include "tlm/checked_system.h"

namespace noctule::tlm::tlm_test {
namespace {

constexpr auto kError = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
constexpr std::uint64_t kOwn = 0x1000;  ///< bytes that each initiator has for itself

struct Records final : TransactionObserver {
  void ended(const TransactionRecord& record) override {
    EXPECT_LE(record.begin, record.accepted);
    EXPECT_LE(record.accepted, record.response);
    errors += record.status == kError ? 1 : 0;
  }
  unsigned errors = 0;
};

/// Two memories in turns of 64 bytes, and room for one of everything: what is not given back is missed.
struct Tight {
  explicit Tight(const char* level, unsigned initiators, bool strict = false)
      : system(platform(level, initiators, strict), [](NetworkParts& parts) {
          for (auto& initiator : parts.settings.initiators) initiator.max_outstanding = 1;
          parts.settings.response_buffer = 1;
        }) {
    for (auto& memory : system.memories) {
      memory->waits = true;
      memory->latency = sc_time(7, SC_NS);
    }
    system.network->observe(records);
  }
  static Platform platform(const char* level, unsigned initiators, bool strict) {
    Platform platform;
    platform.initiators.clear();
    for (unsigned i = 0; i < initiators; ++i) platform.initiators.push_back(i);
    platform.targets = {15, 12};
    platform.buffer = "1";
    platform.map = "  map:\n    - {base: 0, size: 64KiB, interleave: {granule: 64, over: [t0, t1]}}\n";
    platform.more = fmt::format("  level: {}\n  strict: {}\n", level, strict);
    return platform;
  }
  /// Writes and reads again, so often; what it read is what it wrote.
  void work(Initiator& initiator, std::uint64_t base, unsigned times) {
    std::vector<unsigned char> data(300), back(300);
    for (unsigned n = 0; n < times; ++n) {
      const unsigned length = n % 3 == 0 ? 300 : 8;
      for (unsigned b = 0; b < length; ++b) data[b] = static_cast<unsigned char>(n + b);
      EXPECT_EQ(initiator.access(true, base + n, data.data(), length), ::tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(initiator.access(false, base + n, back.data(), length), ::tlm::TLM_OK_RESPONSE);
      EXPECT_TRUE(std::equal(data.begin(), data.begin() + length, back.begin()));
    }
    ++over;
  }
  void expect_free(unsigned workers, unsigned left) {
    EXPECT_EQ(over, workers);
    EXPECT_EQ(records->errors, left);
    EXPECT_EQ(system.network->counters().failed, left);
    system.expect_clean(payloads);
  }
  std::shared_ptr<Records> records = std::make_shared<Records>();
  Payloads payloads;
  CheckedSystem system;
  unsigned over = 0;  ///< initiators that have done their work
};

class Unwinding : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Levels, Unwinding, testing::ValuesIn(kLevels),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Unwinding, ByAResetAtAnyInstantLeavesEverythingFree) {
  Tight tight(GetParam(), 3);
  auto& initiators = tight.system.initiators;
  sc_core::sc_process_handle thread;
  Payload payload;  // not on the stack that is unwound
  bool within = false;
  const Payload* requesting = nullptr;
  unsigned rounds = 0;
  unsigned left = 0;
  std::vector<unsigned char> data(300);
  const auto address = [&] { return rounds % 5 * 8ULL; };
  initiators[0]->backward = [&](Payload& p, Phase& phase, sc_time&) {
    if (requesting == &p) requesting = nullptr;
    if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
    p.release();
    return ::tlm::TLM_COMPLETED;
  };
  initiators[0]->body = [&](Initiator& initiator) {
    thread = sc_core::sc_get_current_process_handle();
    for (within = false;; sc_core::wait(sc_time(3, SC_NS))) {
      ++rounds;
      if (rounds % 3 == 0 && requesting == nullptr) {  // b_transport waits behind it
        Payload& p = tight.payloads.take(true, address(), data.data(), 8);
        requesting = &p;
        (void)initiator.forward(p, ::tlm::BEGIN_REQ);
      }
      Payloads::fill(payload, rounds % 2 == 0, address(), data.data(), rounds % 4 == 0 ? 8 : 300);
      sc_time delay(rounds % 3 * 2, SC_NS);
      within = true;
      try {
        initiator.socket->b_transport(payload, delay);
      } catch (const sc_core::sc_unwind_exception&) {
        ++left;
        EXPECT_EQ(payload.get_response_status(), kError);
        EXPECT_EQ(payload.get_address(), address());
        throw;
      }
      within = false;
    }
  };
  initiators[1]->body = [&](Initiator& initiator) { tight.work(initiator, kOwn, 40); };
  initiators[2]->body = [&](Initiator& initiator) {
    for (unsigned n = 0; n < 300; ++n) {
      sc_core::wait(sc_time(1 + n % 97, SC_NS));
      if (n < 299)
        thread.reset();
      else
        thread.kill();
    }
    within = false;
    tight.work(initiator, 2 * kOwn, 5);
  };
  // Whatever a target sees belongs to a thread that is there.
  for (auto& memory : tight.system.memories)
    memory->seen = [&](Payload& p) {
      const bool own = p.get_data_ptr() >= data.data() && p.get_data_ptr() < data.data() + data.size();
      EXPECT_TRUE(!own || within || p.get_data_length() == 8);
    };
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  const auto failed = static_cast<unsigned>(tight.system.network->counters().failed);
  EXPECT_GT(failed, 100U);
  EXPECT_GE(left, failed) << "what is annotated is waited for before the transaction begins";
  tight.expect_free(2, failed);
}

TEST_P(Unwinding, ByKillsLeavesTheOthersAlone) {
  constexpr unsigned kVictims = 12;
  Tight tight(GetParam(), kVictims + 2);
  auto& initiators = tight.system.initiators;
  std::vector<sc_core::sc_process_handle> threads(kVictims);
  for (unsigned v = 0; v < kVictims; ++v)
    initiators[v]->body = [&, v](Initiator& initiator) {
      threads[v] = sc_core::sc_get_current_process_handle();
      std::vector<unsigned char> data(300);
      for (;;) (void)initiator.access(v % 2 == 0, v % 2 == 0 ? 0 : 0x40, data.data(), v % 3 == 0 ? 8 : 300);
    };
  initiators[kVictims]->body = [&](Initiator& initiator) { tight.work(initiator, kOwn, 20); };
  initiators[kVictims + 1]->body = [&](Initiator& initiator) {
    for (auto& thread : threads) {
      sc_core::wait(sc_time(13, SC_NS));
      thread.kill();
    }
    tight.work(initiator, 2 * kOwn, 20);
  };
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  tight.expect_free(2, kVictims);
}

/// As by the reset pin of a processor.
class Processor final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Processor);
  Processor(sc_core::sc_module_name name, Tight& tight, Initiator& initiator)
      : sc_module(name), tight_(tight), initiator_(initiator) {
    SC_THREAD(run);
    async_reset_signal_is(reset, true);
  }
  sc_core::sc_in<bool> reset{"reset"};

 private:
  void run() { tight_.work(initiator_, 0, 20); }
  Tight& tight_;
  Initiator& initiator_;
};

TEST_P(Unwinding, ByAnAsynchronousResetSignalLetsTheThreadBeginAgain) {
  Tight tight(GetParam(), 2);
  Processor processor("processor", tight, *tight.system.initiators[0]);
  sc_core::sc_signal<bool> reset("reset");
  processor.reset(reset);
  tight.system.initiators[1]->body = [&](Initiator& initiator) { tight.work(initiator, kOwn, 20); };
  for (unsigned n = 0; n < 4; ++n) {
    sc_core::sc_start(sc_time(35, SC_NS));
    reset = true;
    sc_core::sc_start(sc_time(5, SC_NS));
    reset = false;
  }
  sc_core::sc_start(sc_time(50, sc_core::SC_US));
  EXPECT_GT(tight.records->errors, 0U);
  tight.expect_free(2, tight.records->errors);
}

TEST_P(Unwinding, ByATargetThatThrowsIsPassedOnAndLaterAccessesWork) {
  Tight tight(GetParam(), 2);
  bool broken = true;
  tight.system.memories[1]->seen = [&](Payload& p) {
    if (broken && p.get_address() < kOwn / 2) throw std::runtime_error("the memory is broken");
  };
  unsigned caught = 0;
  tight.system.initiators[0]->body = [&](Initiator& initiator) {
    std::vector<unsigned char> data(300);
    for (unsigned n = 0; n < 10; ++n) {
      Payload p;
      Payloads::fill(p, true, 0x48 + 128 * (n % 2), data.data(), n % 3 == 0 ? 300 : 8);
      sc_time delay(n % 4, SC_NS);
      try {
        initiator.socket->b_transport(p, delay);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        caught += error.what() == std::string("the memory is broken") ? 1 : 0;
      }
      EXPECT_EQ(p.get_response_status(), kError);
      EXPECT_EQ(p.get_address(), 0x48U + 128 * (n % 2));
    }
    broken = false;
    tight.work(initiator, 0, 10);
  };
  tight.system.initiators[1]->body = [&](Initiator& initiator) { tight.work(initiator, 2 * kOwn, 20); };
  sc_core::sc_start(sc_time(50, sc_core::SC_US));
  EXPECT_EQ(caught, 10U);
  tight.expect_free(2, 10);
}

TEST_P(Unwinding, ByAReportLeavesNothingOpen) {
  Tight tight(GetParam(), 1, true);
  unsigned caught = 0;
  tight.system.initiators[0]->body = [&](Initiator& initiator) {
    for (unsigned n = 0; n < 3; ++n) {
      unsigned char data[4] = {};
      Payload p;
      Payloads::fill(p, true, 0, data, 4);
      p.set_byte_enable_ptr(data);  // of length 0
      sc_time delay;
      try {
        initiator.socket->b_transport(p, delay);
      } catch (const sc_core::sc_report&) {
        ++caught;
      }
    }
    tight.work(initiator, 0, 1);
  };
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions&) {
    if (report.get_severity() == sc_core::SC_ERROR) throw report;
  });
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  EXPECT_EQ(caught, 3U);
  EXPECT_EQ(tight.over, 1U);
  EXPECT_EQ(tight.system.network->open(), 0U);
  EXPECT_EQ(tight.system.network->counters().failed, 3U);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
