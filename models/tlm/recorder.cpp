#include "tlm/recorder.h"

#include <algorithm>

namespace noctule::tlm {

bool TransactionRecord::complete() const {
  return !pieces.empty() && std::ranges::all_of(pieces, &PieceRecord::complete);
}
Cycle TransactionRecord::reached() const {
  Cycle last = 0;
  for (const PieceRecord& piece : pieces) last = std::max(last, piece.request.consumed);
  return last;
}
Cycle TransactionRecord::answered() const {
  Cycle last = 0;
  for (const PieceRecord& piece : pieces) last = std::max(last, piece.response.born);
  return last;
}
Cycle TransactionRecord::returned() const {
  Cycle last = 0;
  for (const PieceRecord& piece : pieces) last = std::max(last, piece.response.consumed);
  return last;
}

Cycle TransactionRecord::service() const {
  Cycle longest = 0;
  for (const PieceRecord& piece : pieces) longest = std::max(longest, piece.service());
  return longest;
}

void Recorder::begun(std::uint32_t slot, std::uint64_t number, InitiatorId initiator, const Burst& burst,
                     const sc_time& begin) {
  if (slot >= records_.size()) records_.resize(slot + 1);
  TransactionRecord& record = records_[slot];
  record.number = number;
  record.initiator = initiator;
  record.burst = burst;
  record.begin = record.accepted = record.response = begin;
  record.pieces.clear();
  record.before = last_[index(initiator)];
}

void Recorder::moved(std::uint32_t slot, std::uint32_t piece, TargetId target, bool request,
                     const PacketRecord& packet) {
  auto& pieces = records_[slot].pieces;
  if (piece >= pieces.size()) pieces.resize(piece + 1);
  pieces[piece].target = target;
  PieceRecord& one = pieces[piece];
  (request ? one.request : one.response) = packet;
  if (request)
    one.answered = 0;
  else if (one.answered == 0)
    one.answered = packet.born;
}

void Recorder::responded(std::uint32_t slot, const sc_time& at) {
  TransactionRecord& record = records_[slot];
  record.response = std::max(at, record.begin);  // an error comes before what was annotated
  if (record.complete())
    last_[index(record.initiator)] = {record.number, record.response, record.returned(),
                                      record.pieces.size()};
}

void Recorder::ended(std::uint32_t slot, ::tlm::tlm_response_status status) {
  TransactionRecord& record = records_[slot];
  record.status = status;
  for (const auto& observer : observers_) observer->ended(record);
}

}  // namespace noctule::tlm
