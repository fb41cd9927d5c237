// Is every client that breaks the base protocol named by its clause, and does the network go on?

#include "tlm/checked_system.h"

namespace noctule::tlm::tlm_test {
namespace {

/// One initiator and one memory with what a script needs.
struct Stage {
  explicit Stage(CheckedSystem& system) : initiator(*system.initiators[0]), memory(*system.memories[0]) {}
  Payload& write(unsigned length = 8) { return payloads.take(true, 0, data, length); }
  Sync begin(Payload& p, sc_time delay = SC_ZERO_TIME) {
    return initiator.forward(p, ::tlm::BEGIN_REQ, delay);
  }
  void block(Payload& p) {
    sc_time delay;
    initiator.socket->b_transport(p, delay);
  }
  /// From the memory.
  void back(Payload& p, Phase phase, double ns = 0) {
    sc_time delay(ns, SC_NS);
    memory.socket->nb_transport_bw(p, phase, delay);
  }
  /// The memory accepts and leaves the rest to the script; `got` is what came last.
  void take_over() {
    memory.forward = [this](Payload& p, Phase& phase, sc_time&) {
      if (phase == ::tlm::END_RESP) return ::tlm::TLM_COMPLETED;
      got = &p;
      return ::tlm::TLM_ACCEPTED;
    };
  }
  static void pause(double ns = 200) { sc_core::wait(sc_time(ns, SC_NS)); }
  /// A transaction with its response, END_RESP not sent.
  Payload& responded() {
    Payload& p = write();
    begin(p);
    pause();
    return p;
  }
  /// At the memory, accepted by it.
  Payload& at_memory() {
    take_over();
    Payload& p = write();
    begin(p);
    pause();
    return p;
  }
  Initiator& initiator;
  Memory& memory;
  Payloads payloads;
  Payload* got = nullptr;
  unsigned char data[64] = {};
  unsigned char enables[4] = {0xff, 0, 0xff, 0};
};

struct Client {
  const char* name;
  const char* clause;
  bool by_initiator;
  std::function<void(Stage&)> script;
};

Client attribute(const char* name, const char* clause, std::function<void(Stage&, Payload&)> spoil) {
  return {name, clause, true, [spoil](Stage& s) {
            Payload& p = s.write();
            spoil(s, p);
            s.block(p);
          }};
}
Client change(const char* name, std::function<void(Stage&, Payload&)> spoil) {
  return {name, "14.7", true, [spoil](Stage& s) {
            Payload& p = s.responded();
            spoil(s, p);
            s.initiator.forward(p, ::tlm::END_RESP);
          }};
}

std::vector<Client> clients() {
  return {
      {"BeginReqTwice", "15.2.4", true,
       [](Stage& s) {
         Payload& p = s.write();
         s.begin(p);
         s.begin(p);
         s.pause();
         s.initiator.forward(p, ::tlm::END_RESP);
       }},
      {"BeginReqBeforeEndReq", "15.2.6 e", true,
       [](Stage& s) {
         Payload& a = s.write();
         Payload& b = s.write();
         s.begin(a);
         s.begin(b);
         s.pause();
         s.initiator.forward(a, ::tlm::END_RESP);
         s.pause();
         s.initiator.forward(b, ::tlm::END_RESP);
       }},
      {"NoMemoryManager", "14.5 i", true,
       [](Stage& s) {
         static Payload p;
         Payloads::fill(p, true, 0, s.data, 4);
         EXPECT_EQ(s.begin(p), ::tlm::TLM_COMPLETED);
         EXPECT_EQ(p.get_response_status(), ::tlm::TLM_GENERIC_ERROR_RESPONSE);
       }},
      {"NobodyHolds", "14.5 t", true,
       [](Stage& s) {
         static Payloads own;
         static Payload p(&own);
         Payloads::fill(p, true, 0, s.data, 4);
         EXPECT_EQ(s.begin(p), ::tlm::TLM_COMPLETED);
       }},
      {"FreedPayload", "14.5 t", true,
       [](Stage& s) {
         Payload& p = s.write();
         s.begin(p);
         p.reset();  // as its manager does when it takes it back
         s.pause();
         s.initiator.forward(p, ::tlm::END_RESP);
       }},
      {"EndReqForward", "15.2.3 c", true,
       [](Stage& s) { s.initiator.forward(s.at_memory(), ::tlm::END_REQ); }},
      {"BeginRespForward", "15.2.3 c", true,
       [](Stage& s) { s.initiator.forward(s.at_memory(), ::tlm::BEGIN_RESP); }},
      {"EndRespWithoutResponse", "15.2.4", true,
       [](Stage& s) { s.initiator.forward(s.at_memory(), ::tlm::END_RESP); }},
      {"EndRespOfNothing", "15.2.4", true, [](Stage& s) { s.initiator.forward(s.write(), ::tlm::END_RESP); }},
      {"EndRespTwice", "15.2.4", true,
       [](Stage& s) {
         Payload& p = s.responded();
         s.initiator.forward(p, ::tlm::END_RESP);
         s.initiator.forward(p, ::tlm::END_RESP);
       }},
      attribute("NoData", "14.11 e", [](Stage&, Payload& p) { p.set_data_ptr(nullptr); }),
      attribute("NoLength", "14.12 d", [](Stage&, Payload& p) { p.set_data_length(0); }),
      attribute("NoEnableLength", "14.14 f",
                [](Stage& s, Payload& p) {
                  p.set_byte_enable_ptr(s.enables);
                  p.set_byte_enable_length(0);
                }),
      attribute("NoStreamingWidth", "14.15 f", [](Stage&, Payload& p) { p.set_streaming_width(0); }),
      attribute("HintAtStart", "14.16", [](Stage&, Payload& p) { p.set_dmi_allowed(true); }),
      attribute("StatusAtStart", "14.17 e",
                [](Stage&, Payload& p) { p.set_response_status(::tlm::TLM_OK_RESPONSE); }),
      change("DataChanged", [](Stage& s, Payload&) { s.data[3] ^= 1; }),
      change("CommandChanged", [](Stage&, Payload& p) { p.set_command(::tlm::TLM_READ_COMMAND); }),
      change("LengthChanged", [](Stage&, Payload& p) { p.set_data_length(4); }),
      change("PointerChanged", [](Stage& s, Payload& p) { p.set_data_ptr(s.data + 8); }),
      change("EnablesChanged",
             [](Stage& s, Payload& p) {
               p.set_byte_enable_ptr(s.enables);
               p.set_byte_enable_length(4);
             }),
      {"BlockingWithinNonBlocking", "15.2.10 c", true,
       [](Stage& s) {
         Payload& p = s.responded();
         s.block(p);
         s.initiator.forward(p, ::tlm::END_RESP);
       }},
      {"CompletedAtEndReq", "15.2.4", true,
       [](Stage& s) {
         s.initiator.backward = [](Payload&, Phase&, sc_time&) { return ::tlm::TLM_COMPLETED; };
         s.begin(s.write());
         s.pause();
       }},
      {"BeginReqAsReturn", "15.2.3 c", true,
       [](Stage& s) {
         s.initiator.backward = [](Payload&, Phase& phase, sc_time&) {
           if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
           phase = ::tlm::BEGIN_REQ;
           return ::tlm::TLM_UPDATED;
         };
         Payload& p = s.responded();
         s.initiator.forward(p, ::tlm::END_RESP);
       }},
      {"DescriptorInUse", "11.2.5 f", true,
       [](Stage& s) {
         ::tlm::tlm_dmi dmi;
         dmi.set_dmi_ptr(s.data);
         s.initiator.socket->get_direct_mem_ptr(s.write(), dmi);
       }},
      {"DebugWithoutData", "11.3.4 l", true,
       [](Stage& s) {
         Payload& p = s.write();
         p.set_data_ptr(nullptr);
         EXPECT_EQ(s.initiator.socket->transport_dbg(p), 0U);
       }},
      // --- targets ---
      {"BeginRespTwice", "15.2.4", false,
       [](Stage& s) {
         s.at_memory();
         s.memory.store.execute(*s.got);
         s.back(*s.got, ::tlm::BEGIN_RESP);
         s.back(*s.got, ::tlm::BEGIN_RESP);
       }},
      {"EndReqTwice", "15.2.4", false,
       [](Stage& s) {
         s.at_memory();
         s.back(*s.got, ::tlm::END_REQ);
         s.back(*s.got, ::tlm::END_REQ);
       }},
      {"ResponseForNothing", "15.2.11 a", false,
       [](Stage& s) {
         Payload& p = s.write();
         p.set_response_status(::tlm::TLM_OK_RESPONSE);
         s.back(p, ::tlm::BEGIN_RESP);
       }},
      {"ResponseBeforeEndResp", "15.2.6 f", false,
       [](Stage& s) {
         s.take_over();
         std::vector<Payload*> all;
         for (int n = 0; n < 2; ++n) {
           s.begin(s.write());
           s.pause();
           s.back(*s.got, ::tlm::END_REQ);
           s.memory.store.execute(*s.got);
           all.push_back(s.got);
         }
         for (auto* p : all) s.back(*p, ::tlm::BEGIN_RESP, 5);
       }},
      {"EndRespBackward", "15.2.3 c", false,
       [](Stage& s) {
         s.at_memory();
         s.back(*s.got, ::tlm::END_RESP);
       }},
      {"NoStatus", "14.17", false,
       [](Stage& s) {
         s.at_memory();
         s.back(*s.got, ::tlm::BEGIN_RESP);
       }},
      {"LengthChangedByTarget", "14.7", false,
       [](Stage& s) {
         s.at_memory();
         s.memory.store.execute(*s.got);
         s.got->set_data_length(4);
         s.back(*s.got, ::tlm::BEGIN_RESP);
       }},
      {"BackwardsTime", "15.2.7 c", false,
       [](Stage& s) {
         s.at_memory();
         s.back(*s.got, ::tlm::END_REQ, 50);
         s.memory.store.execute(*s.got);
         s.back(*s.got, ::tlm::BEGIN_RESP, 20);
       }},
      {"BeginReqReturnedByTarget", "15.2.3 c", false,
       [](Stage& s) {
         s.memory.forward = [](Payload&, Phase& phase, sc_time&) {
           phase = ::tlm::END_RESP;
           return ::tlm::TLM_UPDATED;
         };
         s.begin(s.write());
         s.pause();
       }},
      {"DebugMovesTooMuch", "11.3.4 s", false,
       [](Stage& s) {
         s.memory.debug_adds = 5;
         Payload& p = s.write(4);
         EXPECT_LE(s.initiator.socket->transport_dbg(p), 4U);
       }},
  };
}

class MisbehavingClient : public testing::TestWithParam<std::tuple<Client, const char*>> {};

TEST_P(MisbehavingClient, IsNamedByItsClauseAndCrashesNothing) {
  sc_core::sc_report_handler::set_actions("/noctule/tlm", sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report&, const sc_core::sc_actions&) {});
  Platform platform;
  platform.initiators = {0, 1};
  const auto& [client, level] = GetParam();
  platform.more = fmt::format("  level: {}\n", level);
  auto system = std::make_unique<CheckedSystem>(platform, nullptr, Reaction::kCollect);
  Stage stage(*system);
  ::tlm::tlm_response_status after = ::tlm::TLM_INCOMPLETE_RESPONSE;
  system->initiators[0]->body = [&, &script = client.script](Initiator&) {
    script(stage);
    stage.pause();
  };
  // Another initiator is not disturbed.
  system->initiators[1]->body = [&](Initiator& other) {
    stage.pause(3000);
    unsigned char data[4] = {1, 2, 3, 4};
    after = other.access(true, 0x100, data, 4);
  };
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  const auto& checker = client.by_initiator ? system->initiator_checkers[0] : system->target_checkers[0];
  std::string found;
  bool named = false;
  for (const Violation& v : checker->rules().violations()) {
    found += fmt::format("{} ({}) ", v.clause, v.rule);
    named = named || (v.clause == client.clause && v.by_initiator == client.by_initiator);
  }
  EXPECT_TRUE(named) << "expected " << client.clause << ", found " << found;
  EXPECT_EQ(after, ::tlm::TLM_OK_RESPONSE);
  (void)system.release();  // with what its clients have left open
}

INSTANTIATE_TEST_SUITE_P(Every, MisbehavingClient,
                         testing::Combine(testing::ValuesIn(clients()), testing::ValuesIn(kLevels)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param).name, std::get<1>(info.param));
                         });

/// b_transport by a method.
class ByMethod final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ByMethod);
  ByMethod(sc_core::sc_module_name name, Initiator& initiator) : sc_module(name), initiator_(initiator) {
    SC_METHOD(call);
  }
  ::tlm::tlm_response_status status{};

 private:
  void call() {
    unsigned char data[4] = {};
    status = initiator_.access(true, 0, data, 4);
  }
  Initiator& initiator_;
};

TEST(ABlockingCall, ByAMethodIsRefused) {
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report&, const sc_core::sc_actions&) {});
  CheckedSystem system(Platform{}, nullptr, Reaction::kCollect);
  ByMethod method("method", *system.initiators[0]);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(method.status, ::tlm::TLM_GENERIC_ERROR_RESPONSE);
  ASSERT_EQ(system.initiator_checkers[0]->rules().count(), 1U);
  EXPECT_EQ(system.initiator_checkers[0]->rules().violations()[0].clause, "11.1.1.4 b");
  EXPECT_EQ(system.network->counters().complaints, 1U);
}

TEST(KnownFaults, OfClientsAreToldOnceASocketAndMended) {
  static unsigned warnings = 0;
  sc_core::sc_report_handler::set_handler(
      [](const sc_core::sc_report&, const sc_core::sc_actions&) { ++warnings; });
  Platform platform;
  System system(platform);
  system.memories[0]->seen = [](Payload& p) {
    EXPECT_EQ(p.get_streaming_width(), 4U);
    EXPECT_EQ(p.get_response_status(), ::tlm::TLM_INCOMPLETE_RESPONSE);
  };
  system.initiators[0]->body = [](Initiator& initiator) {
    unsigned char data[4] = {};
    for (int n = 0; n < 5; ++n) {
      Payload p;
      Payloads::fill(p, true, 0, data, 4);
      p.set_streaming_width(0);
      p.set_response_status(::tlm::TLM_OK_RESPONSE);
      sc_time delay;
      initiator.socket->b_transport(p, delay);
      EXPECT_EQ(p.get_streaming_width(), 0U);
      EXPECT_EQ(p.get_response_status(), ::tlm::TLM_OK_RESPONSE);
    }
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(warnings, 2U);
  EXPECT_EQ(system.network->counters().complaints, 10U);
}

TEST(Strict, MakesAnErrorOfWhatElseIsAWarning) {
  Platform platform;
  platform.more = "  strict: true\n";
  System system(platform);
  system.initiators[0]->body = [](Initiator& initiator) {
    unsigned char data[4] = {};
    Payload p;
    Payloads::fill(p, true, 0, data, 4);
    p.set_streaming_width(0);
    sc_time delay;
    EXPECT_THROW(initiator.socket->b_transport(p, delay), sc_core::sc_report);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
