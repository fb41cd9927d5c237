#pragma once
// What can be said of a fabric before it is simulated: for people and for programs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analytic/cost_table.h"
#include "analytic/zero_load.h"
#include "config/decode.h"
#include "core/json.h"
#include "run/point.h"
#include "verify/throughput_limits.h"

namespace noctule {

/// A fabric of a file with its traffic, whatever load is offered.
struct ExplainedFabric {
  ExplainedFabric(const PointConfig& its_point, std::optional<CostRange> its_clock);
  ExplainedFabric(const ExplainedFabric&) = delete;
  ExplainedFabric& operator=(const ExplainedFabric&) = delete;

  /// Unicasts follow the relation of the fabric, and no planner.
  [[nodiscard]] bool follows_relation() const { return !plan.multicast || !plan.multicast->plans_unicasts; }
  /// Does some router speculate? Then a way says by how much its worm may be late (LonePath::late).
  [[nodiscard]] bool speculates() const {
    return plan.nodes.any([](const NodeDescription& node) { return node.pipeline.speculative; });
  }
  /// The first message class of each network that terminals are attached to: its packets are told of.
  [[nodiscard]] std::vector<std::uint8_t> told_classes() const;
  /// The load offered at this point, in flits per injecting terminal and cycle; absent where the source has
  /// no rate.
  [[nodiscard]] std::optional<double> offered() const;

  PointConfig point;
  PointSpec spec;
  FabricPlan plan;
  ZeroLoad zero_load;
  std::size_t lengths_left_out = 0;                       ///< of `lengths`: rarer ones than these
  std::vector<std::pair<std::uint32_t, double>> lengths;  ///< flits, and share of the packets
  std::optional<CostRange> clock_ns;                      ///< of the routers in hardware
  ThroughputLimits limits;
};

/// What the command line asks of the advice on packets.
struct PacketQuestion {
  std::optional<std::uint64_t> message;  ///< flits of payload, >= 1; absent: that of the mean packet
  std::uint64_t overhead = 1;            ///< flits of each packet that are no payload
};

/// One line of an explanation.
struct ExplainedLine {
  std::string key;    ///< in JSON
  std::string title;  ///< for people
  std::string kind;   ///< "exact", "bound", "estimate", "model", "advice" or "refused"
  std::string formula;
  std::string holds;              ///< where
  std::string proof;              ///< how a run shows it
  std::vector<std::string> text;  ///< numbers, for people
  Json values = Json::object();   ///< numbers, for programs
};

/// In the order in which they are shown. Throws ConfigError where the relation breaks its contract.
[[nodiscard]] std::vector<ExplainedLine> explain_fabric(const ExplainedFabric& fabric,
                                                        const PacketQuestion& question);
/// Those of them on latency, on loads, and on packets and queues (each in a file of its own).
[[nodiscard]] std::vector<ExplainedLine> explain_latency(const ExplainedFabric& fabric);
[[nodiscard]] std::vector<ExplainedLine> explain_load(const ExplainedFabric& fabric);
[[nodiscard]] std::vector<ExplainedLine> explain_packets(const ExplainedFabric& fabric,
                                                         const PacketQuestion& question);

/// "31 cycles", with a clock "31 cycles, 120.3-140.1 ns".
[[nodiscard]] std::string cycles_text(const ExplainedFabric& fabric, double cycles);
/// Adds NAME_cycles and, with a clock, NAME_ns.
void put_cycles(Json& json, const std::string& name, double cycles, const ExplainedFabric& fabric);

[[nodiscard]] std::string to_text(const std::vector<ExplainedLine>& lines);
[[nodiscard]] Json to_json(const std::vector<ExplainedLine>& lines);

}  // namespace noctule
