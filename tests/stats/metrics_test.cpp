// Is every number of a result declared once, and are its columns found in results.csv?

#include "stats/metrics.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "stats/tables.h"

namespace noctule {
namespace {

TEST(Metrics, AreEachDeclaredOnceAndSayWhatTheyAre) {
  std::set<std::string> columns;
  std::set<std::string_view> places;
  for (const Metric& metric : metrics()) {
    SCOPED_TRACE(metric.place);
    EXPECT_TRUE(places.insert(metric.place).second);
    EXPECT_FALSE(metric.definition.empty());
    EXPECT_EQ(metric.columns().empty(), metric.of == Metric::Of::kJsonAlone);
    for (const CsvColumn& column : metric.columns()) {
      const std::string of_class = metric.of == Metric::Of::kClass ? "CLASS_" : "";
      EXPECT_TRUE(columns.insert(of_class + column.header).second) << column.header;
      if (metric.of != Metric::Of::kLead) {
        EXPECT_EQ(std::string(column.pointer).front(), '/') << column.header;
      }
    }
  }
}

TEST(Metrics, AreTheColumnsOfTheTable) {
  const std::string text = results_csv(Json::array({{{"label", "a"}, {"set", Json::object()}}}));
  std::string header;
  for (const Metric& metric : metrics())
    if (metric.of == Metric::Of::kLead || metric.of == Metric::Of::kPoint)
      for (const CsvColumn& column : metric.columns())
        header += (header.empty() ? "" : ",") + std::string(column.header);
  EXPECT_EQ(text.substr(0, text.find('\n')), header);
}

}  // namespace
}  // namespace noctule
