#pragma once
// Expected flits on every channel when headers divide evenly over what a relation offers them.

#include <utility>
#include <vector>

#include "verify/graph/header_graph.h"

namespace noctule {

/// Lets the headers of one destination after the other flow through their graph. Remembers whether they had a
/// choice, and how few links they could have taken.
class HeaderFlow {
 public:
  explicit HeaderFlow(const ChannelIndex& channels) : channels_(channels) {}

  /// `rate`: flits per cycle of each router, by RouterId; those of a router divide evenly over its initial
  /// states. Calls f(channel, flits per cycle). False: some header can come back to where it was, and f has
  /// not been called.
  template <class F>
  bool follow(HeaderGraph& graph, const std::vector<double>& rate, F&& f) {
    if (!start(graph, rate)) return false;
    const auto& order = graph.order();
    for (auto s = order.rbegin(); s != order.rend(); ++s) {
      const auto moves = graph.moves(*s);
      const double each = through_[*s] / static_cast<double>(moves.size());
      for (const auto& move : moves) {
        f(move.channel, each);
        if (move.next != HeaderGraph::kDelivered) through_[move.next] += each;
      }
    }
    return true;
  }

  /// Did the initial state alone decide over which links every header so far went?
  [[nodiscard]] bool links_given() const { return links_given_; }
  /// And over which VC classes of these?
  [[nodiscard]] bool classes_given() const { return classes_given_; }
  /// Links that headers take if each goes the shortest way that it may: flits per cycle times links, summed.
  [[nodiscard]] double least_hops() const { return least_hops_; }

 private:
  bool start(HeaderGraph& graph, const std::vector<double>& rate);
  void compare(const HeaderGraph& graph, std::uint32_t state);

  const ChannelIndex& channels_;
  bool links_given_ = true;
  bool classes_given_ = true;
  double least_hops_ = 0;
  std::vector<double> through_;       ///< by header state: flits per cycle
  std::vector<std::uint32_t> least_;  ///< by header state: links to the destination at least
};

}  // namespace noctule
