// Age-based arbitration: the oldest packet goes first, wherever packets compete.

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "closed_loop_support.h"
#include "traffic/drawn_sink.h"

namespace noctule::fabric_test {
namespace {

struct Kind {
  std::string name;
  Json set;
  Cycle credit_delay = 1;
};

/// Every way in which blocks work together that can serve by age.
std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const Variant& variant : variants()) {
    Json set = variant.set;
    const std::string allocator = set.value("switch_allocator", "none");
    if (set.value("link_sharing", "") == "fixed_slot" || set.value("speculative", false) ||
        (allocator != "none" && allocator != "separable_input_first"))
      continue;
    set.update({{"arbiter", "age"}, {"scan", "round_robin"}});
    all.push_back({variant.name, set, variant.credit_delay});
  }
  all.push_back({"wide", all.front().set});
  all.back().set["lanes"] = 32;
  all.push_back({"few_connections", all.front().set});
  all.back().set["connections_per_cycle"] = 1;
  all.push_back({"crossbars", all.front().set});
  all.back().set.update({{"crossbar_per", {"lane"}}, {"lanes", 2}});
  return all;
}

struct Served {
  Served(const Kind& kind, std::shared_ptr<const Topology> topology, const MessageClasses& classes = {},
         LinkedOptions options = {}) {
    options.credit_delay = kind.credit_delay;
    fabric =
        make_fabric(plan_with(classes, std::move(topology), "dimension_order", kind.set, "generic"), options);
    fabric->attach(source);
  }
  [[nodiscard]] std::map<std::size_t, double> packets_by_source() const {
    std::map<std::size_t, double> count;
    for (const Delivery& d : source->deliveries) ++count[index(d.source)];
    return count;
  }
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  std::unique_ptr<Fabric> fabric;
};

class ByAge : public testing::TestWithParam<Kind> {};

/// All terminals of a row send to the last one, more than it takes: by age the sources get more alike than in
/// turn.
TEST_P(ByAge, ServesFarAndNearSourcesMoreAlikeThanTurnsDo) {
  // So many lanes that an old packet finds one: else it has to wait for younger ones that hold them.
  Kind by_age = GetParam();
  by_age.set["lanes"] = std::max(8U, by_age.set.value("lanes", 1U));
  Kind in_turn = by_age;
  in_turn.set["arbiter"] = "round_robin";
  Served aged(by_age, mesh({8}));
  Served turned(in_turn, mesh({8}));
  constexpr Cycle kCycles = 6000;
  for (Served* run : {&aged, &turned})
    for (Cycle t = 0; t < kCycles; t += 10)
      for (std::size_t s = 0; s < 7; ++s) run->source->add(s, {t + s, TerminalId{7}, 5});
  run_cycles(*aged.fabric, kCycles);
  auto with_age = aged.packets_by_source();
  auto with_turns = turned.packets_by_source();
  double sum = 0;
  for (const auto& [source, packets] : with_age) sum += packets;
  EXPECT_GT(sum, 200);
  const auto spread = [](const std::map<std::size_t, double>& packets) {
    double least = packets.begin()->second;
    double most = least;
    for (const auto& [source, count] : packets) {
      least = std::min(least, count);
      most = std::max(most, count);
    }
    return packets.size() == 7 ? most / least : 1e9;
  };
  EXPECT_LT(spread(with_age), spread(with_turns));
  if (GetParam().name == "unit" || GetParam().name == "demand") {
    EXPECT_LT(spread(with_age), 1.1);
  }
}

/// Watches links behind output buffers: is the flit that goes that of the oldest packet among those that
/// could?
class OldestWatch final : public FlitObserver {
 public:
  explicit OldestWatch(const Fabric& fabric) : fabric_(fabric) {}
  void on_flit(Cycle, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t, Flit flit,
               const Packet& packet) override {
    age_[index(flit.packet)] = {packet.birth, index(packet.source), packet.number};
    if (event == FlitEvent::kLink) sent_.push_back({router, place, flit});
  }
  void on_cycle_end(Cycle t) override {
    for (const Sent& sent : sent_) {
      const auto& outputs = fabric_.router(sent.router).plan().outputs;
      std::size_t others = 0;
      for (const Sent& could : able_) {
        if (could.router != sent.router || outputs[could.place].channel != outputs[sent.place].channel)
          continue;
        ++others;
        if (age_.at(index(could.flit.packet)) < age_.at(index(sent.flit.packet))) ++wrong_;
      }
      if (others > 1) ++chosen_;
    }
    sent_.clear();
    able_.clear();
    for (std::uint32_t r = 0; r < fabric_.plan().topology->routers(); ++r) {
      const RouterView& view = fabric_.router(RouterId{r});
      for (std::uint16_t o = 0; o < view.plan().link_outputs(); ++o) {
        view.output_flits(o, flits_);
        if (!flits_.empty() && (view.credits(o) > 0 || view.credit_arriving(o, t + 1)))
          able_.push_back({RouterId{r}, o, flits_.front()});
      }
    }
  }
  [[nodiscard]] std::size_t chosen() const { return chosen_; }  ///< among several
  [[nodiscard]] std::size_t wrong() const { return wrong_; }

 private:
  struct Sent {
    RouterId router;
    std::uint16_t place;
    Flit flit;
  };
  const Fabric& fabric_;
  std::map<std::uint32_t, std::tuple<Cycle, std::uint32_t, std::uint64_t>> age_;
  std::vector<Sent> sent_;
  std::vector<Sent> able_;  ///< that could go in this cycle
  std::vector<Flit> flits_;
  std::size_t chosen_ = 0;
  std::size_t wrong_ = 0;
};

TEST_P(ByAge, NoFlitGoesOnALinkBeforeOneOfAnOlderPacket) {
  Kind kind = GetParam();
  if (kind.set.value("output_depth", 1) == 0) return;  // nothing waits at the link: the switch decides
  kind.set["lanes"] = std::max(4U, kind.set.value("lanes", 1U));
  LinkedOptions options;
  options.observed = true;
  Served run(kind, mesh({4, 4}), {}, options);
  OldestWatch watch(*run.fabric);
  run.fabric->observe(watch);
  Rng rng(3);
  for (std::size_t s = 0; s < 16; ++s)
    for (Cycle t = 0; t < 800; t += 1 + rng.below(12))
      run.source->add(s, {t, TerminalId(static_cast<std::uint32_t>((s + 1 + rng.below(15)) % 16)), 5});
  run_cycles(*run.fabric, 800);
  EXPECT_GT(watch.chosen(), 150U);
  EXPECT_EQ(watch.wrong(), 0U);
}

/// Packets of one source and destination, and packets that meet at their last link, come in their order of
/// birth but for those that were on it already: the older of two that wait goes first.
TEST_P(ByAge, LetsThePacketThatWasCreatedFirstGoFirst) {
  Served run(GetParam(), mesh({3}));
  // Terminal 1 keeps the link to router 2 busy; then both have a packet for terminal 2, that of terminal 0 is
  // the older one and comes later to router 1, where others of terminal 1 wait.
  Cycle t = 0;
  for (int n = 0; n < 12; ++n) run.source->add(1, {t++, TerminalId{2}, 20});
  run.source->add(0, {2, TerminalId{2}, 20});
  run_cycles(*run.fabric, 5);
  EXPECT_TRUE(drain(*run.fabric, 5000));
  std::size_t place = 0;
  while (index(run.source->deliveries[place].source) != 0) ++place;
  const unsigned lanes = GetParam().set.value("lanes", 1U);
  EXPECT_LE(place, 3U + 2 * std::min(lanes, 2U));  // of 12: those older, and those in their lanes before
  run.fabric->check_conservation();
}

/// Whatever the order of evaluation, whether somebody looks on, with priorities besides.
TEST_P(ByAge, IsDeterministicAndLosesNothingAtTerminalsThatRefuse) {
  Kind kind = GetParam();
  kind.set["lanes"] = 2 * kind.set.value("lanes", 1U);
  const auto half = [&](unsigned first) {
    std::vector<std::string> lanes;
    for (unsigned l = 0; l < kind.set.at("lanes").get<unsigned>() / 2; ++l)
      lanes.push_back(std::to_string(first * kind.set.at("lanes").get<unsigned>() / 2 + l));
    return VcSelector{{"lane", lanes}};
  };
  const MessageClasses classes({{"high", half(0), 0, {}, 1}, {"low", half(1), 1, {}, 0}});
  const auto all = run_in_every_order(0.5, 400, [&](const LinkedOptions& options) {
    return std::make_unique<Served>(kind, mesh({4, 4}), classes, options);
  });
  for (const auto& one : all) EXPECT_GT(one->source->deliveries.size(), 300U);
}

INSTANTIATE_TEST_SUITE_P(Age, ByAge, testing::ValuesIn(kinds()),
                         [](const auto& info) { return info.param.name; });

TEST(Age, IsRefusedByNameWhereSomethingHasAnOrderOfItsOwn) {
  const std::vector<std::pair<Json, std::string>> wrong{
      {{{"scan", "random_start"}}, "node.scan"},
      {{{"link_sharing", "fixed_slot"}}, "node.link_sharing"},
      {{{"output_depth", 0}, {"switch_allocator", "islip"}}, "node.switch_allocator"},
      {{{"output_depth", 0}, {"vc_allocator", "wavefront"}}, "node.vc_allocator"},
      {{{"output_depth", 0}, {"switch_allocator", "separable_input_first"}, {"allocator_iterations", 2}},
       "node.allocator_iterations"}};
  for (const auto& [keys, place] : wrong) {
    Json set = keys;
    set["arbiter"] = "age";
    try {
      const auto plan = plan_with({}, mesh({4}), "dimension_order", set, "generic");
      ADD_FAILURE() << "accepted: " << keys.dump();
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.diagnostics().front().key, place);
      EXPECT_NE(std::string(error.what()).find("round_robin"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace noctule::fabric_test
