#include "verify/graph/header_flow.h"

#include <algorithm>
#include <limits>

namespace noctule {

bool HeaderFlow::start(HeaderGraph& graph, const std::vector<double>& rate) {
  const auto& order = graph.order();
  if (order.size() < graph.size()) return false;
  least_.assign(graph.size(), 0);
  for (const std::uint32_t s : order) {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (const auto& move : graph.moves(s))
      least = std::min(least, move.next == HeaderGraph::kDelivered ? 1 : 1 + least_[move.next]);
    least_[s] = least;
    if (links_given_ && graph.moves(s).size() > 1) compare(graph, s);
  }
  through_.assign(graph.size(), 0);
  const auto& starts = graph.starts();
  for (std::size_t first = 0; first < starts.size();) {
    std::size_t end = first;
    while (end < starts.size() && starts[end].source == starts[first].source) ++end;
    const double each = rate[index(starts[first].source)] / static_cast<double>(end - first);
    for (; first < end; ++first) {
      through_[starts[first].state] += each;
      least_hops_ += each * least_[starts[first].state];
    }
  }
  return true;
}

/// Do all moves of a state lead over the same links and classes to the destination? States behind it have
/// been compared, so the first move of each stands for all.
void HeaderFlow::compare(const HeaderGraph& graph, std::uint32_t state) {
  const auto moves = graph.moves(state);
  for (const auto& other : moves.subspan(1)) {
    HeaderGraph::Move a = moves.front();
    HeaderGraph::Move b = other;
    for (;;) {
      const bool same_link = channels_.link(a.channel) == channels_.link(b.channel);
      if (!same_link || channels_.vc_class(a.channel) != channels_.vc_class(b.channel))
        classes_given_ = false;
      if (!same_link) links_given_ = false;
      if (!links_given_ || a.next == b.next) break;
      // Both are under way: the same links so far end at one router.
      a = graph.moves(a.next).front();
      b = graph.moves(b.next).front();
    }
  }
}

}  // namespace noctule
