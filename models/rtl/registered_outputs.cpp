#include "rtl/registered_outputs.h"

#include <fmt/format.h>

#include "core/error.h"
#include "rtl/pin_traffic.h"

namespace noctule {
namespace {

using Pins = std::vector<std::uint64_t>;

/// Changes one input pin after the other from `from` to `to`; throws with the first that shows.
[[noreturn]] void name_path(VerilatedRouter& router, const Dut& dut, const PinMap& map, Pins from,
                            const Pins& to, const Pins& registered, const Pins& shown) {
  Pins then = shown;
  std::size_t input = 0;
  for (std::size_t p = 0; p < from.size(); ++p) {
    if (from[p] == to[p]) continue;
    input = p;
    from[p] = to[p];
    router.settle(from.data(), then.data());
    if (then != registered || router.finding() != nullptr) break;
  }
  if (then == registered) then = shown;
  std::size_t output = 0;
  while (then[output] == registered[output]) ++output;
  throw ConfigError(
      "nodes",
      fmt::format("module {} has a combinational path from {} to {}: every output has to be a function of "
                  "registers alone; put a register, or a credit counter, in between",
                  dut.source().top, map.inputs()[input].name, map.outputs()[output].name));
}

}  // namespace

void check_registered_outputs(const Dut& dut, const FabricPlan& plan, RouterId router) {
  const auto& map = dut.pins();
  constexpr int kCycles = 256;
  constexpr std::uint64_t kOthers = 4;
  PinTrafficOptions options;
  options.walks = 2000;
  options.load = 0.6;
  PinTraffic around(map, plan, router, options);
  const auto instance = dut.create(plan.topology->router_name(router), 1);
  Pins in = map->at_rest(router);
  Pins out(map->outputs().size());
  around.reset(in.data());
  instance->reset(in.data(), out.data());
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    const Pins answered = out;  // in the cycle that ends: nobody around sees what comes behind the edge
    instance->step(in.data(), out.data());
    if (instance->finding() != nullptr) return;
    const PinTraffic before = around;
    Pins shown = in;  // what is on the pins, and what comes out
    Pins then = out;
    try {
      around.step(answered.data(), in.data());
    } catch (const IllegalPins&) {
      return;
    }
    for (std::uint64_t n = 0; n <= kOthers; ++n) {
      Pins instead = in;
      if (n < kOthers) {
        PinTraffic other = before;
        other.redraw(n + kOthers * static_cast<std::uint64_t>(cycle));
        other.step(answered.data(), instead.data());
      }
      instance->settle(instead.data(), out.data());
      if (instance->finding() != nullptr) return;
      if (out != then) name_path(*instance, dut, *map, shown, instead, then, out);
      shown = std::move(instead);
    }
  }
}

}  // namespace noctule
