#pragma once
// What throughput a fabric allows under a traffic pattern at most, and what limits it: without a simulation.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "nodes/service_rates.h"
#include "verify/planned/planned_load.h"

namespace noctule {

/// All loads in flits per injecting terminal and cycle, a flit of a multicast once for each destination.
///
/// A *bound*: no load above it can be served in full to every flow, that is from every terminal to each of
/// its destinations. The mean accepted throughput may still rise above it, as flows that do not need what is
/// full go on.
///
/// Of a closed loop (closed_loop_limits) it is more: the mean accepted throughput cannot be above it.
struct ThroughputLimit {
  /// "links", "distance", "injection", "consumption", "sink"; of closed loops also "service", "places",
  /// "outstanding".
  std::string what;
  std::string where;  ///< "router_3_0.x_plus", "terminal 7"; empty: everywhere
  double flits_per_node_cycle = 0;
  std::size_t others = 0;  ///< that are full with it, where it takes several to make the bound
  static constexpr std::uint32_t kNowhere = ~0U;
  std::uint32_t at = kNowhere;  ///< the LinkId or TerminalId of `where`
  int vc_class = -1;            ///< of a link: that of this class alone
};

struct ThroughputLimits {
  std::vector<ThroughputLimit> bounds;  ///< lowest first; empty without load
  std::string refused;                  ///< why there are none; empty: there is no load
  bool closed_loop = false;  ///< no load is offered; `estimate` is at equal rates of all requesters
  /// The load at which the first link is full if headers divide evenly over their choices, or as sampled
  /// messages show. Absent where it is a bound, and where headers cannot be followed.
  std::optional<ThroughputLimit> estimate;
  bool sampled = false;  ///< `estimate` and the loads of links are of sampled multicasts

  /// Loads of links, each per flit and cycle of every terminal; absent where headers cannot be followed.
  struct Links {
    double mean_hops = 0;  ///< links per message, all of its copies together
    double mean = 0;       ///< over the links that are built
    double max = 0;
    LinkId busiest{};  ///< the first of those that carry `max`, if it is above 0
  };
  std::optional<Links> links;

  /// Of a closed loop: cycles from the birth of a request until its requester has the last response, at
  /// least, with no other packet in the network; of each requester, in the mean over its destinations.
  struct RoundTrips {
    struct One {
      TerminalId requester{};
      double cycles = 0;
    };
    std::size_t requesters = 0;
    double mean = 0;  ///< over the requesters
    One least;
    One most;
  };
  std::optional<RoundTrips> round_trips;
};

/// What terminals take at most, besides what their channels and buffers allow.
struct TakenRates {
  double stall = 0;                                       ///< share of the cycles in which they take no flit
  double sink = std::numeric_limits<double>::infinity();  ///< flits per cycle (TerminalSink::rate)
  double class_sink = std::numeric_limits<double>::infinity();  ///< TerminalSink::class_rate
};

/// Follows up to `most_header_states` header states; beyond that what needs no headers remains: injection,
/// consumption, and distances of the topology. Throws ConfigError where the relation breaks its contract.
ThroughputLimits throughput_limits(const FabricPlan& plan, const ChannelIndex& channels,
                                   const OfferedMessages& messages, const TakenRates& taken,
                                   std::uint64_t most_header_states);

/// " for request": which packets an interface of terminals is for; empty where there is one.
[[nodiscard]] std::string for_classes(const FabricPlan& plan, unsigned interface);

/// "each terminal's injection channels", "link router_3_0.x_plus": what is full first.
std::string text_of(const ThroughputLimit& limit);

}  // namespace noctule
