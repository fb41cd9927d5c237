// Do waveform and event log of a fabric with unlimited injection channels tell what those of one with 64 do?

#include "core/error.h"
#include "support/vcd_reader.h"
#include "trace/trace_support.h"

namespace noctule::trace_test {
namespace {

class UnlimitedInjectionTrace : public TraceTest {
 protected:
  static constexpr Cycle kCycles = 400;
  static constexpr unsigned kRadix = 3;

  struct Told {
    std::string name;
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<TraceSession> session;
    std::vector<std::string> log;  ///< lines; injection channels without their numbers
    std::unique_ptr<test::VcdFile> vcd;
    std::string text;
  };

  static NodeDescription node(unsigned channels, unsigned depth) {
    NodeDescription node;
    node.output_depth = 0;
    node.input_depth = depth;
    node.scan = Scan::kFirstCome;
    node.link_sharing = LinkSharing::kFixedSlot;
    node.release = VcRelease::kNextBufferEmpty;
    node.pipeline.traversal = 0;
    node.injection_delay = 0;
    node.injection_channels = channels;
    node.consumption_channels = kUnlimited;
    return node;
  }
  /// Bursts at every terminal, so that many headers wait.
  Told prepare(const std::string& name, unsigned channels, unsigned depth, std::uint64_t order_seed = 0) {
    FabricOptions options = observed();
    options.order_seed = order_seed;
    Told told;
    told.name = name;
    told.fabric = std::make_unique<Fabric>(
        name.c_str(), linked(plan(kRadix, true, "dimension_order", node(channels, depth)), 1, 0), options);
    auto source = std::make_shared<ListSource>();
    Rng rng(4, "packets");
    for (unsigned t = 0; t < kRadix * kRadix; ++t)
      for (unsigned n = 0; n < 40; ++n)
        source->add(20 * (n / 8), t, static_cast<unsigned>(rng.below(kRadix * kRadix)),
                    1 + static_cast<std::uint32_t>(rng.below(5)));
    told.fabric->attach(source);
    told.session = std::make_unique<TraceSession>(
        TraceOptions{file(name + ".vcd"), "", file(name + ".csv"), {"*"}, {}}, *told.fabric);
    return told;
  }
  void read(Told& told) {
    told.session->close();
    std::istringstream lines(text_of(file(told.name + ".csv")));
    for (std::string line; std::getline(lines, line);) {
      for (const std::string port : {",consumption,injection", ",injection,"})
        if (const auto at = line.find(port); at != std::string::npos) {
          const auto number = line.find(',', at + 1) + 1;
          line.erase(number, line.find(',', number) - number);
          break;
        }
      told.log.push_back(line);
    }
    std::sort(told.log.begin(), told.log.end());
    told.vcd = std::make_unique<test::VcdFile>(file(told.name + ".vcd"));
    told.text = text_of(file(told.name + ".vcd"));
  }
};

TEST_F(UnlimitedInjectionTrace, TheEventLogHasTheSameEvents) {
  Told numbered = prepare("numbered", 64, 1);
  Told open = prepare("open", kUnlimited, 1);
  run(kCycles);
  read(numbered);
  read(open);
  ASSERT_GT(open.log.size(), 3000U);
  EXPECT_EQ(open.log, numbered.log);
}

TEST_F(UnlimitedInjectionTrace, TheWaveformShowsHowManyWaitAndWhoHasAnOutput) {
  Told numbered = prepare("numbered", 64, 1);
  Told open = prepare("open", kUnlimited, 1);
  run(kCycles);
  read(numbered);
  read(open);
  const auto wave = [](const Told& told, const std::string& name) {
    return told.vcd->signals.contains(name) ? (*told.vcd)[name].dense(0, kCycles)
                                            : std::vector<std::optional<std::uint64_t>>{};
  };
  std::uint64_t most = 0;
  for (unsigned x = 0; x < kRadix; ++x)
    for (unsigned y = 0; y < kRadix; ++y) {
      const std::string router = ".router_" + std::to_string(x) + "_" + std::to_string(y);
      const std::string stem = router + ".input_buffers.injection";
      std::vector<std::uint64_t> waiting_numbered(kCycles);
      std::vector<std::uint64_t> connected_numbered(kCycles);
      std::vector<std::uint64_t> connected_open(kCycles);
      for (int c = 0; c < 64; ++c) {
        const auto valid = wave(numbered, "numbered" + stem + "_" + std::to_string(c) + ".flit_valid");
        const auto state = wave(numbered, "numbered" + stem + "_" + std::to_string(c) + ".state");
        ASSERT_EQ(state.size(), kCycles);
        for (Cycle t = 0; t < kCycles; ++t) {
          waiting_numbered[t] += *valid[t] == 1 && *state[t] == 1 ? 1 : 0;
          connected_numbered[t] += *state[t] >= 2 ? 1 : 0;
        }
      }
      std::size_t seats = 0;
      for (;; ++seats) {
        const auto state = wave(open, "open" + stem + "_" + std::to_string(seats + 1) + ".state");
        if (state.empty()) break;
        for (Cycle t = 0; t < kCycles; ++t) connected_open[t] += *state[t] >= 2 ? 1 : 0;
      }
      EXPECT_EQ(seats, open.fabric->plan().routers[0]->outputs.size()) << "one for each output";
      const auto flits = wave(open, "open" + stem + ".flits");
      ASSERT_EQ(flits.size(), kCycles) << "the waiting place";
      for (Cycle t = 0; t < kCycles; ++t) {
        ASSERT_EQ(*flits[t], waiting_numbered[t]) << router << " at " << t;
        ASSERT_EQ(connected_open[t], connected_numbered[t]) << router << " at " << t;
        most = std::max(most, *flits[t]);
      }
    }
  EXPECT_GT(most, 4U);
}

TEST_F(UnlimitedInjectionTrace, FilesDoNotDependOnTheOrderOfEvaluation) {
  Told first = prepare("fabric_1", kUnlimited, 3);
  Told second = prepare("fabric_2", kUnlimited, 3, 5);
  run(kCycles);
  read(first);
  read(second);
  EXPECT_EQ(first.log, second.log);
  std::string text = second.text;
  for (auto at = text.find("fabric_2"); at != std::string::npos; at = text.find("fabric_2", at))
    text.replace(at, 8, "fabric_1");
  EXPECT_EQ(first.text, text);
}

}  // namespace
}  // namespace noctule::trace_test
