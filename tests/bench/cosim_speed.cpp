// What does an RTL router in a fabric cost, beyond what its Verilated class costs alone?
//
//   noctule_cosim_speed [ROUNDS]
//
// For each node model an 8x8 fabric at half load, with no router, one router, and all 64 routers in RTL; and
// the Verilated routers alone in a plain loop, fed with what was on their pins in the fabric: "bare", what
// Verilator makes of the router as it is; "alone", in the harness in which the fabric has it, faster. CPU
// time of processes of their own, in turns; the least of ROUNDS (5) counts.
//   mixed: (one RTL - pure) / one           all: (64 RTL) / 64           each: of bare, of alone

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "bench/in_child.h"
#include "config/decode.h"
#include "kernel/systemc.h"
#include "rtl/hardware_rules.h"
#include "run/configured_point.h"

namespace noctule {
namespace {

constexpr Cycle kWarmUp = 500;
constexpr Cycle kMeasured = 4000;
constexpr std::size_t kOne = 27;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Model {
  const char* name;
  std::vector<std::string> set;
};

PointSpec spec_of(const Model& model) {
  const std::string text = R"(topology: {kind: torus, radix: [8, 8]}
node: {selection: rotating}
traffic: {packet_length: 5, offered_load: 0.5, load_unit: normalized})";
  DecodeOptions options;
  options.set = model.set;
  const auto points = expand(decode_text(text, "speed", options));
  return configured_point(points.front(), {});
}

/// Keeps the input pins of all cycles.
class Recorder final : public PinTap {
 public:
  explicit Recorder(std::size_t routers) : rows(routers) {}
  bool stepped(RouterId router, Cycle, const std::uint64_t* in, const std::uint64_t*,
               VerilatedRouter&) override {
    if (in != nullptr) rows[index(router)].insert(rows[index(router)].end(), in, in + width);
    return true;
  }
  std::size_t width = 0;
  std::vector<std::vector<std::uint64_t>> rows;  ///< [router]: cycles, one behind the other
};

/// Seconds per cycle of a fabric with so many RTL routers (kOne alone, or all).
double fabric_cost(const Model& model, std::size_t rtl) {
  PointSpec spec = spec_of(model);
  spec.rtl.resize(rtl == 0 ? 0 : spec.topology->routers());
  for (std::size_t r = 0; r < spec.rtl.size(); ++r)
    if (rtl > 1 || r == kOne) spec.rtl[r] = RtlSource{};
  FabricOptions options = spec.fabric;
  if (rtl > 0) options.rtl = build_rtl_nodes(plan_of(spec), spec.rtl);
  auto& fabric = *new Fabric("fabric", plan_of(spec), options);
  fabric.attach(spec.source);
  fabric.advance(kWarmUp);
  const double start = cpu_seconds();
  fabric.advance(kMeasured);
  return (cpu_seconds() - start) / static_cast<double>(kMeasured);
}

/// Seconds per cycle of Verilated routers alone: of one, or of all in turns as a fabric visits them.
double alone_cost(const Model& model, bool all, Dut::Form form) {
  PointSpec spec = spec_of(model);
  const FabricPlan plan = plan_of(spec);
  spec.rtl.assign(spec.topology->routers(), RtlSource{});
  const auto nodes = build_rtl_nodes(plan, spec.rtl);
  Recorder recorder(spec.rtl.size());
  const PinMap& pins = *nodes->duts.front()->pins();
  recorder.width = pins.inputs().size();
  nodes->tap = &recorder;
  FabricOptions options = spec.fabric;
  options.rtl = nodes;
  auto& fabric = *new Fabric("fabric", plan, options);
  fabric.attach(spec.source);
  constexpr Cycle kRecorded = kWarmUp + 1500;
  fabric.advance(kRecorded + 1);
  const auto dut = Dut::build(RtlSource{}, plan, routers_with(spec.rtl), form);
  std::vector<std::unique_ptr<VerilatedRouter>> routers;
  std::vector<const std::uint64_t*> rows;
  std::vector<std::uint64_t> out(pins.outputs().size());
  for (std::size_t r = 0; r < spec.rtl.size(); ++r) {
    if (!all && r != kOne) continue;
    routers.push_back(dut->create("alone", 1));
    rows.push_back(recorder.rows[r].data());
    routers.back()->reset(pins.at_rest(RouterId(r)).data(), out.data());
  }
  const auto run = [&](Cycle from, Cycle to) {
    for (Cycle t = from; t < to; ++t)
      for (std::size_t n = 0; n < routers.size(); ++n)
        routers[n]->step(rows[n] + t * recorder.width, out.data());
  };
  run(0, kWarmUp);
  const double start = cpu_seconds();
  run(kWarmUp, kRecorded);
  return (cpu_seconds() - start) / static_cast<double>(kRecorded - kWarmUp);
}

}  // namespace
}  // namespace noctule

int sc_main(int argc, char** argv) {
  using namespace noctule;
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  const std::vector<Model> models{
      {"star_channels", {"node.model=star_channels"}},
      {"four_classes", {"node.model=four_classes", "routing.tie=drawn"}},
      {"linder_harden", {"node.model=linder_harden"}},
      {"oblivious",
       {"node.model=oblivious", "node.vc_allocator=separable_input_first", "node.selection=random"}},
      {"input_queued",
       {"topology.kind=mesh", "node.model=input_queued", "node.selection=random", "node.routing_delay=0",
        "node.switch_allocation_delay=0"}}};
  fmt::print("microseconds per cycle, least of {} rounds\n", rounds);
  fmt::print("{:<15}{:>7}{:>9}{:>8}{:>10}{:>9}{:>11}{:>10}{:>14}{:>14}\n", "node model", "pure", "one RTL",
             "64 RTL", "one bare", "64 bare", "one alone", "64 alone", "mixed", "all");
  constexpr auto kFast = Dut::Form::kFast;
  constexpr auto kBare = Dut::Form::kBare;
  for (const Model& model : models) {
    std::array<double, 7> best{};
    best.fill(1e9);
    for (int round = 0; round < rounds; ++round) {
      const std::array costs{in_child([&] { return fabric_cost(model, 0); }),
                             in_child([&] { return fabric_cost(model, 1); }),
                             in_child([&] { return fabric_cost(model, 64); }),
                             in_child([&] { return alone_cost(model, false, kBare); }),
                             in_child([&] { return alone_cost(model, true, kBare); }),
                             in_child([&] { return alone_cost(model, false, kFast); }),
                             in_child([&] { return alone_cost(model, true, kFast); })};
      for (std::size_t k = 0; k < best.size(); ++k) best[k] = std::min(best[k], 1e6 * costs[k]);
    }
    const auto [pure, mixed, all, one_bare, all_bare, one, all_alone] = best;
    fmt::print(
        "{:<15}{:>7.2f}{:>9.2f}{:>8.2f}{:>10.3f}{:>9.2f}{:>11.3f}{:>10.2f}{:>7.2f}{:>7.2f}{:>7.2f}{:>7.2f}\n",
        model.name, pure, mixed, all, one_bare, all_bare, one, all_alone, (mixed - pure) / one_bare,
        (mixed - pure) / one, all / all_bare, all / all_alone);
  }
  return 0;
}
