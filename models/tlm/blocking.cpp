// b_transport, and what becomes of a transaction whose thread leaves it by an exception.

#include <algorithm>
#include <utility>

#include "tlm/core.h"

namespace noctule::tlm {

/// False: it is refused, and nothing has begun.
bool TlmNetwork::Core::may_block(InitiatorSide& side, Payload& payload) {
  auto& socket = side.socket->object();
  const auto kind = sc_core::sc_get_current_process_handle().proc_kind();
  const auto refuse_call = [&](const char* clause, const char* text) {
    payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    complain(socket, clause, text);
    return false;
  };
  if (kind != sc_core::SC_THREAD_PROC_ && kind != sc_core::SC_CTHREAD_PROC_)
    return refuse_call("11.1.1.4 b", "b_transport was called from no thread; it has to wait");
  if (!side.known.empty() && side.known.contains(&payload))
    return refuse_call("15.2.10 c",
                       "b_transport gets a transaction that has begun by nb_transport and has not ended");
  return true;
}

void TlmNetwork::Core::b_transport(InitiatorSide& side, Payload& payload, sc_time& delay) {
  if (!may_block(side, payload)) return;
  std::uint64_t token = 0;  // none is open
  try {
    block(side, payload, delay, token);
  } catch (...) {  // the thread is reset or killed, or a target or a report throws
    payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    abandon(token);
    throw;
  }
}

/// `token`: becomes that of the transaction, as soon as it is open.
void TlmNetwork::Core::block(InitiatorSide& side, Payload& payload, sc_time& delay, std::uint64_t& token) {
  const auto open_now = [&] {
    const std::uint32_t opened =
        open_transaction(side, payload, true, settings.keep_delay ? sc_core::SC_ZERO_TIME : delay);
    token = transactions_.token(opened);
    return opened;
  };
  const std::uint32_t early = moves_flits() ? 0 : open_now();
  if (!moves_flits() && at_once(side, early, delay)) return;
  if (!settings.keep_delay && delay != sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  const std::uint32_t number = moves_flits() ? open_now() : early;
  Transaction& t = transactions_[number];
  arrive(number);
  while (!t.done) {
    while (!t.arrived.empty()) {
      const std::uint64_t part = t.arrived.front();
      if (parts_.alive(part)) serve_blocking(Slots<Part>::number_of(part));
      t.arrived.pop_front();  // not before: `end_abandoned` answers what is here
    }
    if (!t.done) sc_core::wait(*t.wake);
  }
  payload.set_response_status(t.status);
  close_transaction(side, number);
}

void TlmNetwork::Core::serve_blocking(std::uint32_t n) {
  Part& part = parts_[n];
  if (part.state != PartState::kArrived) return;
  const std::uint64_t token = parts_.token(n);
  localise(part);
  part.state = PartState::kBegun;
  part.early = true;
  sc_time delay = sc_core::SC_ZERO_TIME;
  side_of(part).forward->b_transport(payload_of(part), delay);
  agenda_.add({What::kAnswer, token}, delay);
}

// --- without its thread ---

/// The thread is about to leave the transaction, which ends as an error. Its payload is let go of now: it may
/// be on the stack of the thread. All else comes later, as `serve` may be at work on the same lists.
void TlmNetwork::Core::abandon(std::uint64_t token) {
  if (!transactions_.alive(token)) return;
  Transaction& t = transactions_[Slots<Transaction>::number_of(token)];
  Payload& payload = *std::exchange(t.payload, nullptr);
  payload.set_address(t.burst.address);
  payload.set_streaming_width(t.burst.streaming_width);
  if (!settings.grants_dmi) payload.set_dmi_allowed(false);
  t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (!t.failed) ++counters.failed;
  // What has not been sent never will be.
  if (t.counted && !t.failed) t.left -= static_cast<std::uint32_t>(t.pieces.size() - t.parts.size());
  t.pieces.resize(t.parts.size());
  t.wake->cancel();
  agenda_.add({What::kAbandoned, token});
}

/// Its pieces that are under way go on to their targets and back, so that the places which they hold come
/// free as always. No target is called any more.
void TlmNetwork::Core::end_abandoned(std::uint32_t number) {
  Transaction& t = transactions_[number];
  InitiatorSide& side = side_of(t);
  if (t.done) return close_transaction(side, number);
  if (std::erase(side.waiting, number) > 0) {
    if (recorder) recorder->accepted(number, sc_core::sc_time_stamp());
    if (t.stage == Stage::kWaiting) t.stage = Stage::kMoving;
  }
  for (; !t.arrived.empty(); t.arrived.pop_front())
    if (parts_.alive(t.arrived.front())) answer_abandoned(Slots<Part>::number_of(t.arrived.front()));
  if (t.stage == Stage::kReady || t.left > 0) return;
  if (t.counted) ++side.held;  // as the last part would have left it: close_transaction counts one less
  make_ready(side, number);
}

/// A part at its target: not called, or left by an exception.
void TlmNetwork::Core::answer_abandoned(std::uint32_t n) {
  Part& part = parts_[n];
  if (part.state != PartState::kArrived && part.state != PartState::kBegun) return;  // a reset came first
  part.state = PartState::kBegun;
  part.early = true;
  answer(n);
}

}  // namespace noctule::tlm
