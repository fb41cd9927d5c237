#pragma once
// Where the routers and links of a fabric lie in a picture of it.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "topology/topology.h"
#include "verify/report/drawing_grid.h"

namespace noctule {

/// In pixels; y grows downwards.
struct Point {
  double x = 0;
  double y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(Point a, double f) { return {a.x * f, a.y * f}; }
  friend bool operator==(const Point&, const Point&) = default;
};
/// Of a direction of travel: to its right.
[[nodiscard]] inline Point right_of(Point direction) {
  return {-direction.y, direction.x};
}
[[nodiscard]] inline double dot(Point a, Point b) {
  return a.x * b.x + a.y * b.y;
}

struct Caption {
  Point at;  ///< of the base line
  std::string anchor;
  std::string text;
};

/// Networks in rows and columns (DrawingGrid): upwards as in the papers and in the heat maps, planes are
/// tiles side by side, of which only those that are touched are laid out. If a side is longer than
/// kMostPerSide, or more than kMostInGrid routers would be shown, only the touched rows and columns and their
/// neighbours are. Other networks: where the topology has its routers; if there are many, the touched ones
/// only, moved together.
class DrawingLayout {
 public:
  static constexpr unsigned kMostPerSide = 8;
  static constexpr std::size_t kMostInGrid = 64;
  static constexpr std::size_t kMostOffGrid = 48;
  static constexpr double kStub = 32;  ///< length of what is drawn of a link that is not drawn whole

  /// How a directed link lies. Not whole: a stub out of the sender and one into the receiver.
  struct Road {
    Point from;       ///< centre of the sender
    Point to;         ///< centre of the receiver
    Point direction;  ///< of travel, at both ends
    bool whole = true;
    double reach = 0;   ///< from a centre to the edge of its router
    double length = 0;  ///< from edge to edge; of one stub, if not whole
  };

  /// `touched`: links of which both ends must be in the picture; `routers`: further such routers. `half`:
  /// half the side of a router. `room`: at least so much between the edges of two routers.
  DrawingLayout(const Topology& topology, const std::vector<LinkId>& touched,
                const std::vector<RouterId>& routers, double half, double room);
  /// The whole network.
  DrawingLayout(const Topology& topology, double half);

  /// Shown routers with their centres.
  [[nodiscard]] const std::map<RouterId, Point>& centres() const { return centres_; }
  /// Of a link between routers that are shown.
  [[nodiscard]] Road road(const Link& link) const;
  /// Lines that stand for links, both directions in one; `cut`: to a router that is left out.
  struct Line {
    Point a;
    Point b;
    bool cut = false;
  };
  [[nodiscard]] std::vector<Line> lines() const;
  /// Names of routers and of tiles, and of those that links to other tiles lead to or come from.
  [[nodiscard]] std::vector<Caption> captions() const;
  /// Where columns and rows are counted, in a sentence; empty: the network has none.
  [[nodiscard]] std::string axes() const;
  /// What is left out, in a sentence; empty: nothing.
  [[nodiscard]] const std::string& note() const { return note_; }
  [[nodiscard]] double half() const { return half_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }

  /// Links that lie on each other in a picture have the same one.
  [[nodiscard]] static LinkId lane_of_road(const Topology& topology, const Link& link);

 private:
  void place(double room);
  void place_grid();
  void place_by_position();
  void place_circle();
  void set_shown();
  [[nodiscard]] std::vector<unsigned> shown(bool of_columns, bool crop);
  [[nodiscard]] std::string short_name(RouterId router) const;
  [[nodiscard]] Point direction(const Link& link) const;
  [[nodiscard]] bool in_tile(const Link& link) const;

  const Topology& topology_;
  std::optional<DrawingGrid> grid_;
  std::set<LinkId> links_;
  std::set<RouterId> routers_;
  double half_;
  double gap_ = 0;
  bool whole_ = false;  ///< all routers are shown, whatever the network
  std::map<RouterId, Point> centres_;
  std::vector<Caption> tile_captions_;
  std::string note_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace noctule
