#include "tlm/base_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace noctule::tlm {
namespace {

/// On a payload that is under way: tells those who watch it when it goes. Freed with the payload, or when its
/// memory manager resets it.
class Watch final : public ::tlm::tlm_extension<Watch> {
 public:
  [[nodiscard]] ::tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const ::tlm::tlm_extension_base&) override {}
  void free() override {
    for (const auto& [rules, payload] : std::exchange(watchers, {})) rules->freed(payload);
    delete this;
  }
  std::vector<std::pair<BaseProtocol*, const Payload*>> watchers;
};

bool moves_data(const Payload& payload) {
  return payload.is_read() || payload.is_write();
}

}  // namespace

BaseProtocol::~BaseProtocol() {
  for (const auto& [payload, record] : records_)
    if (record.managed) unwatch(*payload);
}

void BaseProtocol::tell(const char* rule, const char* clause, bool by_initiator, const Payload& payload) {
  ++count_;
  if (violations_.size() < kMostKept)
    violations_.push_back({rule, clause, by_initiator, sc_core::sc_time_stamp(), &payload});
  if (reaction_ == Reaction::kCollect) return;
  const std::string text = fmt::format("{}: the {} is against IEEE 1666-2011, {}: {}", owner_.name(),
                                       by_initiator ? "initiator" : "target", clause, rule);
  if (reaction_ == Reaction::kError)
    SC_REPORT_ERROR("/noctule/tlm/checker", text.c_str());
  else
    SC_REPORT_WARNING("/noctule/tlm/checker", text.c_str());
}

// --- payloads ---

void BaseProtocol::watch(Payload& payload) {
  Watch* watch = payload.get_extension<Watch>();
  if (watch == nullptr) {
    watch = new Watch;
    payload.set_auto_extension(watch);
  }
  watch->watchers.emplace_back(this, &payload);
}

void BaseProtocol::unwatch(const Payload& payload) {
  if (Watch* const watch = payload.get_extension<Watch>())
    std::erase(watch->watchers, std::pair<BaseProtocol*, const Payload*>(this, &payload));
}

void BaseProtocol::freed(const Payload* payload) {
  const auto found = records_.find(payload);
  if (found == records_.end()) return;
  tell("the payload is given back while the transaction goes on", "14.5 t", true, *payload);
  records_.erase(found);
  if (requesting_ == payload) requesting_ = nullptr;
  if (responding_ == payload) responding_ = nullptr;
}

std::uint64_t BaseProtocol::digest_of(const Payload& payload) {
  std::uint64_t digest = 0;
  const auto add = [&](const unsigned char* bytes, unsigned length) {
    for (unsigned i = 0; bytes != nullptr && i < length; ++i)
      digest = digest * 0x100000001b3ULL + bytes[i] + 1;
  };
  if (payload.is_write()) add(payload.get_data_ptr(), payload.get_data_length());
  add(payload.get_byte_enable_ptr(), payload.get_byte_enable_length());
  return digest;
}

BaseProtocol::Record BaseProtocol::record_of(const Payload& payload) {
  Record r;
  r.command = payload.get_command();
  r.data = payload.get_data_ptr();
  r.enables = payload.get_byte_enable_ptr();
  r.length = payload.get_data_length();
  r.enable_length = payload.get_byte_enable_length();
  r.streaming = payload.get_streaming_width();
  r.address = payload.get_address();
  r.digest = digest_of(payload);
  r.managed = payload.has_mm();
  return r;
}

/// As an initiator has to leave it before it begins.
void BaseProtocol::check_new(const Payload& payload) {
  const auto unless = [&](bool holds, const char* rule, const char* clause) {
    if (!holds) tell(rule, clause, true, payload);
  };
  unless(!moves_data(payload) || payload.get_data_ptr() != nullptr, "no data pointer", "14.11 e");
  unless(!moves_data(payload) || payload.get_data_length() > 0, "data length 0", "14.12 d");
  unless(payload.get_byte_enable_ptr() == nullptr || payload.get_byte_enable_length() > 0,
         "byte enable length 0", "14.14 f");
  unless(payload.get_streaming_width() > 0, "streaming width 0", "14.15 f");
  unless(!payload.is_dmi_allowed(), "the DMI hint is set at the beginning", "14.16");
  unless(payload.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE,
         "the response status is set at the beginning", "14.17 e");
}

void BaseProtocol::check_held(const Payload& payload, bool by_initiator) {
  if (!payload.has_mm())
    tell("no memory manager", "14.5 i", by_initiator, payload);
  else if (payload.get_ref_count() <= 0)
    tell("nobody holds the payload: its reference count is 0", "14.5 t", by_initiator, payload);
}

void BaseProtocol::check_same(const Payload& payload, const Record& record, bool by_initiator) {
  const auto unless = [&](bool holds, const char* rule) {
    if (!holds) tell(rule, "14.7", by_initiator, payload);
  };
  unless(payload.get_command() == record.command, "the command has changed");
  unless(payload.get_data_ptr() == record.data, "the data pointer has changed");
  unless(payload.get_data_length() == record.length, "the data length has changed");
  unless(payload.get_byte_enable_ptr() == record.enables &&
             payload.get_byte_enable_length() == record.enable_length,
         "the byte enables have changed");
  unless(payload.get_streaming_width() == record.streaming, "the streaming width has changed");
  const bool comparable = payload.get_command() == record.command && payload.get_data_ptr() == record.data &&
                          payload.get_data_length() == record.length &&
                          payload.get_byte_enable_ptr() == record.enables &&
                          payload.get_byte_enable_length() == record.enable_length;
  unless(!comparable || digest_of(payload) == record.digest, "written data or byte enables have changed");
  if (record.managed != payload.has_mm())
    tell("the memory manager has changed", "14.5 aa", by_initiator, payload);
}

void BaseProtocol::check_time(Record& record, const sc_time& delay, bool by_initiator,
                              const Payload& payload) {
  const auto time = (sc_core::sc_time_stamp() + delay).value();
  if (time < record.last) tell("annotated time runs backwards", "15.2.7 c", by_initiator, payload);
  record.last = std::max(record.last, time);
}

// --- b_transport ---

void BaseProtocol::before_b_transport(Payload& payload) {
  ++calls_;
  const auto kind = sc_core::sc_get_current_process_handle().proc_kind();
  if (kind != sc_core::SC_THREAD_PROC_ && kind != sc_core::SC_CTHREAD_PROC_)
    tell("b_transport by no thread", "11.1.1.4 b", true, payload);
  if (payload.has_mm() && payload.get_ref_count() <= 0)
    tell("nobody holds the payload: its reference count is 0", "14.5 t", true, payload);
  check_new(payload);
  const auto [found, fresh] = records_.try_emplace(&payload, record_of(payload));
  if (!fresh && found->second.stage != Stage::kBlocking)
    tell("b_transport within nb_transport of the same transaction", "15.2.10 c", true, payload);
  if (fresh) found->second.stage = Stage::kBlocking;
  ++found->second.depth;
}

void BaseProtocol::after_b_transport(Payload& payload) {
  const auto found = records_.find(&payload);
  if (found == records_.end()) return;
  check_same(payload, found->second, false);
  if (payload.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE && moves_data(payload))
    tell("the response status is not set", "14.17", false, payload);
  left_b_transport(payload);
}

void BaseProtocol::left_b_transport(const Payload& payload) {
  const auto found = records_.find(&payload);
  if (found == records_.end()) return;
  if (--found->second.depth == 0 && found->second.stage == Stage::kBlocking) records_.erase(found);
}

// --- nb_transport ---

void BaseProtocol::before_forward(Payload& payload, const Phase& phase, const sc_time& delay) {
  ++calls_;
  check_held(payload, true);
  if (phase == ::tlm::BEGIN_REQ)
    begin_request(payload, delay);
  else if (phase == ::tlm::END_RESP)
    end_response(payload, delay);
  else if (phase == ::tlm::END_REQ || phase == ::tlm::BEGIN_RESP || phase == ::tlm::UNINITIALIZED_PHASE)
    tell("a phase of targets on the forward path", "15.2.3 c", true, payload);
}

void BaseProtocol::begin_request(Payload& payload, const sc_time& delay) {
  if (const auto found = records_.find(&payload); found != records_.end()) {
    if (found->second.stage == Stage::kBlocking)
      tell("nb_transport within b_transport of the same transaction", "15.2.10 c", true, payload);
    else
      tell("BEGIN_REQ of a transaction that has not ended", "15.2.4", true, payload);
    return;
  }
  check_new(payload);
  if (requesting_ != nullptr)
    tell("BEGIN_REQ before END_REQ of another transaction", "15.2.6 e", true, payload);
  requesting_ = &payload;
  Record& record = records_[&payload] = record_of(payload);
  record.stage = Stage::kBeginReq;
  check_time(record, delay, true, payload);
  if (payload.has_mm()) watch(payload);
}

void BaseProtocol::end_response(const Payload& payload, const sc_time& delay) {
  const auto found = records_.find(&payload);
  if (found == records_.end() || found->second.stage != Stage::kBeginResp) {
    tell("END_RESP without BEGIN_RESP", "15.2.4", true, payload);
    return;
  }
  check_same(payload, found->second, true);
  check_time(found->second, delay, true, payload);
  complete(payload);
}

void BaseProtocol::after_forward(Payload& payload, const Phase& sent, Sync sync, const Phase& phase,
                                 const sc_time& delay) {
  if (sent == ::tlm::END_RESP) return;  // the payload may be anybody's by now
  const auto found = records_.find(&payload);
  if (found == records_.end()) return;  // ended by a call within this one
  if (sync == ::tlm::TLM_UPDATED) {
    target_phase(payload, phase, delay);
  } else if (sync == ::tlm::TLM_COMPLETED) {
    check_same(payload, found->second, false);
    check_time(found->second, delay, false, payload);
    if (payload.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE && moves_data(payload))
      tell("the response status is not set", "14.17", false, payload);
    complete(payload);
  }
}

void BaseProtocol::target_phase(Payload& payload, const Phase& phase, const sc_time& delay) {
  const auto found = records_.find(&payload);
  if (found == records_.end()) {
    tell("a response for a transaction that is not under way here", "15.2.11 a", false, payload);
    return;
  }
  Record& record = found->second;
  if (phase == ::tlm::END_REQ) {
    if (record.stage != Stage::kBeginReq)
      tell("END_REQ of a request that has ended", "15.2.4", false, payload);
    if (record.stage == Stage::kBeginReq) record.stage = Stage::kEndReq;
    if (requesting_ == &payload) requesting_ = nullptr;
  } else if (phase == ::tlm::BEGIN_RESP) {
    if (record.stage != Stage::kBeginReq && record.stage != Stage::kEndReq) {
      tell("BEGIN_RESP of a transaction that has its response", "15.2.4", false, payload);
    } else {
      if (responding_ != nullptr)
        tell("BEGIN_RESP before END_RESP of another transaction", "15.2.6 f", false, payload);
      if (payload.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE && moves_data(payload))
        tell("the response status is not set", "14.17", false, payload);
      responding_ = &payload;
      record.stage = Stage::kBeginResp;
    }
    if (requesting_ == &payload) requesting_ = nullptr;
  } else if (phase == ::tlm::BEGIN_REQ || phase == ::tlm::END_RESP || phase == ::tlm::UNINITIALIZED_PHASE) {
    tell("a phase of initiators on the backward path", "15.2.3 c", false, payload);
  }
  check_same(payload, record, false);
  check_time(record, delay, false, payload);
}

void BaseProtocol::before_backward(Payload& payload, const Phase& phase, const sc_time& delay) {
  ++calls_;
  if (records_.contains(&payload)) check_held(payload, false);
  target_phase(payload, phase, delay);
}

void BaseProtocol::after_backward(Payload& payload, const Phase& sent, Sync sync, const Phase& phase,
                                  const sc_time& delay) {
  const auto found = records_.find(&payload);
  if (found == records_.end()) return;  // ended within the call
  if (sync == ::tlm::TLM_UPDATED) {
    if (phase == ::tlm::END_RESP)
      end_response(payload, delay);
    else if (phase == ::tlm::BEGIN_REQ || phase == ::tlm::END_REQ || phase == ::tlm::BEGIN_RESP ||
             phase == ::tlm::UNINITIALIZED_PHASE)
      tell("a return of the backward path with a phase other than END_RESP", "15.2.3 c", true, payload);
  } else if (sync == ::tlm::TLM_COMPLETED) {
    if (sent != ::tlm::BEGIN_RESP) {
      tell("an initiator completes a transaction before its response", "15.2.4", true, payload);
      return;
    }
    check_time(found->second, delay, true, payload);
    complete(payload);
  }
}

void BaseProtocol::complete(const Payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  unwatch(payload);
  records_.erase(&payload);
}

// --- DMI and debug ---

void BaseProtocol::before_dmi(const ::tlm::tlm_dmi& dmi) {
  ++calls_;
  static const Payload kNone;
  if (dmi.get_dmi_ptr() != nullptr)
    tell("the DMI descriptor has a pointer before the call", "11.2.5 f", true, kNone);
  if (!dmi.is_none_allowed())
    tell("the DMI descriptor grants access before the call", "11.2.5 a", true, kNone);
}

void BaseProtocol::after_dmi(bool granted, const ::tlm::tlm_dmi& dmi) {
  static const Payload kNone;
  if (dmi.get_start_address() > dmi.get_end_address())
    tell("the range of the DMI descriptor is empty", "11.2.5 u", false, kNone);
  if (granted && dmi.get_dmi_ptr() == nullptr)
    tell("access is granted without a pointer", "11.2.5 f", false, kNone);
}

void BaseProtocol::before_debug(const Payload& payload) {
  ++calls_;
  if (payload.get_data_length() > 0 && payload.get_data_ptr() == nullptr)
    tell("a debug access without data pointer", "11.3.4 l", true, payload);
}

void BaseProtocol::after_debug(const Payload& payload, unsigned length, unsigned moved) {
  if (moved > length) tell("a debug access moves more than was asked for", "11.3.4 s", false, payload);
  if (payload.get_data_length() != length)
    tell("a debug access changes the data length", "14.7", false, payload);
}

}  // namespace noctule::tlm
