#pragma once
// What routers take in area and time: the table that scripts/synthesize writes.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// A figure over the ways in which a netlist was mapped to cells.
struct CostRange {
  double low = 0;
  double high = 0;
  [[nodiscard]] double middle() const { return (low + high) / 2; }
};

/// One way in which a netlist was mapped to cells. Delays are absent without a timing analyzer.
struct Mapping {
  std::string recipe;
  double area_um2 = 0;               ///< cells; no wires
  std::optional<double> cycle_ns;    ///< shortest clock of routers and links
  std::optional<double> reg_reg_ns;  ///< longest path within a router
  std::optional<double> link_ns;     ///< longest path over a link, from register to register
};

/// A router, mapped to one library in several ways.
struct NodeCost {
  std::string name;                        ///< module
  std::string parameters;                  ///< of the module: "CoordW=5 DataW=16"
  std::string tied;                        ///< input pins that are constants: "last_x_i=30 last_y_i=30"
  std::string model;                       ///< node model that it is, with
  std::map<std::string, std::string> set;  ///< dotted keys in which it differs from that model's defaults
  std::string tuning;
  std::string library;
  std::string corner;  ///< "0.18 um, typical, 1.8 V, 25 C"
  std::string tools;
  std::string source;  ///< digest of the code
  std::vector<Mapping> mappings;
  std::uint64_t flops = 0;
  std::uint64_t gates = 0;  ///< two-input gates and multiplexers before mapping
  unsigned depth = 0;       ///< the most of them in a row

  [[nodiscard]] CostRange area_um2() const;
  /// Of a delay, over the mappings that have it; absent if none has.
  [[nodiscard]] std::optional<CostRange> range(std::optional<double> Mapping::*delay) const;
  /// Has every mapping a clock?
  [[nodiscard]] bool timed() const;
};

/// So many routers of one kind.
struct CountedCost {
  const NodeCost* cost = nullptr;
  std::size_t routers = 0;
};

/// All routers of a fabric together: areas, flip-flops and gates are sums, delays and depth those of the
/// slowest kind. Of the mappings that all kinds have; nothing where there is none.
[[nodiscard]] std::optional<NodeCost> sum_of(const std::vector<CountedCost>& kinds);
/// What a router of them takes, on the average.
[[nodiscard]] NodeCost mean_of(NodeCost sum, std::size_t routers);

/// Routers of the table in a file, in its order. Throws ConfigError (key "cost.table") where it cannot be
/// read or is no such table.
[[nodiscard]] std::vector<NodeCost> read_cost_table(const std::string& file);

}  // namespace noctule
