#pragma once
// What a fabric counts from cycle 0 on: sums of integers, so that a window is the difference of two snapshots
// and the sum over threads does not depend on their number.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/packet.h"
#include "stats/histogram.h"

namespace noctule {

/// The packet that took longest from a cycle of its own on; of those that took as long the one that was
/// consumed first, so that the order in which routers are visited decides nothing.
class Slowest {
 public:
  explicit Slowest(Cycle Delivery::*from) : from_(from) {}
  void look_at(const Delivery& packet) {
    if (!kept_ || place(packet) < place(*kept_)) kept_ = packet;
  }
  void forget() { kept_.reset(); }
  [[nodiscard]] const std::optional<Delivery>& packet() const { return kept_; }

 private:
  [[nodiscard]] std::tuple<Cycle, Cycle, TerminalId, std::uint64_t> place(const Delivery& p) const {
    return {kNever - (p.consumed - p.*from_), p.consumed, p.source, p.number};
  }

  Cycle Delivery::*from_;
  std::optional<Delivery> kept_;
};

/// What the packets of one message class add to the sums of FabricCounters.
struct ClassCounters {
  std::uint64_t packets_generated = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t flits_delivered = 0;
  LatencyHistogram total_latency;
  LatencyHistogram network_latency;

  ClassCounters& operator+=(const ClassCounters& other) {
    packets_generated += other.packets_generated;
    packets_delivered += other.packets_delivered;
    flits_delivered += other.flits_delivered;
    total_latency += other.total_latency;
    network_latency += other.network_latency;
    return *this;
  }
  /// The window from the earlier snapshot `before` to this one.
  ClassCounters& operator-=(const ClassCounters& before) {
    packets_generated -= before.packets_generated;
    packets_delivered -= before.packets_delivered;
    flits_delivered -= before.flits_delivered;
    total_latency -= before.total_latency;
    network_latency -= before.network_latency;
    return *this;
  }
};

/// Snapshot of a fabric's counters at the start of a cycle.
struct FabricCounters {
  // Packets: of a message that is carried by several worms, or to several destinations, the message counts:
  // it is injected with its first copy, and delivered when all of its destinations have it.
  std::uint64_t packets_generated = 0;  ///< by the sources, discarded ones included
  std::uint64_t packets_discarded = 0;
  std::uint64_t packets_injected = 0;   ///< header entered the injection channel
  std::uint64_t packets_delivered = 0;  ///< tail left the consumption channel
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_copied = 0;  ///< at destinations that a worm went on from
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_dropped = 0;  ///< in the network when a reset came
  std::uint64_t flits_dropped = 0;
  std::uint64_t flit_hops = 0;      ///< flits over links between routers
  std::uint64_t hops = 0;           ///< links taken by the header, summed over delivered packets
  std::uint64_t copies = 0;         ///< worms of delivered messages
  std::uint64_t destinations = 0;   ///< of delivered messages
  std::uint64_t message_flits = 0;  ///< destinations times length, summed over delivered messages

  // Of messages with several destinations alone; what is above counts them among all. Latencies in cycles.
  std::uint64_t multicasts_delivered = 0;       ///< at their last destination
  std::uint64_t multicast_total_latency = 0;    ///< generation to tail consumed at the last destination
  std::uint64_t multicast_network_latency = 0;  ///< first header in the injection channel to the same
  std::uint64_t multicast_destinations = 0;     ///< that have all of a message, be the others still waiting
  std::uint64_t multicast_reached_latency = 0;  ///< generation to tail consumed, summed over these
  std::uint64_t multicast_hops = 0;             ///< links taken by the headers of all copies

  // Of a closed loop, as its source counts them.
  std::uint64_t transactions = 0;        ///< that ended
  std::uint64_t transaction_cycles = 0;  ///< that they took, summed

  std::uint64_t header_wait = 0;  ///< cycles that headers bid in vain for VCs, summed over delivered packets
  std::uint64_t zero_load = 0;    ///< cycles that the delivered packets would have taken alone

  LatencyHistogram total_latency;    ///< generation to tail consumed; over delivered packets; has their sum
  LatencyHistogram network_latency;  ///< header enters the injection channel to tail consumed
  /// Since Fabric::begin_window.
  Slowest slowest_total{&Delivery::birth};
  Slowest slowest_network{&Delivery::injected};

  std::vector<std::uint64_t> terminal_flits;  ///< delivered, by TerminalId
  std::vector<std::uint64_t> link_flits;      ///< carried, by physical link
  std::vector<ClassCounters> classes;         ///< by message class; empty where they have no names

  /// Packets in source queues, summed over cycles (as each ends): the cycles that packets waited there.
  std::uint64_t queued_packet_cycles = 0;
  /// Likewise packets under way: generated, not discarded, and neither delivered nor dropped.
  std::uint64_t under_way_packet_cycles = 0;

  std::uint64_t occupancy_samples = 0;     ///< cycles in which the three sums below were sampled
  std::uint64_t occupied_input_vcs = 0;    ///< input VCs that hold a flit
  std::uint64_t allocated_output_vcs = 0;  ///< output VCs that belong to a worm
  std::uint64_t connections_held = 0;      ///< through crossbars
  std::uint64_t connections_made = 0;      ///< in every cycle, not only in sampled ones
  std::uint64_t evaluations = 0;           ///< of routers

  /// A packet is consumed in cycle t, or a message at its last destination; `delivery()` says so, if it is
  /// asked.
  template <class Make>
  void record_latency(Cycle birth, Cycle injected, Cycle t, Make&& delivery) {
    if (total_latency.record(t - birth)) slowest_total.look_at(delivery());
    if (network_latency.record(t - injected)) slowest_network.look_at(delivery());
  }
  /// In the network: injected, not yet delivered. Meaningful in snapshots, not in windows.
  [[nodiscard]] std::uint64_t packets_in_flight() const noexcept {
    return packets_injected - packets_delivered - packets_dropped;
  }
  [[nodiscard]] std::uint64_t flits_in_flight() const noexcept {
    return flits_injected + flits_copied - flits_delivered - flits_dropped;
  }
  /// Generated, neither discarded nor injected: in source queues. Meaningful in snapshots.
  [[nodiscard]] std::uint64_t packets_queued() const noexcept {
    return packets_generated - packets_discarded - packets_injected;
  }

  FabricCounters& operator+=(const FabricCounters& other) {
    for (const auto member : kSums) this->*member += other.*member;
    total_latency += other.total_latency;
    network_latency += other.network_latency;
    if (other.slowest_total.packet()) slowest_total.look_at(*other.slowest_total.packet());
    if (other.slowest_network.packet()) slowest_network.look_at(*other.slowest_network.packet());
    add(terminal_flits, other.terminal_flits);
    add(link_flits, other.link_flits);
    if (classes.size() < other.classes.size()) classes.resize(other.classes.size());
    for (std::size_t c = 0; c < other.classes.size(); ++c) classes[c] += other.classes[c];
    return *this;
  }
  /// The window from the earlier snapshot `before` to this one. Empty vectors of `before` count as zeros.
  FabricCounters& operator-=(const FabricCounters& before) {
    for (const auto member : kSums) subtract(this->*member, before.*member);
    total_latency -= before.total_latency;
    network_latency -= before.network_latency;
    subtract(terminal_flits, before.terminal_flits);
    subtract(link_flits, before.link_flits);
    if (before.classes.size() > classes.size())
      throw InternalError("counters: the snapshots are of different fabrics");
    for (std::size_t c = 0; c < before.classes.size(); ++c) classes[c] -= before.classes[c];
    return *this;
  }
  friend FabricCounters operator-(FabricCounters after, const FabricCounters& before) {
    return after -= before;
  }

 private:
  using Sum = std::uint64_t FabricCounters::*;
  static const Sum kSums[32];

  static void add(std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    if (a.size() < b.size()) a.resize(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
  }
  static void subtract(std::uint64_t& after, std::uint64_t before) {
    if (before > after) throw InternalError("counters: the snapshot to subtract is not an earlier one");
    after -= before;
  }
  static void subtract(std::vector<std::uint64_t>& after, const std::vector<std::uint64_t>& before) {
    if (before.size() > after.size()) throw InternalError("counters: the snapshots are of different fabrics");
    for (std::size_t i = 0; i < before.size(); ++i) subtract(after[i], before[i]);
  }
};

inline constexpr FabricCounters::Sum FabricCounters::kSums[] = {&FabricCounters::packets_generated,
                                                                &FabricCounters::packets_discarded,
                                                                &FabricCounters::packets_injected,
                                                                &FabricCounters::packets_delivered,
                                                                &FabricCounters::flits_injected,
                                                                &FabricCounters::flits_delivered,
                                                                &FabricCounters::packets_dropped,
                                                                &FabricCounters::flits_dropped,
                                                                &FabricCounters::flit_hops,
                                                                &FabricCounters::hops,
                                                                &FabricCounters::occupancy_samples,
                                                                &FabricCounters::occupied_input_vcs,
                                                                &FabricCounters::connections_held,
                                                                &FabricCounters::allocated_output_vcs,
                                                                &FabricCounters::connections_made,
                                                                &FabricCounters::evaluations,
                                                                &FabricCounters::header_wait,
                                                                &FabricCounters::zero_load,
                                                                &FabricCounters::flits_copied,
                                                                &FabricCounters::copies,
                                                                &FabricCounters::destinations,
                                                                &FabricCounters::message_flits,
                                                                &FabricCounters::multicasts_delivered,
                                                                &FabricCounters::multicast_total_latency,
                                                                &FabricCounters::multicast_network_latency,
                                                                &FabricCounters::multicast_reached_latency,
                                                                &FabricCounters::multicast_hops,
                                                                &FabricCounters::multicast_destinations,
                                                                &FabricCounters::queued_packet_cycles,
                                                                &FabricCounters::under_way_packet_cycles,
                                                                &FabricCounters::transactions,
                                                                &FabricCounters::transaction_cycles};

}  // namespace noctule
