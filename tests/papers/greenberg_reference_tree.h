#pragma once
// Who is wired to whom in the butterfly fat-tree of Greenberg and Oh 1997?

#include <cstdint>
#include <vector>

namespace noctule::greenberg {

using Link = std::uint32_t;    ///< a directed link; its queue is the one at its far end
using Switch = std::uint32_t;  ///< dense number, the top level first
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// The n-th switch of a level. Level 0 are the processors.
struct Node {
  unsigned level = 0, index = 0;
};

/// Who is wired to whom (section III.B.1).
/// Ports of a switch: children 0..3 by the quarter of its leaves, then the parents, the unrotated one first.
class Tree {
 public:
  static constexpr unsigned kPorts = 6, kChildren = 4;

  explicit Tree(unsigned processors);  ///< a power of 4, at least 16

  unsigned processors() const { return processors_; }
  unsigned height() const { return height_; }  ///< the level of the top switches
  unsigned switches() const { return static_cast<unsigned>(nodes_.size()); }
  unsigned switches_at(unsigned level) const { return processors_ >> (level + 1); }
  Switch first_at(unsigned level) const { return switches_at(level) - switches_at(height_); }
  unsigned ports(Switch s) const { return nodes_[s].level == height_ ? kChildren : kPorts; }
  const Node& node(Switch s) const { return nodes_[s]; }
  static Node parent(Node child, unsigned which);  ///< of a switch below the top

  // Links by where they end. Eight numbers are set aside for the ports of a switch; not all of them are
  // links.
  unsigned link_numbers() const { return 8 * switches() + processors_; }
  Link into(Switch s, unsigned port) const { return 8 * s + port; }
  Link into_processor(unsigned processor) const { return 8 * switches() + processor; }
  bool ends_in_processor(Link link) const { return link >= 8 * switches(); }
  Link out_of(Switch s, unsigned port) const { return opposite_[into(s, port)]; }
  Link out_of_processor(unsigned processor) const { return opposite_[into_processor(processor)]; }
  Link opposite(Link link) const { return opposite_[link]; }  ///< the other one of its pair; kNone: no link
  /// Switches, then processors: a number for where the link ends.
  unsigned end(Link link) const { return ends_in_processor(link) ? link - 7 * switches() : link / 8; }

  bool is_below(Switch s, unsigned processor) const {
    return processor >> (2 * nodes_[s].level) == nodes_[s].index >> (nodes_[s].level - 1);
  }
  unsigned child_port(Switch s, unsigned processor) const {
    return (processor >> (2 * (nodes_[s].level - 1))) % kChildren;
  }
  /// The level at which a packet turns from up to down. A packet to its own processor turns at level 1.
  unsigned turning_level(unsigned source, unsigned destination) const {
    unsigned level = 1;
    while (source >> (2 * level) != destination >> (2 * level)) ++level;
    return level;
  }

 private:
  unsigned processors_, height_;
  std::vector<Node> nodes_;
  std::vector<Link> opposite_;
};

}  // namespace noctule::greenberg
