#pragma once
// The numbers of a point, each declared once: its columns, its place in results.json, its unit and its
// definition. results.csv is made of them, `noctule list metric` prints them, and the table of
// configs/results.md is held against that.

#include <array>
#include <span>
#include <string_view>

namespace noctule {

struct CsvColumn {
  const char* header = nullptr;   ///< name and unit
  const char* pointer = nullptr;  ///< JSON pointer within a row
};

/// A number, or several that are defined together, as the statistics of a latency.
struct Metric {
  enum class Of {
    kLead,        ///< what every row begins with
    kPoint,       ///< of every point
    kClosedLoop,  ///< behind the others, where some point has it
    kClass,       ///< of each message class that has a name: the header goes behind it, the pointer likewise
    kJsonAlone    ///< no column
  };
  static constexpr std::size_t kMost = 6;

  Of of;
  std::array<CsvColumn, kMost> all_columns;  ///< those behind the last have no header
  std::string_view place;                    ///< in a point of results.json, dotted, or several: "a.b, c"
  std::string_view unit;                     ///< empty: none, or it differs
  std::string_view definition;

  [[nodiscard]] constexpr std::span<const CsvColumn> columns() const {
    std::size_t count = 0;
    while (count < kMost && all_columns[count].header != nullptr) ++count;
    return {all_columns.data(), count};
  }
};

/// In the order of the columns of results.csv.
[[nodiscard]] std::span<const Metric> metrics();

}  // namespace noctule
