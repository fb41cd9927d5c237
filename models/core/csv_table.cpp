#include "core/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/csv.h"
#include "core/nearest.h"

namespace noctule {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const auto from = std::min(text.find_first_not_of(kBlanks), text.size());
  const auto to = text.find_last_not_of(kBlanks);
  return to == std::string_view::npos ? std::string_view{} : text.substr(from, to + 1 - from);
}

std::vector<std::string> cells_of(std::string_view line) {
  auto cells = csv_cells(std::string(line));
  for (auto& cell : cells) cell = trimmed(cell);
  return cells;
}

bool is_skipped(std::string_view line) {
  const auto text = trimmed(line);
  return text.empty() || text.front() == '#';
}

/// The names of columns, if the line holds some.
std::optional<std::vector<std::string>> header_of(std::string_view line, char separator) {
  if (line.find(separator) == std::string_view::npos) return {};
  std::string text(line);
  if (separator != ',') std::ranges::replace(text, separator, ',');
  auto cells = cells_of(text);
  const auto is_number = [](const std::string& cell) {
    return !cell.empty() && std::string_view("0123456789-+.").find(cell.front()) != std::string_view::npos;
  };
  if (cells.front().empty() || std::ranges::any_of(cells, is_number)) return {};
  return cells;
}

}  // namespace

const std::string& CsvRow::operator[](std::size_t column) const {
  static const std::string kNothing;
  return at_[column] < cells_.size() ? cells_[at_[column]] : kNothing;
}

std::string CsvRow::title(std::size_t column) const {
  return fmt::format("column '{}'", names_[column]);
}

std::vector<std::string> csv_header(const std::string& path, const std::string& key, const std::string& shape,
                                    const std::string& columns) {
  std::vector<std::string> header;
  each_text_line(path, key, shape, [&](std::string_view line, std::size_t number) {
    if (is_skipped(line)) return true;
    if (auto names = header_of(line, ',')) {
      header = *std::move(names);
    } else if (std::isalpha(static_cast<unsigned char>(trimmed(line).front())) != 0) {
      for (const char other : {';', '\t'})
        if (header_of(line, other))
          throw ConfigError({{key,
                              fmt::format("columns are separated by {}; save the table with commas",
                                          other == ';' ? "semicolons" : "tabs"),
                              fmt::format("{}:{}", path, number)}});
    }
    const auto text = trimmed(line);
    if (header.empty() && text.substr(0, text.find_first_of(kBlanks)).find(',') != std::string_view::npos)
      throw ConfigError({{key, fmt::format("a row without a header; begin the table with {}", columns),
                          fmt::format("{}:{}", path, number)}});
    return false;
  });
  return header;
}

std::string csv_columns(std::span<const CsvColumn> columns) {
  std::string text;
  for (const auto& column : columns) {
    text += (text.empty() ? "" : ", ") + column.name;
    for (const auto& other : column.others) text += fmt::format(" (or {})", other);
  }
  return text;
}

/// Reads a header, and then rows.
class CsvReader {
 public:
  CsvReader(const std::string& key, std::span<const CsvColumn> columns) : columns_(columns), faults_(key) {}

  /// Is it a row that can be read? The first line is the header.
  bool add(std::string_view line, const std::string& place) {
    row_.place_ = place;
    const bool quotes_close = std::ranges::count(line, '"') % 2 == 0;
    if (!quotes_close) faults_.add(place, "a quote is not closed; a cell ends on the line where it begins");
    row_.cells_ = cells_of(line);
    if (row_.at_.empty()) {
      read_header();
      return false;
    }
    if (std::ranges::all_of(row_.cells_, [](const auto& cell) { return cell.empty(); })) return false;
    if (quotes_close && row_.cells_.size() != width_)
      faults_.add(place,
                  fmt::format("{} cells, and the header has {} columns; leave a cell empty where there "
                              "is nothing to say, and put quotes around one that has commas",
                              row_.cells_.size(), width_));
    return faults_.none();
  }
  [[nodiscard]] const CsvRow& row() const { return row_; }
  void raise() { faults_.raise(); }

 private:
  void read_header() {
    width_ = row_.cells_.size();
    row_.at_.assign(columns_.size(), width_);
    for (const auto& column : columns_) row_.names_.push_back(column.name);
    std::vector<std::string> unknown;
    std::vector<std::string> meant;  // by them
    for (std::size_t cell = 0; cell < width_; ++cell) {
      const std::string& name = row_.cells_[cell];
      const auto found = std::ranges::find_if(columns_, [&](const CsvColumn& column) {
        return column.name == name || std::ranges::find(column.others, name) != column.others.end();
      });
      if (found == columns_.end()) {
        unknown.push_back(name);
        if (const auto name_meant = meant_by(name); !name_meant.empty()) meant.push_back(name_meant);
        continue;
      }
      const auto column = static_cast<std::size_t>(found - columns_.begin());
      if (row_.at_[column] != width_)
        fault(
            fmt::format("columns '{}' and '{}' mean the same; keep one of them", row_.names_[column], name));
      row_.at_[column] = cell;
      row_.names_[column] = name;
    }
    std::vector<std::string> missing;
    for (std::size_t column = 0; column < columns_.size(); ++column)
      if (columns_[column].mandatory && row_.at_[column] == width_ &&
          std::ranges::find(meant, columns_[column].name) == meant.end())
        missing.push_back(columns_[column].name);
    std::string text;
    if (!unknown.empty()) text += fmt::format("unknown {}", listed(unknown));
    if (!meant.empty()) text += fmt::format("; did you mean '{}'?", fmt::join(meant, "', '"));
    if (!missing.empty())
      text += fmt::format("{}there {} no {}", text.empty() ? "" : "; ", missing.size() == 1 ? "is" : "are",
                          listed(missing));
    if (!text.empty()) fault(fmt::format("{}; columns are {}", text, csv_columns(columns_)));
    faults_.raise();
  }
  static std::string listed(const std::vector<std::string>& names) {
    return fmt::format("{} '{}'", names.size() == 1 ? "column" : "columns", fmt::join(names, "', '"));
  }
  void fault(std::string message) { faults_.add(row_.place_, std::move(message)); }
  /// The column that is probably meant by a name that none has; empty: nothing is near.
  [[nodiscard]] std::string meant_by(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& column : columns_) {
      if (std::ranges::find(column.elsewhere, name) != column.elsewhere.end()) return column.name;
      names.push_back(column.name);
      names.insert(names.end(), column.others.begin(), column.others.end());
    }
    return nearest_spelling(name, names);
  }

  std::span<const CsvColumn> columns_;
  LineFaults faults_;
  CsvRow row_;
  std::size_t width_ = 0;
};

void each_csv_row(const std::string& path, const std::string& key, std::span<const CsvColumn> columns,
                  const std::function<void(const CsvRow&)>& f) {
  CsvReader reader(key, columns);
  each_text_line(path, key, csv_columns(columns), [&](std::string_view line, std::size_t number) {
    if (!is_skipped(line) && reader.add(line, fmt::format("{}:{}", path, number))) f(reader.row());
    return true;
  });
  reader.raise();
}

}  // namespace noctule
