// What happens where no flits move: packets have times of arrival, and b_transport is done in one go.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tlm/core.h"

namespace noctule::tlm {
namespace {

/// The payload of a part that a target is called with; given back also where the call ends by an exception.
class LentPayload {
 public:
  LentPayload(SubPayloads& payloads, SubPayload& payload) : payloads_(payloads), payload_(payload) {}
  ~LentPayload() { payloads_.give_back(payload_); }
  LentPayload(const LentPayload&) = delete;
  LentPayload& operator=(const LentPayload&) = delete;

 private:
  SubPayloads& payloads_;
  SubPayload& payload_;
};

}  // namespace

Transit::Load TlmNetwork::Core::load_of(const Part& part, bool request, std::uint32_t flits) {
  return {transaction_of(part).initiator, part.piece.target, request, flits};
}

/// A part by nb_transport, or one that waits its turn: told of when its packet arrives.
void TlmNetwork::Core::carry(std::uint32_t n, bool request, std::uint32_t flits) {
  Part& part = parts_[n];
  const sc_time& now = sc_core::sc_time_stamp();
  // Where no link is booked, pieces of a transaction follow each other here: requests into the injection
  // channel, responses out of the consumption channel.
  Transaction& t = transaction_of(part);
  const bool follows = settings.level == Level::kLoose && t.pieces.size() > 1;
  const Cycle born = follows && request ? std::max(birth(now), t.next_request) : birth(now);
  const Cycle earliest = follows && !request && t.last_response > 0 ? t.last_response + flits : 0;
  part.times =
      transit_->carry_until_due(load_of(part, request, flits), order_kept_, born, earliest, birth(now));
  if (follows && request) t.next_request = part.times.injected + flits;
  if (follows && !request) t.last_response = part.times.arrived;
  note_range(part, part.times);
  record(part, request, {flits, birth(now), part.times.injected, part.times.arrived});
  const std::uint64_t token = parts_.token(n);
  agenda_.add({What::kLeftQueue, token}, start_of(part.times.injected) - now);
  agenda_.add({What::kDue, token}, start_of(part.times.arrived) - now);
}

/// Counts a transaction once, and warns once.
void TlmNetwork::Core::note_range(const Part& part, const Transit::Times& times) {
  Transaction& t = transaction_of(part);
  if (!times.outside || t.outside) return;
  t.outside = true;
  if (counters.outside++ == 0)
    SC_REPORT_WARNING("/noctule/tlm/calibration",
                      fmt::format("{}: from {} on transactions meet links that are busier than those of the "
                                  "calibration: their latencies are not to be relied on (counted in "
                                  "NetworkCounters::outside)",
                                  network.name(), sc_core::sc_time_stamp().to_string())
                          .c_str());
}

void TlmNetwork::Core::due(std::uint32_t n) {
  Part& part = parts_[n];
  const bool request = part.state == PartState::kRequesting;
  if (!request && part.state != PartState::kResponding) return;  // a reset came first
  if (const auto later = transit_->put_off(load_of(part, request, 0), order_kept_, part.times)) {
    agenda_.add({What::kDue, parts_.token(n)}, start_of(*later) - sc_core::sc_time_stamp());
    if (recorder) recorder->put_off(part.transaction, part.number, request, *later);
    return;
  }
  if (request)
    at_target(n);
  else
    part_returned(n);
}

/// Does something that is open keep it from being done in one go? At level loose only what it touches.
bool TlmNetwork::Core::has_to_wait(InitiatorSide& side, std::uint32_t number) {
  if (side.open.empty() && side.waiting.empty()) return false;
  Transaction& t = transactions_[number];
  if (cut(t.burst, map, packetizer.most_bytes(), settings.split, t.pieces)) return false;
  const auto touched = [&](std::uint32_t other) { return touch(t, transactions_[other]); };
  if (std::ranges::any_of(side.open, touched) || std::ranges::any_of(side.waiting, touched)) return true;
  if (settings.level == Level::kLoose) return false;
  const auto& limits = settings.initiators[index(side.id)];
  if (!side.waiting.empty() || side.open.size() >= limits.max_outstanding) return true;
  const auto of_id = side.of_id.find(t.id);
  return of_id != side.of_id.end() && of_id->second >= limits.max_per_id;
}

/// By b_transport: the target is called at once, in the initiator's order, with the delay until the request
/// is there. False: it has to wait its turn, and nothing has happened. Level approximate waits for the
/// response, level loose adds to the delay.
bool TlmNetwork::Core::at_once(InitiatorSide& side, std::uint32_t number, sc_time& delay) {
  if (has_to_wait(side, number)) return false;
  Transaction& t = transactions_[number];
  const auto obstacle = obstacle_of(side, t);
  if (obstacle != ::tlm::TLM_OK_RESPONSE) {
    if (!t.failed) ++counters.refused;
    t.status = obstacle;
  } else {
    count_open(side, number);
    t.stage = Stage::kMoving;
    sc_time now = sc_core::sc_time_stamp();
    const sc_time end = std::max(serve_pieces(number, settings.keep_delay ? now : now + delay, now), now);
    if (settings.level == Level::kLoose) {
      delay = end - now;
    } else {
      if (!settings.keep_delay) delay = sc_core::SC_ZERO_TIME;
      if (!t.failed) sc_core::wait(end - now, *t.wake);
    }
    if (t.failed) t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (recorder) recorder->responded(number, t.failed ? sc_core::sc_time_stamp() : end);
  }
  const ::tlm::tlm_response_status status = t.status;
  Payload& payload = *t.payload;
  std::erase(side.ready, number);  // a reset has put it there
  close_transaction(side, number);
  payload.set_response_status(status);
  return true;
}

/// When the last response is there. A piece follows the one before into the injection channel. Responses set
/// out as the targets give them, whatever the order of the pieces; those behind may put them off. `now` goes
/// on where a target waits.
sc_time TlmNetwork::Core::serve_pieces(std::uint32_t number, const sc_time& start, sc_time& now) {
  Transaction& t = transactions_[number];
  Cycle born = birth(start);
  if (t.pieces.size() == 1) {
    Part part{number, t.pieces.front(), nullptr, PartState::kBegun, true, 0};
    const Answer answer = ask_target(part, born, now);
    bring_back(part, answer, now);
    return std::max(start, start_of(part.times.arrived));
  }
  std::vector<std::pair<Answer, Part>> answers;
  for (std::size_t n = 0; n < t.pieces.size() && !t.failed; ++n) {
    Part part{number, t.pieces[n], nullptr, PartState::kBegun, true, static_cast<std::uint32_t>(n)};
    part.sub = &subs_.take(*t.payload, part.piece);
    const LentPayload lent(subs_, *part.sub);
    const Answer answer = ask_target(part, born, now);
    answers.emplace_back(answer, part);
  }
  if (t.failed) return start;  // a reset: nothing is under way
  std::ranges::stable_sort(answers, {}, [](const auto& one) { return one.first.born; });
  for (auto& [answer, part] : answers) bring_back(part, answer, now);
  Cycle last = 0;
  if (settings.level == Level::kLoose) {  // they are consumed one behind the other, as they come
    std::ranges::sort(answers, {},
                      [](const auto& one) { return std::pair(one.second.times.arrived, one.first.flits); });
    for (const auto& [answer, part] : answers) last = std::max(part.times.arrived, last + answer.flits);
  } else {
    for (const auto& one : answers) last = std::max(last, transit_->settle(one.second.times));
  }
  return std::max(start, start_of(last));
}

/// The request goes to the target, which is called. `born`: when it may set out, and then when the next one
/// may.
auto TlmNetwork::Core::ask_target(Part& part, Cycle& born, sc_time& now) -> Answer {
  const Burst burst = piece_of(transaction_of(part), part.piece);
  const std::uint32_t flits = packetizer.request_flits(burst);
  const Cycle cycle = birth(now);
  born = std::max(born, cycle);
  const Transit::Times there = transit_->carry(load_of(part, true, flits), born, cycle);
  note_range(part, there);
  record(part, true, {flits, born, there.injected, there.arrived});
  ++counters.packets;
  born = there.injected + flits;
  sc_time delay = start_of(there.arrived) - now;
  localise(part);
  side_of(part).forward->b_transport(payload_of(part), delay);
  restore(part);
  if (const sc_time& then = sc_core::sc_time_stamp(); then != now) {
    now = then;
  }
  return {birth(now + delay), packetizer.response_flits(burst)};
}

/// The response; `times` of the part become its. A target that waited may have answered before `now`.
void TlmNetwork::Core::bring_back(Part& part, const Answer& answer, const sc_time& now) {
  const Cycle cycle = std::min(answer.born, birth(now));
  const Transit::Load back = load_of(part, false, answer.flits);
  part.times = transaction_of(part).pieces.size() == 1
                   ? transit_->carry(back, answer.born, cycle)
                   : transit_->carry_until_settled(back, answer.born, cycle);
  note_range(part, part.times);
  record(part, false, {answer.flits, answer.born, part.times.injected, part.times.arrived});
  ++counters.packets;
}

}  // namespace noctule::tlm
