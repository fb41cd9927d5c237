// Does the verifier see what is wrong with deliberately wrong relations, partitions and allocation rules, is
// what it shows of a deadlock true, and does it leave alone what only looks wrong?

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "routing/initial_states.h"
#include "support/mutants.h"
#include "verify/unicast/check_numbering.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

using mutants::Mutant;

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
  return info.param.name;
}
Certificate verdict_on(const Mutant& mutant) {
  return verify(std::make_shared<const FabricPlan>(mutant.plan()));
}

/// A header somewhere on its way, as the relation and the partition alone define it.
struct Header {
  RouterId here;
  RouteState state;
  std::int32_t crossbar;  ///< kAny: not yet chosen
  static constexpr std::int32_t kAny = -1;
};

/// Follows prescribed hops of one worm, without the verifier's graphs.
class Walk {
 public:
  Walk(const Certificate& certificate, RouterId source, RouterId destination)
      : plan_(*certificate.plan), channels_(*certificate.channels), destination_(destination) {
    const bool one = plan_.routers[index(source)]->crossbars == 1;
    for (const RouteState s : initial_states_of(*plan_.relation, source, destination))
      headers_.push_back({source, s, one ? 0 : Header::kAny});
  }

  /// What a header may take, as channels with the candidate behind each.
  [[nodiscard]] std::map<ChannelId, Candidate> offered(const Header& header) const {
    std::map<ChannelId, Candidate> offers;
    if (header.here == destination_) return offers;
    CandidateList list;
    plan_.relation->candidates(header.here, destination_, header.state, list);
    for (const auto& candidate : list)
      for (unsigned group = 0; group < channels_.groups(); ++group) {
        const Link* link = plan_.topology->outgoing(header.here, candidate.port);
        const ChannelId c = channels_.of(link->id, candidate.vc_class, group);
        if (header.crossbar == Header::kAny || header.crossbar == channels_.crossbar_before(c))
          offers.emplace(c, candidate);
      }
    return offers;
  }
  /// Takes the hop, from whatever states it is on offer in; false: from none.
  bool take(ChannelId c) {
    std::vector<Header> after;
    for (const auto& header : headers_) {
      const auto offers = offered(header);
      const auto found = offers.find(c);
      if (found == offers.end()) continue;
      const auto state = plan_.relation->next_state(header.here, destination_, header.state, found->second);
      after.push_back(
          {plan_.topology->links()[index(channels_.link(c))].to, state, channels_.crossbar_behind(c)});
    }
    headers_ = std::move(after);
    return !headers_.empty();
  }
  [[nodiscard]] const std::vector<Header>& headers() const { return headers_; }

 private:
  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  RouterId destination_;
  std::vector<Header> headers_;
};

/// Every arc is a dependency: a worm of this source and destination may take `from` and then `to`.
void expect_true_cycle(const Certificate& certificate) {
  const auto& cycle = certificate.witness.cycle;
  ASSERT_GE(cycle.size(), 2U);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto& arc = cycle[i];
    EXPECT_EQ(arc.to, cycle[(i + 1) % cycle.size()].from);
    ASSERT_GE(arc.path.size(), 2U);
    EXPECT_EQ(arc.path[arc.path.size() - 2], arc.from);
    EXPECT_EQ(arc.path.back(), arc.to);
    Walk walk(certificate, arc.source, arc.destination);
    for (const ChannelId c : arc.path)
      ASSERT_TRUE(walk.take(c)) << "arc " << i << ", " << certificate.channels->name(c);
  }
}

/// Each worm waits, in all its alternatives, for what the others hold.
void expect_blocked_worms(const Certificate& certificate) {
  const auto& channels = *certificate.channels;
  const auto& worms = certificate.witness.worms;
  const unsigned lanes = channels.groups() > 1 ? 1 : certificate.plan->common_node().lanes;
  std::map<std::pair<ChannelId, unsigned>, std::size_t> held;
  const auto& node = certificate.plan->common_node();
  for (std::size_t w = 0; w < worms.size(); ++w) {
    // Whoever comes after another worm of its source finds that in its buffers, all of it.
    for (std::size_t before = 0; before < worms.size(); ++before)
      if (before != w && worms[before].source == worms[w].source && worms[before].start <= worms[w].start) {
        EXPECT_LT(worms[before].start, worms[w].start);
        EXPECT_EQ(worms[before].length, worms[before].path.size() * (node.input_depth + node.output_depth));
      }
    for (const auto& hop : worms[w].path) {
      EXPECT_LT(hop.lane, lanes);
      EXPECT_TRUE(held.emplace(std::pair{hop.channel, hop.lane}, w).second) << channels.name(hop.channel);
    }
  }
  for (std::size_t w = 0; w < worms.size(); ++w) {
    Walk walk(certificate, worms[w].source, worms[w].destination);
    for (const auto& hop : worms[w].path) ASSERT_TRUE(walk.take(hop.channel)) << channels.name(hop.channel);
    const std::set<ChannelId> waits(worms[w].waits_for.begin(), worms[w].waits_for.end());
    ASSERT_FALSE(waits.empty());
    EXPECT_TRUE(std::any_of(walk.headers().begin(), walk.headers().end(),
                            [&](const Header& header) {
                              std::set<ChannelId> offered;
                              for (const auto& offer : walk.offered(header)) offered.insert(offer.first);
                              return offered == waits;
                            }))
        << "worm " << w;
    for (const ChannelId c : waits)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto owner = held.find({c, lane});
        EXPECT_TRUE(owner != held.end() && owner->second != w) << channels.name(c) << " lane " << lane;
      }
  }
}

/// Each worm holds one channel of the cycle and sits in the next one, behind the worm that holds that.
void expect_committed_worms(const Certificate& certificate) {
  const auto& witness = certificate.witness;
  ASSERT_EQ(witness.worms.size(), witness.cycle.size());
  std::set<RouterId> sources;
  for (std::size_t w = 0; w < witness.worms.size(); ++w) {
    const auto& worm = witness.worms[w];
    EXPECT_TRUE(sources.insert(worm.source).second);
    ASSERT_GE(worm.path.size(), 2U);
    EXPECT_EQ(worm.path[worm.path.size() - 2].channel, witness.cycle[w].from);
    EXPECT_EQ(worm.path.back().channel, witness.cycle[w].to);
    Walk walk(certificate, worm.source, worm.destination);
    for (const auto& hop : worm.path) ASSERT_TRUE(walk.take(hop.channel));
  }
}

class CyclicMutant : public testing::TestWithParam<Mutant> {};

TEST_P(CyclicMutant, IsFoundWithWormsThatBlockEachOther) {
  const Certificate certificate = verdict_on(GetParam());
  ASSERT_EQ(certificate.method, "cyclic") << certificate.reason;
  EXPECT_GT(certificate.facts.direct.channels_in_cycles, 0U);
  EXPECT_TRUE(certificate.numbering.empty());
  ASSERT_FALSE(certificate.witness.worms.empty());
  expect_true_cycle(certificate);
  if (certificate.witness.committed)
    expect_committed_worms(certificate);
  else
    expect_blocked_worms(certificate);
}

INSTANTIATE_TEST_SUITE_P(Verdict, CyclicMutant, testing::ValuesIn(mutants::cyclic()), name_of);

class UndecidedMutant : public testing::TestWithParam<Mutant> {};

TEST_P(UndecidedMutant, IsNotProvedAndWhatIsMissingIsNamed) {
  const Certificate certificate = verdict_on(GetParam());
  ASSERT_EQ(certificate.verdict, Verdict::kUnknown) << certificate.reason;
  EXPECT_NE(certificate.missing, "");
  // A limit is named only where more would be tried with a higher one.
  EXPECT_EQ(certificate.limit.empty(), certificate.reason.find("the search ended") != std::string::npos);
  EXPECT_TRUE(certificate.witness.worms.empty());
  expect_true_cycle(certificate);
}

INSTANTIATE_TEST_SUITE_P(Verdict, UndecidedMutant, testing::ValuesIn(mutants::undecided()), name_of);

class RefusedMutant : public testing::TestWithParam<Mutant> {};

TEST_P(RefusedMutant, IsRefusedWithTheKey) {
  try {
    const auto certificate = verdict_on(GetParam());
    FAIL() << to_string(certificate.verdict);
  } catch (const ConfigError& e) {
    const std::string text = e.what();
    EXPECT_TRUE(text.find("routing.") != std::string::npos || text.find("node.") != std::string::npos)
        << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Verdict, RefusedMutant, testing::ValuesIn(mutants::refused()), name_of);

class HarmlessMutant : public testing::TestWithParam<Mutant> {};

TEST_P(HarmlessMutant, IsProved) {
  const Certificate certificate = verdict_on(GetParam());
  ASSERT_EQ(certificate.verdict, Verdict::kProved) << certificate.reason;
  for (const auto& condition : certificate.conditions)
    EXPECT_TRUE(condition.holds || !condition.for_deadlock_freedom) << condition.demand;
  EXPECT_TRUE(certificate.witness.worms.empty());
  if (certificate.method == "no_deadlocked_set") return;
  EXPECT_EQ(check_numbering(*certificate.plan, *certificate.channels, certificate.numbering,
                            certificate.method == "escape_network"),
            "");
}

INSTANTIATE_TEST_SUITE_P(Verdict, HarmlessMutant, testing::ValuesIn(mutants::harmless()), name_of);

TEST(Mutants, AreManyAndNamedOnce) {
  EXPECT_GE(mutants::cyclic().size(), 44U);
  std::set<std::string> names;
  for (const auto& table : {mutants::cyclic(), mutants::undecided(), mutants::refused(), mutants::harmless()})
    for (const auto& mutant : table) EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
}

}  // namespace
}  // namespace noctule
