#include "verify/report/drawing_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

namespace noctule {
namespace {

constexpr double kLetter = 7;        ///< width of a letter of a router's name, generously
constexpr double kTilesWide = 1500;  ///< tiles start a new row beyond that

void widen(std::vector<bool>& keep, unsigned at) {
  for (unsigned i = at > 0 ? at - 1 : 0; i <= at + 1 && i < keep.size(); ++i) keep[i] = true;
}

}  // namespace

DrawingLayout::DrawingLayout(const Topology& topology, const std::vector<LinkId>& touched,
                             const std::vector<RouterId>& routers, double half, double room)
    : topology_(topology),
      grid_(DrawingGrid::of(topology)),
      links_(touched.begin(), touched.end()),
      routers_(routers.begin(), routers.end()),
      half_(half) {
  for (const LinkId l : links_) {
    routers_.insert(topology.links()[index(l)].from);
    routers_.insert(topology.links()[index(l)].to);
  }
  place(room);
}

DrawingLayout::DrawingLayout(const Topology& topology, double half)
    : topology_(topology), grid_(DrawingGrid::of(topology)), half_(half), whole_(true) {
  for (std::uint32_t r = 0; r < topology.routers(); ++r) routers_.insert(RouterId{r});
  for (const Link& link : topology.links())
    if (!in_tile(link)) links_.insert(link.id);
  place(0);
}

void DrawingLayout::place(double room) {
  std::size_t name = 0;
  for (const RouterId r : routers_) name = std::max(name, short_name(r).size());
  gap_ = std::max({58.0, kLetter * static_cast<double>(name) + 12, room});
  if (grid_) {
    for (std::size_t p = 0; grid_->planes() > 1 && p < grid_->planes(); ++p)
      gap_ = std::max({gap_, 96.0, kLetter * static_cast<double>(grid_->name(p).size()) + 24});
    place_grid();
  } else if (topology_.placed()) {
    place_by_position();
  } else {
    place_circle();
  }
}

LinkId DrawingLayout::lane_of_road(const Topology& topology, const Link& link) {
  for (std::size_t p = 0; p < topology.ports(link.from); ++p) {
    const Link* const other = topology.outgoing(link.from, PortId(static_cast<std::uint16_t>(p)));
    if (other != nullptr && other->to == link.to && topology.kind(other->id) == topology.kind(link.id))
      return other->id;
  }
  return link.id;
}

std::string DrawingLayout::short_name(RouterId router) const {
  constexpr std::string_view kPrefix = "router_";
  std::string name = topology_.router_name(router);
  if (!name.starts_with(kPrefix) || name.size() == kPrefix.size()) return name;
  name.erase(0, kPrefix.size());
  std::replace(name.begin(), name.end(), '_', ',');
  return name;
}

/// Columns, or rows.
std::vector<unsigned> DrawingLayout::shown(bool of_columns, bool crop) {
  const unsigned k = of_columns ? grid_->columns() : grid_->rows();
  std::vector<bool> keep(k, !crop);
  if (crop)
    for (const RouterId r : routers_) widen(keep, of_columns ? grid_->cell(r).column : grid_->cell(r).row);
  std::vector<unsigned> list;
  for (unsigned i = 0; i < k; ++i)
    if (keep[i]) list.push_back(i);
  if (list.size() < k)
    note_ += fmt::format("{}Of the {} {} only {} of {} are shown.", note_.empty() ? "" : " ", k,
                         of_columns ? "columns" : "rows", fmt::join(list, ", "), of_columns ? "x" : "y");
  return list;
}

void DrawingLayout::place_grid() {
  std::set<std::size_t> planes;
  for (const RouterId r : routers_) planes.insert(grid_->cell(r).plane);
  const unsigned width = grid_->columns();
  const unsigned height = grid_->rows();
  const bool crop =
      !whole_ && (std::max(width, height) > kMostPerSide || planes.size() * width * height > kMostInGrid);
  const auto columns = shown(true, crop);
  const auto rows = shown(false, crop);
  const double pitch = 2 * half_ + gap_;
  const double edge = kStub + 16;  // room for stubs and names around a tile
  const double tile_width = static_cast<double>(columns.size()) * pitch - gap_ + 2 * edge;
  const double title = grid_->planes() > 1 ? 24 : 0;
  const double tile_height = static_cast<double>(rows.size()) * pitch - gap_ + 2 * edge + title;
  const auto per_row = static_cast<std::size_t>(std::max(1.0, std::floor(kTilesWide / tile_width)));
  std::size_t n = 0;
  for (const std::size_t plane : planes) {
    const std::size_t row = n / per_row;
    const Point corner{static_cast<double>(n % per_row) * tile_width, static_cast<double>(row) * tile_height};
    ++n;
    if (title > 0) tile_captions_.push_back({corner + Point{edge, 16}, "start", grid_->name(plane)});
    for (std::size_t y = 0; y < rows.size(); ++y)
      for (std::size_t x = 0; x < columns.size(); ++x)
        if (const RouterId* const router = grid_->router_at({plane, columns[x], rows[y]}))
          centres_[*router] =
              corner + Point{edge + half_ + static_cast<double>(x) * pitch,
                             edge + title + half_ + static_cast<double>(rows.size() - 1 - y) * pitch};
  }
  width_ = static_cast<double>(std::min(n, per_row)) * tile_width;
  const std::size_t tile_rows = (n + per_row - 1) / per_row;
  height_ = static_cast<double>(tile_rows) * tile_height;
  if (n < grid_->planes())
    note_ += fmt::format("{}{} of {} planes are shown.", note_.empty() ? "" : " ", n, grid_->planes());
}

/// All routers of small networks; else those that are touched.
void DrawingLayout::set_shown() {
  if (whole_) return;
  if (topology_.routers() > kMostOffGrid) {
    note_ = fmt::format("Of the {} routers only the {} that take part are shown.", topology_.routers(),
                        routers_.size());
    return;
  }
  for (std::uint32_t r = 0; r < topology_.routers(); ++r) routers_.insert(RouterId{r});
}

/// Of all, where they are; of a few, in the same order from left to right and from bottom to top.
void DrawingLayout::place_by_position() {
  set_shown();
  std::map<RouterId, Position> at;
  for (const RouterId r : routers_) at[r] = topology_.position(r);
  if (routers_.size() < topology_.routers())
    for (double Position::*along : {&Position::x, &Position::y}) {
      std::set<long> places;
      for (const auto& [r, position] : at) places.insert(std::lround(position.*along * 16));
      for (auto& [r, position] : at)
        position.*along = static_cast<double>(
            std::distance(places.begin(), places.find(std::lround(position.*along * 16))));
    }
  Position least{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  Position most{-least.x, -least.y};
  for (const auto& [r, position] : at) {
    least = {std::min(least.x, position.x), std::min(least.y, position.y)};
    most = {std::max(most.x, position.x), std::max(most.y, position.y)};
  }
  const double pitch = 2 * half_ + gap_;
  const double edge = kStub + 16;
  for (const auto& [r, position] : at)
    centres_[r] =
        Point{edge + half_ + (position.x - least.x) * pitch, edge + half_ + (most.y - position.y) * pitch};
  std::map<std::string, Point> corners;  // upper left, by plane
  for (const auto& [r, centre] : centres_) {
    const auto known = corners.try_emplace(topology_.plane(r), centre).first;
    known->second = {std::min(known->second.x, centre.x), std::min(known->second.y, centre.y)};
  }
  for (const auto& [plane, corner] : corners)
    if (!plane.empty()) tile_captions_.push_back({corner + Point{-half_, -half_ - 22}, "start", plane});
  width_ = (most.x - least.x) * pitch + 2 * (half_ + edge) + gap_;
  height_ = (most.y - least.y) * pitch + 2 * (half_ + edge);
}

void DrawingLayout::place_circle() {
  set_shown();
  const std::vector<RouterId> list(routers_.begin(), routers_.end());
  std::size_t name = 0;
  for (const RouterId r : list) name = std::max(name, short_name(r).size());
  const double margin = kLetter * static_cast<double>(name) + half_ + 24;
  const double radius = std::max(1.5 * (2 * half_ + gap_), static_cast<double>(list.size()) *
                                                               (2.5 * half_ + gap_) / (2 * std::numbers::pi));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(list.size()) -
                         std::numbers::pi / 2;
    centres_[list[i]] =
        Point{radius + margin, radius + margin} + Point{std::cos(angle), std::sin(angle)} * radius;
  }
  width_ = height_ = 2 * (radius + margin);
}

Point DrawingLayout::direction(const Link& link) const {
  if (grid_) {
    const Position heading = grid_->heading(link);
    return {heading.x, 0 - heading.y};
  }
  const Point way = centres_.at(link.to) - centres_.at(link.from);
  const double length = std::hypot(way.x, way.y);
  return length > 0 ? way * (1 / length) : Point{1, 0};
}

std::string DrawingLayout::axes() const {
  if (!grid_) return "";
  return grid_->rows() == 1 ? "x grows to the right." : "x grows to the right, y upwards.";
}

bool DrawingLayout::in_tile(const Link& link) const {
  return !grid_ || grid_->in_plane(link);
}

DrawingLayout::Road DrawingLayout::road(const Link& link) const {
  Road road;
  road.from = centres_.at(link.from);
  road.to = centres_.at(link.to);
  road.direction = direction(link);
  road.whole = in_tile(link) && !(grid_ && topology_.kind(link.id) == LinkKind::kWrap);
  const bool straight = grid_ && in_tile(link);
  road.reach = straight ? half_ : 1.42 * half_;
  const Point way = road.to - road.from;
  road.length = road.whole ? std::max(0.0, std::hypot(way.x, way.y) - 2 * road.reach) : kStub;
  return road;
}

std::vector<DrawingLayout::Line> DrawingLayout::lines() const {
  std::vector<Line> lines;
  std::set<std::array<long, 4>> seen;
  const auto add = [&](Point a, Point b, bool cut) {
    std::array<long, 4> key{std::lround(a.x), std::lround(a.y), std::lround(b.x), std::lround(b.y)};
    if (std::pair(key[2], key[3]) < std::pair(key[0], key[1])) key = {key[2], key[3], key[0], key[1]};
    if (seen.insert(key).second) lines.push_back({a, b, cut});
  };
  for (const Link& link : topology_.links()) {
    const auto from = centres_.find(link.from);
    const auto to = centres_.find(link.to);
    const bool both = from != centres_.end() && to != centres_.end();
    if (!in_tile(link) && links_.count(link.id) == 0) continue;
    if (both && road(link).whole) {
      add(from->second, to->second, false);
      continue;
    }
    if (!grid_) continue;
    const Point end = direction(link) * ((in_tile(link) ? half_ : 1.42 * half_) + kStub);
    if (from != centres_.end()) add(from->second, from->second + end, !both);
    if (to != centres_.end()) add(to->second, to->second - end, !both);
  }
  return lines;
}

std::vector<Caption> DrawingLayout::captions() const {
  auto list = tile_captions_;
  for (const auto& [router, at] : centres_) {
    if (topology_.placed()) {
      list.push_back({at + Point{half_ + 4, -half_ - 4}, "start", short_name(router)});
      continue;
    }
    const Point middle{width_ / 2, height_ / 2};
    const Point out = at - middle;
    const double length = std::max(1.0, std::hypot(out.x, out.y));
    const Point u = out * (1 / length);
    list.push_back({at + u * (1.42 * half_ + 8) + Point{0, 4 + 4 * u.y},
                    std::abs(u.x) < 0.2 ? "middle"
                    : u.x > 0           ? "start"
                                        : "end",
                    short_name(router)});
  }
  std::set<std::string> seen;
  for (const LinkId l : links_) {
    const Link& link = topology_.links()[index(l)];
    if (in_tile(link)) continue;
    const auto way = road(link);
    const Point end = way.direction * (way.reach + way.length + 5);
    for (const bool out : {true, false}) {
      const Point at = out ? way.from + end : way.to - end;
      const Point side = out ? end : end * -1;
      Caption caption{at + Point{0, side.y > 0 ? 9.0 : -2.0}, side.x > 0 ? "start" : "end",
                      topology_.plane(out ? link.to : link.from)};
      if (seen.insert(fmt::format("{:.0f} {:.0f}", at.x, at.y)).second) list.push_back(std::move(caption));
    }
  }
  return list;
}

}  // namespace noctule
