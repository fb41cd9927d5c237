#pragma once
// What each flow sends and gets: packets, flits and latencies by source, destination and message class. For
// those who ask which pair is slow, or starves (`measurement.flows`); a fabric without it counts none of
// this.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/flit.h"
#include "core/ids.h"

namespace noctule {

/// Of one flow, since FlowTable::begin_window. Latencies in cycles, summed over the packets delivered. Of a
/// message with several destinations each counts as a packet of its own.
struct FlowCounters {
  TerminalId source{};
  TerminalId destination{};
  std::uint8_t message_class = 0;
  std::uint64_t packets_generated = 0;  ///< discarded ones included
  std::uint64_t packets_delivered = 0;
  std::uint64_t flits_delivered = 0;
  std::uint64_t total_latency = 0;    ///< generation to tail consumed
  std::uint64_t network_latency = 0;  ///< header in the injection channel to tail consumed
  std::uint64_t longest_total = 0;    ///< of one packet, as total_latency

  friend bool operator==(const FlowCounters&, const FlowCounters&) = default;
};

/// Takes about 90 bytes for each flow that has sent.
class FlowTable {
 public:
  void generated(TerminalId source, TerminalId destination, std::uint8_t message_class) {
    ++of(source, destination, message_class).packets_generated;
  }
  /// The tail of a packet, or of its copy for this destination, is consumed in cycle t.
  void delivered(const Packet& packet, TerminalId destination, Cycle t);
  void begin_window() { flows_.clear(); }
  /// By source, then destination, then class.
  [[nodiscard]] std::vector<FlowCounters> flows() const;

 private:
  struct Key {
    std::uint64_t ends;
    std::uint8_t message_class;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  FlowCounters& of(TerminalId source, TerminalId destination, std::uint8_t message_class);

  std::unordered_map<Key, FlowCounters, Hash> flows_;
};

}  // namespace noctule
