// Routers with deep buffers sleep while credits are on their way to them (OutputBuffers::sleeps); those that
// are observed do not. Is what they do the same, and what they show of themselves while they sleep?

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

#include "fabric_support.h"
#include "sleep_support.h"

namespace noctule::fabric_test {
namespace {

/// Fabrics that differ in nothing but that the second one is observed.
struct Pair {
  std::string name;
  std::unique_ptr<Fabric> sleeping;
  std::unique_ptr<Fabric> awake;
  Recorder recorder;
};

TEST(RoutersThatSleep, DoAndShowWhatThoseDoThatStayAwake) {
  const auto network = torus({4, 4});
  const std::set<std::string> deep = {"deep",   "deep_pipeline", "deep_slots",
                                      "demand", "blind",         "stored",
                                      "slots",  "textbook",      "textbook_speculative"};
  // The delay of a credit decides how soon its ring comes round; into one terminal worms stand for long.
  const std::array<std::pair<Cycle, Cycle>, 4> delays = {{{1, 1}, {1, 2}, {6, 3}, {2, 9}}};
  std::vector<std::unique_ptr<Pair>> pairs;
  std::size_t turn = 0;
  for (const auto& variant : variants()) {
    if (!deep.contains(variant.name)) continue;
    for (const auto& [flit_delay, credit_delay] : delays)
      for (const unsigned load : {4U, 50U}) {
        const std::string pattern = turn++ % 2 == 0 ? "uniform" : "many_to_one";
        const auto plan = plan_of(shipped_models()[0], network, variant.set);
        LinkedOptions options;
        options.flit_delay = flit_delay;
        options.credit_delay = credit_delay;
        auto& pair = *pairs.emplace_back(std::make_unique<Pair>());
        pair.name = variant.name + " " + std::to_string(flit_delay) + " " + std::to_string(credit_delay) +
                    " " + std::to_string(load) + " " + pattern;
        pair.sleeping = make_fabric(plan, options);
        options.observed = true;
        pair.awake = make_fabric(plan, options);
        pair.awake->observe(pair.recorder);
        for (Fabric* fabric : {pair.sleeping.get(), pair.awake.get()})
          fabric->attach(traffic(network, "bernoulli", load, 6, 7, pattern));
      }
  }
  for (int piece = 0; piece < 20; ++piece) {
    run_cycles(*pairs[0]->sleeping, 53);
    for (const auto& pair : pairs) {
      SCOPED_TRACE(pair->name + " cycle " + std::to_string(pair->awake->cycles()));
      ASSERT_EQ(pair->sleeping->digest(), pair->awake->digest());
      ASSERT_EQ(pair->sleeping->counters().link_flits, pair->awake->counters().link_flits);
      expect_same_credits(*pair->sleeping, *pair->awake);
      if (HasFatalFailure()) return;
    }
  }
  std::size_t slept = 0;
  for (const auto& pair : pairs) {
    EXPECT_GT(pair->awake->counters().packets_delivered, 0U) << pair->name;
    EXPECT_LE(pair->sleeping->counters().evaluations, pair->awake->counters().evaluations) << pair->name;
    slept += pair->sleeping->counters().evaluations < pair->awake->counters().evaluations ? 1 : 0;
  }
  EXPECT_GE(4 * slept, 3 * pairs.size()) << "else it says nothing";
}

/// Samples of occupancy pass over routers that sleep and hold nothing. Do they come to the sum over all?
TEST(RoutersThatSleep, CountInOccupancySamples) {
  struct Sampled {
    std::string name;
    std::unique_ptr<Fabric> fabric;
    Occupancy expected;
    std::uint64_t visits = 0;
  };
  const auto network = torus({4, 4});
  std::vector<Sampled> all;
  for (const auto& variant : variants())
    for (const unsigned load : {4U, 30U}) {
      LinkedOptions options;
      options.occupancy_interval = 1;
      // On long links worms stand still while nobody is awake.
      options.flit_delay = load < 10 ? 5 : 1;
      auto& sampled = all.emplace_back();
      sampled.name = variant.name + " " + std::to_string(load);
      sampled.fabric = make_fabric(plan_of(shipped_models()[0], network, variant.set), options);
      sampled.fabric->attach(
          traffic(network, "bernoulli", load, 6, 7, load < 10 ? "many_to_one" : "uniform"));
    }
  std::uint64_t asleep = 0;
  for (int cycle = 0; cycle < 400; ++cycle) {
    for (Sampled& sampled : all)
      for (std::uint32_t r = 0; r < network->routers(); ++r) {
        const Occupancy now = sampled.fabric->router(RouterId{r}).occupancy(sampled.fabric->cycles());
        sampled.expected.input_vcs += now.input_vcs;
        sampled.expected.output_vcs += now.output_vcs;
        sampled.expected.connections += now.connections;
      }
    run_cycles(*all[0].fabric, 1);
    for (Sampled& sampled : all) {
      SCOPED_TRACE(sampled.name + " cycle " + std::to_string(cycle));
      const FabricCounters counters = sampled.fabric->counters();
      ASSERT_EQ(counters.occupied_input_vcs, sampled.expected.input_vcs);
      ASSERT_EQ(counters.allocated_output_vcs, sampled.expected.output_vcs);
      ASSERT_EQ(counters.connections_held, sampled.expected.connections);
      const std::uint64_t visits = counters.evaluations - std::exchange(sampled.visits, counters.evaluations);
      asleep += network->routers() - visits;
    }
  }
  EXPECT_GT(asleep, 10000U) << "else it says nothing";
}

}  // namespace
}  // namespace noctule::fabric_test
