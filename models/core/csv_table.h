#pragma once
// Text files that are a table: the first line names the columns, in any order, each other line is a row of
// cells with commas between them (core/csv.h). Empty lines, empty rows and lines that begin with "#" count
// for nothing.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/number_lines.h"

namespace noctule {

/// A column that a table may have.
struct CsvColumn {
  std::string name;
  bool mandatory = false;
  std::vector<std::string> others = {};     ///< names that mean the same
  std::vector<std::string> elsewhere = {};  ///< names of other programs' tables, for "did you mean"
};

/// A row, and where it stands ("file:line"). Columns by their place in the list of those that there may be.
class CsvRow {
 public:
  /// The cell, without blanks around it; empty too where the table has no such column.
  [[nodiscard]] const std::string& operator[](std::size_t column) const;
  /// "column 'flits'", as the header calls it.
  [[nodiscard]] std::string title(std::size_t column) const;
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  friend class CsvReader;
  std::string place_;
  std::vector<std::string> cells_;
  std::vector<std::size_t> at_;  ///< by column: its cell, or one too many
  std::vector<std::string> names_;
};

/// The columns of the header of such a table; empty where the file is something else, as its first line
/// begins with a number or has no comma. `shape`: what a file of lines should be, for messages. Throws
/// ConfigError under `key` where the file cannot be read, or where its columns are separated by something
/// else, or where the first line is a row. `columns`: a header that the table may have, for that message.
[[nodiscard]] std::vector<std::string> csv_header(const std::string& path, const std::string& key,
                                                  const std::string& shape, const std::string& columns);

/// Calls f(row) for each row of a table, which has a header. Throws ConfigError under `key`: every column
/// that is unknown, missing or given twice; else every row with other cells than columns (at most 20), at the
/// end of the file. No row is handed out after such a one.
void each_csv_row(const std::string& path, const std::string& key, std::span<const CsvColumn> columns,
                  const std::function<void(const CsvRow&)>& f);

/// "cycle, source, length (or flits)": columns, for messages and help.
[[nodiscard]] std::string csv_columns(std::span<const CsvColumn> columns);

}  // namespace noctule
