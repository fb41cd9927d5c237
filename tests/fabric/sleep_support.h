#pragma once
// What holds for routers that sleep, beside those that do not.

#include <gtest/gtest.h>

#include "fabric_support.h"

namespace noctule::fabric_test {

/// All routers know of as many free slots behind their outputs.
inline void expect_same_credits(const Fabric& sleeping, const Fabric& awake) {
  for (std::uint32_t r = 0; r < awake.plan().topology->routers(); ++r) {
    const RouterView& one = sleeping.router(RouterId{r});
    const RouterView& other = awake.router(RouterId{r});
    for (std::size_t o = 0; o < one.plan().outputs.size(); ++o)
      ASSERT_EQ(one.credits(o), other.credits(o)) << "router " << r << " output " << o;
  }
}

}  // namespace noctule::fabric_test
