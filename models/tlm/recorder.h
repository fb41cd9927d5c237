#pragma once
// Inside a TlmNetwork: puts together what observers are told. Not for users.

#include <memory>
#include <vector>

#include "tlm/recording.h"

namespace noctule::tlm {

/// `slot`: of a transaction that is open, used again after `ended`.
class Recorder {
 public:
  explicit Recorder(std::size_t initiators) : last_(initiators) {}
  void add(std::shared_ptr<TransactionObserver> observer) { observers_.push_back(std::move(observer)); }

  void begun(std::uint32_t slot, std::uint64_t number, InitiatorId initiator, const Burst& burst,
             const sc_time& begin);
  void accepted(std::uint32_t slot, const sc_time& at) { records_[slot].accepted = at; }
  void moved(std::uint32_t slot, std::uint32_t piece, TargetId target, bool request,
             const PacketRecord& packet);
  /// The target of a piece answers, before its response has moved.
  void answered(std::uint32_t slot, std::uint32_t piece, Cycle at) {
    if (auto& pieces = records_[slot].pieces; piece < pieces.size()) pieces[piece].answered = at;
  }
  /// The packet arrives later than it was told.
  void put_off(std::uint32_t slot, std::uint32_t piece, bool request, Cycle consumed) {
    PieceRecord& one = records_[slot].pieces[piece];
    (request ? one.request : one.response).consumed = consumed;
  }
  void responded(std::uint32_t slot, const sc_time& at);
  void ended(std::uint32_t slot, ::tlm::tlm_response_status status);

 private:
  std::vector<TransactionRecord> records_;                      ///< by slot
  std::vector<std::optional<TransactionRecord::Before>> last_;  ///< by initiator
  std::vector<std::shared_ptr<TransactionObserver>> observers_;
};

}  // namespace noctule::tlm
