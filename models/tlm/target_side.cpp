// What happens at the initiator sockets of a network: requests go out, responses come in.

#include <fmt/format.h>

#include <algorithm>

#include "tlm/core.h"

namespace noctule::tlm {
namespace {

/// How bad: the worst of the parts is that of the whole.
int badness(::tlm::tlm_response_status status) {
  if (status == ::tlm::TLM_OK_RESPONSE) return 0;
  return status == ::tlm::TLM_INCOMPLETE_RESPONSE ? 1 : 1 - static_cast<int>(status);
}

}  // namespace

/// One piece, as its target has it.
Burst TlmNetwork::Core::piece_of(const Transaction& t, const Piece& piece) {
  Burst burst = t.burst;
  burst.address = piece.address;
  burst.length = piece.length;
  burst.streaming_width = piece.streaming_width;
  return burst;
}

Payload& TlmNetwork::Core::payload_of(Part& part) {
  return part.sub != nullptr ? *part.sub : *transaction_of(part).payload;
}

/// As the target sees it. A part of a whole that was cut is so from the beginning.
void TlmNetwork::Core::localise(Part& part) {
  if (part.sub != nullptr) return;
  Payload& payload = *transaction_of(part).payload;
  payload.set_address(part.piece.address);
  if (payload.get_streaming_width() == 0) payload.set_streaming_width(payload.get_data_length());
  payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
}

/// As the initiator wrote it, with what the target answered.
void TlmNetwork::Core::restore(Part& part) {
  Transaction& t = transaction_of(part);
  const auto status = payload_of(part).get_response_status();
  if (badness(status) > badness(t.status)) t.status = status;
  if (part.sub != nullptr) return;
  t.payload->set_address(t.burst.address);
  t.payload->set_streaming_width(t.burst.streaming_width);
  if (!settings.grants_dmi) t.payload->set_dmi_allowed(false);
}

void TlmNetwork::Core::at_target(std::uint32_t n) {
  Part& part = parts_[n];
  if (part.state != PartState::kRequesting) return;
  part.state = PartState::kArrived;
  Transaction& t = transaction_of(part);
  if (t.abandoned()) return answer_abandoned(n);
  if (t.blocking) {
    t.arrived.push_back(parts_.token(n));
    t.wake->notify(sc_core::SC_ZERO_TIME);
    return;
  }
  TargetSide& side = side_of(part);
  side.arrived.push_back(parts_.token(n));
  feed(side);
}

/// One request at a time between BEGIN_REQ and END_REQ.
void TlmNetwork::Core::feed(TargetSide& side) {
  while (side.requesting == 0 && !side.arrived.empty()) {
    const std::uint64_t token = side.arrived.front();
    side.arrived.pop_front();
    if (parts_.alive(token)) begin_request_at(side, Slots<Part>::number_of(token));
  }
}

void TlmNetwork::Core::begin_request_at(TargetSide& side, std::uint32_t n) {
  Part& part = parts_[n];
  const std::uint64_t token = parts_.token(n);
  localise(part);
  Payload& payload = payload_of(part);
  part.state = PartState::kBegun;
  side.requesting = token;
  side.known[&payload] = token;
  Phase phase = ::tlm::BEGIN_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  const Sync sync = side.forward->nb_transport_fw(payload, phase, delay);
  if (sync == ::tlm::TLM_ACCEPTED) return;
  if (sync == ::tlm::TLM_COMPLETED) {
    part.early = true;
    agenda_.add({What::kAnswer, token}, delay);
  } else if (phase == ::tlm::END_REQ) {
    agenda_.add({What::kEndRequest, token}, delay);
  } else if (phase == ::tlm::BEGIN_RESP) {
    agenda_.add({What::kAnswer, token}, delay);
  } else if (phase < 5) {
    complain(side.socket->object(), "15.2.3 c", fmt::format("the target returns phase {}", phase.get_name()));
  }
}

Sync TlmNetwork::Core::nb_transport_bw(TargetSide& side, Payload& payload, const Phase& phase,
                                       const sc_time& delay) {
  auto& socket = side.socket->object();
  const auto found = side.known.find(&payload);
  if (found == side.known.end()) {
    complain(socket, "15.2.4",
             fmt::format("the target sends {} for a transaction that it does not have", phase.get_name()));
    return ::tlm::TLM_ACCEPTED;
  }
  if (phase == ::tlm::END_REQ) {
    agenda_.add({What::kEndRequest, found->second}, delay);
  } else if (phase == ::tlm::BEGIN_RESP) {
    agenda_.add({What::kAnswer, found->second}, delay);
  } else if (phase < 5) {
    complain(socket, "15.2.3 c", fmt::format("the target sends phase {}", phase.get_name()));
  }
  return ::tlm::TLM_ACCEPTED;
}

void TlmNetwork::Core::request_ended(std::uint32_t n) {
  Part& part = parts_[n];
  TargetSide& side = side_of(part);
  if (part.state != PartState::kBegun || side.requesting != parts_.token(n)) {
    complain(side.socket->object(), "15.2.4", "the target sends END_REQ for a request that has ended");
    return;
  }
  part.state = PartState::kAccepted;
  side.requesting = 0;
  feed(side);
}

void TlmNetwork::Core::answer(std::uint32_t n) {
  Part& part = parts_[n];
  TargetSide& side = side_of(part);
  if (part.state != PartState::kBegun && part.state != PartState::kAccepted) {
    complain(side.socket->object(), "15.2.4",
             "the target sends BEGIN_RESP for a transaction that has its response");
    return;
  }
  const bool freed = side.requesting == parts_.token(n);  // BEGIN_RESP implies END_REQ
  if (freed) side.requesting = 0;
  part.state = PartState::kAnswered;
  if (recorder) recorder->answered(part.transaction, part.number, birth(sc_core::sc_time_stamp()));
  Transaction& t = transaction_of(part);
  if (t.failed) {  // by a reset: nothing travels
    if (side.held > 0) --side.held;
    leave_target(side, n);
    part.state = PartState::kReturned;
    t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (--t.left == 0) make_ready(side_of(t), part.transaction);
  } else {
    side.answered.push_back(parts_.token(n));
    send_answers(side);
  }
  if (freed) feed(side);
}

/// Responses into the source queue, as far as there is room; a target has END_RESP when its response is in.
void TlmNetwork::Core::send_answers(TargetSide& side) {
  while (!side.answered.empty() && side.queued < settings.response_queue) {
    const std::uint64_t token = side.answered.front();
    side.answered.pop_front();
    if (!parts_.alive(token)) continue;
    const std::uint32_t n = Slots<Part>::number_of(token);
    Part& part = parts_[n];
    const Transaction& t = transaction_of(part);
    part.state = PartState::kResponding;
    ++side.queued;
    send(settings.targets[index(side.id)].terminal, settings.initiators[index(t.initiator)].terminal,
         packetizer.response_flits(piece_of(t, part.piece)), false, n);
    leave_target(side, n);
  }
}

/// The target is done with it.
void TlmNetwork::Core::leave_target(TargetSide& side, std::uint32_t n) {
  Part& part = parts_[n];
  if (transaction_of(part).abandoned()) return;  // it has no payload, and the target knows of no response
  Payload& payload = payload_of(part);
  side.known.erase(&payload);
  if (!part.early) {
    Phase phase = ::tlm::END_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    (void)side.forward->nb_transport_fw(payload, phase, delay);
  }
  restore(part);
}

}  // namespace noctule::tlm
