#pragma once
// What packets wait at level loose with contention: utilisation, found by comparison with level cycle.

#include <string>
#include <vector>

#include "analytic/link_utilisation.h"
#include "core/parameters.h"
#include "tlm/network.h"

namespace noctule::tlm {

/// Digest of what weights depend on: the fabric, and where its sockets are; not the traffic, nor the level.
[[nodiscard]] std::string calibrated_digest(const Json& resolved);

/// The file of `tlm.calibration`.
[[nodiscard]] Json calibration_json(const WaitWeights& weights, const std::string& digest);
/// Throws ConfigError "tlm.calibration" where it is none, or that of another digest.
[[nodiscard]] WaitWeights read_calibration(const std::string& file, const std::string& digest);

/// Packets of a network at level cycle.
class ObservedWaits final : public TransactionObserver {
 public:
  void ended(const TransactionRecord& record) override;
  /// The mean for each pair of sockets, direction and length. `plan`: of the network.
  [[nodiscard]] std::vector<WaitSample> samples(const FabricPlan& plan, const TlmSettings& settings) const;

 private:
  struct Packet {
    std::uint32_t initiator, target;
    std::uint32_t flits;
    bool request;
    Cycle born, consumed;
  };
  std::vector<Packet> packets_;
};

}  // namespace noctule::tlm
