#pragma once
// A directed graph: which channel a worm may ask for while it holds which other (Dally and Seitz 1987).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "verify/graph/channel_index.h"

namespace noctule {

/// Successors are sets. Build with add, then finish, then ask.
class DependencyGraph {
 public:
  explicit DependencyGraph(std::size_t vertices) : successors_(vertices) {}

  void add(ChannelId from, ChannelId to) { put(successors_[from], to); }
  void add_all(ChannelId from, std::span<const ChannelId> to) {
    for (const ChannelId c : to) put(successors_[from], c);
  }
  void finish() {
    for (auto& s : successors_) compact(s);
  }

  [[nodiscard]] std::size_t vertices() const { return successors_.size(); }
  [[nodiscard]] std::size_t edges() const;
  [[nodiscard]] std::span<const ChannelId> successors(ChannelId c) const { return successors_[c].list; }
  [[nodiscard]] bool has(ChannelId from, ChannelId to) const;

  /// By vertex: is it in a strongly connected component with a cycle? (Tarjan 1972, without recursion.)
  [[nodiscard]] std::vector<bool> in_cycles() const;
  /// By vertex: is it in a part of the graph that has a cycle? Parts are what edges join, whichever way they
  /// lead; a vertex without successors joins nothing, and is in no part.
  [[nodiscard]] std::vector<bool> in_parts_with_cycles() const;
  /// Numbers that rise along every edge (Kahn 1962), or nothing where there is a cycle.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> numbering() const;
  /// A cycle with as few edges as any, in the order of its edges; empty if there is none.
  [[nodiscard]] std::vector<ChannelId> shortest_cycle() const;

 private:
  struct Successors {
    std::vector<ChannelId> list;
    std::size_t compact_at = 64;
  };
  static void compact(Successors& s);
  static void put(Successors& s, ChannelId c) {
    s.list.push_back(c);
    if (s.list.size() >= s.compact_at) compact(s);
  }
  std::vector<Successors> successors_;
};

}  // namespace noctule
