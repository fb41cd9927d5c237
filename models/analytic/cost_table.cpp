#include "analytic/cost_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

#include "core/csv.h"
#include "core/error.h"
#include "core/number_lines.h"

namespace noctule {
namespace {

constexpr const char* kKey = "cost.table";

/// A line of the table.
struct Row {
  std::size_t line = 0;
  std::map<std::string, std::string> cells;
  [[nodiscard]] const std::string& at(const char* column) const { return cells.at(column); }
};

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw ConfigError(kKey,
                    fmt::format("{} {}; `scripts/synthesize --all` writes the table of the shipped routers, "
                                "`scripts/synthesize NAME --append FILE` adds routers to one of yours",
                                file, why));
}

/// Rows by the names of the columns; comments are skipped.
std::vector<Row> rows_of(const std::string& file) {
  require_regular_file(file, kKey);
  std::ifstream stream(file);
  if (!stream) refuse(file, "cannot be read");
  std::vector<Row> rows;
  std::vector<std::string> names;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (names.empty() && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    auto cells = csv_cells(line);
    if (names.empty()) {
      names = std::move(cells);
      continue;
    }
    if (cells.size() != names.size())
      refuse(file, fmt::format("has a row of {} cells under {} columns in line {}", cells.size(),
                               names.size(), number));
    Row& row = rows.emplace_back();
    row.line = number;
    for (std::size_t i = 0; i < names.size(); ++i) row.cells[names[i]] = std::move(cells[i]);
  }
  constexpr std::array kNeeded = {"kind",   "name",       "parameters", "tied",    "model",
                                  "set",    "tuning",     "library",    "corner",  "tools",
                                  "source", "recipe",     "area_um2",   "flops",   "gates",
                                  "depth",  "reg_reg_ns", "link_ns",    "cycle_ns"};
  for (const char* name : kNeeded)
    if (std::find(names.begin(), names.end(), name) == names.end())
      refuse(file, fmt::format("is no cost table: it has no column {}", name));
  return rows;
}

[[noreturn]] void refuse_cell(const std::string& file, const Row& row, const char* column,
                              const std::string& allowed) {
  refuse(file,
         fmt::format("has '{}' in line {}, column {}, where {} belongs: correct the line, or make it again",
                     row.at(column), row.line, column, allowed));
}

/// Areas and delays are divided by, and divide: no router has none, and none is beyond these.
constexpr double kLeastFigure = 1e-6;
constexpr double kMostFigure = 1e15;

/// An area or a delay.
double figure_in(const std::string& file, const Row& row, const char* column) {
  const std::string& text = row.at(column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(value >= kLeastFigure && value <= kMostFigure))
    refuse_cell(file, row, column, fmt::format("a number from {} to {}", kLeastFigure, kMostFigure));
  return value;
}

/// A whole number of cells.
unsigned count_in(const std::string& file, const Row& row, const char* column) {
  const std::string& text = row.at(column);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse_cell(file, row, column, "a whole number, 0 to 4294967295,");
  return value;
}

std::optional<double> delay_in(const std::string& file, const Row& row, const char* column) {
  return row.at(column).empty() ? std::nullopt : std::optional(figure_in(file, row, column));
}

std::map<std::string, std::string> assignments(const std::string& text) {
  std::map<std::string, std::string> found;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (const auto at = word.find('='); at != std::string::npos)
      found[word.substr(0, at)] = word.substr(at + 1);
  return found;
}

bool same_router(const NodeCost& node, const Row& row) {
  return node.name == row.at("name") && node.parameters == row.at("parameters") &&
         node.tied == row.at("tied") && node.model == row.at("model") && node.tuning == row.at("tuning") &&
         node.library == row.at("library") && node.set == assignments(row.at("set"));
}

NodeCost started(const std::string& file, const Row& row) {
  NodeCost node;
  node.name = row.at("name");
  node.parameters = row.at("parameters");
  node.tied = row.at("tied");
  node.model = row.at("model");
  node.set = assignments(row.at("set"));
  node.tuning = row.at("tuning");
  node.library = row.at("library");
  node.corner = row.at("corner");
  node.tools = row.at("tools");
  node.source = row.at("source");
  node.flops = count_in(file, row, "flops");
  node.gates = count_in(file, row, "gates");
  node.depth = count_in(file, row, "depth");
  return node;
}

}  // namespace

CostRange NodeCost::area_um2() const {
  CostRange range{mappings.at(0).area_um2, mappings.at(0).area_um2};
  for (const Mapping& mapping : mappings) {
    range.low = std::min(range.low, mapping.area_um2);
    range.high = std::max(range.high, mapping.area_um2);
  }
  return range;
}

std::optional<CostRange> NodeCost::range(std::optional<double> Mapping::*delay) const {
  std::optional<CostRange> range;
  for (const Mapping& mapping : mappings) {
    const auto& value = mapping.*delay;
    if (!value) continue;
    if (!range) range = CostRange{*value, *value};
    range->low = std::min(range->low, *value);
    range->high = std::max(range->high, *value);
  }
  return range;
}

bool NodeCost::timed() const {
  return std::all_of(mappings.begin(), mappings.end(),
                     [](const Mapping& mapping) { return mapping.cycle_ns.has_value(); });
}

namespace {

/// The mapping of a kind; null: it has none of that name.
const Mapping* mapping_of(const NodeCost& cost, const std::string& recipe) {
  const auto found = std::ranges::find(cost.mappings, recipe, &Mapping::recipe);
  return found == cost.mappings.end() ? nullptr : &*found;
}

/// Absent where either is.
std::optional<double> later(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

/// "a" and "b" are "a; b", and "a" twice is "a".
void mention(std::string& all, const std::string& one) {
  if (("; " + all + "; ").find("; " + one + "; ") == std::string::npos)
    all += (all.empty() ? "" : "; ") + one;
}

}  // namespace

std::optional<NodeCost> sum_of(const std::vector<CountedCost>& kinds) {
  const NodeCost& first = *kinds.at(0).cost;
  NodeCost sum;
  sum.tuning = first.tuning;
  sum.library = first.library;
  for (const auto& [cost, routers] : kinds) {
    mention(sum.name, cost->name);
    mention(sum.corner, cost->corner);
    mention(sum.tools, cost->tools);
    sum.flops += routers * cost->flops;
    sum.gates += routers * cost->gates;
    sum.depth = std::max(sum.depth, cost->depth);
  }
  for (const Mapping& mapping : first.mappings) {
    Mapping all = mapping;
    all.area_um2 = 0;
    const bool common = std::ranges::all_of(kinds, [&](const CountedCost& kind) {
      const Mapping* const own = mapping_of(*kind.cost, mapping.recipe);
      if (own == nullptr) return false;
      all.area_um2 += static_cast<double>(kind.routers) * own->area_um2;
      all.cycle_ns = later(all.cycle_ns, own->cycle_ns);
      all.reg_reg_ns = later(all.reg_reg_ns, own->reg_reg_ns);
      all.link_ns = later(all.link_ns, own->link_ns);
      return true;
    });
    if (common) sum.mappings.push_back(std::move(all));
  }
  if (sum.mappings.empty()) return std::nullopt;
  return sum;
}

NodeCost mean_of(NodeCost sum, std::size_t routers) {
  for (Mapping& mapping : sum.mappings) mapping.area_um2 /= static_cast<double>(routers);
  sum.flops = (sum.flops + routers / 2) / routers;
  sum.gates = (sum.gates + routers / 2) / routers;
  return sum;
}

std::vector<NodeCost> read_cost_table(const std::string& file) {
  std::vector<NodeCost> nodes;
  for (const Row& row : rows_of(file)) {
    if (row.at("kind") != "node") continue;
    auto node =
        std::find_if(nodes.begin(), nodes.end(), [&](const NodeCost& n) { return same_router(n, row); });
    if (node == nodes.end()) node = nodes.insert(nodes.end(), started(file, row));
    node->mappings.push_back({row.at("recipe"), figure_in(file, row, "area_um2"),
                              delay_in(file, row, "cycle_ns"), delay_in(file, row, "reg_reg_ns"),
                              delay_in(file, row, "link_ns")});
  }
  if (nodes.empty()) refuse(file, "holds no routers");
  return nodes;
}

}  // namespace noctule
