// What holds for every allocator: matchings of what was asked for, large enough, and the same from the same
// beginning.

#include <gtest/gtest.h>

#include <functional>

#include "arbitration_support.h"
#include "core/error.h"

namespace noctule::arbitration_test {
namespace {

constexpr ArbiterKind kKinds[] = {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix};

std::string describe(const std::string& name, ArbiterKind kind) {
  return name + (kind == ArbiterKind::kMatrix ? ", matrix" : ", round robin");
}

/// f(name, options) for every allocator and arbiter.
template <class F>
void for_each(F&& f, unsigned iterations = 1) {
  for (const auto& name : allocators())
    for (const auto kind : kKinds)
      if (takes(name, kind)) {
        SCOPED_TRACE(describe(name, kind));
        f(name, AllocatorOptions{kind, iterations});
      }
}

TEST(EveryAllocator, IsRegisteredWithADescription) {
  EXPECT_TRUE(Catalog::instance().problems().empty());
  EXPECT_EQ(allocators(), (std::vector<std::string>{"islip", "maximum", "separable_input_first",
                                                    "separable_output_first", "wavefront"}));
  for (const auto* entry : AllocatorRegistry::instance().entries())
    EXPECT_GT(entry->description.size(), 30U) << entry->name;
}

template <int W>
void expect_a_matching(Bench<W>& bench) {
  const auto grants = bench.allocate();
  ASSERT_EQ(grants.size(), bench.last_size());
  std::set<unsigned> groups;
  std::set<unsigned> resources;
  for (const auto& [r, o] : grants) {
    ASSERT_TRUE(bench.asks(r) && bench.wants(r).test(o)) << r << " did not ask for " << o;
    ASSERT_TRUE(groups.insert(bench.shape().group_of[r]).second) << "two resources for the group of " << r;
    ASSERT_TRUE(resources.insert(o).second) << "resource " << o << " twice";
  }
  const auto wants = bench.wants_of_groups();
  if (std::any_of(wants.begin(), wants.end(), [](const auto& m) { return m.any(); })) {
    ASSERT_FALSE(grants.empty()) << "somebody asks and nobody gets anything";
  }
}

template <int W>
void try_random_requests(const std::vector<AllocatorShape>& shapes) {
  for_each([&](const std::string& name, AllocatorOptions options) {
    for (const auto& s : shapes)
      for (const unsigned iterations : {1, 3}) {
        options.iterations = iterations;
        Bench<W> bench(name, s, options);
        Rng rng(s.group_of.size(), name);
        for (const double asking : {0.0, 0.05, 0.3, 1.0})
          for (const double wanting : {0.0, 0.2, 1.0})
            for (unsigned step = 0; step < 10; ++step) {
              bench.ask_randomly(rng, asking, wanting);
              expect_a_matching(bench);
              if (testing::Test::HasFatalFailure()) return;
            }
      }
  });
}

/// Groups of different sizes, their members not side by side.
AllocatorShape scattered(std::size_t requesters, std::size_t groups, std::size_t resources) {
  AllocatorShape s;
  for (std::size_t r = 0; r < requesters; ++r)
    s.group_of.push_back(static_cast<std::uint16_t>(r < groups ? r : r * r % 7 % groups));
  s.resources = resources;
  return s;
}

TEST(EveryAllocator, GrantsAMatchingOfWhatWasAskedFor) {
  try_random_requests<1>({shape(5, 4, 5), shape(20, 1, 20), shape(3, 2, 7), shape(64, 1, 64), shape(1, 9, 1),
                          scattered(23, 6, 4)});
  try_random_requests<4>({shape(5, 20, 5), shape(70, 1, 100), scattered(128, 7, 128), shape(7, 32, 9),
                          shape(140, 1, 70), scattered(200, 130, 250)});
}

TEST(EveryAllocator, IsTheSameForAllWidths) {
  for_each(
      [](const std::string& name, const AllocatorOptions& options) {
        for (const auto& s : {shape(5, 4, 5), shape(16, 1, 12), scattered(23, 6, 4)}) {
          Bench<1> one(name, s, options);
          Bench<4> four(name, s, options);
          Bench<16> sixteen(name, s, options);
          Rng rng(3);
          for (unsigned step = 0; step < 200; ++step) {
            one.ask_randomly(rng, 0.5, 0.3);
            for (std::size_t r = 0; r < s.group_of.size(); ++r) {
              const auto word = one.asks(r) ? one.wants(r).words[0] : 0;
              four.ask(r, Mask<4>{{word}});
              sixteen.ask(r, Mask<16>{{word}});
            }
            const auto grants = one.allocate();
            ASSERT_EQ(four.allocate(), grants);
            ASSERT_EQ(sixteen.allocate(), grants);
          }
        }
      },
      2);
}

TEST(EveryAllocator, ReachesTheLastBitOfTheWidestMask) {
  for_each([](const std::string& name, AllocatorOptions options) {
    options.arbiter = ArbiterKind::kRoundRobin;  // a matrix of this size takes long to build
    Bench<16> bench(name, shape(1024, 1, 1024), options);
    bench.ask(1023, {1023});
    bench.ask(0, {0});
    for (unsigned step = 0; step < 3; ++step) EXPECT_EQ(bench.allocate(), (Grants{{0, 0}, {1023, 1023}}));
    bench.ask(0, {1023});
    EXPECT_EQ(bench.allocate().size(), 1U);
  });
}

TEST(EveryAllocator, RefusesWhatItsMasksCannotHold) {
  for (const auto& name : allocators()) {
    EXPECT_THROW(Bench<1>(name, shape(65, 1, 4)), InternalError) << name;
    EXPECT_THROW(Bench<1>(name, shape(4, 1, 65)), InternalError) << name;
    EXPECT_NO_THROW(Bench<1>(name, shape(64, 1, 64))) << name;
    EXPECT_THROW(Bench<1>(name, AllocatorShape{{0, 2}, 4}), InternalError) << name << ": a gap";
  }
}

TEST(EveryAllocator, AfterAResetIsAsBuilt) {
  for_each(
      [](const std::string& name, const AllocatorOptions& options) {
        for (const auto& s : {shape(5, 4, 5), shape(9, 1, 12)}) {
          Bench<1> bench(name, s, options);
          const auto history = [&] {
            Rng rng(11);
            std::vector<Grants> all;
            for (unsigned step = 0; step < 37; ++step) {
              bench.ask_randomly(rng, 0.7, 0.4);
              all.push_back(bench.allocate());
            }
            return all;
          };
          const auto first = history();
          const auto second = history();
          bench.reset();
          EXPECT_EQ(history(), first);
          EXPECT_NE(second, first) << "the allocator remembers nothing: the test proves nothing";
        }
      },
      2);
}

TEST(EveryAllocator, StaysAsItIsWhenNobodyAsks) {
  for_each([](const std::string& name, const AllocatorOptions& options) {
    Bench<1> idle(name, shape(4, 2, 4), options);
    Bench<1> busy(name, shape(4, 2, 4), options);
    Rng rng(5);
    for (unsigned step = 0; step < 50; ++step) {
      for (std::size_t r = 0; r < 8; ++r) idle.ask(r, {});
      for (std::size_t n = rng.below(3); n > 0; --n) EXPECT_TRUE(idle.allocate().empty());
      busy.ask_randomly(rng, 0.6, 0.4);
      for (std::size_t r = 0; r < 8; ++r) idle.ask(r, busy.asks(r) ? busy.wants(r) : Mask<1>{});
      ASSERT_EQ(idle.allocate(), busy.allocate());
    }
  });
}

/// Could another group and resource be matched in addition?
template <int W>
bool maximal(const Bench<W>& bench, const Grants& grants) {
  auto wants = bench.wants_of_groups();
  Mask<W> taken;
  for (const auto& [r, o] : grants) {
    wants[bench.shape().group_of[r]] = {};
    taken.set(o);
  }
  return std::none_of(wants.begin(), wants.end(), [&](const auto& m) { return (m & ~taken).any(); });
}

/// Share of random allocations that are maximal.
double maximality(const std::string& name, const AllocatorShape& s, const AllocatorOptions& options) {
  Bench<1> bench(name, s, options);
  Rng rng(2);
  unsigned count = 0;
  constexpr unsigned kSteps = 500;
  for (unsigned step = 0; step < kSteps; ++step) {
    bench.ask_randomly(rng, 0.2 + 0.2 * (step % 4), 0.2);
    count += maximal(bench, bench.allocate()) ? 1 : 0;
  }
  return static_cast<double>(count) / kSteps;
}

TEST(EveryAllocator, IsMaximalWithAsManyIterationsAsGroups) {
  for_each([](const std::string& name, AllocatorOptions options) {
    const bool at_once = name == "wavefront" || name == "maximum";
    for (const auto& s : {shape(6, 4, 6), shape(12, 1, 6), shape(6, 1, 12)}) {
      options.iterations = 6;
      EXPECT_EQ(maximality(name, s, options), 1);
      options.iterations = 2;
      const double two = maximality(name, s, options);
      options.iterations = 1;
      const double one = maximality(name, s, options);
      if (at_once) {
        EXPECT_EQ(one, 1);
      } else {
        EXPECT_LT(one, 0.9);
        EXPECT_GT(two, one) << "a second iteration adds nothing";
      }
    }
  });
}

TEST(EveryAllocator, GivesOneResourceToEverybodyInTurn) {
  for_each([](const std::string& name, const AllocatorOptions& options) {
    for (const auto& [groups, members] : {std::pair{5, 4}, {1, 6}, {7, 1}}) {
      Bench<1> bench(name, shape(groups, members, 3), options);
      bench.ask_all({1});
      for (unsigned turn = 0; turn < 3; ++turn) {
        std::set<unsigned> served;
        for (int step = 0; step < groups * members; ++step) {
          const auto grants = bench.allocate();
          ASSERT_EQ(grants.size(), 1U);
          served.insert(grants.begin()->first);
        }
        EXPECT_EQ(served.size(), static_cast<std::size_t>(groups * members));
      }
    }
  });
}

}  // namespace
}  // namespace noctule::arbitration_test
