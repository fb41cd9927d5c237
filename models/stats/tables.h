#pragma once
// Result tables as CSV text (RFC 4180), and files that are either the old or the new one, never half. CSV by
// hand: what a library (libcsv) would replace is csv_cell alone; the rest is which columns there are.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "stats/metrics.h"
#include "stats/results.h"

namespace noctule {

/// results.csv: one row per point of an array of to_json(point); what a point does not have is an empty cell.
/// Columns of closed loops and of message classes are behind all others, where some point has them.
/// `units` gives the unit of swept keys, for their headers.
[[nodiscard]] std::string results_csv(const Json& points,
                                      const std::map<std::string, std::string>& units = {});

/// A table over several points: `header`, then the rows of each point. `number` is the point's place in
/// results.json, from 0.
struct PointTable {
  const char* file;
  const char* header;
  std::string (*rows)(std::size_t number, const PointResult& point, const LinkNames& links);
  bool always = true;  ///< else only where some point has a row
};

/// links.csv, latency_hist.csv, latency_hist_classes.csv (where message classes have names), terminals.csv,
/// flows.csv (where flows are counted). `links` is only used by the first.
[[nodiscard]] const std::vector<PointTable>& point_tables();

/// Quotes a cell where RFC 4180 needs it.
[[nodiscard]] std::string csv_cell(const std::string& text);

/// Rows that are JSON objects as CSV: `lead`, the values of `keys` in the object "set" of a row, `columns`.
/// What a row does not have is an empty cell. `units`: of keys, for their headers.
struct CsvTable {
  const char* lead_header;
  std::string (*lead)(std::size_t number, const Json& row);
  std::span<const CsvColumn> columns;
};
[[nodiscard]] std::string csv_text(const CsvTable& table, const Json& rows,
                                   const std::vector<std::string>& keys,
                                   const std::map<std::string, std::string>& units = {});

/// Writes `text` beside `path` and renames it. A ConfigError names the file and what the system said.
void write_file_atomically(const std::string& path, const std::string& text);

}  // namespace noctule
