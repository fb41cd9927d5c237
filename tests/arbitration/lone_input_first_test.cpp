// Headers that bid for VCs, each for itself: does what they get equal what SeparableInputFirst gives them?

#include "arbitration/lone_input_first.h"

#include <gtest/gtest.h>

#include <array>

#include "arbitration_support.h"
#include "core/rng.h"

namespace noctule::arbitration_test {
namespace {

using InOrder = std::vector<std::pair<std::size_t, std::size_t>>;

/// `asking` of every 16 ask, on average.
void match_as_separable_input_first(std::size_t requesters, std::size_t resources,
                                    std::uint64_t asking_of_16) {
  Rng rng(3, "headers");
  AllocatorShape shape{{}, resources};
  for (std::size_t r = 0; r < requesters; ++r) shape.group_of.push_back(static_cast<std::uint16_t>(r));
  const auto other =
      AllocatorRegistry::instance().at("separable_input_first").make.factory.make<1>(shape, {});
  std::array<std::uint8_t, 64> of_requester{};
  std::array<std::uint8_t, 64> of_resource{};
  const std::uint64_t all = resources == 64 ? ~0ULL : (1ULL << resources) - 1;
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    std::vector<Mask<1>> wants(requesters);
    Mask<1> asking;
    Mask<1> able;  // some that they want is free
    for (std::size_t r = 0; r < requesters; ++r) {
      if (rng.below(16) >= asking_of_16) continue;
      asking.set(r);
      wants[r] = {{rng.next() & rng.next() & all}};
      if (wants[r].any()) able.set(r);
    }
    InOrder expected;
    if (able.any())
      for (const auto& grant : other->allocate(able, wants.data()))
        expected.emplace_back(grant.requester, grant.resource);
    InOrder granted;
    match_lone([&](std::size_t r) -> std::uint8_t& { return of_requester[r]; }, of_resource.data(),
               asking.words[0], [&](std::size_t r) { return wants[r].words[0]; },
               [&](std::size_t r, std::size_t o) { granted.emplace_back(r, o); });
    ASSERT_EQ(granted, expected) << requesters << " x " << resources << ", cycle " << cycle;
  }
}

TEST(LoneInputFirst, GrantsWhatSeparableInputFirstGrants) {
  for (const auto& [requesters, resources] :
       {std::pair{20U, 17U}, {1U, 1U}, {1U, 64U}, {64U, 1U}, {64U, 64U}, {5U, 2U}})
    for (const std::uint64_t asking : {1U, 8U, 16U})
      match_as_separable_input_first(requesters, resources, asking);
}

}  // namespace
}  // namespace noctule::arbitration_test
