// Tasks in a network: a chain of them takes the zero-load latencies of its messages and what it computes.

#include <gtest/gtest.h>

#include "fabric_support.h"
#include "support/text_file.h"

namespace noctule::fabric_test {
namespace {

std::shared_ptr<TrafficSource> tasks(const FabricPlan& plan, const std::string& text,
                                     const Json& set = Json::object()) {
  const TextFile file("workload", text);
  const auto& entry = SourceRegistry::instance().at("workload");
  auto keys = Parameters::defaults(entry.parameters);
  keys.set("file", file.path());
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  SourceContext context;
  context.topology = plan.topology;
  return entry.make(context, keys);
}

/// Passes on what a source says, and notes when each packet was consumed.
class Noting final : public TrafficSource {
 public:
  explicit Noting(std::shared_ptr<TrafficSource> source) : source_(std::move(source)) {}
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    return source_->next(source, number);
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    last = delivery.consumed;
    ++packets;
    source_->delivered(delivery, wake);
  }
  [[nodiscard]] bool finite() const override { return true; }

  Cycle last = 0;
  std::size_t packets = 0;

 private:
  std::shared_ptr<TrafficSource> source_;
};

TEST(AWorkload, TakesTheLatenciesOfItsMessagesAndWhatItComputes) {
  struct Case {
    FabricPlan plan;
    std::shared_ptr<Noting> source;
    std::unique_ptr<Fabric> fabric;
  };
  std::vector<Case> all;
  for (const char* model : {"generic", "input_queued"}) {
    FabricPlan plan = plan_of({"dimension_order", model}, mesh({4, 4}));
    // Once around, a barrier, and back; two messages of 3 and 5 flits meet nowhere.
    auto source = std::make_shared<Noting>(tasks(plan,
                                                 "0 15 6 id=there compute=4\n"
                                                 "15 12 2 id=on after=there compute=25\n"
                                                 "12 - id=both after=* compute=10\n"
                                                 "12 0 5 after=both compute=1\n"
                                                 "3 7 3 after=both compute=1\n"));
    auto fabric = make_fabric(plan);
    fabric->attach(source);
    all.push_back({std::move(plan), source, std::move(fabric)});
  }
  run_cycles(*all.front().fabric, 1);
  for (auto& c : all) {
    ASSERT_TRUE(drain(*c.fabric, 5000));
    const ZeroLoad& alone = c.fabric->zero_load();
    EXPECT_EQ(c.source->packets, 4U);
    EXPECT_EQ(c.source->last,
              4 + alone.latency(6, 6) + 25 + alone.latency(3, 2) + 10 + 1 + alone.latency(3, 5));
    c.fabric->check_conservation();
  }
}

TEST(AWorkload, SendsAllPacketsOfALargeMessage) {
  const FabricPlan plan = plan_of({"dimension_order", "generic"}, mesh({4, 4}));
  const auto source =
      std::make_shared<Noting>(tasks(plan, "0 15 1000B id=a\n15 0 1 after=a\n",
                                     {{"flit_bytes", 4}, {"header_flits", 1}, {"packet_flits", 11}}));
  const auto fabric = make_fabric(plan);
  fabric->attach(source);
  run_cycles(*fabric, 1);
  ASSERT_TRUE(drain(*fabric, 20'000));
  EXPECT_EQ(source->packets, 26U);
  EXPECT_EQ(fabric->counters().flits_delivered, 250U + 25 + 1);
  fabric->check_conservation();
}

}  // namespace
}  // namespace noctule::fabric_test
