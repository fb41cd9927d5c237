// Which inputs lead to some of several outputs: does a word say what a search input by input says?

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "core/lead_table.h"
#include "core/rng.h"

namespace noctule {
namespace {

TEST(LeadTable, OneInputLeadsToOneOutput) {
  for (std::size_t i = 0; i < LeadTable::kMost; ++i)
    for (std::size_t o = 0; o < LeadTable::kMost; ++o) {
      LeadTable table;
      EXPECT_EQ(table.inputs_to(~0ULL), 0U);
      table.lead(i, o);
      EXPECT_EQ(table.inputs_to(1ULL << o), 1ULL << i);
      EXPECT_EQ(table.inputs_to(~(1ULL << o)), 0U);
      EXPECT_EQ(table.inputs_to(~0ULL), 1ULL << i);
      EXPECT_EQ(table.inputs_to(0), 0U);
    }
}

TEST(LeadTable, FindsWhatASearchFinds) {
  LeadTable table;
  std::array<std::optional<std::size_t>, LeadTable::kMost> output{};
  Rng rng(3, "lead table");
  for (int step = 0; step < 300; ++step) {
    SCOPED_TRACE(step);
    const auto i = static_cast<std::size_t>(rng.below(LeadTable::kMost));
    const auto o = static_cast<std::size_t>(rng.below(LeadTable::kMost));
    table.lead(i, o);  // and no longer to another one
    output[i] = o;
    for (std::uint64_t outputs = 0; outputs < 256; ++outputs) {
      std::uint64_t expected = 0;
      for (std::size_t n = 0; n < LeadTable::kMost; ++n)
        if (output[n] && (outputs >> *output[n] & 1) != 0) expected |= 1ULL << n;
      ASSERT_EQ(table.inputs_to(outputs), expected) << "outputs " << outputs;
      ASSERT_EQ(table.inputs_to(outputs | 0xabcdef00U), expected);
    }
  }
}

}  // namespace
}  // namespace noctule
