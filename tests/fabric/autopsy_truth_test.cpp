// Is the autopsy's verdict the truth? Networks that lock up sooner or later, examined in every cycle: no worm
// that was reported ever moves again, and in the end exactly those that were reported are left.

#include <gtest/gtest.h>

#include <set>

#include "core/json.h"
#include "fabric/autopsy.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

using WormId = std::pair<std::size_t, std::uint64_t>;

struct Patient {
  std::string name;
  std::unique_ptr<Bench> bench;
  std::map<WormId, Cycle> reported;
};

/// A finite workload of random packets, so that in the end only what is stuck is left.
void give_work(Bench& bench, std::uint64_t seed, std::uint32_t longest) {
  Rng rng(seed);
  const std::size_t n = bench.fabric->plan().topology->terminals();
  for (std::size_t t = 0; t < n; ++t) {
    Cycle birth = 0;
    for (int p = 0; p < 40; ++p) {
      birth += rng.below(15);
      // Drawn one by one: the order in which arguments are evaluated is the compiler's choice.
      const std::size_t destination = rng.below(n);
      const auto length = 1 + static_cast<std::uint32_t>(rng.below(longest));
      bench.source->add(t, destination, length, birth);
    }
  }
}

void examine(Patient& patient) {
  const Fabric& fabric = *patient.bench->fabric;
  const Autopsy found = autopsy(fabric);
  std::set<WormId> now;
  for (const auto& worm : found.worms) {
    const WormId id{index(worm.source), worm.number};
    now.insert(id);
    patient.reported.emplace(id, found.cycle);
    ASSERT_FALSE(worm.waits_for.empty());
    for (const auto& wait : worm.waits_for) ASSERT_FALSE(wait.owners.empty());
  }
  ASSERT_EQ(now.size(), patient.reported.size()) << "a reported worm is no longer reported";
  ASSERT_EQ(found.circle.empty(), found.worms.empty());
  for (std::size_t c = 0; c < found.circle.size(); ++c) {
    bool waits = false;
    for (const auto& wait : found.worms[found.circle[c]].waits_for)
      for (const auto owner : wait.owners) waits |= owner == found.circle[(c + 1) % found.circle.size()];
    ASSERT_TRUE(waits);
  }
}

void check_truth(const Patient& patient) {
  const auto& recorder = patient.bench->recorder;
  const auto& fabric = *patient.bench->fabric;
  for (const Event& e : recorder.events) {
    const auto report = patient.reported.find({index(e.source), e.number});
    // A grant alone moves nothing: after tail_crossed the output buffer may be full for ever.
    const bool moved = e.event != FlitEvent::kGenerate && e.event != FlitEvent::kGrant;
    if (report != patient.reported.end() && moved) {
      ASSERT_LT(e.t, report->second) << "packet " << e.number << " of " << index(e.source)
                                     << " was reported and moved";
    }
  }
  EXPECT_EQ(patient.reported.size(), fabric.counters().packets_in_flight())
      << "what is left in the network is what was reported";
}

TEST(AReportedWorm, NeverMovesAgainAndNoOtherOneStays) {
  std::vector<Patient> patients;
  const auto add = [&](std::shared_ptr<const CubeNetwork> cube, const Json& set, std::uint64_t seed,
                       std::uint32_t longest, const LinkedOptions& options = {}) {
    auto plan = plan_fabric({cube, std::make_shared<Reckless>(cube, seed % 2 == 0), node_of("generic", set)});
    patients.push_back({std::to_string(cube->routers()) + set.dump() + " seed " + std::to_string(seed),
                        std::make_unique<Bench>(std::move(plan), options),
                        {}});
    give_work(*patients.back().bench, seed, longest);
  };
  LinkedOptions slow;
  slow.flit_delay = 3;
  slow.credit_delay = 2;
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const char* release : {"tail_crossed", "tail_left", "next_buffer_empty"}) {
      add(torus({7, 3}), {{"release", release}}, seed, 40);
      add(torus({9}), {{"release", release}}, seed, 40);
      add(mesh({4, 4}), {{"release", release}, {"input_depth", 4}, {"output_depth", 2}}, seed, 60);
      add(torus({3, 7}), {{"release", release}, {"input_depth", 5}, {"output_depth", 3}}, seed, 9);
      add(torus({8, 2}), {{"release", release}}, seed, 40, slow);
      add(torus({9, 2}), {{"release", release}, {"input_depth", 6}, {"lanes", 2}}, seed, 20, slow);
    }
    add(torus({4, 4}), {{"connections_per_cycle", 1}, {"lanes", 2}, {"parallel_links", 2}}, seed, 40);
    // Without output buffers, on demand, switched and in slots.
    LinkedOptions immediate;
    immediate.credit_delay = 0;
    for (const char* release : {"tail_crossed", "next_buffer_empty"}) {
      const Json direct{{"output_depth", 0}, {"release", release}, {"input_depth", 3}};
      Json switched = direct;
      switched.update(
          {{"switch_allocator", "separable_input_first"}, {"vc_allocator", "separable_input_first"}});
      Json slots = direct;
      slots.update({{"link_sharing", "fixed_slot"}, {"lanes", 2}});
      add(torus({9}), direct, seed, 40, slow);
      add(torus({7, 3}), switched, seed, 40);
      add(torus({9, 2}), slots, seed, 20);
      add(torus({9, 2}), slots, seed, 20, immediate);
      slots.update({{"scan", "first_come"}, {"injection_channels", "unlimited"}});
      add(torus({9, 2}), slots, seed, 20, immediate);
    }
  }
  for (int n = 0; n < 600; ++n) {
    run_cycles(*patients[0].bench->fabric, n < 400 ? 1 : 7);
    for (auto& patient : patients) {
      SCOPED_TRACE(patient.name);
      if (patient.bench->fabric->packets().live() > 0) examine(patient);
      if (HasFatalFailure()) return;
    }
  }
  run_cycles(*patients[0].bench->fabric, 40000);
  std::size_t locked = 0;
  std::size_t partial = 0;
  for (auto& patient : patients) {
    SCOPED_TRACE(patient.name);
    examine(patient);
    check_truth(patient);
    if (patient.reported.empty()) continue;
    ++locked;
    Cycle first = kNever;
    for (const auto& [id, cycle] : patient.reported) first = std::min(first, cycle);
    partial += patient.bench->fabric->last_delivery() > first ? 1 : 0;
  }
  EXPECT_GT(locked, patients.size() / 4) << "or this test tests little";
  EXPECT_LT(locked, patients.size());
  EXPECT_GT(partial, 3U) << "some flow on while others are stuck";
  std::printf("%zu of %zu networks locked up, %zu while others flowed\n", locked, patients.size(), partial);
}

}  // namespace
}  // namespace noctule::fabric_test
