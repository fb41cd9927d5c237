// What happens at the target sockets of a network: requests come in, responses go out.

#include <fmt/format.h>

#include <algorithm>

#include "tlm/core.h"

namespace noctule::tlm {
namespace {

Access access_of(const Payload& payload) {
  if (payload.is_read()) return Access::kRead;
  return payload.is_write() ? Access::kWrite : Access::kNothing;
}

Burst burst_of(const Payload& payload) {
  return {access_of(payload), payload.get_address(), payload.get_data_length(), payload.get_streaming_width(),
          payload.get_byte_enable_ptr() == nullptr ? 0 : payload.get_byte_enable_length()};
}

bool overlap(const Piece& a, const Piece& b) {
  if (a.target != b.target) return false;
  const std::uint64_t first = std::max(a.address, b.address);
  const std::uint64_t last = std::min(a.address + std::max(a.streaming_width, 1U) - 1,
                                      b.address + std::max(b.streaming_width, 1U) - 1);
  return first <= last;
}

}  // namespace

/// `delay`: annotated, and still to come.
std::uint32_t TlmNetwork::Core::open_transaction(InitiatorSide& side, Payload& payload, bool blocking,
                                                 const sc_time& delay) {
  const std::uint32_t number = transactions_.take();
  Transaction& t = transactions_[number];
  t.payload = &payload;
  t.initiator = side.id;
  t.number = begun_++;
  t.id = id_of_ ? id_of_(payload) : 0;
  t.stage = Stage::kComing;
  t.blocking = blocking;
  t.counted = t.failed = t.done = t.outside = false;
  t.next_request = t.last_response = 0;
  t.burst = burst_of(payload);
  t.pieces.clear();
  t.parts.clear();
  t.arrived.clear();
  t.left = 0;
  t.status = ::tlm::TLM_OK_RESPONSE;
  if (blocking && !t.wake) t.wake = std::make_unique<sc_core::sc_event>();
  ++counters.begun;
  if (recorder) recorder->begun(number, t.number, t.initiator, t.burst, sc_core::sc_time_stamp() + delay);
  return number;
}

void TlmNetwork::Core::close_transaction(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  if (t.counted) {
    if (side.open.back() == number)
      side.open.pop_back();
    else
      std::erase(side.open, number);
    if (settings.initiators[index(side.id)].max_per_id != TlmSettings::kAny && --side.of_id[t.id] == 0)
      side.of_id.erase(t.id);
    if (side.held > 0) --side.held;
  }
  for (const std::uint32_t part : t.parts) {
    if (parts_[part].sub != nullptr) subs_.give_back(*parts_[part].sub);
    parts_[part].sub = nullptr;
    parts_.give_back(part);
  }
  transactions_.give_back(number);
  ++counters.ended;
  if (!side.waiting.empty()) agenda_.add({What::kAdvance, index(side.id)});
  if (!side.ready.empty()) agenda_.add({What::kRespond, index(side.id)});
  if (recorder) recorder->ended(number, t.status);  // at last: who observes may throw
}

/// TLM_OK_RESPONSE: it can go on. Complains of what known clients do wrong, and of what cannot be carried.
::tlm::tlm_response_status TlmNetwork::Core::check_payload(InitiatorSide& side, const Payload& payload) {
  auto& socket = side.socket->object();
  const bool data = payload.is_read() || payload.is_write();
  if (payload.get_response_status() != ::tlm::TLM_INCOMPLETE_RESPONSE)
    complain(socket, "14.17 e",
             "a transaction begins with a response status; set TLM_INCOMPLETE_RESPONSE first");
  if (data && payload.get_streaming_width() == 0)
    complain(socket, "14.15 f", "the streaming width is 0; without streaming set it to the data length");
  if (data && (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0)) {
    complain(socket, payload.get_data_ptr() == nullptr ? "14.11 e" : "14.12 d", "a transaction has no data");
    return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0) {
    complain(socket, "14.14 f", "there are byte enables, and their length is 0");
    return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  return ::tlm::TLM_OK_RESPONSE;
}

Sync TlmNetwork::Core::nb_transport_fw(InitiatorSide& side, Payload& payload, Phase& phase, sc_time& delay) {
  if (phase == ::tlm::BEGIN_REQ) return begin_request(side, payload, phase, delay);
  if (phase == ::tlm::END_RESP) return end_response(side, payload, delay);
  if (phase == ::tlm::END_REQ || phase == ::tlm::BEGIN_RESP || phase == ::tlm::UNINITIALIZED_PHASE)
    complain(side.socket->object(), "15.2.3 c",
             fmt::format("the initiator sends phase {}", phase.get_name()));
  return ::tlm::TLM_ACCEPTED;  // other phases may be ignored
}

Sync TlmNetwork::Core::begin_request(InitiatorSide& side, Payload& payload, Phase& phase,
                                     const sc_time& delay) {
  auto& socket = side.socket->object();
  if (!payload.has_mm() || payload.get_ref_count() == 0) {
    complain(socket, payload.has_mm() ? "14.5 t" : "14.5 i",
             "nb_transport_fw gets a transaction without memory manager, or one that nobody holds");
    payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    return ::tlm::TLM_COMPLETED;
  }
  if (side.known.contains(&payload)) {
    complain(socket, "15.2.4", "BEGIN_REQ comes for a transaction that has not ended");
    return ::tlm::TLM_ACCEPTED;
  }
  if (side.requesting != 0)
    complain(socket, "15.2.6 e", "BEGIN_REQ comes before END_REQ of the transaction before");
  payload.acquire();
  const std::uint32_t number = open_transaction(side, payload, false, delay);
  side.known.emplace(&payload, number);
  side.requesting = transactions_.token(number);
  const bool at_once = settings.end_req_by_return && delay == sc_core::SC_ZERO_TIME && side.waiting.empty();
  if (!at_once) {
    agenda_.add({What::kArrive, transactions_.token(number)}, delay);
    return ::tlm::TLM_ACCEPTED;
  }
  // end_request sends nothing while this call is going on.
  side.requesting = 0;
  arrive(number);
  if (transactions_[number].stage == Stage::kWaiting) {
    side.requesting = transactions_.token(number);
    return ::tlm::TLM_ACCEPTED;
  }
  phase = ::tlm::END_REQ;
  return ::tlm::TLM_UPDATED;
}

Sync TlmNetwork::Core::end_response(InitiatorSide& side, Payload& payload, const sc_time& delay) {
  const auto found = side.known.find(&payload);
  if (found == side.known.end() || transactions_[found->second].stage != Stage::kResponding) {
    complain(side.socket->object(), "15.2.4", "END_RESP comes for a transaction without BEGIN_RESP");
    return ::tlm::TLM_ACCEPTED;
  }
  const std::uint32_t number = found->second;
  side.known.erase(found);
  close_transaction(side, number);
  payload.release();
  agenda_.add({What::kFreeResponse, index(side.id)}, delay);
  return ::tlm::TLM_COMPLETED;
}

/// TLM_OK_RESPONSE: it has its pieces, and can go on.
::tlm::tlm_response_status TlmNetwork::Core::obstacle_of(InitiatorSide& side, Transaction& t) {
  if (in_reset()) {
    t.failed = true;
    ++counters.failed;
    return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (const auto status = check_payload(side, *t.payload); status != ::tlm::TLM_OK_RESPONSE) return status;
  if (const auto fault = cut(t.burst, map, packetizer.most_bytes(), settings.split, t.pieces))
    return *fault == CutFault::kUnmapped ? ::tlm::TLM_ADDRESS_ERROR_RESPONSE
                                         : ::tlm::TLM_BURST_ERROR_RESPONSE;
  return ::tlm::TLM_OK_RESPONSE;
}

/// The transaction has reached the network.
void TlmNetwork::Core::arrive(std::uint32_t number) {
  Transaction& t = transactions_[number];
  InitiatorSide& side = side_of(t);
  if (const auto status = obstacle_of(side, t); status != ::tlm::TLM_OK_RESPONSE)
    return refuse(side, number, status);
  t.stage = Stage::kWaiting;
  side.waiting.push_back(number);
  if (side.waiting.size() == 1) advance(side);
}

/// It ends without a flit.
void TlmNetwork::Core::refuse(InitiatorSide& side, std::uint32_t number, ::tlm::tlm_response_status status) {
  if (!transactions_[number].failed) ++counters.refused;
  transactions_[number].status = status;
  transactions_[number].failed = true;
  if (recorder) recorder->accepted(number, sc_core::sc_time_stamp());
  end_request(side, number);
  make_ready(side, number);
}

/// Sends what waits, as far as limits and the source queue let it.
void TlmNetwork::Core::advance(InitiatorSide& side) {
  while (!side.waiting.empty()) {
    const std::uint32_t number = side.waiting.front();
    if (!transactions_[number].counted && !admit(side, number)) return;
    send_parts(side, number);
    if (transactions_[number].parts.size() < transactions_[number].pieces.size()) return;
    side.waiting.pop_front();
    transactions_[number].stage = Stage::kMoving;
    if (recorder) recorder->accepted(number, sc_core::sc_time_stamp());
    end_request(side, number);
  }
}

/// Do the limits let it begin?
bool TlmNetwork::Core::admit(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  const auto& limits = settings.initiators[index(side.id)];
  if (side.open.size() >= limits.max_outstanding) return false;
  if (limits.max_per_id != TlmSettings::kAny) {
    const auto of_id = side.of_id.find(t.id);
    if (of_id != side.of_id.end() && of_id->second >= limits.max_per_id) return false;
  }
  for (const std::uint32_t other : side.open)
    if (conflicts(t, transactions_[other])) return false;
  count_open(side, number);
  return true;
}

void TlmNetwork::Core::count_open(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  if (settings.initiators[index(side.id)].max_per_id != TlmSettings::kAny) ++side.of_id[t.id];
  side.open.push_back(number);
  t.counted = true;
  t.left = static_cast<std::uint32_t>(t.pieces.size());
}

/// Would it change data if `a` overtook `b`?
bool TlmNetwork::Core::touch(const Transaction& a, const Transaction& b) {
  if (a.burst.access == Access::kRead && b.burst.access == Access::kRead) return false;
  if (b.stage == Stage::kReady || b.stage == Stage::kResponding) return false;
  return std::ranges::any_of(a.pieces, [&](const Piece& mine) {
    return std::ranges::any_of(b.pieces, [&](const Piece& theirs) { return overlap(mine, theirs); });
  });
}

/// Could the later one `a` overtake `b`, and would that change data? Accesses by b_transport and by
/// nb_transport wait at different places of a target's terminal; where no flits move, b_transport keeps no
/// order of arrival.
bool TlmNetwork::Core::conflicts(const Transaction& a, const Transaction& b) const {
  const bool in_order = order_kept_ && a.blocking == b.blocking && (moves_flits() || !a.blocking);
  return !in_order && touch(a, b);
}

void TlmNetwork::Core::send_parts(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  const auto& from = settings.initiators[index(side.id)];
  while (t.parts.size() < t.pieces.size() && side.queued < settings.request_queue) {
    const Piece& piece = t.pieces[t.parts.size()];
    const std::uint32_t n = parts_.take();
    Part& part = parts_[n];
    part = {
        number, piece, nullptr, PartState::kRequesting, false, static_cast<std::uint32_t>(t.parts.size())};
    if (t.pieces.size() > 1) part.sub = &subs_.take(*t.payload, piece);
    t.parts.push_back(n);
    ++side.queued;
    send(from.terminal, settings.targets[index(piece.target)].terminal,
         packetizer.request_flits(piece_of(t, piece)), true, n);
  }
}

void TlmNetwork::Core::end_request(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  if (t.blocking || side.requesting != transactions_.token(number)) return;
  side.requesting = 0;
  Phase phase = ::tlm::END_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  if (side.backward->nb_transport_bw(*t.payload, phase, delay) == ::tlm::TLM_COMPLETED)
    complain(side.socket->object(), "15.2.4",
             "the initiator completes a transaction that has no response yet");
}

// --- responses ---

void TlmNetwork::Core::part_returned(std::uint32_t n) {
  Part& part = parts_[n];
  if (part.state != PartState::kResponding) return;
  Transaction& t = transaction_of(part);
  InitiatorSide& side = side_of(t);
  part.state = PartState::kReturned;
  if (--t.left == 0) return make_ready(side, part.transaction);
  --side.held;  // its place is free; the last part's is kept until the end
}

/// All its responses are there, or there is nothing to wait for.
void TlmNetwork::Core::make_ready(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  t.stage = Stage::kReady;
  if (t.counted) side.held += t.failed ? 1 : 0;
  const auto later = std::ranges::find_if(
      side.ready, [&](std::uint32_t other) { return transactions_[other].number > t.number; });
  side.ready.insert(settings.reorder == Reorder::kNone ? side.ready.end() : later, number);
  agenda_.add({What::kRespond, index(side.id)});
}

/// Are all earlier transactions over whose responses come first?
bool TlmNetwork::Core::may_respond(const InitiatorSide& side, std::uint32_t number) {
  const Transaction& t = transactions_[number];
  if (settings.reorder == Reorder::kNone || !t.counted) return true;
  const auto same_target = [&](const Transaction& other) {
    return std::ranges::any_of(t.pieces, [&](const Piece& mine) {
      return std::ranges::any_of(other.pieces,
                                 [&](const Piece& theirs) { return mine.target == theirs.target; });
    });
  };
  for (const std::uint32_t o : side.open) {
    const Transaction& other = transactions_[o];
    if (other.number >= t.number || other.stage == Stage::kResponding || other.done) continue;
    if (settings.reorder == Reorder::kBuffer || (settings.reorder == Reorder::kPerId && other.id == t.id) ||
        (settings.reorder == Reorder::kPerTarget && same_target(other)))
      return false;
  }
  return true;
}

void TlmNetwork::Core::respond(InitiatorSide& side) {
  for (std::size_t n = 0; n < side.ready.size();) {
    const std::uint32_t number = side.ready[n];
    Transaction& t = transactions_[number];
    if ((side.responding && !t.blocking) || side.requesting == transactions_.token(number) ||
        !may_respond(side, number)) {
      ++n;
      continue;
    }
    side.ready.erase(side.ready.begin() + static_cast<std::ptrdiff_t>(n));
    if (recorder) recorder->responded(number, sc_core::sc_time_stamp());
    if (t.abandoned()) {
      close_transaction(side, number);
    } else if (t.blocking) {
      t.done = true;
      t.wake->notify(sc_core::SC_ZERO_TIME);
    } else {
      begin_response(side, number);
    }
    n = 0;
  }
}

void TlmNetwork::Core::begin_response(InitiatorSide& side, std::uint32_t number) {
  Transaction& t = transactions_[number];
  Payload& payload = *t.payload;
  payload.set_response_status(t.status);
  side.responding = true;
  t.stage = Stage::kResponding;
  const std::uint64_t token = transactions_.token(number);
  Phase phase = ::tlm::BEGIN_RESP;
  sc_time delay = sc_core::SC_ZERO_TIME;
  const Sync sync = side.backward->nb_transport_bw(payload, phase, delay);
  if (!transactions_.alive(token)) return;  // END_RESP came within the call
  if (sync == ::tlm::TLM_ACCEPTED || (sync == ::tlm::TLM_UPDATED && phase != ::tlm::END_RESP)) {
    if (sync == ::tlm::TLM_UPDATED && phase < 5)
      complain(side.socket->object(), "15.2.3 c",
               fmt::format("the initiator returns phase {}", phase.get_name()));
    return;
  }
  (void)end_response(side, payload, delay);
}

}  // namespace noctule::tlm
