#include "verify/report/drawing_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace noctule {
namespace {

constexpr double kNear = 1e-3;              ///< positions so near to each other are the same
constexpr double kMostCellsPerRouter = 16;  ///< cells: where most are empty, rows and columns tell nothing
constexpr double kMostCells = 4294967296;

struct Corner {
  double x = std::numeric_limits<double>::max();
  double y = std::numeric_limits<double>::max();
};

}  // namespace

std::optional<DrawingGrid> DrawingGrid::of(const Topology& topology) {
  if (!topology.placed()) return std::nullopt;
  DrawingGrid grid(topology);
  if (!grid.place()) return std::nullopt;
  for (const Link& link : topology.links()) {
    if (!grid.in_plane(link)) continue;
    const Cell& from = grid.cell(link.from);
    const Cell& to = grid.cell(link.to);
    const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
    const unsigned columns = apart(from.column, to.column);
    const unsigned rows = apart(from.row, to.row);
    if ((columns == 0) == (rows == 0)) return std::nullopt;
    if (columns + rows != 1 && topology.kind(link.id) != LinkKind::kWrap) return std::nullopt;
  }
  grid.find_axes();
  return grid;
}

/// False: positions are not those of rows and columns, or two routers have one.
bool DrawingGrid::place() {
  std::map<std::string, std::size_t> planes;
  std::vector<Corner> corners;
  for (std::uint32_t r = 0; r < topology_->routers(); ++r) {
    const auto [known, fresh] = planes.try_emplace(topology_->plane(RouterId{r}), names_.size());
    if (fresh) {
      names_.push_back(known->first);
      corners.emplace_back();
    }
    const Position at = topology_->position(RouterId{r});
    Corner& corner = corners[known->second];
    corner = {std::min(corner.x, at.x), std::min(corner.y, at.y)};
    cells_.push_back({known->second, 0, 0});
  }
  double columns = 0;
  double rows = 0;
  for (std::uint32_t r = 0; r < topology_->routers(); ++r) {
    Cell& cell = cells_[r];
    const Position at = topology_->position(RouterId{r});
    const double x = at.x - corners[cell.plane].x;
    const double y = at.y - corners[cell.plane].y;
    if (x > kMostCells || y > kMostCells) return false;
    if (std::abs(x - std::round(x)) > kNear || std::abs(y - std::round(y)) > kNear) return false;
    cell.column = static_cast<unsigned>(std::lround(x));
    cell.row = static_cast<unsigned>(std::lround(y));
    columns = std::max(columns, std::round(x) + 1);
    rows = std::max(rows, std::round(y) + 1);
    if (!routers_.emplace(cell, RouterId{r}).second) return false;
  }
  if (columns * rows * static_cast<double>(planes.size()) >
      kMostCellsPerRouter * static_cast<double>(topology_->routers()))
    return false;
  columns_ = static_cast<unsigned>(columns);
  rows_ = static_cast<unsigned>(rows);
  return true;
}

/// Links to and fro are on one axis: the lesser number of the directions of both.
std::size_t DrawingGrid::axis(const Link& link) const {
  const auto own = topology_->direction(link.from, link.out);
  for (std::size_t p = 0; p < topology_->ports(link.to); ++p) {
    const Link* const back = topology_->outgoing(link.to, PortId(static_cast<std::uint16_t>(p)));
    if (back != nullptr && back->to == link.from && topology_->kind(back->id) == topology_->kind(link.id))
      return std::min(own, topology_->direction(back->from, back->out));
  }
  return own;
}

void DrawingGrid::find_axes() {
  for (const Link& link : topology_->links())
    if (!in_plane(link))
      if (const std::size_t a = axis(link); std::ranges::find(axes_, a) == axes_.end()) axes_.push_back(a);
  std::ranges::sort(axes_);
}

Position DrawingGrid::heading(const Link& link) const {
  const Cell& from = cell(link.from);
  const Cell& to = cell(link.to);
  const double turned = topology_->kind(link.id) == LinkKind::kWrap ? -1 : 1;
  if (in_plane(link)) {
    if (from.column != to.column) return {(to.column > from.column ? 1 : -1) * turned, 0};
    return {0, (to.row > from.row ? 1 : -1) * turned};
  }
  const auto place = std::ranges::find(axes_, axis(link)) - axes_.begin();
  const double angle =
      std::numbers::pi / 2 * static_cast<double>(place + 1) / static_cast<double>(axes_.size() + 1);
  const double sign = (to.plane > from.plane ? 1 : -1) * turned;
  return {sign * std::cos(angle), -sign * std::sin(angle)};
}

}  // namespace noctule
