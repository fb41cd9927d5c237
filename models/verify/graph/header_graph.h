#pragma once
// All that headers bound for one router can do: where they wait, in which routing state, what they may take.

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "routing/relation.h"
#include "verify/graph/channel_index.h"

namespace noctule {

/// The relation, restricted by the partition of the node into crossbars and by the VCs of one message class,
/// followed from every source through every choice. Memory is reused from one destination to the next.
class HeaderGraph {
 public:
  static constexpr std::uint32_t kDelivered = ~std::uint32_t{0};

  /// One choice of a waiting header.
  struct Move {
    ChannelId channel;
    std::uint32_t next;  ///< header state behind the channel, or kDelivered
    bool escape;         ///< taken as an escape channel (RoutingRelation::is_escape)
  };
  /// A header that waits: at which router, with which routing state, at an input of which crossbar.
  struct State {
    RouterId here;
    RouteState route_state;
    std::int32_t crossbar;  ///< kAnyCrossbar: in the injection channel of a partitioned router
    std::uint32_t first_move = 0;
    std::uint32_t moves = 0;
    std::uint32_t next_here = 0;  ///< list of the states of a router
  };
  static constexpr std::int32_t kAnyCrossbar = -1;
  struct Start {
    RouterId source;
    std::uint32_t state;
  };

  HeaderGraph(const FabricPlan& plan, const ChannelIndex& channels)
      : plan_(plan), channels_(channels), first_here_(plan.topology->routers(), kDelivered) {}

  /// Header states after which an exploration is given up, and starts; none by default.
  void limit(std::uint64_t most_states) { most_states_ = most_states; }
  /// Replaces the graph by that of another destination; by an empty one where nobody consumes packets of the
  /// class there. Throws ConfigError, with several findings, where the relation breaks its contract
  /// (RoutingRelation) or a header finds no output in its crossbar.
  void explore(RouterId destination, unsigned message_class = 0);
  /// The same for worms of these sources only.
  void explore(RouterId destination, const std::vector<RouterId>& sources, unsigned message_class = 0);

  /// False: it was given up at the limit.
  [[nodiscard]] bool complete() const { return std::max(starts_.size(), states_.size()) <= most_states_; }
  [[nodiscard]] RouterId destination() const { return destination_; }
  [[nodiscard]] unsigned message_class() const { return message_class_; }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] const State& operator[](std::uint32_t s) const { return states_[s]; }
  [[nodiscard]] std::span<const Move> moves(std::uint32_t s) const {
    return {moves_.data() + states_[s].first_move, states_[s].moves};
  }
  [[nodiscard]] const std::vector<Move>& all_moves() const { return moves_; }
  [[nodiscard]] const std::vector<Start>& starts() const { return starts_; }
  /// Of the states that a worm can come to from this one on, by rising hops, the first of which wanted(state)
  /// says yes; kDelivered: there is none.
  template <class Wanted>
  [[nodiscard]] std::uint32_t first_from(std::uint32_t start, Wanted&& wanted) const {
    std::vector<bool> seen(states_.size());
    std::vector<std::uint32_t> todo{start};
    seen[start] = true;
    for (std::size_t i = 0; i < todo.size(); ++i) {
      if (wanted(todo[i])) return todo[i];
      for (const Move& move : moves(todo[i]))
        if (move.next != kDelivered && !seen[move.next]) {
          seen[move.next] = true;
          todo.push_back(move.next);
        }
    }
    return kDelivered;
  }

  /// Header states in an order in which each comes after all that it can lead to; shorter than size() where
  /// a header can come back to where it was, in the same state. Computed on demand by `order`.
  const std::vector<std::uint32_t>& order();

 private:
  std::uint32_t state(RouterId here, RouteState route_state, std::int32_t crossbar);
  void expand(std::uint32_t s);
  [[nodiscard]] bool offers_too_many(RouterId here) const;
  void fault(const char* key, std::string text);
  void add_move(std::uint32_t s, const Link& link, Candidate candidate);
  [[nodiscard]] std::string place(RouterId here) const;
  [[nodiscard]] bool any_for_class(RouterId here) const;
  [[nodiscard]] const Link* link_of(RouterId here, Candidate candidate) const;
  [[nodiscard]] std::string source_of(std::uint32_t s) const;
  [[nodiscard]] std::string unreachable(std::uint32_t s) const;

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  RouterId destination_{};
  unsigned message_class_ = 0;
  std::vector<State> states_;
  std::vector<Move> moves_;
  std::vector<Start> starts_;
  std::vector<std::uint32_t> first_here_;
  std::uint64_t most_states_ = ~std::uint64_t{0};
  /// States that lie far back in the list of their router.
  struct Key {
    std::uint32_t here;
    std::int32_t crossbar;
    RouteState route_state;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static Key key(RouterId here, std::int32_t crossbar, RouteState route_state) {
    return {static_cast<std::uint32_t>(index(here)), crossbar, route_state};
  }
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return mix64(key.route_state ^
                   mix64(std::uint64_t{key.here} << 32 ^ static_cast<std::uint32_t>(key.crossbar)));
    }
  };
  std::unordered_map<Key, std::uint32_t, KeyHash> many_;
  std::vector<std::uint32_t> order_;
  CandidateList candidates_;
  std::vector<Diagnostic> faults_;
};

}  // namespace noctule
