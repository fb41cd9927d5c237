#pragma once
// Counters as a fabric would keep them, from a recipe instead of a simulation: 5-flit packets whose total
// latency is twice their network latency.

#include <cmath>
#include <cstdint>

#include "core/ids.h"
#include "noise.h"
#include "stats/counters.h"
#include "stats/measurement.h"

namespace noctule::test {

struct Recipe {
  std::uint64_t terminals = 64;
  double offered_packets_per_cycle = 4;  ///< by the whole fabric
  double accepted_fraction = 1;
  double noise = 1;        ///< 0: the same in every block
  double tau = 0;          ///< time constant of filling up
  double start_queue = 0;  ///< packets in source queues at cycle 0
  bool discards = false;   ///< else what is not accepted is queued
  std::uint64_t latency = 40;
  std::uint64_t seed = 1;
};

class SyntheticFabric {
 public:
  explicit SyntheticFabric(const Recipe& recipe) : recipe_(recipe), rng_(recipe.seed, "fabric") {
    counters_.terminal_flits.resize(recipe.terminals);
    counters_.link_flits.resize(4);
    counters_.packets_generated = static_cast<std::uint64_t>(recipe.start_queue);
  }

  void advance(Cycle cycles) {
    auto& c = counters_;
    const std::uint64_t queued = queue();
    const double middle = static_cast<double>(now_) + static_cast<double>(cycles) / 2;
    const double level = recipe_.tau > 0 ? 1 - std::exp(-middle / recipe_.tau) : 1;
    const double expected = recipe_.offered_packets_per_cycle * static_cast<double>(cycles);
    const std::uint64_t generated = noisy_count(rng_, expected, recipe_.noise * std::sqrt(expected));
    const auto delivered =
        static_cast<std::uint64_t>(static_cast<double>(generated) * recipe_.accepted_fraction * level + 0.5);
    c.packets_generated += generated;
    if (recipe_.discards) c.packets_discarded += generated - delivered;
    for (std::uint64_t i = 0; i < delivered; ++i) {
      const std::uint64_t jitter = recipe_.noise > 0 ? rng_.below(20) : 0;
      const std::uint64_t latency = recipe_.latency + jitter;
      c.network_latency.record(latency);
      c.total_latency.record(2 * latency);
      c.terminal_flits[c.packets_delivered++ % recipe_.terminals] += 5;
    }
    c.packets_injected = c.packets_delivered;
    c.flits_delivered = c.flits_injected = 5 * c.packets_delivered;
    c.hops += 3 * delivered;
    c.flit_hops += 15 * delivered;
    for (std::size_t l = 0; l < 4; ++l) c.link_flits[l] += delivered * l;
    c.queued_packet_cycles += (queued + queue()) * cycles / 2;
    c.under_way_packet_cycles = c.queued_packet_cycles;
    c.occupancy_samples += cycles;
    c.occupied_input_vcs += 10 * cycles;
    c.allocated_output_vcs += 5 * cycles;
    c.connections_held += 8 * cycles;
    c.connections_made += 4 * delivered;
    now_ += cycles;
  }
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] const FabricCounters& counters() const { return counters_; }
  [[nodiscard]] std::uint64_t queue() const { return recipe_.discards ? 0 : counters_.packets_queued(); }
  void begin_window() {
    counters_.total_latency.begin_window();
    counters_.network_latency.begin_window();
  }

 private:
  Recipe recipe_;
  Rng rng_;
  Cycle now_ = 0;
  FabricCounters counters_;
};

inline MeasuredWorkload workload_of(const Recipe& r) {
  return {false,
          !r.discards,
          r.terminals,
          r.terminals,
          5 * r.offered_packets_per_cycle / static_cast<double>(r.terminals),
          5};
}

/// Runs the recipe to the end of its measurement, as a runner does.
inline MeasurementOutcome measure(const Recipe& recipe, const MeasurementSettings& settings,
                                  const MeasuredWorkload& workload) {
  SyntheticFabric fabric(recipe);
  MeasurementController controller(settings, workload);
  while (const Cycle block = controller.next_block()) {
    fabric.advance(block);
    if (controller.observe(fabric.now(), fabric.counters(), fabric.queue())) fabric.begin_window();
  }
  return controller.outcome();
}
inline MeasurementOutcome measure(const Recipe& recipe, const MeasurementSettings& settings) {
  return measure(recipe, settings, workload_of(recipe));
}

}  // namespace noctule::test
