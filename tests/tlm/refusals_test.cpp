// Is what a network cannot take refused with its place: keys that count for nothing, observers that are null,
// payloads that are open, tables that contradict themselves?

#include <filesystem>
#include <fstream>

#include "tlm/checked_system.h"
#include "tlm/replay.h"

namespace noctule::tlm::tlm_test {
namespace {

std::string file_with(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    fmt::format("{}-{}", testing::UnitTest::GetInstance()->current_test_info()->name(), name);
  std::ofstream(path) << text;
  return path.string();
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(KeysThatCountForNothing, AreRefusedByANetwork) {
  Platform platform;
  const auto error = [&](const std::string& more, const std::vector<std::string>& set = {}) {
    platform.more = more;
    const std::string file = file_with("platform.yaml", platform.text());
    const std::string by_text =
        error_of([&] { (void)configured_network_text(platform.text(), "test.yaml", set); });
    const std::string by_file = error_of([&] { (void)configured_network(file, set); });
    EXPECT_EQ(by_text.empty(), by_file.empty()) << by_text << by_file;
    // Who changes the level afterwards may give what counts at another one.
    EXPECT_EQ(error_of([&] { (void)configured_network(file, set, true); }), "");
    return by_text;
  };
  const std::string window = "  utilisation_window: 1000\n";
  const std::string utilised = window + "  level: loose\n  contention: utilisation\n";
  expect_in("tlm.utilisation_window", error(window));
  expect_in("test.yaml:", error(window));
  expect_in("tlm.response_buffer", error("  reorder: buffer\n  response_buffer: 4\n"));
  expect_in("tlm.utilisation_window", error("", {"tlm.utilisation_window=1000"}));
  EXPECT_EQ(error(""), "");
  EXPECT_EQ(error(utilised), "");
  // The options take the effect from what the file gives: that is no fault of either.
  EXPECT_EQ(error(utilised, {"tlm.level=approximate", "tlm.contention=none"}), "");
  expect_in("tlm.response_buffer", error("  reorder: buffer\n  response_buffer: 4\n", {"tlm.period=2"}));
}

TEST(AnObserver, ThatIsNullIsRefused) {
  const auto network = Platform().build();
  expect_in("record", error_of([&] { network->observe(nullptr); }));
}

class AnOpenPayload : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Levels, AnOpenPayload, testing::ValuesIn(kLevels),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(AnOpenPayload, IsNotTakenByBTransport) {
  static unsigned warnings = 0;
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions&) {
    warnings += std::string(report.get_msg()).find("15.2.10 c") != std::string::npos ? 1 : 0;
  });
  Platform platform;
  platform.more = fmt::format("  level: {}\n", GetParam());
  System system(platform);
  Payloads payloads;
  unsigned char data[4] = {1, 2, 3, 4};
  ::tlm::tlm_response_status by_nb{};
  system.initiators[0]->backward = [&](Payload& p, Phase& phase, sc_time&) {
    if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
    by_nb = p.get_response_status();
    return ::tlm::TLM_COMPLETED;
  };
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload& p = payloads.take(true, 0, data, 4);
    initiator.forward(p, ::tlm::BEGIN_REQ);
    sc_core::wait(sc_time(5, SC_NS));
    sc_time delay;
    initiator.socket->b_transport(p, delay);
    EXPECT_EQ(p.get_response_status(), ::tlm::TLM_GENERIC_ERROR_RESPONSE);
    sc_core::wait(sc_time(500, SC_NS));
    p.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    initiator.socket->b_transport(p, delay);  // it has ended
    EXPECT_EQ(p.get_response_status(), ::tlm::TLM_OK_RESPONSE);
    p.release();
  };
  sc_core::sc_start(sc_time(2, sc_core::SC_US));
  EXPECT_EQ(by_nb, ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(system.memories[0]->transactions, 2U);
  EXPECT_EQ(system.network->counters().complaints, 1U);
  EXPECT_EQ(system.network->counters().begun, 2U);
  EXPECT_EQ(warnings, 1U);
  EXPECT_EQ(system.network->open(), 0U);
}

constexpr const char* kColumns =
    "number,initiator,target,command,address,bytes,streaming_width,byte_enable_length,status,begin_ps,"
    "reached,"
    "answered,response_ps,after\n";

/// A line of that table; `reached` empty: it sent no packet.
std::string line(unsigned number, const std::string& after, const char* reached = "9") {
  return fmt::format("{},i0,t0,read,0x40,8,8,0,ok,{},{},15,{},{}\n", number, 100000 * number, reached,
                     100000 * number + 40000, after);
}

struct TableOfTransactions : testing::Test {
  std::vector<ReplayedTransaction> read(const std::string& lines) {
    return recorded_transactions(file_with("t.csv", lines), *network);
  }
  std::string error(const std::string& lines) {
    return error_of([&] { (void)read(kColumns + lines); });
  }
  std::unique_ptr<TlmNetwork> network = [] {
    Platform platform;
    platform.initiators = {0, 1};
    return platform.build();
  }();
};

TEST_F(TableOfTransactions, MayHaveWhatOtherTablesMayHave) {
  for (const std::string& text :
       {kColumns + line(0, "") + line(1, "0"), "\xEF\xBB\xBF" + (kColumns + line(0, "")) + line(1, "0"),
        kColumns + line(0, "") + line(1, "0") + "\n",
        kColumns + line(0, "") + "\r\n,,,,\n# a remark\n" + line(1, " 0 ")}) {
    const auto all = read(text);
    ASSERT_EQ(all.size(), 2U) << text;
    EXPECT_EQ(all[0].after, std::nullopt);
    EXPECT_EQ(all[1].after, 0U);
    EXPECT_EQ(all[1].pause, sc_time(60, SC_NS));
  }
}

TEST_F(TableOfTransactions, IsRefusedWhereItContradictsItself) {
  expect_in("t.csv:4: --trace: number 1 is that of line 3, too",
            error(line(0, "") + line(1, "") + line(1, "")));
  expect_in("t.csv:4: --trace: number 1 is that of line 2, too",
            error(line(1, "", "") + line(0, "") + line(1, "")));
  expect_in("t.csv:3: --trace: it comes after transaction 7", error(line(0, "") + line(1, "7")));
  expect_in("t.csv:2: --trace: it comes after itself", error(line(0, "0")));
  const std::string other = "1,i1,t0,read,0x40,8,8,0,ok,100000,9,15,140000,0\n";
  expect_in("t.csv:3: --trace: it comes after transaction 0, which is of another initiator",
            error(line(0, "") + other));
  expect_in("t.csv:2: --trace: its response, at 40000 ps, comes before it begins, at 50000 ps",
            error("0,i0,t0,read,0x40,8,8,0,ok,50000,9,15,40000,\n"));
  expect_in("t.csv:2: --trace: it is answered in cycle 8, before it is reached in cycle 9",
            error("0,i0,t0,read,0x40,8,8,0,ok,0,9,8,40000,\n"));
  expect_in("t.csv:2: --trace: a quote is not closed", error("0,\"i0\n"));
  expect_in("there are two columns 'number'", error_of([&] { (void)read("number,number\n"); }));
}

TEST_F(TableOfTransactions, BeginsAtItsTimeWhatComesAfterNoPacket) {
  const auto all = read(kColumns + line(0, "", "") + line(1, "0") + line(2, "3") + line(3, ""));
  ASSERT_EQ(all.size(), 3U);
  for (const ReplayedTransaction& one : all) EXPECT_EQ(one.after, std::nullopt);
  EXPECT_EQ(all[0].pause, sc_time(100, SC_NS));
  EXPECT_EQ(all[1].pause, sc_time(200, SC_NS));
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
