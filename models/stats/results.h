#pragma once
// The result of one measured point, in numbers that carry their unit in the name, and as JSON.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "stats/flow_table.h"
#include "stats/measurement.h"
#include "stats/plane_results.h"
#include "stats/status.h"

namespace noctule {

/// Ends and names of a physical link that is built, by the index that FabricCounters::link_flits has.
struct LinkName {
  std::string from;              ///< router
  std::string to;                ///< router
  std::string port;              ///< direction at `from`
  std::string link;              ///< number among parallel links, or a name
  unsigned cycles_per_flit = 1;  ///< for which a flit occupies it
  std::array<double, 4> at =
      {};                  ///< x and y of `from` and of `to` in a picture; neighbours are about 1 apart
  std::string kind;        ///< "wrap": it leaves the picture on the side away from `to`
  std::string from_plane;  ///< part of the picture where `from` lies; empty: it is in one part
  std::string to_plane;
};

/// Those of all links. A large fabric has millions: each is made when it is asked for.
struct LinkNames {
  std::size_t count = 0;
  std::function<LinkName(std::size_t link)> of;
};

/// What a point's result takes besides the measurement. What is absent here is absent in the result.
struct PointContext {
  std::string label;
  Json set = Json::object();  ///< the keys in which this point differs from the others
  std::uint64_t routers = 0;
  std::optional<double> offered_flits_per_node_cycle;    ///< per injecting terminal
  std::optional<double> offered_packets_per_node_cycle;  ///< per injecting terminal
  std::optional<double> tau_max_packets_per_node_cycle;  ///< capacity; normalises offered and accepted
  /// Terminals that some source addresses: `minimum_node` runs over these. Empty: all.
  std::vector<bool> addressed;
  std::optional<std::uint32_t> packet_length = {};  ///< flits, where all packets have one
  std::vector<unsigned> link_cycles = {};           ///< for which a flit occupies each link; empty: 1
  std::uint64_t input_vcs = 0;                      ///< built, in the whole fabric; 0: unknown
  std::uint64_t output_vcs = 0;                     ///< likewise
  bool finite_source_queue = false;  ///< at most so many packets wait, and others are discarded
  bool rtl = false;  ///< some router is RTL: what waits and what is connected inside of it is not known
  std::optional<std::uint64_t> digest;
  std::optional<double> user_s;                   ///< user CPU time of the whole run
  std::optional<std::uint64_t> simulated_cycles;  ///< in user_s; absent: warm-up and measurement
  std::map<std::string, std::string> files;       ///< kind ("vcd") to path
  std::vector<std::string> message_classes = {};  ///< names; empty: all messages are of one
  std::vector<PlaneContext> planes = {};          ///< empty: the network is in one
  bool transactions = false;                      ///< a closed loop, whose source counts them
  std::vector<bool> requesters = {};              ///< of it, by TerminalId; empty: not known
};

struct Interval {
  double mean = 0;
  std::optional<double> ci95;  ///< half width
};

/// In cycles, over packets delivered in the measurement.
struct LatencySummary {
  Interval cycles;
  std::uint64_t p50 = 0;
  std::uint64_t p95 = 0;
  std::uint64_t p99 = 0;
  std::uint64_t max = 0;
  std::optional<Delivery> slowest = {};  ///< took `max`
};

struct PointResult {
  std::string label;
  Json set = Json::object();
  Status status = Status::kStable;
  std::string status_rule;

  std::optional<double> offered_flits_per_node_cycle;
  std::optional<double> offered_packets_per_node_cycle;
  std::optional<double> offered_normalized;  ///< packets, over tau_max

  /// Delivered in the measurement, by the whole network, over the terminals that inject (over all, where none
  /// does).
  std::optional<Interval> accepted_flits_per_node_cycle;
  std::optional<Interval> accepted_normalized;  ///< packets, over tau_max
  std::uint64_t terminals = 0;
  std::uint64_t injecting_terminals = 0;
  /// The same over all terminals; absent where all of them inject, or none.
  struct AllTerminals {
    std::optional<Interval> accepted_flits_per_node_cycle;
    std::optional<Interval> accepted_normalized;
    double injecting = 1;  ///< share of the terminals: offered load and source queue are this part
  };
  std::optional<AllTerminals> all_terminals;
  /// Over the terminals that some source addresses.
  std::optional<double> minimum_node_flits_per_node_cycle;
  /// Packets delivered over packets generated, both in the measurement.
  std::optional<double> accepted_fraction_of_generated;

  std::optional<LatencySummary> latency_total;
  std::optional<LatencySummary> latency_network;
  /// Mean total latency, taken apart (Boppana and Chalasani 1993, section 3: wait, and the time that a worm
  /// takes alone). Cycles; the four add up to the mean.
  struct LatencyParts {
    double source_queue = 0;            ///< generation to injection
    std::optional<double> header_wait;  ///< headers waiting for VCs; absent with RTL routers
    double zero_load = 0;               ///< what the packets would have taken alone, over the same hops
    std::optional<double> stalls;  ///< flits waiting for the switch, the link or a place; absent likewise
  };
  std::optional<LatencyParts> latency_parts;
  std::optional<double> hops_mean;  ///< links per message, of all its copies together
  /// Links on the way of a message with one destination; absent if none was delivered.
  std::optional<double> distance_mean;
  /// Messages of one kind, by the number of their destinations. Latencies in cycles, means.
  struct MessageKind {
    std::uint64_t delivered = 0;
    double total = 0;    ///< generation to tail consumed at the last destination
    double network = 0;  ///< first header in the injection channel to tail consumed at the last destination
    double hops = 0;     ///< links per message, of all its copies together
  };
  /// Of messages with several destinations and all others delivered together (Boppana et al. 1998, 4).
  struct Multicast {
    double destinations_per_packet = 0;
    double copies_per_packet = 0;
    double hops_per_destination = 0;  ///< links of all copies, over all destinations
    /// Flits of messages of which the last destination was reached in the window, once for each destination,
    /// per cycle of the whole network.
    double throughput_flits_per_cycle = 0;
    MessageKind multicasts;               ///< several destinations
    double multicast_destinations = 0;    ///< of those, mean
    double multicast_copies = 0;          ///< likewise
    double each_destination = 0;          ///< generation to tail consumed, mean over the destinations reached
    std::optional<MessageKind> unicasts;  ///< one destination; absent if none was delivered
  };
  std::optional<Multicast> multicast;
  /// Packets of one message class. Latencies in cycles, over packets delivered in the measurement.
  struct MessageClassResult {
    std::string name;
    std::uint64_t generated = 0;
    std::uint64_t delivered = 0;
    double flits_per_node_cycle = 0;    ///< delivered, over the terminals that inject (all, where none does)
    double packets_per_node_cycle = 0;  ///< likewise
    std::optional<LatencySummary> total;
    std::optional<LatencySummary> network;
  };
  std::vector<MessageClassResult> message_classes;  ///< empty: all messages are of one
  std::vector<PlaneResult> planes;                  ///< empty: the network is in one
  /// Of a closed loop: chains of messages that cause each other.
  struct Transactions {
    std::uint64_t completed = 0;
    double per_node_cycle = 0;  ///< over the terminals that inject (all, where none does)
    /// Cycles from the birth of the first message to the end of the last; absent if none completed.
    std::optional<Interval> round_trip;
    /// Flits delivered to the requester that got least, and to the one that got most, per cycle.
    struct Share {
      TerminalId requester{};
      double flits_per_cycle = 0;
    };
    std::optional<std::pair<Share, Share>> shares = {};
  };
  std::optional<Transactions> transactions;
  /// Over the links that are built. Share of the cycles in which a link is busy: flits per cycle, times the
  /// cycles that a flit occupies it.
  std::optional<double> link_utilization_mean;
  std::optional<double> link_utilization_max;

  std::uint64_t warm_up_cycles = 0;
  std::uint64_t measured_cycles = 0;
  std::optional<std::uint64_t> transient_cycles;
  std::optional<std::uint64_t> time_to_drain_cycles;
  /// Of a finite workload that drained: what the busiest channel carried in all, of those between routers and
  /// those to terminals (Greenberg and Oh 1997, section I).
  struct Congestion {
    std::uint64_t flits = 0;
    std::optional<double> packets;                  ///< where all packets have one length
    std::optional<double> drain_cycles_per_packet;  ///< time to drain over these
  };
  std::optional<Congestion> congestion;

  std::optional<double> source_queue_packets_per_node;  ///< per injecting terminal, mean over all cycles
  std::optional<double> input_vcs_occupied_fraction;    ///< of those built, mean over sampled cycles
  /// These three are absent with RTL routers.
  std::optional<double> output_vcs_allocated_fraction;
  std::optional<double> connections_held_per_router;
  std::optional<double> connections_made_per_router_cycle;

  std::size_t batches = 0;          ///< behind the interval of accepted throughput, after grouping
  bool batches_correlated = false;  ///< of accepted flits or of latency: an interval was widened

  FabricCounters window;            ///< of the measurement; for the tables
  FabricCounters totals;            ///< from cycle 0 to the end: packets, flits; nothing is lost between them
  std::vector<FlowCounters> flows;  ///< of the measurement, where they are counted; for the table
  std::vector<BatchRecord> batch_records;
  std::optional<std::uint64_t> digest;
  std::optional<double> user_s;
  std::optional<double> router_cycles_per_s;
  std::optional<double> flit_hops_per_s;
  std::map<std::string, std::string> files;
};

[[nodiscard]] PointResult make_point(const MeasurementOutcome& outcome, const MeasuredWorkload& workload,
                                     PointContext context);

/// A point of results.json. `packets` and `flits` count from cycle 0 (injected = delivered + in flight,
/// generated = discarded + queued + injected); all else is of the measurement.
[[nodiscard]] Json to_json(const PointResult& point);

/// The whole of results.json. `points`: an array of to_json(point).
[[nodiscard]] Json results_document(const std::string& command, std::uint64_t seed, Json config, Json points);

/// Relabels an array of to_json(point) after a sweep over the offered load (see label_sweep). Points of one
/// series agree in label and in `set` but for `offered_key`. `discarding`: by point, do its sources discard?
void label_sweep_points(Json& points, const std::vector<bool>& discarding, const std::string& offered_key);

}  // namespace noctule
