#pragma once
// What the verifier says of a fabric, and why.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "multicast/planned_worm.h"
#include "verify/graph/channel_index.h"

namespace noctule {

enum class Verdict : std::uint8_t {
  kProved,            ///< no worms can ever wait for each other in a circle
  kDeadlockPossible,  ///< they can: a simulation ended so (run/fabric_verdict.h; verify() never says it)
  kUnknown            ///< neither is shown; `missing` says what is missing
};
/// "proved", "deadlock_possible", "unknown".
[[nodiscard]] const char* to_string(Verdict verdict);

/// Something that a proof asks of the router, compared with the configured one.
struct ProofCondition {
  std::string demand;  ///< in words
  std::string key;     ///< of the configuration; empty: a property of the blocks, the same in every node
  std::string given;   ///< what the node does about it
  bool holds = false;
  /// Without it a deadlock is not excluded; else only that a single worm starves while others move.
  bool for_deadlock_freedom = true;
};

/// A dependency graph in three numbers.
struct DependencyCount {
  std::size_t channels = 0;            ///< channels that are used
  std::size_t dependencies = 0;        ///< edges
  std::size_t channels_in_cycles = 0;  ///< in strongly connected components with a cycle
  [[nodiscard]] bool acyclic() const { return channels_in_cycles == 0; }
};

/// What follows from following every worm. Adaptivity and paths are those of the relation as restricted by
/// the node's partition.
struct RoutingFacts {
  /// By ChannelId below ChannelIndex::virtual_channels(): taken by any worm? As an escape channel?
  std::vector<std::uint8_t> used;
  std::vector<std::uint8_t> used_as_escape;
  bool minimal = true;  ///< every hop leads closer to the destination
  bool fully_adaptive =
      true;  ///< every shortest continuation is on offer, in every state that can be reached
  /// Every shortest path is open to a worm when it is injected; a choice made there (the direction of a tie)
  /// may close some of them afterwards.
  bool fully_adaptive_at_injection = true;
  bool hops_exact = true;           ///< every path is as long as RoutingRelation::hops says
  bool always_arrives = true;       ///< no header can come back to where it was, in the same state
  unsigned longest_path = 0;        ///< links, the bound on livelock; 0 unless always_arrives
  std::uint64_t header_states = 0;  ///< (router, destination, routing state) followed
  /// Direct dependencies: a worm holds one channel and may ask for the other next. Consumption included, and
  /// what terminals wait for.
  DependencyCount direct;
  /// Without what terminals wait for there are cycles as well: the relation is the cause.
  bool cyclic_inside = false;
  /// Between escape channels: direct, indirect (non-escape channels taken in between), and the same from
  /// channels that other worms use as escape (Duato's cross dependencies). CDG* of Gravano et al. 1994, III.
  std::optional<DependencyCount> escape;
  bool escape_always_offered = true;

  /// Classes used on a directed link; lanes not counted.
  [[nodiscard]] unsigned used_on(const ChannelIndex& channels, LinkId link) const;
  /// On a link and on the one that runs back beside it.
  [[nodiscard]] unsigned used_on_bidirectional(const ChannelIndex& channels, const Topology& topology,
                                               const Link& link) const;
  /// On the links that leave a router; on those that leave or enter it.
  [[nodiscard]] unsigned used_driven_by(const ChannelIndex& channels, const Topology& topology,
                                        RouterId router) const;
  [[nodiscard]] unsigned used_at(const ChannelIndex& channels, const Topology& topology,
                                 RouterId router) const;
};

/// A dependency with a worm that makes it: one from router to router or, where there are multicasts, one of
/// those that carry a message.
struct Dependency {
  ChannelId from = kNoChannel;
  ChannelId to = kNoChannel;
  RouterId source{};
  RouterId destination{};
  std::vector<ChannelId> path;  ///< channels from the source: ..., from, to
  /// With multicasts: the message; `destination` is where the worm ends.
  TerminalId sender = kNoTerminal;
  std::vector<TerminalId> destinations = {};
  /// With message classes: who makes it, in words, such as "a request router_0 -> router_3".
  std::string cause = {};
};

/// A worm of a deadlocked set.
struct WitnessWorm {
  struct Hop {
    ChannelId channel;
    std::uint16_t lane;
  };
  RouterId source{};
  RouterId destination{};
  std::vector<Hop> path;             ///< taken, in this order
  std::vector<ChannelId> waits_for;  ///< all that the header may take where the path ends
  /// One of these, where a simulation has to make the header wait for it alone until the others are taken.
  std::optional<Hop> asks_for;
  std::uint64_t start = 0;   ///< cycle of generation
  std::uint32_t length = 1;  ///< flits
};

/// How a deadlock may look: to be simulated.
struct DeadlockWitness {
  std::vector<Dependency> cycle;   ///< as short as any: each arc's `to` is the next one's `from`
  std::vector<WitnessWorm> worms;  ///< worms that should block each other; empty where none were constructed
  /// The worms committed themselves to a VC in which another worm still was (release other than
  /// next_buffer_empty), so that they have no alternative left.
  bool committed = false;
};

struct Certificate {
  Verdict verdict = Verdict::kUnknown;
  /// "acyclic" (Dally and Seitz 1987), "escape_network" (Duato 1993; star channels of Gravano et al. 1994),
  /// "no_deadlocked_set" (no set of worms can block each other), "cyclic", "limit".
  std::string method;
  std::string reason;    ///< a sentence
  std::string missing;   ///< for a verdict that is unknown: what would decide it
  std::string limit;     ///< key of the limit that was reached, if any
  bool surveyed = true;  ///< all header states were followed: facts are of all of them
  std::vector<ProofCondition> conditions;
  RoutingFacts facts;
  std::shared_ptr<const FabricPlan> plan;
  std::shared_ptr<const ChannelIndex> channels;
  /// Numbers that rise along every dependency, by ChannelId: of all channels ("acyclic"), or of the escape
  /// channels; kUnnumbered for the others. Empty for other methods.
  std::vector<std::uint32_t> numbering;
  static constexpr std::uint32_t kUnnumbered = ~std::uint32_t{0};
  /// What was followed one by one: every worm, the rings of a cube (unicast/factored.h), or the legs of worms
  /// that go to drawn routers first (unicast/legs.h).
  enum class Followed : std::uint8_t { kWorms, kRings, kLegs };
  Followed followed = Followed::kWorms;
  DeadlockWitness witness;
  /// Of relations derived from buffer classes (BufferClassRelation): the first hop whose rank is not higher
  /// than that of the hop before (Boppana and Chalasani 1993, lemma 1), in words; empty: ranks always rise.
  std::optional<std::string> rank_breach;

  [[nodiscard]] bool proved() const { return verdict == Verdict::kProved; }
  /// Worms alone close no cycle: those that there are go through what terminals wait for.
  [[nodiscard]] bool only_ends_close_cycles() const;
};

}  // namespace noctule
