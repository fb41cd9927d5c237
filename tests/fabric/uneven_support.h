#pragma once
// What holds for every fabric whose links or routers differ.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabric/autopsy.h"
#include "fabric_support.h"

namespace noctule::fabric_test {

struct Network {
  std::string name;
  std::shared_ptr<const Topology> topology;
  std::string algorithm;
};
inline std::vector<Network> networks() {
  Rng rng(8);
  return {{"mesh", mesh({4, 3}), "dimension_order"},
          {"ring", torus({6}), "dimension_order"},
          {"graph", random_graph(10, 8, rng), "up_down"},
          {"tree", topology_of("butterfly_fat_tree", {{"levels", 2}}), "nearest_common_ancestor"},
          {"butterfly", topology_of("butterfly", {{"arity", 2}, {"stages", 3}}), "destination_tag"}};
}

/// Of every link one of some descriptions, drawn; the credits of half of the links to routers of lower
/// numbers are immediate: none of them go round in a circle.
inline LinkDescriptions drawn_links(const Topology& topology, const std::vector<LinkDescription>& kinds,
                                    std::uint64_t seed) {
  LinkDescriptions all;
  Rng rng(seed, "links");
  for (const Link& link : topology.links()) {
    LinkDescription drawn = kinds[rng.below(kinds.size())];
    if (rng.below(2) == 0 && index(link.to) < index(link.from)) drawn.credit_delay = 0;
    all.set(link.id, drawn, topology.links().size(), "links");
  }
  return all;
}

/// Lone worms of 1 to 9 flits from some terminals to all, on observed fabrics that run side by side.
class LoneWormsByPath {
 public:
  void add(std::string name, FabricPlan plan) {
    const std::size_t n = plan.topology->terminals();
    auto bench = std::make_unique<Bench>(std::move(plan));
    Cycle birth = 3;
    for (std::size_t s = 0; s < n; s += 1 + n / 6)
      for (std::size_t d = 0; d < n; ++d) bench->source->add(s, d, 1 + (3 * s + d) % 9, birth += 700);
    end_ = std::max(end_, birth + 700);
    runs_.emplace_back(std::move(name), std::move(bench));
  }
  /// Each takes what the formula says of the links that its header was seen on.
  void run_and_check() const {
    run_cycles(*runs_[0].second->fabric, end_);
    for (const auto& [name, bench] : runs_) {
      SCOPED_TRACE(name);
      check(*bench);
    }
  }

 private:
  static void check(const Bench& bench) {
    const Fabric& fabric = *bench.fabric;
    const Topology& topology = *fabric.plan().topology;
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<LinkId>> paths;
    for (const Event& e : bench.recorder.where(
             [](const Event& event) { return event.event == FlitEvent::kLink && event.flit == 0; })) {
      const auto& output = fabric.plan().routers[index(e.router)]->outputs[e.place];
      paths[{index(e.source), e.number}].push_back(topology.outgoing(e.router, output.port)->id);
    }
    ASSERT_TRUE(fabric.drained());
    ASSERT_GT(bench.source->deliveries.size(), 10U);
    for (const auto& d : bench.source->deliveries) {
      const auto& path = paths[{index(d.source), d.number}];
      ASSERT_EQ(path.size(), d.hops);
      ASSERT_EQ(d.consumed - d.birth,
                fabric.zero_load().latency(topology.injection_router(d.source), path, d.length))
          << d.length << " flits over " << d.hops << " hops from " << index(d.source) << " to "
          << index(d.destination);
    }
    const auto counters = fabric.counters();
    EXPECT_EQ(counters.header_wait, 0U);
    EXPECT_EQ(counters.zero_load, counters.total_latency.sum());
    EXPECT_NO_THROW(fabric.check_conservation());
  }

  std::vector<std::pair<std::string, std::unique_ptr<Bench>>> runs_;
  Cycle end_ = 0;
};

/// Fabrics under overload, each three times: evaluated and constructed in other orders, the last one
/// observed.
class InAnyOrder {
 public:
  void add(const std::string& name, const FabricPlan& plan) {
    auto& group = groups_[name];
    for (const std::uint64_t order : {0, 1, 2}) {
      FabricOptions options;
      options.order_seed = order;
      options.construction_seed = order;
      options.discard = true;
      options.observed = order == 2;
      group.push_back(make_fabric(plan, options));
      group.back()->attach(traffic(plan.topology, "bernoulli", 900, 7, 9));
    }
    recorders_.push_back(std::make_unique<Recorder>());
    group.back()->observe(*recorders_.back());
  }
  /// Nothing is lost, nothing stands still, and the digests are equal.
  void run_and_check() {
    std::map<std::string, std::uint64_t> delivered;
    for (int block = 0; block < 3; ++block) {
      run_cycles(*groups_.begin()->second[0], 400);
      for (const auto& [name, group] : groups_) {
        SCOPED_TRACE(name);
        for (const auto& fabric : group) {
          EXPECT_NO_THROW(fabric->check_conservation());
          EXPECT_EQ(fabric->digest(), group[0]->digest());
        }
        EXPECT_FALSE(autopsy(*group[0]).deadlocked);
        EXPECT_GT(group[0]->counters().packets_delivered, delivered[name]) << "it flows on";
        delivered[name] = group[0]->counters().packets_delivered;
      }
    }
  }

 private:
  std::map<std::string, std::vector<std::unique_ptr<Fabric>>> groups_;
  std::vector<std::unique_ptr<Recorder>> recorders_;
};

}  // namespace noctule::fabric_test
