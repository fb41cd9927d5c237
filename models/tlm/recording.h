#pragma once
// What happened to each transaction of a network, for those who want to know (TlmNetwork::observe).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "tlm/systemc_tlm.h"
#include "transactions/ids.h"
#include "transactions/packetizer.h"

namespace noctule::tlm {

class TlmNetwork;

/// Cycles of the fabric. Where no flits move, those that the level says.
struct PacketRecord {
  std::uint32_t flits = 0;  ///< 0: there was none
  Cycle born = 0;           ///< in the source queue
  Cycle injected = 0;       ///< the header enters the injection channel
  Cycle consumed = 0;       ///< the tail has reached its terminal
};

/// A part of a transaction that has one target and one packet each way.
struct PieceRecord {
  TargetId target{};
  PacketRecord request;
  PacketRecord response;
  Cycle answered = 0;  ///< the target has answered; the response may wait for room in the source queue
  [[nodiscard]] bool complete() const { return request.flits > 0 && response.flits > 0; }
  /// Cycles that the target had it: from the first in which it could, to its answer. complete()
  [[nodiscard]] Cycle service() const {
    return answered > request.consumed ? answered - request.consumed - 1 : 0;
  }
};

/// A transaction that has ended.
struct TransactionRecord {
  std::uint64_t number = 0;  ///< in the order of beginning, over all initiators
  InitiatorId initiator{};
  Burst burst;  ///< as the initiator wrote it
  ::tlm::tlm_response_status status{};
  sc_time begin;                    ///< BEGIN_REQ or the call of b_transport, with what is annotated
  sc_time accepted;                 ///< the source queue has taken all requests (END_REQ), or it was refused
  sc_time response;                 ///< BEGIN_RESP or the return of b_transport, with what is annotated
  std::vector<PieceRecord> pieces;  ///< in the order of addresses; none: no packet was sent

  /// A transaction whose response its initiator had when it began this one: the last one.
  struct Before {
    std::uint64_t number = 0;
    sc_time response;
    Cycle consumed = 0;  ///< the tail of its last response
    std::size_t pieces = 0;
  };
  std::optional<Before> before;

  /// A packet reached its terminal for every piece, both ways.
  [[nodiscard]] bool complete() const;
  [[nodiscard]] Cycle reached() const;   ///< tail of the last request at its target; complete()
  [[nodiscard]] Cycle answered() const;  ///< the last response is in the source queue; complete()
  [[nodiscard]] Cycle returned() const;  ///< tail of the last response at the initiator; complete()
  [[nodiscard]] Cycle service() const;   ///< the longest of a piece; complete()
};

/// Told of every transaction of a network as it ends.
class TransactionObserver {
 public:
  virtual ~TransactionObserver() = default;
  virtual void ended(const TransactionRecord& record) = 0;
};

/// transactions.csv, tasks.txt, transactions.json and transactions.vcd in a folder, of all transactions of a
/// network from now on.
///
///   transactions.csv   one line each, in the order of ending; times in ps, flits in cycles of the fabric
///   tasks.txt          their packets, for `traffic.source: {kind: workload, file: tasks.txt}`: a request
///                      waits for the response that its initiator had when it began
///   transactions.json  latency of each flow and socket and its bandwidth, written by `close`
///   transactions.vcd   what each initiator has open (TransactionWaveform), written by `close`; held until
///   then
class Recording {
 public:
  /// Makes the folder. `network` outlives it. Throws ConfigError "record" where that is impossible.
  Recording(TlmNetwork& network, const std::string& folder);
  ~Recording();  ///< closes; what goes wrong is told by `close` alone
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  /// Throws ConfigError where something could not be written. Nothing is recorded afterwards.
  void close();

 private:
  class Files;
  std::shared_ptr<Files> files_;
};

}  // namespace noctule::tlm
