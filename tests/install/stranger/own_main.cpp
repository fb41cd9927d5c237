// A program of one's own around noctule: two fabrics of different shape, router and speed in one simulation,
// beside modules that send through one of them and check what both deliver.
//
//   front   4x4 mesh on the user's clock and reset; fed by the module Traffic through sc_port<injection_if>
//   back    5x5 torus that keeps its own time, 3 ns; fed from within by the traffic source 'bursty'
//
// Both, and the parts of this project (yx_order, mine, bursty), are taken from the registries by name.
// Exit code 0: everything that was sent has been delivered, to the right terminal, once and in order.

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include "core/json.h"
#include "fabric/fabric.h"
#include "own_modules.h"
#include "topology/cube_geometry.h"
#include "verify/require_proof.h"

namespace {

using namespace noctule;
using namespace own;

/// A fabric's plan from registered parts: a node model, some of its keys changed, and the relation that it is
/// made for.
FabricPlan plan_of(const std::shared_ptr<const Topology>& topology, const char* model, const Json& changed) {
  const NodePreset preset = NodeRegistry::instance().at(model).make();
  Parameters keys = keys_of_model(model);
  for (const auto& [key, value] : changed.items()) keys.set(key, value);
  const auto& relation = RoutingRegistry::instance().at(preset.routing);
  const auto plan = std::make_shared<const FabricPlan>(
      plan_fabric({topology, relation.make(topology, Parameters::defaults(relation.parameters)),
                   node_from_parameters(keys)}));
  require_proof(plan);  // throws, with the cycle, where worms can deadlock
  return *plan;
}

/// Uniform traffic of 5-flit packets, 0.2 flits per terminal and cycle, in bursts.
std::unique_ptr<TrafficSource> bursty(const std::shared_ptr<const Topology>& topology) {
  const auto& pattern = PatternRegistry::instance().at("uniform");
  const auto& source = SourceRegistry::instance().at("bursty");
  SourceContext context;
  context.topology = topology;
  context.pattern = pattern.make(topology, Parameters::defaults(pattern.parameters), context.seed);
  context.packet_rate = ~std::uint64_t{0} / 25;  // 0.04 packets, in units of 2^-64
  context.lengths = {{5, std::uint64_t{1} << 32}};
  return source.make(context, Parameters::defaults(source.parameters));
}

/// What happened in a fabric since an earlier snapshot of its counters.
void report(const Fabric& fabric, const FabricCounters& before, Cycle since, double period_ns) {
  const FabricCounters window = fabric.counters() - before;
  const auto cycles = static_cast<double>(fabric.cycles() - since);
  const auto terminals = static_cast<double>(window.terminal_flits.size());
  const double latency =
      static_cast<double>(window.total_latency.sum()) / static_cast<double>(window.packets_delivered);
  std::printf("%s: %.3f flits/terminal/cycle, mean latency %.1f cycles = %.1f ns, largest %lu cycles\n",
              fabric.name(), static_cast<double>(window.flits_delivered) / cycles / terminals, latency,
              latency * period_ns, window.total_latency.max());
}

int simulate() {
  const auto mesh = std::make_shared<const Topology>(make_cube({4, 4}, {false, false}));
  const auto torus = std::make_shared<const Topology>(make_cube({5, 5}, {true, true}));
  Ledger front_ledger;
  Ledger back_ledger;

  sc_core::sc_clock clk("clk", sc_core::sc_time(2, sc_core::SC_NS));
  sc_core::sc_signal<bool> rst_n("rst_n", false);

  // One lane: worms of a pair cannot overtake each other. `discard`: no source queue, so that can_accept
  // tells when the injection channel is busy.
  Fabric front("front", plan_of(mesh, "mine", {{"lanes", 1}}), {.discard = true});
  Traffic traffic("traffic", 16, 200, front_ledger);
  Checker front_checker("front_checker", front_ledger, true);
  front.clk_i(clk);
  front.rst_ni(rst_n);
  front.consumption(front_checker);
  traffic.clk_i(clk);
  traffic.rst_ni(rst_n);
  traffic.network(front.injection);

  // Adaptive: worms may overtake each other.
  Fabric back("back", plan_of(torus, "star_channels", {}), {.period = sc_core::sc_time(3, sc_core::SC_NS)});
  Checker back_checker("back_checker", back_ledger, false);
  back.attach(std::make_shared<FirstPackets>(bursty(torus), 100, back_ledger));
  back.consumption(back_checker);

  const auto run_ns = [](double ns) { sc_core::sc_start(sc_core::sc_time(ns, sc_core::SC_NS)); };
  run_ns(21);
  rst_n.write(true);
  run_ns(1000);
  const FabricCounters front_before = front.counters();
  const FabricCounters back_before = back.counters();
  const Cycle front_since = front.cycles();
  const Cycle back_since = back.cycles();
  front.begin_window();
  back.begin_window();
  run_ns(3000);
  report(front, front_before, front_since, 2);
  report(back, back_before, back_since, 3);

  const auto done = [&] {
    return front_ledger.letters.size() == 16 * 200 && front.drained() && back.drained();
  };
  for (int n = 0; n < 1000 && !done(); ++n) run_ns(100);
  front.check_conservation();
  back.check_conservation();
  std::printf("%zu + %zu packets sent, all delivered: %s; %lu times not accepted at once\n",
              front_ledger.letters.size(), back_ledger.letters.size(),
              front_checker.content() && back_checker.content() ? "yes" : "no", traffic.refused);
  return done() && front_checker.content() && back_checker.content() ? 0 : 1;
}

}  // namespace

int sc_main(int, char**) {
  try {
    return simulate();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "own_main: %s\n", problem.what());
    return 2;
  }
}
