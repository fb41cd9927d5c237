#pragma once
// Traffic sources: when a terminal generates which packet.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/registry.h"
#include "patterns/pattern.h"

namespace noctule {

/// A packet as its source describes it.
struct GeneratedPacket {
  Cycle birth = 0;  ///< cycle of generation
  TerminalId destination{};
  std::uint32_t length = 1;  ///< flits, header and tail included
  std::uint8_t message_class = 0;
  void* user = nullptr;  ///< carried along, given back at delivery
  /// More than one: a multicast; `destination` is then one of them. Each is served once.
  std::vector<TerminalId> destinations{};
  /// Cycles from generation until the first copy may be injected: preparation by the sender (Boppana et al.
  /// 1998, 4). Needs a multicast planner, as several destinations do.
  std::uint32_t preparation = 0;
  /// 0: free; r: the first hops are those of route r-1 of the source (TrafficSource::routes).
  std::uint32_t route = 0;
};

/// First hops that a source prescribes to packets, as text: traffic knows nothing of routing.
struct PrescribedRoute {
  TerminalId source{};
  TerminalId destination{};
  std::vector<std::string> hops;  ///< output VCs by name: "x_plus.class0", with its lane "x_plus.class0.1"
  std::string place;              ///< where it is written ("file:line"), for messages
};

/// A packet whose tail has been consumed.
struct Delivery {
  TerminalId source{};
  TerminalId destination{};
  std::uint64_t number = 0;  ///< of the packet at its source, from 0
  std::uint32_t length = 1;
  std::uint32_t hops = 0;
  Cycle birth = 0;     ///< generated
  Cycle injected = 0;  ///< header entered the injection channel
  Cycle consumed = 0;  ///< tail left the consumption channel
  /// Destinations of the message that do not have all of it yet: of a multicast, each is told of.
  std::uint32_t remaining = 0;
  std::uint8_t message_class = 0;
  void* user = nullptr;
};

/// Generates packets. `next` must depend on (seed, source, number) and on what `delivered` told, never on
/// the order in which different terminals are asked, so that node models see common random numbers.
class TrafficSource {
 public:
  virtual ~TrafficSource() = default;
  /// Packet `number` (0, 1, ...) of the terminal: birth is at least that of its predecessor; nothing: the
  /// terminal generates no more, until `delivered` says otherwise.
  virtual std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) = 0;
  /// Told of every delivery, at the end of its cycle, by destination terminal. Terminals whose `next` should
  /// be asked again are added to `wake` (closed loop); what they then generate is born after
  /// `delivery.consumed`.
  virtual void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) {
    (void)delivery;
    (void)wake;
  }
  /// False: `delivered` does nothing, and is not called.
  [[nodiscard]] virtual bool listens() const { return true; }
  /// Routes that packets of this source name; the fabric's relation must be told of them (PrescribedRoutes).
  /// Constant over the life of the source.
  [[nodiscard]] virtual std::span<const PrescribedRoute> routes() const { return {}; }
  /// Terminals that generate packets, and those that are somebody's destination, by TerminalId.
  struct Ends {
    std::vector<bool> injecting;
    std::vector<bool> addressed;
  };
  /// Where the source knows its ends of itself, as a trace does; nothing: they are those of the pattern.
  [[nodiscard]] virtual std::optional<Ends> ends() const { return std::nullopt; }
  /// A finite workload is over when everything generated has been delivered.
  [[nodiscard]] virtual bool finite() const { return false; }
};

/// What a source is built from, apart from its own keys.
struct SourceContext {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const TrafficPattern> pattern;
  /// Packets per terminal and cycle, in units of 2^-64 (integer, so that no machine differs).
  std::uint64_t packet_rate = 0;
  /// (length in flits, cumulative probability in units of 2^-32), last one 2^32.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> lengths;
  std::uint64_t seed = 1;
  /// Messages with several destinations: a share of all, in units of 2^-32; how many, uniformly from `least`
  /// to `most`, drawn without repetition from all terminals of other routers.
  struct Multicasts {
    std::uint64_t share = 0;
    std::uint32_t least = 1;
    std::uint32_t most = 1;
    std::uint32_t preparation = 0;          ///< cycles (GeneratedPacket::preparation)
    std::uint32_t unicast_preparation = 0;  ///< of all other messages
  };
  Multicasts multicasts;
};

struct SourceTraits {
  static constexpr const char* kind = "source";
  using Factory = std::function<std::unique_ptr<TrafficSource>(const SourceContext&, const Parameters&)>;
};
using SourceRegistry = Registry<SourceTraits>;
template <>
SourceRegistry& SourceRegistry::instance();

}  // namespace noctule
