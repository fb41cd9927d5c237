#pragma once
// Networks whose routers lie in rows and columns, in one plane or in several side by side: what a picture of
// them needs beyond positions.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace noctule {

/// From positions and planes of the topology alone, to which it keeps a pointer. Columns and rows are numbers
/// from 0 on in each plane; y grows upwards.
class DrawingGrid {
 public:
  /// Nothing where nobody has placed the routers, or some link within a plane leads neither to a neighbour in
  /// its row or column nor closes (LinkKind::kWrap) one of them to a ring.
  static std::optional<DrawingGrid> of(const Topology& topology);

  [[nodiscard]] unsigned columns() const { return columns_; }
  [[nodiscard]] unsigned rows() const { return rows_; }
  [[nodiscard]] std::size_t planes() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t plane) const { return names_[plane]; }

  struct Cell {
    std::size_t plane = 0;
    unsigned column = 0;
    unsigned row = 0;
    friend auto operator<=>(const Cell&,
                            const Cell&) = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14
  };
  [[nodiscard]] const Cell& cell(RouterId router) const { return cells_[index(router)]; }
  /// Null: there is none.
  [[nodiscard]] const RouterId* router_at(const Cell& cell) const {
    const auto found = routers_.find(cell);
    return found == routers_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool in_plane(const Link& link) const { return cell(link.from).plane == cell(link.to).plane; }
  /// Which way a link leaves its router; length 1. Those to other planes lead to the lower right and to the
  /// upper left, at an angle for each pair of ports that lead to and fro.
  [[nodiscard]] Position heading(const Link& link) const;

 private:
  explicit DrawingGrid(const Topology& topology) : topology_(&topology) {}
  bool place();
  void find_axes();
  [[nodiscard]] std::size_t axis(const Link& link) const;

  const Topology* topology_;
  unsigned columns_ = 0;
  unsigned rows_ = 0;
  std::vector<std::string> names_;  ///< of planes
  std::vector<Cell> cells_;         ///< by router
  std::map<Cell, RouterId> routers_;
  std::vector<std::size_t> axes_;  ///< of links between planes, in order
};

}  // namespace noctule
