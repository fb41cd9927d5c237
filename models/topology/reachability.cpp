#include "topology/reachability.h"

#include <algorithm>

namespace noctule {

void Reachability::remove(RouterId from, RouterId to) {
  auto& ahead = ahead_[index(from)];
  auto& back = back_[index(to)];
  ahead.erase(std::find(ahead.begin(), ahead.end(), to));
  back.erase(std::find(back.begin(), back.end(), from));
}

std::vector<bool> Reachability::reached(const Neighbours& next, RouterId from) {
  std::vector<bool> seen(next.size());
  std::vector<RouterId> todo{from};
  seen[index(from)] = true;
  while (!todo.empty()) {
    const RouterId here = todo.back();
    todo.pop_back();
    for (const RouterId to : next[index(here)]) {
      if (seen[index(to)]) continue;
      seen[index(to)] = true;
      todo.push_back(to);
    }
  }
  return seen;
}

std::optional<std::pair<std::size_t, std::size_t>> Reachability::cut_off(
    std::span<const Attachment> terminals) const {
  if (terminals.empty()) return {};
  const auto all = [&](const std::vector<bool>& seen) {
    return std::all_of(terminals.begin(), terminals.end(), [&](const Attachment& at) {
      return seen[index(at.injection)] && seen[index(at.consumption)];
    });
  };
  const RouterId hub = terminals.front().injection;
  if (all(reached(ahead_, hub)) && all(reached(back_, hub))) return {};
  std::vector<bool> asked(ahead_.size());
  std::vector<std::optional<std::size_t>> not_back(
      ahead_.size());  // by router: an asker that cannot reach itself
  for (std::size_t s = 0; s < terminals.size(); ++s) {
    const auto from = index(terminals[s].injection);
    if (asked[from]) {
      if (not_back[from]) return std::pair(s, *not_back[from]);
      continue;
    }
    asked[from] = true;
    const auto seen = reached(ahead_, terminals[s].injection);
    for (std::size_t d = 0; d < terminals.size(); ++d) {
      if (seen[index(terminals[d].consumption)]) continue;
      if (s != d) return std::pair(s, d);
      not_back[from] = s;
    }
  }
  return {};
}

}  // namespace noctule
