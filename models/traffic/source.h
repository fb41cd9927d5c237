#pragma once
// Traffic sources: when a terminal generates which packet.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/closed_loop.h"
#include "core/ids.h"
#include "core/packet.h"
#include "core/registry.h"
#include "core/regulated_flow.h"
#include "core/terminal_sink.h"
#include "patterns/demand.h"
#include "patterns/pattern.h"
#include "traffic/carried.h"

namespace noctule {

/// First hops that a source prescribes to packets, as text: traffic knows nothing of routing.
struct PrescribedRoute {
  TerminalId source{};
  TerminalId destination{};
  std::vector<std::string> hops;  ///< output VCs by name: "x_plus.class0", with its lane "x_plus.class0.1"
  std::string place;              ///< where it is written ("file:line"), for messages
};

/// Packets that a terminal generates in one cycle at most: a source that gave ever more would fill the
/// memory.
inline constexpr std::uint64_t kMostPacketsAtOnce = 4'194'304;

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
  /// `delivery.consumed`. A packet that they have given, and that is not born yet, is withdrawn: `next` is
  /// asked for its number again, and may give another one, earlier or later, or nothing.
  virtual void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) {
    (void)delivery;
    (void)wake;
  }
  /// False: `delivered` does nothing, and is not called.
  [[nodiscard]] virtual bool listens() const { return true; }
  /// Told at the end of cycle t, by terminal, of every packet whose header has left the source queue in it.
  /// `user` is that of GeneratedPacket. Terminals to be asked again are added to `wake`; what they then
  /// generate is born after t.
  virtual void injected(TerminalId source, void* user, Cycle t, std::vector<TerminalId>& wake) {
    (void)source;
    (void)user;
    (void)t;
    (void)wake;
  }
  /// False: `injected` does nothing, and is not called.
  [[nodiscard]] virtual bool follows_injection() const { return false; }
  /// What the terminals of this source take, where that belongs to what they send: a server that has no room
  /// for requests. Null: all that comes.
  [[nodiscard]] virtual TerminalSink* sink() { return nullptr; }
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
  /// Where the source knows the load of itself, as a matrix of rates does: means over the terminals that
  /// inject; nothing: it is the one that is offered.
  struct Offered {
    double packets_per_node_cycle = 0;
    double mean_length_flits = 1;
  };
  [[nodiscard]] virtual std::optional<Offered> offered() const { return std::nullopt; }
  /// Lengths of packets in flits, and the share of all packets that has each, where the source knows that of
  /// itself; empty: they are those of the traffic (SourceContext::lengths).
  using LengthShares = std::vector<std::pair<std::uint32_t, double>>;
  [[nodiscard]] virtual LengthShares lengths() const { return {}; }
  /// What the terminals generate at most, all of it, where the source keeps to that; empty: nothing is
  /// stated.
  [[nodiscard]] virtual std::vector<RegulatedFlow> regulated() const { return {}; }
  /// Transactions that have ended so far, for sources whose packets cause each other: from the birth of the
  /// first packet to the consumption of the last one.
  struct Transactions {
    std::uint64_t count = 0;
    std::uint64_t cycles = 0;  ///< summed
  };
  [[nodiscard]] virtual std::optional<Transactions> transactions() const { return std::nullopt; }
  /// No load is offered: what is sent follows what was delivered.
  [[nodiscard]] virtual bool closed_loop() const { return false; }
  /// A reset, which has dropped everything in the fabric, is over; cycle t is due. True: the source starts
  /// anew, every terminal is asked again.
  virtual bool restart(Cycle t) {
    (void)t;
    return false;
  }
  /// A finite workload is over when everything generated has been delivered.
  [[nodiscard]] virtual bool finite() const { return false; }
  /// What is sent in the mean, by message class, where the source knows that of itself; empty: it is what the
  /// pattern says, or not known.
  [[nodiscard]] virtual std::vector<ClassDemand> demand() const { return {}; }
  /// What is known of the transactions of a closed loop; nothing: it is none, or nothing is known.
  [[nodiscard]] virtual std::optional<ClosedLoop> loop() const { return std::nullopt; }
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
  /// Message classes, by number; one at least.
  struct MessageEnd {
    std::string name;
    /// Packets of it that a terminal holds while it cannot inject what they cause; absent: any number.
    std::optional<std::uint32_t> buffer;
    std::vector<std::uint8_t> causes;  ///< classes that a terminal sends after one of these
  };
  std::vector<MessageEnd> classes = std::vector<MessageEnd>(1);
  Carried carried;
};

/// How a kind of source is registered: what makes one, and what is known of all of them before one is made.
struct SourceKind {
  using Make = std::function<std::unique_ptr<TrafficSource>(const SourceContext&, const Parameters&)>;

  enum class Traffic {
    kDrawn,     ///< from pattern, load and lengths of the configuration
    kWorkload,  ///< as kDrawn, without a load: it ends by itself (TrafficSource::finite)
    kRates,     ///< at rates that a file gives, which says who sends to whom; it does not end
    kGiven      ///< from a file, which says who sends what to whom (TrafficSource::ends); it ends by itself
  };

  enum class Sends {
    kAny,            ///< messages to one terminal or several, prepared before where the configuration says so
    kUnicastsAtOnce  ///< to one terminal each, and not prepared
  };

  template <class F>
  requires std::is_constructible_v<Make, F> SourceKind(
      F f, Traffic t = Traffic::kDrawn,
      Sends s = Sends::kAny)  // NOLINT(google-explicit-constructor): as Make
      : make(std::move(f)), traffic(t), sends(s) {}

  std::unique_ptr<TrafficSource> operator()(const SourceContext& context, const Parameters& keys) const {
    return make(context, keys);
  }

  Make make;
  Traffic traffic;
  Sends sends;
};

struct SourceTraits {
  static constexpr const char* kind = "source";
  using Factory = SourceKind;
};
using SourceRegistry = Registry<SourceTraits>;
template <>
SourceRegistry& SourceRegistry::instance();

/// Is such traffic over once all of it has been delivered?
[[nodiscard]] constexpr bool ends_by_itself(SourceKind::Traffic traffic) {
  return traffic == SourceKind::Traffic::kWorkload || traffic == SourceKind::Traffic::kGiven;
}
/// Of the source that a complete configuration names; kDrawn where there is none of this name.
[[nodiscard]] SourceKind::Traffic traffic_of(const Json& resolved);

}  // namespace noctule
