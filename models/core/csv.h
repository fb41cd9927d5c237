#pragma once
// Lines of CSV (RFC 4180, but no cell has a line break). Written here: twenty lines are less than one more
// package that the first command has to install.

#include <string>
#include <vector>

namespace noctule {

/// The cells of a line, one at least: without quotes around them, and "" for a quote inside.
[[nodiscard]] std::vector<std::string> csv_cells(const std::string& line);

}  // namespace noctule
