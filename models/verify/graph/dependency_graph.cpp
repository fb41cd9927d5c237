#include "verify/graph/dependency_graph.h"

#include <algorithm>

namespace noctule {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

/// Tarjan's walk; its state, so that no call is deeper than one.
class ComponentWalk {
 public:
  explicit ComponentWalk(const DependencyGraph& graph)
      : graph_(graph),
        order_(graph.vertices(), kUnseen),
        low_(graph.vertices()),
        open_(graph.vertices()),
        cyclic_(graph.vertices()) {}

  std::vector<bool> run() {
    for (ChannelId root = 0; root < order_.size(); ++root)
      if (order_[root] == kUnseen) visit(root);
    return std::move(cyclic_);
  }

 private:
  struct Frame {
    ChannelId vertex;
    std::size_t next;
  };
  void enter(ChannelId v) {
    order_[v] = low_[v] = clock_++;
    open_[v] = true;
    component_.push_back(v);
    path_.push_back({v, 0});
  }
  void visit(ChannelId root) {
    enter(root);
    while (!path_.empty()) {
      const ChannelId v = path_.back().vertex;
      const auto successors = graph_.successors(v);
      if (path_.back().next < successors.size()) {
        const ChannelId w = successors[path_.back().next++];
        if (order_[w] == kUnseen)
          enter(w);
        else if (open_[w])
          low_[v] = std::min(low_[v], order_[w]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().vertex] = std::min(low_[path_.back().vertex], low_[v]);
      if (low_[v] == order_[v]) close(v);
    }
  }
  void close(ChannelId v) {
    const bool cyclic = component_.back() != v || graph_.has(v, v);
    ChannelId w = kNoChannel;
    do {
      w = component_.back();
      component_.pop_back();
      open_[w] = false;
      cyclic_[w] = cyclic;
    } while (w != v);
  }

  const DependencyGraph& graph_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> open_;
  std::vector<bool> cyclic_;
  std::vector<ChannelId> component_;
  std::vector<Frame> path_;
  std::uint32_t clock_ = 0;
};

}  // namespace

void DependencyGraph::compact(Successors& s) {
  std::sort(s.list.begin(), s.list.end());
  s.list.erase(std::unique(s.list.begin(), s.list.end()), s.list.end());
  s.compact_at = std::max<std::size_t>(64, 2 * s.list.size());
}

std::size_t DependencyGraph::edges() const {
  std::size_t sum = 0;
  for (const auto& s : successors_) sum += s.list.size();
  return sum;
}

bool DependencyGraph::has(ChannelId from, ChannelId to) const {
  const auto& list = successors_[from].list;
  return std::binary_search(list.begin(), list.end(), to);
}

std::vector<bool> DependencyGraph::in_cycles() const {
  return ComponentWalk(*this).run();
}

std::vector<bool> DependencyGraph::in_parts_with_cycles() const {
  std::vector<ChannelId> towards(vertices());  // a tree for each part
  for (ChannelId c = 0; c < vertices(); ++c) towards[c] = c;
  const auto root = [&](ChannelId c) {
    while (towards[c] != c) c = towards[c] = towards[towards[c]];
    return c;
  };
  for (ChannelId c = 0; c < vertices(); ++c)
    for (const ChannelId d : successors(c))
      if (!successors(d).empty()) towards[root(d)] = root(c);
  const std::vector<bool> cyclic = in_cycles();
  std::vector<bool> part(vertices());
  for (ChannelId c = 0; c < vertices(); ++c)
    if (cyclic[c]) part[root(c)] = true;
  std::vector<bool> in(vertices());
  for (ChannelId c = 0; c < vertices(); ++c) in[c] = !successors(c).empty() && part[root(c)];
  return in;
}

std::optional<std::vector<std::uint32_t>> DependencyGraph::numbering() const {
  std::vector<std::uint32_t> before(vertices());
  for (const auto& s : successors_)
    for (const ChannelId c : s.list) ++before[c];
  std::vector<ChannelId> ready;
  for (ChannelId c = 0; c < vertices(); ++c)
    if (before[c] == 0) ready.push_back(c);
  std::vector<std::uint32_t> number(vertices());
  std::uint32_t next = 0;
  while (!ready.empty()) {
    const ChannelId c = ready.back();
    ready.pop_back();
    number[c] = next++;
    for (const ChannelId d : successors(c))
      if (--before[d] == 0) ready.push_back(d);
  }
  if (next != vertices()) return std::nullopt;
  return number;
}

std::vector<ChannelId> DependencyGraph::shortest_cycle() const {
  const std::vector<bool> cyclic = in_cycles();
  std::vector<ChannelId> best;
  std::vector<ChannelId> seen_from(vertices(), kNoChannel);
  std::vector<ChannelId> parent(vertices(), kNoChannel);
  std::vector<ChannelId> level;
  std::vector<ChannelId> next;
  for (ChannelId root = 0; root < vertices(); ++root) {
    if (!cyclic[root]) continue;
    level.assign(1, root);
    ChannelId last = kNoChannel;
    // Cycles of `depth` edges; one edge fewer than the best so far would be an improvement.
    for (std::size_t depth = 1; !level.empty() && last == kNoChannel && (best.empty() || depth < best.size());
         ++depth) {
      next.clear();
      for (const ChannelId from : level) {
        for (const ChannelId to : successors(from)) {
          if (to == root) {
            last = from;
            break;
          }
          if (!cyclic[to] || seen_from[to] == root) continue;
          seen_from[to] = root;
          parent[to] = from;
          next.push_back(to);
        }
        if (last != kNoChannel) break;
      }
      level.swap(next);
    }
    if (last == kNoChannel) continue;
    best.clear();
    for (ChannelId at = last; at != root; at = parent[at]) best.push_back(at);
    best.push_back(root);
    std::reverse(best.begin(), best.end());
  }
  return best;
}

}  // namespace noctule
