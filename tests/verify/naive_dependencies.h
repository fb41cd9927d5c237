#pragma once
// The dependency graph of a fabric with multicasts the slow way: every message is sent, every worm of it
// walks alone, every choice is a walk of its own. Shares nothing with the verifier but the numbers of the
// channels.

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "verify/graph/channel_index.h"

namespace noctule::multicast_test {

class NaiveDependencies {
 public:
  using Edges = std::set<std::pair<ChannelId, ChannelId>>;

  NaiveDependencies(const FabricPlan& plan, const ChannelIndex& channels)
      : plan_(plan), channels_(channels), rule_(*plan.multicast->consumption) {}

  /// All sets of one, two and three destinations, and `random` larger ones.
  void send_everything(unsigned random);
  [[nodiscard]] const Edges& edges() const { return edges_; }

 private:
  /// A worm on its way, along one of its choices.
  struct Walk {
    RouterId here{};
    std::size_t stop = 0;         ///< the next one
    ChannelId held = kNoChannel;  ///< acquired last
    std::uint16_t port = 0;
    auto operator<=>(const Walk&) const = default;
  };
  using Then = std::function<void(Walk)>;

  void send(TerminalId source, const std::vector<TerminalId>& destinations);
  void walk(const PlannedWorm& worm, const Walk& at);
  void consume(const PlannedWorm& worm, Walk at, std::size_t end, unsigned of_class, const Then& then);
  void ride(const PlannedWorm& worm, const Walk& at);
  [[nodiscard]] std::vector<Candidate> offered(RouterId here, RouterId to) const;
  /// It acquires a resource.
  Walk take(Walk at, ChannelId next) {
    if (at.held != kNoChannel) edges_.emplace(at.held, next);
    at.held = next;
    return at;
  }
  Walk take(const Walk& at, Candidate candidate) {
    const Link& link = *plan_.topology->outgoing(at.here, candidate.port);
    return take(at, channels_.of(link.id, candidate.vc_class));
  }
  [[nodiscard]] Walk across(Walk at, Candidate candidate) const {
    const Link& link = *plan_.topology->outgoing(at.here, candidate.port);
    at.here = link.to;
    at.port = static_cast<std::uint16_t>(link.in);
    return at;
  }

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  const ConsumptionRule& rule_;
  bool several_ = false;
  std::set<Walk> known_;  ///< of the worm that walks: ways that came together
  Edges edges_;
};

}  // namespace noctule::multicast_test
