#pragma once
// What a network between TLM-2.0 sockets is like, besides its fabric: the section `tlm` of a configuration.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/ids.h"
#include "transactions/address_map.h"
#include "transactions/packetizer.h"

namespace noctule {

/// Which responses of one initiator come in the order of their requests.
enum class Reorder : std::uint8_t {
  kNone,       ///< none is held back; needs a fabric that keeps the order of every pair of terminals
  kPerTarget,  ///< those of one target
  kPerId,      ///< those of one id
  kBuffer      ///< all
};
inline constexpr std::array<const char*, 4> kReorders{"none", "per_target", "per_id", "buffer"};

/// What moves.
enum class Level : std::uint8_t {
  kCycle,        ///< flits in the fabric
  kApproximate,  ///< packets, which book an interval of each link of their way
  kLoose         ///< nothing: delays are annotated
};
inline constexpr std::array<const char*, 3> kLevels{"cycle", "approximate", "loose"};

/// What a packet waits for others at level loose.
enum class Contention : std::uint8_t {
  kNone,        ///< nothing
  kUtilisation  ///< the mean, at links that are as busy as these have been
};
inline constexpr std::array<const char*, 2> kContentions{"none", "utilisation"};

struct TlmSettings {
  static constexpr std::uint32_t kAny = ~0U;

  struct Initiator {
    std::string name;
    TerminalId terminal{};
    unsigned bus_width = 32;            ///< bits, of its socket
    std::uint32_t max_outstanding = 8;  ///< transactions that have begun and not ended, >= 1
    std::uint32_t max_per_id = kAny;    ///< of those, with one id, >= 1
  };
  struct Target {
    std::string name;
    TerminalId terminal{};
    unsigned bus_width = 32;
  };

  Level level = Level::kCycle;
  Contention contention = Contention::kNone;
  Cycle utilisation_window = 4096;    ///< cycles over which the share of busy ones is taken
  double period_ns = 1;               ///< of a cycle of the fabric
  std::vector<Initiator> initiators;  ///< by InitiatorId
  std::vector<Target> targets;        ///< by TargetId
  std::vector<Region> regions;
  std::optional<TargetId> otherwise;  ///< serves addresses that are in no region
  PacketFormat packet;
  bool split = true;  ///< cut transactions that need several packets or targets; else BURST_ERROR
  Reorder reorder = Reorder::kNone;
  bool end_req_by_return =
      false;                ///< END_REQ as the return of the call with BEGIN_REQ, where that is taken at once
  bool grants_dmi = false;  ///< direct memory access past the fabric
  bool keep_delay = false;  ///< b_transport gives the annotated delay back as it came
  bool strict = false;      ///< what breaks the base protocol is an error, not a warning
  std::uint32_t request_queue = 1;    ///< packets of an initiator that wait for its injection channel
  std::uint32_t response_queue = 1;   ///< the same of a target
  std::uint32_t response_buffer = 2;  ///< responses that an initiator's terminal holds until END_RESP
  std::string request_class = "request";
  std::string response_class = "response";
};

/// What does not go with the level; none: all fits.
[[nodiscard]] std::vector<Diagnostic> level_faults(const TlmSettings& settings);

}  // namespace noctule
