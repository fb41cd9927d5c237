#pragma once
// The numbers of a point in words, from their declarations (stats/metrics.h): `noctule list metric`.

#include <string>
#include <vector>

#include "core/parameters.h"

namespace noctule {

/// The metrics that go by this name: all by "metric"; one by a column of results.csv, or by its dotted place
/// in a point of results.json: "latency_cycles.total", "latency_cycles.total.mean". Each as {"columns": [..],
/// "results_json": [..], "unit" where there is one, "definition"}. Columns of message classes are called
/// "CLASS_...". Empty: none.
[[nodiscard]] std::vector<Json> metrics_called(const std::string& name);

/// The same as text; empty: none.
[[nodiscard]] std::string metrics_text(const std::string& name);

/// The names of all columns.
[[nodiscard]] std::vector<std::string> metric_columns();

}  // namespace noctule
