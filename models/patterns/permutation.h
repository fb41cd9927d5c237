#pragma once
// What all permutations share: a table, and terminals that do not send because they are their own partner.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "patterns/pattern.h"
#include "topology/cube_geometry.h"

namespace noctule {

/// Key under which patterns report what is wrong with them.
inline constexpr const char* kPatternKey = "traffic.pattern";

/// Every terminal sends to one fixed partner. Terminals that do not inject have an empty distribution.
class Permutation final : public TrafficPattern {
 public:
  static constexpr std::uint32_t kSilent = std::numeric_limits<std::uint32_t>::max();

  /// `partner[source]` is the destination or kSilent; no destination occurs twice.
  /// `fixed_points_inject`: terminals that are their own partner send to themselves; else they are silent.
  Permutation(std::vector<std::uint32_t> partner, bool fixed_points_inject);

  [[nodiscard]] bool injects(TerminalId source) const override { return partner_[index(source)] != kSilent; }
  [[nodiscard]] TerminalId destination(TerminalId source, Rng&) const override {
    return TerminalId(partner_[index(source)]);
  }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override;

 private:
  std::vector<std::uint32_t> partner_;
};

/// The key `fixed_points` of every permutation, after the keys of its own.
std::vector<Parameter> permutation_parameters(std::vector<Parameter> own = {});

/// The permutation of this table under the resolved key `fixed_points`; a ConfigError if it leaves every
/// terminal silent.
std::unique_ptr<TrafficPattern> make_permutation(const std::string& name, std::vector<std::uint32_t> partner,
                                                 const Parameters& keys);

/// The table of a function on terminal numbers 0 .. terminals-1.
std::vector<std::uint32_t> permutation_table(std::size_t terminals,
                                             const std::function<std::uint32_t(std::uint32_t)>& partner);

/// Bits b of a terminal number where there are 2^b terminals; a ConfigError that says why the pattern needs
/// that where there are not.
unsigned address_bits(const Topology& topology, const std::string& name);

/// The coordinates of a 2-dimensional cube of equal radices; of other networks null.
const CubeGeometry* square_cube(const Topology& topology);

/// The table of a function on routers: a terminal sends to the one of the router that it is mapped to which
/// has the same place there. A ConfigError where there is none.
std::vector<std::uint32_t> router_table(const Topology& topology, const std::string& name,
                                        const std::function<RouterId(RouterId)>& partner);

/// The table of a permutation that maps every coordinate by itself: partner(coordinate, radix). A ConfigError
/// if the topology has no coordinates.
std::vector<std::uint32_t> coordinate_table(const Topology& topology, const std::string& name,
                                            const std::function<unsigned(unsigned, unsigned)>& partner);

}  // namespace noctule
