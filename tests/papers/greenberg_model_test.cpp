// Does the model do what a bare loop over steps does, whose text shares nothing with it? The same packets to
// the same destinations, with the same draws: every tail arrives in the same step.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabric/fabric_support.h"
#include "papers/greenberg_reference.h"

namespace noctule::fabric_test {
namespace {

using greenberg::Node;
using greenberg::Options;
using greenberg::Order;
using greenberg::Step;
using greenberg::Tree;
using greenberg::Unit;
using greenberg::Up;

/// The streams of the model: one for each switch, by its name.
class ModelDraws {
 public:
  static constexpr bool kEveryHead = true;

  ModelDraws(std::uint64_t seed, unsigned levels)
      : streams_(std::make_shared<std::vector<std::vector<Rng>>>()) {
    for (unsigned level = 0; level <= levels; ++level) {
      streams_->emplace_back();
      const unsigned switches = level == 0 ? 0 : 1U << (2 * levels - level - 1);
      for (unsigned a = 0; a < switches; ++a)
        streams_->back().emplace_back(seed, "switch_" + std::to_string(level) + "_" + std::to_string(a));
    }
  }
  /// Inputs have the numbers of ports; but on the first level those from the parents come before the
  /// terminals.
  unsigned start(Node at, Step, unsigned ports) const {
    const auto input = static_cast<unsigned>(stream(at).below(ports));
    return at.level > 1 || ports == Tree::kChildren ? input : (input + Tree::kChildren) % ports;
  }
  bool up(Node at, greenberg::Worm, Step) const { return stream(at).below(2) != 0; }
  bool fixed_up(greenberg::Worm, unsigned) const {
    throw std::logic_error("packets draw their paths themselves");
  }
  unsigned delay(unsigned, unsigned) const { throw std::logic_error("no delays"); }
  unsigned turn(unsigned, Step) const { throw std::logic_error("no other orders"); }

 private:
  Rng& stream(Node at) const { return (*streams_)[at.level][at.index]; }

  std::shared_ptr<std::vector<std::vector<Rng>>> streams_;
};

struct Case {
  const char* name;
  Unit unit;
  Up up;
  Order order;
  unsigned queue;
  const char* pattern;
};

FabricPlan plan_of(const Case& c, unsigned levels) {
  const auto topology = topology_of("butterfly_fat_tree", {{"levels", levels}});
  Json set{{"input_depth", c.queue}, {"consumption_depth", c.queue}};
  if (c.up == Up::kGreedy) set["selection"] = "first";
  if (c.order == Order::kFixed) set["scan"] = "injection_first";
  if (c.order == Order::kFarthest) set["scan"] = "farthest_first";
  LinkDescriptions links;
  for (const Link& link : topology->links())
    links.set(link.id, {1, topology->kind(link.id) == LinkKind::kUp ? 0U : 1U}, topology->links().size(),
              "links");
  return plan_fabric({topology, relation_on(topology, "nearest_common_ancestor"),
                      node_of(c.unit == Unit::kStore ? "greenberg_store" : "greenberg_worm", set), links});
}

std::vector<unsigned> destinations_of(const std::string& pattern, unsigned processors, std::uint64_t seed) {
  std::vector<unsigned> destinations(processors);
  Rng rng(seed, "destinations");
  for (unsigned p = 0; p < processors; ++p) {
    destinations[p] = static_cast<unsigned>(rng.below(processors));
    if (pattern == "complement") destinations[p] = processors - 1 - p;
    if (pattern == "many_to_1") destinations[p] = p < processors / 2 ? processors - 1 : 0;
    if (pattern == "some" && rng.below(3) == 0) destinations[p] = greenberg::kNone;
  }
  return destinations;
}

TEST(TheModel, BringsEveryTailInTheStepInWhichTheBareLoopDoes) {
  const Case cases[] = {
      {"WORM RP-RR random", Unit::kWorm, Up::kRandom, Order::kRoundRobin, 2, "random"},
      {"WORM RP-RR complement", Unit::kWorm, Up::kRandom, Order::kRoundRobin, 2, "complement"},
      {"WORM RP-RR many-to-1", Unit::kWorm, Up::kRandom, Order::kRoundRobin, 2, "many_to_1"},
      {"WORM RP-RR some", Unit::kWorm, Up::kRandom, Order::kRoundRobin, 2, "some"},
      {"WORM RP-FO", Unit::kWorm, Up::kRandom, Order::kFixed, 2, "random"},
      {"WORM RP-FF", Unit::kWorm, Up::kRandom, Order::kFarthest, 2, "random"},
      {"WORM GP-RR", Unit::kWorm, Up::kGreedy, Order::kRoundRobin, 2, "random"},
      {"WORM GP-FO", Unit::kWorm, Up::kGreedy, Order::kFixed, 2, "random"},
      {"WORM q = 1", Unit::kWorm, Up::kRandom, Order::kRoundRobin, 1, "random"},
      {"WORM q = 5", Unit::kWorm, Up::kRandom, Order::kRoundRobin, 5, "random"},
      {"STORE RP-RR random", Unit::kStore, Up::kRandom, Order::kRoundRobin, 1, "random"},
      {"STORE RP-RR complement", Unit::kStore, Up::kRandom, Order::kRoundRobin, 1, "complement"},
      {"STORE RP-FF", Unit::kStore, Up::kRandom, Order::kFarthest, 1, "random"},
      {"STORE GP-FO", Unit::kStore, Up::kGreedy, Order::kFixed, 1, "complement"},
      {"STORE q = 3", Unit::kStore, Up::kRandom, Order::kRoundRobin, 3, "random"},
      {"SPLIT RP-RR", Unit::kSplit, Up::kRandom, Order::kRoundRobin, 2, "random"},
      {"SPLIT GP-FF", Unit::kSplit, Up::kGreedy, Order::kFarthest, 2, "random"}};
  struct Run {
    std::string name;
    std::unique_ptr<Fabric> fabric;
    std::shared_ptr<ListSource> source;
    greenberg::Result expected;
  };
  std::vector<Run> runs;
  for (const Case& c : cases)
    for (const unsigned levels : {2U, 3U, 4U}) {
      const unsigned processors = 1U << (2 * levels);
      const std::uint64_t seed = 100 * levels + runs.size();
      const auto destinations = destinations_of(c.pattern, processors, seed);
      Options options = greenberg::options_of(c.unit, c.up, c.order);
      options.queue = c.queue;
      FabricOptions fabric_options;
      fabric_options.seed = seed;
      fabric_options.order_seed = levels;
      Run run{c.name + (" N = " + std::to_string(processors)),
              make_fabric(plan_of(c, levels), fabric_options),
              std::make_shared<ListSource>(),
              {}};
      const Tree tree(processors);
      const ModelDraws draws(seed, levels);
      run.expected = greenberg::Simulation<ModelDraws>(tree, options, destinations, draws).run();
      for (unsigned p = 0; p < processors; ++p)
        for (unsigned k = 0; destinations[p] != greenberg::kNone && k < (c.unit == Unit::kSplit ? 32U : 1U);
             ++k)
          run.source->add(p, destinations[p], c.unit == Unit::kWorm ? 32 : 1, 0);
      run.fabric->attach(run.source);
      runs.push_back(std::move(run));
    }
  run_cycles(*runs[0].fabric, 6000);
  for (const Run& run : runs) {
    SCOPED_TRACE(run.name);
    ASSERT_TRUE(run.fabric->drained());
    std::vector<Step> delivered(run.expected.delivered.size(), greenberg::kNone);
    for (const Delivery& d : run.source->deliveries)
      delivered[index(d.source)] = static_cast<Step>(d.consumed - 1);  // it left the queue one step later
    EXPECT_EQ(delivered, run.expected.delivered);
    run.fabric->check_conservation();
  }
}

}  // namespace
}  // namespace noctule::fabric_test
