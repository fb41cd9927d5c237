// What does a router-cycle cost in each node model at half load, how much of it is the allocation of virtual
// channels, and what does a snapshot of the counters cost?
//
// A process elaborates SystemC once, so the fabrics of all benchmarks are built before the first one starts.
// One is active at a time; the others are idle, and an idle fabric costs nothing.

#include <benchmark/benchmark.h>

#include <ctime>

#include "bench_support.h"
#include "core/error.h"
#include "fabric/fabric.h"

namespace noctule::bench {
namespace {

constexpr double kFlood = 1;  ///< of the capacity: more than any node model takes
constexpr Cycle kWarmUp = 2000;
constexpr Cycle kBlock = 200;  ///< cycles per call of sc_start

/// A source that can be turned on and off, and slowed down. Turned on by the delivery of a packet from
/// outside.
class SwitchedSource final : public TrafficSource {
 public:
  SwitchedSource(std::unique_ptr<TrafficSource> source, std::size_t terminals)
      : source_(std::move(source)), first_(terminals) {}

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (!on_) return std::nullopt;
    std::uint64_t& first = first_[index(source)];
    if (first == kNever) first = number;
    auto packet = source_->next(source, number - first);
    if (packet) packet->birth = start_ + static_cast<Cycle>(static_cast<double>(packet->birth) * slowness_);
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    if (!armed_) return;
    armed_ = false;
    on_ = true;
    start_ = delivery.consumed + 1;
    first_.assign(first_.size(), kNever);
    for (std::size_t t = 0; t < first_.size(); ++t) wake.push_back(TerminalId(t));
  }
  [[nodiscard]] bool finite() const override { return true; }

  /// `slowness`: factor on all times.
  void arm(double slowness) {
    armed_ = true;
    slowness_ = slowness;
  }
  void turn_off() { on_ = false; }

 private:
  std::unique_ptr<TrafficSource> source_;
  std::vector<std::uint64_t> first_;  ///< by terminal: number of the first packet asked for since turned on
  Cycle start_ = 0;
  double slowness_ = 1;
  bool armed_ = false;
  bool on_ = false;
};

class Bench {
 public:
  Bench(const std::string& model, std::uint32_t length)
      : topology_(torus()),
        fabric_((model + "_" + std::to_string(length)).c_str(), plan_of(model, topology_), {.discard = true}),
        source_(std::make_shared<SwitchedSource>(
            source_of("bernoulli", topology_, length, kFlood * topology_->capacity()),
            topology_->terminals())) {
    fabric_.attach(source_);
  }
  void run(Cycle cycles) { sc_core::sc_start(fabric_.options().period * static_cast<double>(cycles)); }
  /// Starts traffic and lets it settle. `load`: flits per terminal and cycle.
  void start(double load) {
    source_->arm(kFlood * topology_->capacity() / load);
    GeneratedPacket packet;
    packet.destination = TerminalId{1};
    fabric_.inject(TerminalId{0}, packet);
    run(kWarmUp);
  }
  /// Half of what the fabric delivers when it is flooded, in flits per terminal and cycle.
  double half_load() {
    if (half_load_ != 0) return half_load_;
    start(kFlood * topology_->capacity());
    const std::uint64_t before = fabric_.counters().flits_delivered;
    run(kWarmUp);
    half_load_ =
        static_cast<double>(fabric_.counters().flits_delivered - before) / router_cycles(kWarmUp) / 2;
    stop();
    return half_load_;
  }
  void stop() {
    source_->turn_off();
    while (!fabric_.drained()) run(kBlock);
  }
  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] double router_cycles(Cycle cycles) const {
    return static_cast<double>(topology_->routers()) * static_cast<double>(cycles);
  }

 private:
  std::shared_ptr<const Topology> topology_;
  Fabric fabric_;
  std::shared_ptr<SwitchedSource> source_;
  double half_load_ = 0;
};

constexpr std::uint32_t kLong = 15;
constexpr std::uint32_t kShort = 5;

/// Never destroyed: SystemC takes its objects apart one by one, in quadratic time.
Bench& bench_of(const std::string& model, std::uint32_t length) {
  static auto& all = *[] {
    auto* built = new std::map<std::pair<std::string, std::uint32_t>, std::unique_ptr<Bench>>;
    for (const auto& name : names(NodeRegistry::instance().entries()))
      for (const std::uint32_t flits : {kLong, kShort})
        (*built)[{name, flits}] = std::make_unique<Bench>(name, flits);
    return built;
  }();
  return *all.at({model, length});
}

void router_cycle(benchmark::State& state, const std::string& model, std::uint32_t length) {
  Bench& bench = bench_of(model, length);
  bench.start(bench.half_load());
  const FabricCounters before = bench.fabric().counters();
  Cycle cycles = 0;
  for (auto _ : state) {
    bench.run(kBlock);
    cycles += kBlock;
  }
  const FabricCounters window = bench.fabric().counters() - before;
  bench.stop();
  const double routers = bench.router_cycles(cycles);
  state.SetItemsProcessed(static_cast<std::int64_t>(routers));
  state.counters["flit-hops"] =
      benchmark::Counter(static_cast<double>(window.flit_hops), benchmark::Counter::kIsRate);
  state.counters["flit-hops/rc"] = static_cast<double>(window.flit_hops) / routers;
  state.counters["connections/rc"] = static_cast<double>(window.connections_made) / routers;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Cost {
  double seconds = 0;
  double connections = 0;
};

Cost cost_of(Bench& bench, double load, Cycle cycles) {
  bench.start(load);
  const std::uint64_t before = bench.fabric().counters().connections_made;
  const double start = cpu_seconds();
  bench.run(cycles);
  Cost cost{cpu_seconds() - start, 0};
  cost.connections = static_cast<double>(bench.fabric().counters().connections_made - before);
  bench.stop();
  return cost;
}

/// Messages of 5 and of 15 flits at the same load in flits move the same flits; what differs is the number of
/// headers to be routed and connected. Its cost, as a share of the cycle.
void vc_allocation(benchmark::State& state, const std::string& model) {
  constexpr Cycle kCycles = 5000;
  Cost few;
  Cost many;
  Cycle cycles = 0;
  for (auto _ : state) {
    const double load = bench_of(model, kLong).half_load();
    const Cost a = cost_of(bench_of(model, kLong), load, kCycles);
    const Cost b = cost_of(bench_of(model, kShort), load, kCycles);
    few = {few.seconds + a.seconds, few.connections + a.connections};
    many = {many.seconds + b.seconds, many.connections + b.connections};
    state.SetIterationTime(a.seconds + b.seconds);
    cycles += 2 * kCycles;
  }
  const double each = (many.seconds - few.seconds) / (many.connections - few.connections);
  state.SetItemsProcessed(static_cast<std::int64_t>(bench_of(model, kLong).router_cycles(cycles)));
  state.counters["ns/header-hop"] = each * 1e9;
  state.counters["share@15"] = each * few.connections / few.seconds;
  state.counters["share@5"] = each * many.connections / many.seconds;
}

void snapshot(benchmark::State& state) {
  Bench& bench = bench_of("generic", kLong);
  bench.start(bench.half_load());
  for (auto _ : state) benchmark::DoNotOptimize(bench.fabric().counters());
  bench.stop();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

/// One benchmark per registered node model.
const bool kRegistered = [] {
  for (const auto& model : names(NodeRegistry::instance().entries())) {
    for (const std::uint32_t length : {kLong, kShort})
      benchmark::RegisterBenchmark(
          ("router_cycle/" + model + "/" + std::to_string(length) + "_flits").c_str(),
          [=](benchmark::State& state) { router_cycle(state, model, length); });
    benchmark::RegisterBenchmark(("vc_allocation/" + model).c_str(), [=](benchmark::State& state) {
      vc_allocation(state, model);
    })->UseManualTime();
  }
  benchmark::RegisterBenchmark("counters_snapshot/15x15", snapshot);
  return true;
}();

}  // namespace
}  // namespace noctule::bench
