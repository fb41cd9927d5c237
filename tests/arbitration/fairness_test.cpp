// Is who keeps asking served in time, where the registry says so? And is anybody passed over for ever where
// it does not?

#include <gtest/gtest.h>

#include "arbitration_support.h"

namespace noctule::arbitration_test {
namespace {

/// Requester `victim` asks for `resource` all the time; the others draw new requests when they have none, and
/// keep them until they are granted. The longest wait of the victim, in allocations.
template <int W>
std::size_t longest_wait(Bench<W>& bench, std::size_t victim, std::size_t resource, std::uint64_t seed,
                         double asking, double wanting) {
  Rng rng(seed, "others");
  std::size_t longest = 0;
  std::size_t wait = 0;
  bench.ask(victim, {resource});
  for (unsigned step = 0; step < 1000; ++step) {
    for (std::size_t r = 0; r < bench.shape().group_of.size(); ++r)
      if (!bench.asks(r) && Bench<W>::draw(rng, asking)) {
        // The victim's resource is what everybody wants.
        const bool same = Bench<W>::draw(rng, 0.5);
        bench.ask(r, same ? Mask<W>::bit(resource) : bench.resources(rng, wanting));
      }
    ++wait;
    for (const auto& [r, o] : bench.allocate()) {
      if (r == victim) {
        longest = std::max(longest, wait);
        wait = 0;
      } else {
        bench.ask(r, {});
      }
    }
  }
  return std::max(longest, wait);
}

/// Allocations within which who keeps asking is served. Separable input-first: a group bids for its next
/// member, perhaps once more after somebody else came first, and a resource serves the other groups
/// meanwhile. Wavefront: the diagonal of a pair comes round. iSLIP: every group ahead at the resource may
/// accept all others first. Output-first: so it may for each of its members, and so may the victim's.
std::size_t bound(const std::string& name, const Bench<1>& bench, std::size_t members) {
  const std::size_t groups = bench.groups();
  const std::size_t resources = bench.shape().resources;
  if (name == "separable_input_first") return groups * (2 * members - 1);
  if (name == "wavefront") return std::max(groups, resources) * members;
  if (name == "islip") return 2 * groups * resources * members;
  return 2 * groups * members * std::max(members, resources);
}

TEST(Fairness, WhoKeepsAskingIsServedInTime) {
  for (const auto& name : allocators())
    for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix})
      for (const auto& [groups, members, resources] :
           {std::tuple{5, 4, 5}, {3, 3, 2}, {2, 6, 4}, {8, 1, 8}, {12, 1, 3}, {3, 1, 12}})
        for (const unsigned iterations : {1, 2, 4}) {
          const auto& entry = AllocatorRegistry::instance().at(name).make;
          const bool fair =
              entry.fair && (!entry.groups_need_matrix || members == 1 || kind == ArbiterKind::kMatrix);
          if (!fair || !takes(name, kind)) continue;
          for (std::uint64_t seed = 0; seed < 12; ++seed) {
            Bench<1> bench(name, shape(groups, members, resources), {kind, iterations});
            const auto victim = seed * 7 % bench.shape().group_of.size();
            const double wanting = seed % 3 == 0 ? 0.4 : 0;  // several resources, or one as at a switch
            EXPECT_LE(longest_wait(bench, victim, seed % resources, seed, seed % 2 == 0 ? 1 : 0.3, wanting),
                      bound(name, bench, members))
                << name << (kind == ArbiterKind::kMatrix ? " matrix " : " round robin ") << groups << "x"
                << members << " " << resources << " resources, iterations " << iterations << ", seed "
                << seed;
          }
        }
}

/// Allocations in which requester `victim` was served.
unsigned served(Bench<1>& bench, unsigned victim, unsigned allocations) {
  unsigned count = 0;
  for (unsigned t = 0; t < allocations; ++t)
    for (const auto& [r, o] : bench.allocate()) count += r == victim ? 1 : 0;
  return count;
}

TEST(Fairness, LaterIterationsPassNobodyOver) {
  // Group 0 shares A with groups 1 and 2. When it loses A it gets B in the second iteration, which must not
  // cost requester 0 its turn at A.
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    Bench<1> bench("separable_input_first", shape(3, 3, 3), {kind, 2});
    bench.ask(3, {0});
    bench.allocate();
    bench.ask(0, {0});
    bench.ask(1, {1});
    bench.ask(2, {2});
    bench.ask(6, {0});
    EXPECT_GE(served(bench, 0, 90), 10U);
  }
}

TEST(Fairness, WhoIsServedInALaterIterationGivesUpItsTurn) {
  // Requester 0 wants X or Y, and Z or Y, in turns; X and Z, which it bids for, always go to the others, and
  // it gets Y in the second iteration. Requester 1 of the same group waits for V.
  constexpr std::size_t kX = 0, kZ = 1, kY = 2, kV = 3;
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    Bench<1> bench("separable_input_first", shape(3, 2, 4), {kind, 2});
    bench.ask(2, {kX});
    bench.allocate();
    bench.ask(1, {kV});
    unsigned count = 0;
    unsigned in_second = 0;
    for (unsigned t = 0; t < 50; ++t) {
      const bool even = t % 2 == 0;
      bench.ask(0, {even ? kX : kZ, kY});
      bench.ask(2, {even ? kZ : kX});  // group 1
      bench.ask(4, {even ? kX : kZ});  // group 2
      const auto grants = bench.allocate();
      count += grants.contains({1, kV}) ? 1 : 0;
      in_second += grants.contains({0, kY}) ? 1 : 0;
    }
    EXPECT_GE(count, 10U);
    EXPECT_GE(in_second, 10U);
  }
}

TEST(Fairness, RoundRobinInGroupsIsNotEnoughForOutputFirst) {
  // Group 0: requesters 0 (A), 1 (B), 2 (A); group 1: requester 3 (A). While A is offered to group 1, group 0
  // takes B, and its pointer passes requester 2 or 0 by, always the same one.
  for (const auto kind : {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix}) {
    Bench<1> bench("separable_output_first", shape(2, 3, 2), {kind, 1});
    bench.ask(0, {0});
    bench.ask(1, {1});
    bench.ask(2, {0});
    bench.ask(3, {0});
    const unsigned least = std::min(served(bench, 0, 300), served(bench, 2, 300));
    if (kind == ArbiterKind::kMatrix)
      EXPECT_GE(least, 60U);
    else
      EXPECT_LE(least, 1U);
  }
  EXPECT_TRUE(AllocatorRegistry::instance().at("separable_output_first").make.groups_need_matrix);
}

TEST(Fairness, AMaximumMatchingPassesOverWhoStandsInItsWay) {
  // Group 0: requesters 0 (A) and 1 (B); group 1: requester 2 (A). Two grants are possible, without
  // requester 0.
  for (const auto* name : {"maximum", "wavefront"}) {
    Bench<1> bench(name, shape(2, 2, 2));
    bench.ask(0, {0});
    bench.ask(1, {1});
    bench.ask(2, {0});
    const unsigned count = served(bench, 0, 100);
    if (AllocatorRegistry::instance().at(name).make.fair)
      EXPECT_EQ(count, 50U) << name;
    else
      EXPECT_EQ(count, 0U) << name;
  }
  EXPECT_FALSE(AllocatorRegistry::instance().at("maximum").make.fair);
}

}  // namespace
}  // namespace noctule::arbitration_test
