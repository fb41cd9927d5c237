#include "core/csv.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

using Cells = std::vector<std::string>;

TEST(CsvCells, AreDividedByCommas) {
  EXPECT_EQ(csv_cells("a,b c,,d"), (Cells{"a", "b c", "", "d"}));
  EXPECT_EQ(csv_cells(","), (Cells{"", ""}));
  EXPECT_EQ(csv_cells(""), Cells{""});
}

TEST(CsvCells, MayHoldCommasAndQuotesWithinQuotes) {
  EXPECT_EQ(csv_cells(R"("a,b",c)"), (Cells{"a,b", "c"}));
  EXPECT_EQ(csv_cells(R"("say ""no""",x)"), (Cells{R"(say "no")", "x"}));
}

}  // namespace
}  // namespace noctule
