#pragma once
// How long transactions take, by who asks and who serves.

#include <map>
#include <string>
#include <utility>

#include "core/parameters.h"
#include "stats/histogram.h"
#include "tlm/recording.h"
#include "transactions/settings.h"

namespace noctule::tlm {

/// Latency is from `begin` to `response`, in whole cycles of the fabric (of a part of a cycle the whole).
struct FlowLatency {
  std::uint64_t transactions = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sum_ps = 0;  ///< of latencies
  LatencyHistogram cycles;
  void add(std::uint64_t of_bytes, std::uint64_t ps, std::uint64_t in_cycles);
  [[nodiscard]] double mean_ps() const {
    return static_cast<double>(sum_ps) / static_cast<double>(transactions);
  }
};

/// Picoseconds, rounded.
[[nodiscard]] std::uint64_t picoseconds(const sc_time& time);

class FlowLatencies final : public TransactionObserver {
 public:
  /// By initiator and target. What several targets serve counts to the first one.
  using Flows = std::map<std::pair<std::size_t, std::size_t>, FlowLatency>;

  explicit FlowLatencies(const TlmSettings& settings) : settings_(settings) {}
  void ended(const TransactionRecord& record) override;
  [[nodiscard]] const Flows& flows() const { return flows_; }
  /// Of the last response.
  [[nodiscard]] double end_ns() const { return static_cast<double>(last_ps_) / 1000; }
  /// With sums for each socket. Bandwidth is bytes per ns between the first begin and the last response.
  [[nodiscard]] Json json() const;

 private:
  [[nodiscard]] Json json_of(const FlowLatency& one) const;

  TlmSettings settings_;
  Flows flows_;
  std::map<std::size_t, FlowLatency> initiators_;
  std::map<std::size_t, FlowLatency> targets_;
  std::uint64_t without_packets_ = 0;
  std::uint64_t not_ok_ = 0;
  std::uint64_t first_ps_ = ~std::uint64_t{0};
  std::uint64_t last_ps_ = 0;
};

}  // namespace noctule::tlm
