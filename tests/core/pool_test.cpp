// The pool: does a handle name its object until that is removed, and is it used again?

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/pool.h"
#include "core/rng.h"

namespace noctule {
namespace {

TEST(ThePool, GivesEachObjectAHandleOfItsOwn) {
  Pool<std::string> pool;
  const auto a = pool.add("a");
  const auto b = pool.add("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool[a], "a");
  EXPECT_EQ(pool[b], "b");
  pool[a] = "c";
  const auto& constant = pool;
  EXPECT_EQ(constant[a], "c");
  EXPECT_EQ(pool.live(), 2U);
}

TEST(ThePool, UsesTheHandleAgainThatWasRemovedLast) {
  Pool<std::string> pool;
  const std::vector<std::uint32_t> handles{pool.add("a"), pool.add("b"), pool.add("c")};
  pool.remove(handles[0]);
  pool.remove(handles[2]);
  EXPECT_EQ(pool.live(), 1U);
  EXPECT_EQ(pool.add("d"), handles[2]);
  EXPECT_EQ(pool.add("e"), handles[0]);
  EXPECT_EQ(pool[handles[2]], "d");
  EXPECT_EQ(pool[handles[0]], "e");
  EXPECT_EQ(pool[handles[1]], "b") << "the one that stayed";
  EXPECT_EQ(pool.add("f"), 3U) << "all are taken: a new one";
}

TEST(ThePool, TakesWhatCannotBeCopied) {
  Pool<std::unique_ptr<int>> pool;
  const auto handle = pool.add(std::make_unique<int>(4));
  pool.remove(handle);
  EXPECT_EQ(pool.add(std::make_unique<int>(5)), handle);
  EXPECT_EQ(*pool[handle], 5);
}

TEST(ThePool, IsEmptyAndStartsAgainWhenCleared) {
  Pool<int> pool;
  pool.remove(pool.add(1));
  (void)pool.add(2);
  pool.clear();
  EXPECT_EQ(pool.live(), 0U);
  EXPECT_EQ(pool.add(3), 0U);
}

/// Against a map, at random; no more places than objects at once.
TEST(ThePool, AgreesWithAMap) {
  Pool<std::uint64_t> pool;
  std::map<std::uint32_t, std::uint64_t> expected;
  std::size_t most = 0;
  Rng rng(1, "pool");
  for (std::uint64_t n = 0; n < 5000; ++n) {
    if (expected.empty() || rng.below(2) == 0) {
      const auto handle = pool.add(n);
      ASSERT_FALSE(expected.contains(handle));
      expected[handle] = n;
    } else {
      const auto it = std::next(expected.begin(), static_cast<long>(rng.below(expected.size())));
      pool.remove(it->first);
      expected.erase(it);
    }
    most = std::max(most, expected.size());
    ASSERT_EQ(pool.live(), expected.size());
    for (const auto& [handle, object] : expected) ASSERT_EQ(pool[handle], object);
  }
  EXPECT_LT(expected.rbegin()->first, most);
}

}  // namespace
}  // namespace noctule
