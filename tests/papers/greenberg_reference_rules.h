#pragma once
// What is a run of Greenberg and Oh 1997 given, and what does it give? Its rules, its draws, its result.
//
// Where the paper leaves a rule open, the reading is the one that gives its Tables I and II; other readings
// are options, so that a test can show what they give.

#include <cstdint>
#include <vector>

#include "papers/greenberg_reference_tree.h"

namespace noctule::greenberg {

using Step = std::uint32_t;
using Worm = std::uint32_t;  ///< what is routed as one: a packet, or one flit of it (SPLIT)

/// What moves in a step (section III.B.2).
enum class Unit {
  kStore /* a packet */,
  kWorm /* a flit that follows its head */,
  kSplit /* a flit on its own */
};
/// Which of its two up links a head asks for.
enum class Up {
  kFixed /* FP */,
  kRandom /* RP: a new draw every step */,
  kGreedy /* GP: the first available */
};
/// In which order a switch serves its inputs.
enum class Order { kRoundRobin /* RR: from a random one */, kFixed /* FO */, kFarthest /* FF */ };
enum class Pattern { kRandom, kComplement, kManyToOne };

/// Readings of the paper that do not give its tables. A set: their values are added.
enum Reading : unsigned {
  kTwoPhase = 1U << 0,       ///< every link sees the fullness at the start of the step
  kBottomUp = 1U << 1,       ///< nodes are served from the processors to the top
  kRandomNodes = 1U << 2,    ///< nodes are served in a random order, a new one every step; destinations last
  kConsumerFirst = 1U << 3,  ///< every link between switches sees the slot that is freed in this step
  kSinkAtOnce = 1U << 4,     ///< a destination consumes what arrives in the step in which it arrives
  kSinkFirst = 1U << 5,      ///< destinations are served before the switches
  kCountFromOne = 1U << 6,   ///< the first step is step 1
  kAmongFree = 1U << 7,      ///< RP draws among the up links that are available
  kOneIn = 1U << 8,          ///< a node accepts one unit a step over all its inputs
  kOneOut = 1U << 9,         ///< a node sends one unit a step over all its outputs
  kSharedPair = 1U << 10,    ///< the two directions of a pair of links carry one unit a step between them
  kEmptyQueue = 1U << 11,    ///< a head enters only an empty queue
  kFarRelease = 1U << 12,    ///< a link to a switch is released when the tail leaves the queue at its far end
  kSeparateStarts = 1U << 13,  ///< RR: children from a random one, then parents from a random one
  kFixedStart = 1U << 14,      ///< RR: the start of a switch is drawn once for the run
  kInterleaved = 1U << 15,  ///< the circular order of ports is two children, a parent, two children, a parent
};
// More of them need no flag. A queue of another size is Options::queue, FO is an Order, and an up link that
// is drawn once per switch is Up::kFixed. Separate passes over up links and down links with the fullness at
// the start of each pass are kTwoPhase: a pass frees no queue that the other one fills.

struct Options {
  Unit unit = Unit::kWorm;
  Up up = Up::kRandom;
  Order order = Order::kRoundRobin;
  unsigned flits = 32;       ///< L
  unsigned queue = 2;        ///< q: units per queue
  unsigned delay_range = 1;  ///< R: the initial delay is drawn from 0 .. R-1
  unsigned readings = 0;
};
/// With the queues of Table I: q = 1 for STORE, 2 for the others.
inline Options options_of(Unit unit, Up up = Up::kRandom, Order order = Order::kRoundRobin) {
  Options options;
  options.unit = unit;
  options.up = up;
  options.order = order;
  options.queue = unit == Unit::kStore ? 1 : 2;
  return options;
}

/// Random numbers that depend on what they are for and on nothing else: neither on the order in which they
/// are asked for nor on whether others are. A class with the same functions can take its place, on the same
/// condition.
class SplitMixDraws {
 public:
  explicit SplitMixDraws(std::uint64_t seed) : base_(mix(seed + kGamma)) {}

  unsigned destination(unsigned source, unsigned processors) const { return below(processors, 0, source, 0); }
  /// In 0 .. range-1.
  unsigned delay(unsigned source, unsigned range) const { return below(range, 1, source, 0); }
  /// RR: the port from which a switch serves its inputs. `ports`: how many it has.
  unsigned start(Node at, Step step, unsigned ports) const {
    return below(ports, 2, at.level << 24U | at.index, step);
  }
  /// RP: does the head ask for the second parent (P1) of this switch in this step?
  bool up(Node /*at*/, Worm worm, Step step) const { return below(2, 3, worm, step) != 0; }
  /// FP: does the worm go from a switch of this level to its second parent?
  bool fixed_up(Worm worm, unsigned level) const { return below(2, 4, worm, level) != 0; }
  /// For kRandomNodes alone: nodes are served in the order of these. `node` as Tree::end numbers them.
  unsigned turn(unsigned node, Step step) const { return below(1U << 31U, 5, node, step); }

 private:
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15;

  static constexpr std::uint64_t mix(std::uint64_t z) {  // the finalizer of splitmix64
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
    return z ^ (z >> 31U);
  }
  unsigned below(std::uint64_t bound, std::uint64_t use, std::uint64_t who, std::uint64_t when) const {
    const std::uint64_t counter = use << 61U | who << 32U | when;
    return static_cast<unsigned>((mix(base_ + counter * kGamma) >> 32U) * bound >> 32U);
  }

  std::uint64_t base_;
};

/// By source. Section III.B.3; the random pattern includes the source itself.
template <class Draws>
std::vector<unsigned> destinations_of(Pattern pattern, unsigned processors, const Draws& draws) {
  std::vector<unsigned> destinations(processors);
  for (unsigned p = 0; p < processors; ++p) {
    if (pattern == Pattern::kRandom) destinations[p] = draws.destination(p, processors);
    if (pattern == Pattern::kComplement) destinations[p] = processors - 1 - p;
    if (pattern == Pattern::kManyToOne) destinations[p] = p < processors / 2 ? processors - 1 : 0;
  }
  return destinations;
}

struct Result {
  /// By processor: the step, from 0, in which the tail of its packet enters the destination's queue. kNone:
  /// no packet.
  std::vector<Step> delivered;
  Step latency = 0;  ///< of the last delivery, in flit-steps: STORE counts L for each of its steps
  Step steps = 0;    ///< until all queues are empty again
  unsigned packets = 0;
  unsigned congestion = 0;  ///< the most worms that crossed one directed link, links of processors included
  std::uint64_t unit_hops = 0;  ///< links crossed, summed over units
};

}  // namespace noctule::greenberg
