// Is what happened to each transaction recorded, and does its traffic run again without the platform?

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/json.h"
#include "run/configured_point.h"
#include "tlm/checked_system.h"
#include "tlm/recording.h"
#include "tlm/replay.h"

namespace noctule::tlm::tlm_test {
namespace {

namespace fs = std::filesystem;

/// A folder of this test's own.
fs::path folder(const std::string& name) {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  std::string stem = fmt::format("{}-{}-{}", test->test_suite_name(), test->name(), name);
  std::ranges::replace(stem, '/', '-');
  const fs::path path = fs::path(testing::TempDir()) / stem;
  fs::remove_all(path);
  return path;
}
std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
std::vector<std::vector<std::string>> rows_of(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text_of(path));
  for (std::string line; std::getline(lines, line);) {
    auto& row = rows.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

/// SystemC can be elaborated once in a process.
void in_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
}

struct Kept final : TransactionObserver {
  void ended(const TransactionRecord& record) override { records.push_back(record); }
  std::vector<TransactionRecord> records;
};

/// Three initiators whose transactions meet, also cut ones and one that nobody serves.
struct Busy {
  explicit Busy(const std::string& more) : system(platform(more)) {
    for (auto& memory : system.memories) memory->latency = sc_time(3.4, SC_NS);
    for (unsigned i = 0; i < 3; ++i)
      system.initiators[i]->body = [i](Initiator& initiator) {
        std::vector<unsigned char> data(1024);
        for (unsigned n = 0; n < 40; ++n) {
          sc_core::wait(sc_time(n % 3 * 1.3, SC_NS));
          (void)initiator.access(n % 2 == i % 2, (n + i) % 3 * 192 + 8 * i, data.data(), 1 + 37 * n % 600);
        }
        (void)initiator.access(false, 0x20000, data.data(), 4);
      };
  }
  static Platform platform(const std::string& more) {
    Platform platform;
    platform.initiators = {0, 5, 6};
    platform.targets = {15, 12};
    platform.buffer = "64";
    platform.map = "  map:\n    - {base: 0, size: 64KiB, interleave: {granule: 256, over: [t0, t1]}}\n";
    platform.more = more;
    return platform;
  }
  CheckedSystem system;
};

class Recorded : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Levels, Recorded, testing::Values("cycle", "approximate", "loose"));

TEST_P(Recorded, InstantsOfATransactionComeInTheirOrder) {
  Busy busy(fmt::format("  level: {}\n", GetParam()));
  const auto kept = std::make_shared<Kept>();
  busy.system.network->observe(kept);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(kept->records.size(), 123U);
  unsigned cut = 0;
  for (const TransactionRecord& r : kept->records) {
    EXPECT_LE(r.begin, r.accepted);
    EXPECT_LE(r.accepted, r.response);
    if (r.burst.address == 0x20000) {
      EXPECT_EQ(r.status, ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_FALSE(r.complete());
      continue;
    }
    EXPECT_EQ(r.status, ::tlm::TLM_OK_RESPONSE);
    ASSERT_TRUE(r.complete());
    cut += r.pieces.size() > 1 ? 1 : 0;
    for (const PieceRecord& piece : r.pieces) {
      EXPECT_LT(piece.request.born, piece.request.consumed);
      EXPECT_LE(piece.request.born, piece.request.injected);
      EXPECT_LE(piece.request.consumed + 3, piece.response.born) << "the target takes 3.4 cycles";
      EXPECT_LT(piece.response.born, piece.response.consumed);
    }
    const sc_time returned(static_cast<double>(r.returned()), SC_NS);  // the period is 1 ns
    if (r.pieces.size() == 1)
      EXPECT_EQ(r.response, returned);
    else
      EXPECT_GE(r.response, returned);
  }
  EXPECT_GT(cut, 20U);
}

TEST_P(Recorded, FilesSayTheSameEveryTime) {
  const fs::path one = folder("one");
  const fs::path two = folder("two");
  for (const fs::path& files : {one, two})
    in_child([&] {
      Busy busy(fmt::format("  level: {}\n", GetParam()));
      Recording recording(*busy.system.network, files.string());
      sc_core::sc_start(sc_time(1, sc_core::SC_MS));
      recording.close();
    });
  for (const char* const name : {"transactions.csv", "tasks.txt", "transactions.json"}) {
    EXPECT_EQ(text_of(one / name), text_of(two / name)) << name;
    EXPECT_GT(text_of(one / name).size(), 500U) << name;
  }
  const auto rows = rows_of(one / "transactions.csv");
  ASSERT_EQ(rows.size(), 124U);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  const Json summary = Json::parse(text_of(one / "transactions.json"));
  EXPECT_EQ(summary.at("transactions"), 123);
  EXPECT_EQ(summary.at("without_packets"), 3);
  EXPECT_EQ(summary.at("flows").size(), 6U);
  double sum = 0;
  for (std::size_t n = 1; n < rows.size(); ++n)
    if (rows[n][8] == "ok") sum += std::stod(rows[n][15]) - std::stod(rows[n][9]);
  double flows = 0;
  for (const auto& flow : summary.at("flows"))
    flows += flow.at("latency_ns").get<double>() * flow.at("transactions").get<double>() * 1000;
  EXPECT_NEAR(flows, sum, 1);
}

/// Where and when packets were born and consumed.
using Moves = std::multiset<std::string>;
struct Spy final : TrafficSource {
  explicit Spy(std::shared_ptr<TrafficSource> source) : source(std::move(source)) {}
  std::optional<GeneratedPacket> next(TerminalId terminal, std::uint64_t number) override {
    return source->next(terminal, number);
  }
  void delivered(const Delivery& d, std::vector<TerminalId>& wake) override {
    moves.insert(fmt::format("{} {} {}: {} {}\n", index(d.source), index(d.destination), d.length, d.birth,
                             d.consumed));
    source->delivered(d, wake);
  }
  [[nodiscard]] bool closed_loop() const override { return source->closed_loop(); }
  std::shared_ptr<TrafficSource> source;
  Moves moves;
};

TEST(ARecordedPlatform, RunsAgainFlitByFlitWithoutIt) {
  const fs::path files = folder("run");
  const std::string platform = Busy::platform("").text();
  in_child([&] {
    Busy busy("");
    const auto kept = std::make_shared<Kept>();
    Recording recording(*busy.system.network, files.string());
    busy.system.network->observe(kept);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    recording.close();
    std::ofstream out(files / "moves");
    const TlmSettings& settings = busy.system.network->settings();
    for (const TransactionRecord& r : kept->records)
      for (const PieceRecord& piece : r.pieces) {
        const auto near = index(settings.initiators[index(r.initiator)].terminal);
        const auto far = index(settings.targets[index(piece.target)].terminal);
        out << fmt::format("{} {} {}: {} {}\n{} {} {}: {} {}\n", near, far, piece.request.flits,
                           piece.request.born, piece.request.consumed, far, near, piece.response.flits,
                           piece.response.born, piece.response.consumed);
      }
  });
  Moves expected;
  std::istringstream lines(text_of(files / "moves"));
  for (std::string line; std::getline(lines, line);) expected.insert(line + "\n");
  ASSERT_GT(expected.size(), 240U);

  DecodeOptions options;
  options.set = {"traffic.source.kind=workload",
                 fmt::format("traffic.source.file={}", (files / "tasks.txt").string())};
  const PointSpec spec =
      configured_point(expand(decode_text(platform, "platform.yaml", options)).front(), {});
  const auto spy = std::make_shared<Spy>(spec.source);
  Fabric fabric("replay", plan_of(spec), {.seed = 1});
  fabric.attach(spy);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  EXPECT_EQ(spy->moves, expected);
}

/// What is recorded of a transaction of several pieces is the time that its target has each, not the time
/// from its last request to its last response, in which its pieces wait for one another.
TEST(ARecordedTransaction, TakesAsLongWhenItIsReplayed) {
  const fs::path files = folder("run");
  Platform platform;
  platform.more = "  packet: {length_bits: 5}\n";  // at most 32 bytes
  const auto latencies = [&](const auto& body) {
    const fs::path out = folder("latencies");
    in_child([&] {
      const auto kept = std::make_shared<Kept>();
      body(kept);
      std::ofstream file(out);
      for (const TransactionRecord& r : kept->records)
        file << fmt::format("{} {} {}\n", r.number, r.pieces.size(), (r.response - r.begin).to_string());
    });
    return text_of(out);
  };
  const std::string recorded = latencies([&](const std::shared_ptr<Kept>& kept) {
    CheckedSystem system(platform);
    for (auto& memory : system.memories) memory->latency = sc_time(25, SC_NS);
    system.initiators[0]->body = [](Initiator& initiator) {
      std::vector<unsigned char> data(1024);
      for (unsigned n = 0; n < 8; ++n) (void)initiator.access(n % 2 == 0, 0x40, data.data(), 16 + 48 * n);
    };
    Recording recording(*system.network, files.string());
    system.network->observe(kept);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    recording.close();
  });
  const std::string replayed = latencies([&](const std::shared_ptr<Kept>& kept) {
    const auto network = platform.build();
    const auto transactions = recorded_transactions((files / "transactions.csv").string(), *network);
    Replay replay(*network, transactions);
    network->observe(kept);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  });
  EXPECT_EQ(replayed, recorded);
  EXPECT_EQ(recorded.rfind("0 1 ", 0), 0U) << recorded << "the first has one piece";
  EXPECT_EQ(recorded.find("\n7 1 "), std::string::npos) << "the last has several";
}

TEST(RecordedWaveform, ShowsWhatEachInitiatorHasOpen) {
  const fs::path out = folder("out");
  Platform platform;
  CheckedSystem system(platform);
  system.memories[0]->latency = sc_time(10, SC_NS);
  Recording recording(*system.network, out.string());
  unsigned char data[8] = {};
  sc_time end;
  system.initiators[0]->body = [&](Initiator& initiator) {
    sc_core::wait(sc_time(5, SC_NS));
    (void)initiator.access(true, 0x40, data, 8);
    end = sc_core::sc_time_stamp();
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  recording.close();
  const std::string text = text_of(out / "transactions.vcd");
  for (const char* const variable : {"valid", "address", "length", "command", "phase"})
    EXPECT_NE(text.find(fmt::format(" {}", variable)), std::string::npos) << variable;
  const std::string body = text.substr(text.find("#5000\n"));
  EXPECT_NE(body.find("b1000000 "), std::string::npos) << "the address";
  // Phases in their order; the last one ends with the response.
  std::size_t at = 0;
  for (const char* const phase : {"b1 %", "b10 %", "b11 %", "b100 %"}) {
    at = body.find(phase, at);
    ASSERT_NE(at, std::string::npos) << phase << '\n' << text;
  }
  EXPECT_NE(body.find(fmt::format("#{}\n0!\nb0 %", end.value()), at), std::string::npos) << text;
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
