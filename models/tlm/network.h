#pragma once
// A fabric between TLM-2.0 sockets: initiators bind to its target sockets, targets to its initiator sockets.
//
//   noctule::tlm::TlmNetwork network("network", noctule::tlm::configured_network("platform.yaml"));
//   cpu.socket.bind(network.target_socket<32>(0));
//   network.initiator_socket<64>(0).bind(memory.socket);
//
// The request of a transaction is a packet of class `request_class` from the terminal of its
// initiator to that of its target, the response one of class `response_class` back. What is said of clauses
// is of IEEE 1666-2011.
//
// A transaction by nb_transport_fw, BEGIN_REQ at time T with delay D: at T + D it enters the source queue of
// its terminal, if that has room; else it waits. END_REQ is sent when the queue has taken it, on the
// backward path. When its tail is consumed at the target's terminal, BEGIN_REQ is sent to the target, one at
// a time until that ends (15.2.6 e). A response enters the source queue there; END_RESP is sent to the target
// when that has taken it. When its tail is consumed at the initiator's terminal, BEGIN_RESP is sent to the
// initiator, one at a time until END_RESP (15.2.6 f). Terminals refuse what they have no room for: a target's
// while it holds `buffer` requests (message_classes) whose responses are not under way, an initiator's while
// it holds `response_buffer` responses without END_RESP.
//
// By b_transport: the same, with the target's b_transport, called by the thread of the initiator. Where the
// thread is reset or killed meanwhile, or the target throws, the transaction ends as
// TLM_GENERIC_ERROR_RESPONSE and the exception goes on. Pieces that are under way come back as errors, and no
// target is called with them.
//
// So at level cycle. At the others the same happens, but packets have times of arrival in place of flits, and
// terminals refuse nothing. There b_transport calls the target at once and waits for the end (approximate),
// or adds all time to the delay and never waits (loose), unless an open access of the initiator overlaps.
//
// Isolated: a request of F flits over h links takes 1 cycle until it is born, and ZeroLoad::latency(h, F).
// Likewise the response. Time that a target annotates is spent in between.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analytic/link_utilisation.h"
#include "core/error.h"
#include "fabric/fabric.h"
#include "tlm/recording.h"
#include "tlm/sockets.h"
#include "tlm/systemc_tlm.h"
#include "transactions/settings.h"

namespace noctule {
struct PointConfig;
}

namespace noctule::tlm {

/// What a network is made of.
struct NetworkParts {
  FabricPlan plan;
  FabricOptions fabric;  ///< `period`, `sink` and source queues are the network's own
  TlmSettings settings;
  std::optional<WaitWeights> calibration = {};  ///< of contention utilisation
  bool allow_deadlock = false;                  ///< build it although nothing proves that it cannot deadlock
  /// The id of a transaction, for limits and order; none: every transaction has id 0.
  std::function<std::uint32_t(const Payload&)> id_of = {};
  std::vector<BusWidth> widths = {};  ///< besides 8, 16, 32, ... 1024 bits
  std::function<ConfigError(const ConfigError&)> annotate =
      {};  ///< adds places to findings; none: as they are
};

/// From a file with a section `tlm`. `set`: as given to --set. Throws ConfigErrors that name places. Refuses
/// keys that count for nothing in this network, as `noctule check` does: those of `set`, and those that the
/// file has in vain by itself.
[[nodiscard]] NetworkParts configured_network(const std::string& file,
                                              const std::vector<std::string>& set = {});
/// The same for a program that changes level or contention of the settings: keys that count at others only
/// are taken. `calibrated`: reads what `tlm.calibration` names.
[[nodiscard]] NetworkParts configured_network(const std::string& file, const std::vector<std::string>& set,
                                              bool calibrated);
/// From the text of such a file, as the first; `name` stands for the file in messages.
[[nodiscard]] NetworkParts configured_network_text(const std::string& text, const std::string& name,
                                                   const std::vector<std::string>& set = {});

/// Throws the ConfigErrors with which `configured_network`, or TlmNetwork, would refuse this point of a file:
/// of its sockets, addresses, message classes, order and calibration. Not of the widths of sockets, to which
/// a program may add, nor of deadlocks. Does nothing where the point has no sockets.
void check_configured(const PointConfig& point);

/// What happened so far.
struct NetworkCounters {
  std::uint64_t begun = 0;  ///< transactions
  std::uint64_t ended = 0;
  std::uint64_t refused = 0;     ///< of these, without a flit: no such address, not to be cut, malformed
  std::uint64_t failed = 0;      ///< by a reset, or left by an exception
  std::uint64_t packets = 0;     ///< requests and responses handed to the fabric
  std::uint64_t outside = 0;     ///< transactions that met links busier than those of the calibration
  std::uint64_t complaints = 0;  ///< about what the sockets' partners do
};

class TlmNetwork final : public sc_core::sc_module {
 public:
  /// Optional clock and reset of the fabric (Fabric::clk_i, rst_ni). In reset every transaction ends with
  /// TLM_GENERIC_ERROR_RESPONSE; one that a target is at work on, when that has answered.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk_i{"clk_i"};
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst_ni{"rst_ni"};

  SC_HAS_PROCESS(TlmNetwork);
  /// Throws ConfigError where the parts do not fit, or the fabric is not proved to be free of deadlock; that
  /// names the sockets at the terminals of the cycle.
  TlmNetwork(sc_core::sc_module_name name, NetworkParts parts);
  ~TlmNetwork() override;

  /// For initiator `number`, of the bus width that the settings say; ConfigError for another one.
  template <unsigned kBusWidth = 32>
  [[nodiscard]] TargetSocket<kBusWidth>& target_socket(std::size_t number) {
    auto* const found = dynamic_cast<TargetSocketOf<kBusWidth>*>(&any_target_socket(number));
    if (found == nullptr) refuse_width(true, number, kBusWidth);
    return found->socket;
  }
  /// For target `number`.
  template <unsigned kBusWidth = 32>
  [[nodiscard]] InitiatorSocket<kBusWidth>& initiator_socket(std::size_t number) {
    auto* const found = dynamic_cast<InitiatorSocketOf<kBusWidth>*>(&any_initiator_socket(number));
    if (found == nullptr) refuse_width(false, number, kBusWidth);
    return found->socket;
  }

  /// Tells `observer` of every transaction that begins from now on, as it ends; of several all, in their
  /// order. Without observers nothing is noted. Throws ConfigError "record" where it is null, or transactions
  /// are open.
  void observe(std::shared_ptr<TransactionObserver> observer);

  [[nodiscard]] const TlmSettings& settings() const;
  [[nodiscard]] const AddressMap& map() const;
  [[nodiscard]] const Packetizer& packetizer() const;
  [[nodiscard]] const Fabric& fabric() const;
  [[nodiscard]] NetworkCounters counters() const;
  /// Transactions that have begun and not ended.
  [[nodiscard]] std::size_t open() const;

 private:
  class Core;
  void serve();
  void watch_reset();
  void end_of_elaboration() override;
  [[nodiscard]] AnyTargetSocket& any_target_socket(std::size_t number);
  [[nodiscard]] AnyInitiatorSocket& any_initiator_socket(std::size_t number);
  [[noreturn]] void refuse_width(bool target, std::size_t number, unsigned width) const;

  std::unique_ptr<Core> core_;
};

}  // namespace noctule::tlm
