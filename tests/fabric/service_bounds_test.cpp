// Is a message class passed over as often as the verifier says, and does every round give it its weight?

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/service_support.h"
#include "verify/service.h"

namespace noctule::fabric_test {
namespace {

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

}  // namespace
}  // namespace noctule::fabric_test
