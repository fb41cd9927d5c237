// Message classes with priorities and weights: who goes first, and how much of a link each gets.

#include <gtest/gtest.h>

#include <functional>

#include "closed_loop_support.h"
#include "support/networks.h"
#include "traffic/drawn_sink.h"
#include "verify/service.h"

namespace noctule::fabric_test {
namespace {

constexpr std::uint8_t kHigh = 0;

/// A router of one kind whose lanes are shared out among the classes.
struct Kind {
  std::string name;
  Json set;
  Cycle credit_delay = 1;
};

/// Every way in which blocks work together that can serve classes apart, with four lanes for each of
/// `classes`, so that each can fill a link alone.
std::vector<Kind> kinds(unsigned classes = 2) {
  std::vector<Kind> all;
  for (const Variant& variant : variants()) {
    const Json& set = variant.set;
    if (set.value("link_sharing", "") == "fixed_slot" || set.value("speculative", false)) continue;
    all.push_back({variant.name, set, variant.credit_delay});
    all.back().set["lanes"] = 4 * classes;
  }
  all.push_back({"wide", all.front().set});
  all.back().set["lanes"] = 12 * classes;
  all.push_back({"few_connections", all.front().set});
  all.back().set["connections_per_cycle"] = 1;
  all.push_back({"first_come", all.front().set});
  all.back().set["scan"] = "first_come";
  all.push_back({"drawn", all.front().set});
  all.back().set["scan"] = "random_start";
  all.back().set["selection"] = "random";
  return all;
}

/// Each class has its share of the lanes and an interface of its own.
MessageClasses apart(std::vector<MessageClass> classes, unsigned lanes) {
  const auto each = lanes / static_cast<unsigned>(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::vector<std::string>& mine = classes[c].vcs["lane"];
    for (unsigned l = 0; l < each; ++l) mine.push_back(std::to_string(c * each + l));
    classes[c].interface = static_cast<std::uint8_t>(c);
  }
  return MessageClasses(std::move(classes));
}
MessageClasses high_and_low(unsigned lanes) {
  return apart({{"high", {}, 0, {}, 1}, {"low", {}, 0, {}, 0}}, lanes);
}

struct Served {
  Served(const MessageClasses& classes, std::shared_ptr<const Topology> topology, const Kind& kind,
         LinkedOptions options = {})
      : Served(plan_with(classes, std::move(topology), "dimension_order", kind.set, "generic"), [&] {
          options.credit_delay = kind.credit_delay;
          return options;
        }()) {}
  explicit Served(FabricPlan plan, const LinkedOptions& options = {})
      : fabric(make_fabric(std::move(plan), options)) {
    fabric->attach(source);
  }
  /// Flits of a class consumed so far.
  [[nodiscard]] double flits(std::uint8_t of_class) const {
    double sum = 0;
    for (const Delivery& d : source->deliveries)
      if (d.message_class == of_class) sum += d.length;
    return sum;
  }
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  std::unique_ptr<Fabric> fabric;
};

class EveryRouter : public testing::TestWithParam<Kind> {};

/// Source, destination, birth, and cycles of injection and of consumption of a packet.
using Told = std::tuple<std::size_t, std::size_t, Cycle, Cycle, Cycle>;

/// Two fabrics alike, one of which has a low class as well: the high one does not notice. They have terminals
/// of their own, so that the packets of the high class have the same numbers, by which routes are drawn.
void expect_not_slowed(Served& alone, Served& met) {
  Rng rng(7);
  const std::size_t n = alone.fabric->plan().topology->terminals();
  for (std::size_t s = 0; s < n; ++s)
    for (Cycle t = 0; t < 1500; ++t) {
      const auto other = [&] {
        return TerminalId(static_cast<std::uint32_t>((s + 1 + rng.below(n - 1)) % n));
      };
      if (s % 2 == 0 && rng.below(10) == 0) {
        const GeneratedPacket packet{t, other(), 5, kHigh};
        alone.source->add(s, packet);
        met.source->add(s, packet);
      }
      if (s % 2 == 1 && rng.below(4) == 0) met.source->add(s, {t, other(), 6, 1});
    }
  run_cycles(*alone.fabric, 1500);
  EXPECT_TRUE(drain(*met.fabric, 50'000));
  EXPECT_TRUE(alone.fabric->drained());
  const auto told = [](const Served& one) {
    std::vector<Told> list;
    for (const Delivery& d : one.source->deliveries)
      if (d.message_class == kHigh)
        list.emplace_back(index(d.source), index(d.destination), d.birth, d.injected, d.consumed);
    return list;
  };
  EXPECT_GT(told(alone).size(), 1000U);
  EXPECT_EQ(told(alone), told(met));
  EXPECT_GT(met.flits(1), 10'000);
  alone.fabric->check_conservation();
  met.fabric->check_conservation();
}

TEST_P(EveryRouter, ServesAHighClassAsIfThereWereNoOther) {
  const MessageClasses classes = high_and_low(GetParam().set.at("lanes"));
  Served alone(classes, mesh({4, 4}), GetParam());
  Served met(classes, mesh({4, 4}), GetParam());
  expect_not_slowed(alone, met);
}

class EveryModel : public testing::TestWithParam<Model> {};

TEST_P(EveryModel, ServesAHighClassAsIfThereWereNoOther) {
  // Of an even radix some worms may go either way, and ask several crossbars.
  const auto make = [] {
    FabricParts parts{torus({4, 4}), nullptr, node_of(GetParam().node_model, {{"lanes", 4}})};
    parts.relation = relation_on(parts.topology, GetParam().algorithm, GetParam().set);
    parts.message_classes = high_and_low(4);
    return Served(plan_fabric(std::move(parts)));
  };
  Served alone = make();
  Served met = make();
  expect_not_slowed(alone, met);
}

INSTANTIATE_TEST_SUITE_P(Service, EveryModel, testing::ValuesIn(shipped_models()), [](const auto& info) {
  const std::string rule = info.param.set.value("vc_rule", "");
  return info.param.algorithm + (rule.empty() ? "" : "_" + rule);
});

/// The left half of a row of eight sends to the right half, over one link, in packets of 4 and 5 flits: every
/// terminal one every `every` cycles.
void send_across(ListSource& source, std::uint8_t of_class, Cycle every, Cycle from, Cycle end) {
  for (Cycle t = from; t < end; t += every)
    for (std::uint32_t s = 0; s < 4; ++s) {
      const auto n = static_cast<std::uint32_t>(t / every) + s;
      source.add(s, {t, TerminalId{4 + n % 4}, 4 + n / 4 % 2, of_class});
    }
}

TEST_P(EveryRouter, SharesALinkByWeights) {
  struct Case {
    std::vector<std::uint32_t> weights;
    std::unique_ptr<Served> served = nullptr;
  };
  std::vector<Case> cases;
  for (const auto& weights : std::vector<std::vector<std::uint32_t>>{{1, 1}, {3, 1}, {2, 5}, {4, 2, 1}})
    cases.push_back({weights});
  constexpr Cycle kCycles = 24'000;
  for (Case& c : cases) {
    Kind kind = GetParam();
    const auto count = static_cast<unsigned>(c.weights.size());
    kind.set["lanes"] = kind.set.at("lanes").get<unsigned>() / 2 * count;
    std::vector<MessageClass> classes;
    for (unsigned n = 0; n < count; ++n)
      classes.push_back({std::string(1, static_cast<char>('a' + n)), {}, 0, {}, 0, c.weights[n]});
    c.served = std::make_unique<Served>(apart(std::move(classes), kind.set.at("lanes")), mesh({8}), kind);
    for (Cycle t = 0; t < kCycles; t += 8)
      for (unsigned n = 0; n < count; ++n)
        send_across(*c.served->source, static_cast<std::uint8_t>(n), 8, t, t + 8);
  }
  run_cycles(*cases.front().served->fabric, kCycles);
  for (const Case& c : cases) {
    double all = 0;
    double weights = 0;
    for (std::size_t n = 0; n < c.weights.size(); ++n) {
      all += c.served->flits(static_cast<std::uint8_t>(n));
      weights += c.weights[n];
    }
    EXPECT_GT(all, 0.8 * kCycles);
    for (std::size_t n = 0; n < c.weights.size(); ++n)
      EXPECT_NEAR(c.served->flits(static_cast<std::uint8_t>(n)) / all, c.weights[n] / weights, 0.01)
          << testing::PrintToString(c.weights) << " class " << n;
    c.served->fabric->check_conservation();
  }
}

/// A low class gets what a high one leaves of a link: nothing at overload, however long it lasts; else all of
/// it.
TEST_P(EveryRouter, GivesALowClassWhatIsLeft) {
  const unsigned lanes = GetParam().set.at("lanes");
  Served starved(high_and_low(lanes), mesh({8}), GetParam());
  Served fed(high_and_low(lanes), mesh({8}), GetParam());
  constexpr Cycle kCycles = 4000;
  for (Cycle t = 0; t < kCycles; t += 8) {
    send_across(*starved.source, kHigh, 8, t, t + 8);
    if (t >= 200 && t < 600) send_across(*starved.source, 1, 8, t, t + 8);
    if (t % 64 == 0) send_across(*fed.source, kHigh, 64, t, t + 8);
    send_across(*fed.source, 1, 8, t, t + 8);
  }
  run_cycles(*starved.fabric, kCycles);
  EXPECT_EQ(starved.flits(1), 0);
  EXPECT_GT(starved.flits(kHigh), 0.97 * kCycles);
  EXPECT_NEAR(fed.flits(kHigh), 18.0 * kCycles / 64, 60);
  EXPECT_GT(fed.flits(kHigh) + fed.flits(1), 0.97 * kCycles);
  EXPECT_TRUE(drain(*starved.fabric, 20'000));
  EXPECT_EQ(starved.source->deliveries.size(), 4U * (500 + 50));
  starved.fabric->check_conservation();
  fed.fabric->check_conservation();
}

/// Whatever the order of evaluation, and whether somebody looks on.
TEST_P(EveryRouter, IsDeterministicAndLosesNothingAtTerminalsThatRefuse) {
  const unsigned lanes = GetParam().set.at("lanes");
  const auto all = run_in_every_order(0.6, 600, [&](const LinkedOptions& options) {
    return std::make_unique<Served>(high_and_low(lanes), mesh({4, 4}), GetParam(), options);
  });
  for (const auto& one : all)
    EXPECT_EQ(one->fabric->counters().flit_hops, all[0]->fabric->counters().flit_hops);
}

INSTANTIATE_TEST_SUITE_P(Service, EveryRouter, testing::ValuesIn(kinds()),
                         [](const auto& info) { return info.param.name; });

/// Watches the link from router 3 to router 4: how many flits of others go while a class could send one?
class LinkWatch final : public FlitObserver {
 public:
  /// Flits that went while someone could send one, and those of them that were its own.
  struct Turn {
    bool able = false;
    std::uint64_t passed = 0;  ///< since its last own one
    std::uint64_t worst = 0;
    std::uint64_t went = 0;
    std::uint64_t own = 0;
  };
  LinkWatch(const Fabric& fabric, unsigned lanes_each, const std::vector<std::uint32_t>& weights)
      : fabric_(fabric), lanes_each_(lanes_each), weights_(weights), classes_(weights.size()) {}
  void on_flit(Cycle, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t, Flit,
               const Packet&) override {
    if (router == kRouter && event == FlitEvent::kLink && on_link(place)) sent_ = place;
  }
  void on_cycle_end(Cycle t) override {
    const RouterView& view = fabric_.router(kRouter);
    vcs_.resize(view.plan().link_outputs());
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      count(classes_[c], sent_ && class_of(*sent_) == c);
      check_share(c);
      classes_[c].able = false;
    }
    for (std::size_t o = 0; o < vcs_.size(); ++o) {
      if (!on_link(o)) continue;
      count(vcs_[o], sent_ == o);
      view.output_flits(o, flits_);
      vcs_[o].able = !flits_.empty() && (view.credits(o) > 0 || view.credit_arriving(o, t + 1));
      if (vcs_[o].able) classes_[class_of(o)].able = true;
    }
    sent_.reset();
  }
  [[nodiscard]] std::uint64_t worst(std::size_t c) const { return classes_[c].worst; }
  /// Of the VCs of a class.
  [[nodiscard]] std::uint64_t worst_vc(std::size_t c) const {
    std::uint64_t worst = 0;
    for (std::size_t o = 0; o < vcs_.size(); ++o)
      if (on_link(o) && class_of(o) == c) worst = std::max(worst, vcs_[o].worst);
    return worst;
  }
  [[nodiscard]] bool was_idle() const { return idle_; }
  [[nodiscard]] std::size_t too_few() const { return too_few_; }

 private:
  static constexpr RouterId kRouter{3};
  [[nodiscard]] bool on_link(std::size_t o) const {
    return fabric_.router(kRouter).plan().outputs[o].port == PortId{0};
  }
  [[nodiscard]] std::size_t class_of(std::size_t o) const {
    return fabric_.router(kRouter).plan().outputs[o].lane / lanes_each_;
  }
  void count(Turn& turn, bool own) {
    if (!turn.able) {
      turn.passed = turn.went = turn.own = 0;
      return;
    }
    idle_ = idle_ || !sent_;
    ++turn.went;
    turn.own += own ? 1 : 0;
    turn.passed = own ? 0 : turn.passed + 1;
    turn.worst = std::max(turn.worst, turn.passed);
  }
  /// Once the others have spent what they had left, every round gives the class its weight.
  void check_share(std::size_t c) {
    std::uint64_t all = 0;
    for (const std::uint32_t weight : weights_) all += weight;
    const std::uint64_t others = all - weights_[c];
    if (classes_[c].went >= others && classes_[c].own < weights_[c] * ((classes_[c].went - others) / all))
      ++too_few_;
  }

  const Fabric& fabric_;
  unsigned lanes_each_;
  std::vector<std::uint32_t> weights_;
  std::vector<Turn> classes_;
  std::vector<Turn> vcs_;
  std::vector<Flit> flits_;
  std::optional<std::size_t> sent_;
  bool idle_ = false;
  std::size_t too_few_ = 0;
};

TEST(Service, PassesAClassOverAsOftenAsTheVerifierSays) {
  const std::vector<std::vector<std::uint32_t>> cases{{1, 1},    {3, 1},    {2, 5},       {16, 1},
                                                      {10, 3},   {4, 2, 1}, {1, 1, 1},    {5, 5, 1},
                                                      {2, 1, 3}, {7, 2},    {1, 2, 3, 4}, {8, 1, 1}};
  struct Run {
    MessageClasses classes;
    std::unique_ptr<Served> served;
    std::unique_ptr<LinkWatch> watch;
  };
  std::vector<Run> runs;
  Rng rng(3);
  for (const auto& weights : cases) {
    const auto count = static_cast<unsigned>(weights.size());
    std::vector<MessageClass> list;
    for (unsigned c = 0; c < count; ++c)
      list.push_back({std::string(1, static_cast<char>('a' + c)), {}, 0, {}, 0, weights[c]});
    const MessageClasses classes = apart(std::move(list), 4 * count);
    LinkedOptions observed;
    observed.observed = true;
    Kind kind{"deep",
              {{"lanes", 4 * count}, {"input_depth", 4}, {"output_depth", 2}, {"consumption_depth", 2}}};
    auto served = std::make_unique<Served>(classes, mesh({8}), kind, observed);
    // Every class comes and goes, so that it meets others that have all of their flits left.
    for (unsigned c = 0; c < count; ++c)
      for (Cycle t = 0; t < 30'000; t += rng.below(90 * count) + 8) {
        t = t / 8 * 8;
        send_across(*served->source, static_cast<std::uint8_t>(c), 8, t, t + 8 + 8 * rng.below(4));
      }
    served->source->sort();
    auto watch = std::make_unique<LinkWatch>(*served->fabric, 4, weights);
    served->fabric->observe(*watch);
    runs.push_back({classes, std::move(served), std::move(watch)});
  }
  run_cycles(*runs.front().served->fabric, 40'000);
  for (const Run& run : runs) {
    EXPECT_FALSE(run.watch->was_idle());
    EXPECT_EQ(run.watch->too_few(), 0U);
    for (std::size_t c = 0; c < run.classes.size(); ++c) {
      SCOPED_TRACE(run.classes[c].name + " of " + std::to_string(run.classes.size()));
      const std::size_t group = run.classes.group_of(c);
      const std::uint64_t bound = *passed_over_at_most(run.classes, group);
      EXPECT_LE(run.watch->worst(c), bound);
      EXPECT_LE(bound, 3 * run.watch->worst(c));
      const std::uint64_t of_vc = *waits_at_most(run.classes, group, 4);
      EXPECT_LE(run.watch->worst_vc(c), of_vc);
      EXPECT_LE(of_vc, 3 * run.watch->worst_vc(c));
    }
  }
}

TEST(Service, SaysWhichClassesStarve) {
  EXPECT_EQ(starvation_text(MessageClasses({{"a", {}, 0, {}, 0, 3}, {"b", {}, 1}})), "");
  const MessageClasses classes({{"bulk", {}, 0}, {"urgent", {}, 1, {}, 2}, {"rest", {}, 2, {}, 1}});
  const std::string text = starvation_text(classes);
  EXPECT_NE(text.find("lets 'rest' and 'bulk' starve: at a link that 'urgent' can fill"), std::string::npos)
      << text;
  const auto conditions = service_conditions(plan_with(apart({classes.begin(), classes.end()}, 6), mesh({3}),
                                                       "dimension_order", {{"lanes", 6}}, "generic"));
  ASSERT_EQ(conditions.size(), 3U);
  EXPECT_TRUE(conditions[0].holds);
  EXPECT_EQ(
      conditions[0].given,
      "the highest priority: others never go first; at most 1 flits before one that waits in one of 2 VCs");
  EXPECT_FALSE(conditions[1].holds);
  EXPECT_FALSE(conditions[2].holds);
  EXPECT_EQ(conditions[2].key, "message_classes.bulk.priority");
  EXPECT_FALSE(conditions[2].for_deadlock_freedom);
}

/// Throws, and names the key.
void expect_refused(const std::function<void()>& plan, const std::string& key, const std::string& words) {
  try {
    plan();
    ADD_FAILURE() << "not refused: " << key;
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, key) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Service, RefusesWhatItCannotDo) {
  const auto plan = [](const Json& set) {
    return [set] { plan_with(high_and_low(2), mesh({3, 3}), "dimension_order", set, "generic"); };
  };
  expect_refused(plan({{"lanes", 2}, {"link_sharing", "fixed_slot"}}), "node.link_sharing", "its own share");
  expect_refused(plan({{"lanes", 2}, {"injection_channels", "unlimited"}, {"scan", "first_come"}}),
                 "node.injection_channels", "one line");
  expect_refused(plan({{"lanes", 2}, {"scan", "first_come"}, {"connections_per_cycle", 1}}),
                 "node.connections_per_cycle", "all");
  Json speculative;
  for (const Variant& variant : variants())
    if (variant.name == "textbook_speculative") speculative = variant.set;
  expect_refused(plan(speculative), "node.speculative", "false");
  const auto with = [](const VcSelector& high, const VcSelector& low) {
    return [high, low] {
      plan_with(MessageClasses({{"high", high, 0, {}, 1}, {"low", low, 1, {}, 0}}), mesh({3, 3}),
                "dimension_order", {{"lanes", 2}}, "generic");
    };
  };
  expect_refused(with({{"lane", {"0"}}}, {}), "message_classes.low.vcs", "VCs of its own");
  expect_refused(with({}, {}), "message_classes.low.vcs", "may both take");
  expect_refused(
      [] {
        MessageClasses({{"high", {}, 0, {}, 1}, {"low", {}, 0, {}, 0}});
      },
      "message_classes.low.interface", "queue");
  expect_refused(
      [] {
        MessageClasses({{"high", {}, 0, {}, 1, 3}, {"low", {}, 1, {}, 0}});
      },
      "message_classes.high.weight", "no effect");
}

TEST(Service, KeepsClassesOfOnePriorityWithoutWeightsTogether) {
  const MessageClasses classes(
      {{"a", {}, 0, {}, 2}, {"b", {}, 0, {}, 2}, {"c", {}, 1, {}, 0, 2}, {"d", {}, 2}});
  ASSERT_EQ(classes.service().size(), 3U);
  EXPECT_EQ(classes.group_of(0), classes.group_of(1));
  EXPECT_EQ(classes.service()[0].level, 0);
  EXPECT_EQ(classes.service()[1].level, classes.service()[2].level);
  EXPECT_EQ(classes.service()[1].weight, 2U);
  EXPECT_EQ(classes.service()[2].weight, 1U);
  EXPECT_FALSE(MessageClasses({{"a", {}, 0, {}, 2}, {"b", {}, 0, {}, 2}}).served_apart());
}

}  // namespace
}  // namespace noctule::fabric_test
