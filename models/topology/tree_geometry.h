#pragma once
// Levels of trees in which every leaf is below one router of each level, or below several alike: fat trees.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.h"
#include "topology/geometry.h"

namespace noctule {

/// Terminals are at the routers of level 1, which are numbers 0 .. leaves()-1 from left to right. A router of
/// level l is above arity^(l-1) of them, a block: its port k leads down to the k-th part of it, the ports
/// from `arity` on lead up. Every router of a block's level that is above the block reaches all of it.
class TreeGeometry : public Geometry {
 public:
  static constexpr const char* kWhat = "tree";
  static constexpr const char* kRemedy = "topology.kind butterfly_fat_tree";

  struct Place {
    std::uint32_t block = 0;  ///< which block of its level
    std::uint16_t level = 1;
    std::uint16_t ups = 0;  ///< ports that lead up
  };
  /// By RouterId.
  TreeGeometry(unsigned arity, std::vector<Place> places);

  [[nodiscard]] unsigned arity() const { return arity_; }
  [[nodiscard]] unsigned levels() const { return static_cast<unsigned>(under_.size()) - 1; }
  [[nodiscard]] unsigned level(RouterId router) const { return places_[index(router)].level; }
  [[nodiscard]] unsigned ups(RouterId router) const { return places_[index(router)].ups; }
  /// The port that leads up with this number, 0 .. ups()-1.
  [[nodiscard]] PortId up(unsigned number) const {
    return PortId(static_cast<std::uint16_t>(arity_ + number));
  }
  [[nodiscard]] bool is_up(PortId port) const { return index(port) >= arity_; }
  /// The port that leads down to a router of level 1; none where it is not below.
  [[nodiscard]] std::optional<PortId> down(RouterId here, RouterId leaf) const {
    const Place& at = places_[index(here)];
    if (at.level == 1 || index(leaf) / under_[at.level] != at.block) return {};
    return PortId(static_cast<std::uint16_t>(index(leaf) / under_[at.level - 1] % arity_));
  }
  /// "levels 1 and 2", and so on upwards.
  [[nodiscard]] std::vector<std::string> link_groups() const override;
  [[nodiscard]] std::size_t link_group(const Link& link) const override;
  [[nodiscard]] std::string title() const override;

  /// The lowest level at which a router is above both.
  [[nodiscard]] unsigned meeting_level(RouterId leaf, RouterId other) const {
    unsigned level = 1;
    while (index(leaf) / under_[level] != index(other) / under_[level]) ++level;
    return level;
  }

 private:
  unsigned arity_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> under_;  ///< by level: routers of level 1 below one of that level
};

}  // namespace noctule
