#pragma once
// Can worms deadlock in this fabric? Decided before anything is simulated, on the plan that is simulated.

#include "verify/certificate.h"

namespace noctule {

/// Keys of the limits below, as certificates name them.
inline constexpr const char* kVerifyStatesKey = "limits.verify_states";
inline constexpr const char* kVerifyWormsKey = "limits.verify_worms";
/// Of the search by simulation that may follow (run/fabric_verdict.h).
inline constexpr const char* kVerifyCyclesKey = "limits.verify_router_cycles";

struct VerifyOptions {
  /// Most header states that are followed (key limits.verify_states).
  std::uint64_t header_states = 100'000'000;
  /// Most worms that the search for a deadlocked set tries (key limits.verify_worms).
  std::uint64_t witness_worms = 400'000;
  /// Cycles that a header takes from one router to the next, crossbar and link; for the starts of the worms
  /// of a witness alone.
  std::uint64_t cycles_per_hop = 2;
  /// Use the dimension order, or the legs, that a relation declares (routing/dimension_ordered.h,
  /// routing/two_phase.h).
  bool use_factors = true;
  /// Where no order of the channels proves anything, look for worms that block each other (3 and 4 below);
  /// else that is unknown.
  bool find_witness = true;
};

/// Follows every worm from every source through every choice that the relation, restricted by the partition,
/// leaves it, and concludes, in this order:
///  1. the dependency graph is acyclic: proved, under any release rule, depth and selection;
///  2. it is not, but that of the escape channels, indirect dependencies included, is, every header always
///     has one on offer, and the node never lets a worm into a VC that is not empty: proved;
///  3. no set of channels can be held by worms that all wait for channels of the set: proved;
///  4. else unknown: with the shortest cycle and, where they can be constructed, worms that should block each
///     other. Whether they do is for a simulation to show (run/fabric_verdict.h).
/// Where worms have several destinations, or classes of consumption channels (FabricPlan::multicast), only 1,
/// with the consumption channels and the order in which worms acquire them; else a cycle with messages that
/// make it (verify_planned.h).
/// Throws ConfigError where the relation breaks its contract, or a header finds no output in its crossbar.
Certificate verify(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options = {});

}  // namespace noctule
