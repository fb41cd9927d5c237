// Is what is remembered of a relation what was noted, and is nothing remembered that would be too much?

#include "blocks/known_routes.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

constexpr RouterId router(std::size_t r) {
  return RouterId(static_cast<std::uint32_t>(r));
}

TEST(KnownRoutes, AreThoseThatWereNoted) {
  constexpr std::size_t kRouters = 12;
  KnownRoutes routes(kRouters);
  ASSERT_TRUE(routes.kept());
  const auto outputs = [](std::size_t here, std::size_t there) {
    return std::uint64_t{1} << (here + there) % 40;
  };
  for (std::size_t here = 0; here < kRouters; ++here)
    for (std::size_t there = 0; there < kRouters; ++there) {
      EXPECT_EQ(routes.outputs(router(here), router(there)), 0U);
      routes.note(router(here), router(there), outputs(here, there));
    }
  for (std::size_t here = 0; here < kRouters; ++here)
    for (std::size_t there = 0; there < kRouters; ++there)
      EXPECT_EQ(routes.outputs(router(here), router(there)), outputs(here, there));
}

TEST(KnownRoutes, AreOfSmallNetworksOnly) {
  EXPECT_TRUE(KnownRoutes(KnownRoutes::kMostRouters).kept());
  EXPECT_FALSE(KnownRoutes(KnownRoutes::kMostRouters + 1).kept());
  EXPECT_FALSE(KnownRoutes().kept());
}

TEST(KnownRoutes, OfTooManyDifferentOnesTheLastAreNotKept) {
  constexpr std::size_t kRouters = 32;
  KnownRoutes routes(kRouters);
  for (std::size_t n = 0; n < kRouters * kRouters; ++n)
    routes.note(router(n / kRouters), router(n % kRouters), n + 1);
  for (std::size_t n = 0; n < kRouters * kRouters; ++n)
    EXPECT_EQ(routes.outputs(router(n / kRouters), router(n % kRouters)), n < 255 ? n + 1 : 0) << n;
}

}  // namespace
}  // namespace noctule
