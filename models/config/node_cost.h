#pragma once
// Which figures of the cost table stand for the routers of a point.

#include <map>
#include <string>
#include <vector>

#include "analytic/cost_table.h"
#include "config/decode.h"
#include "config/router_kinds.h"
#include "core/json.h"

namespace noctule {

/// Figures, or why there are none.
struct CostAnswer {
  const NodeCost* figures = nullptr;
  std::vector<std::string> notes;  ///< in what the figures are those of a somewhat different router
  std::string obstacle;            ///< empty: there are figures
  std::string remedy;
};

/// A kind of router of a point.
struct CostOfKind {
  RouterKind kind;  ///< without members where all routers of the point are alike
  CostAnswer answer;
};

/// Keeps the tables that it has read; answers point into them.
class CostBook {
 public:
  /// Where table_of() is empty.
  static constexpr const char* kNoTable =
      "the shipped table, rtl/cost.csv, is not installed beside the program; name a table";
  /// `shipped`: file of the table for points that name none; may be empty.
  explicit CostBook(std::string shipped) : shipped_(std::move(shipped)) {}

  /// Of every kind of router, the most frequent first; one entry where all are alike. Throws ConfigError (key
  /// "cost.table") where the point's table cannot be read, and for globs that name nobody.
  std::vector<CostOfKind> find(const PointConfig& point);
  /// File of the point's table.
  [[nodiscard]] std::string table_of(const PointConfig& point) const;

 private:
  struct Entry {
    NodeCost cost;
    Json resolved;  ///< a configuration of that router; null where its model is not registered
  };
  const std::vector<Entry>& entries(const std::string& file);
  CostAnswer answer(const Json& wanted, const std::string& file);

  std::string shipped_;
  std::map<std::string, std::vector<Entry>> tables_;
};

}  // namespace noctule
