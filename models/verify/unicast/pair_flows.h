#pragma once
// Worms of one relation from one router to another, each way followed once.

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/graph/header_flow.h"

namespace noctule {

/// Headers divide evenly over what the relation offers them (HeaderFlow).
class PairFlows {
 public:
  struct Flow {
    std::vector<std::pair<ChannelId, double>> flits;  ///< per flit that goes this way
    double least_hops = 0;
  };

  /// `channels`: of a plan with the same channels; worms follow the relation of `plan`. `most_states`: header
  /// states that are followed, in all.
  PairFlows(FabricPlan plan, const ChannelIndex& channels, std::uint64_t most_states)
      : plan_(std::move(plan)),
        channels_(channels),
        most_states_(most_states),
        graph_(plan_, channels),
        rate_(plan_.topology->routers()) {}
  PairFlows(const PairFlows&) = delete;
  PairFlows& operator=(const PairFlows&) = delete;

  /// Of two different routers, and worms of the message class. Null: a header can come back to where it was,
  /// or there are too many states. Good until the next call.
  const Flow* from_to(RouterId from, RouterId to, unsigned message_class = 0);
  /// Header states that were followed so far.
  [[nodiscard]] std::uint64_t states() const { return states_; }
  /// As in ChannelLoad, of all worms so far.
  [[nodiscard]] bool links_given() const { return links_given_; }
  [[nodiscard]] bool classes_given() const { return classes_given_; }

 private:
  FabricPlan plan_;
  const ChannelIndex& channels_;
  std::uint64_t most_states_;
  HeaderGraph graph_;
  std::vector<double> rate_;
  std::vector<std::unordered_map<std::uint64_t, Flow>> flows_;  ///< by message class
  std::size_t kept_ = 0;
  std::uint64_t states_ = 0;
  bool links_given_ = true;
  bool classes_given_ = true;
};

}  // namespace noctule
