#include "tlm/sub_payload.h"

#include <algorithm>

namespace noctule::tlm {

void SubPayload::leave_shared() {
  for (unsigned n = 0; n < shared.size(); ++n)
    if (get_extension(n) == shared[n]) set_extension(n, nullptr);
  shared.clear();
}

SubPayload& SubPayloads::take(Payload& whole, const Piece& piece) {
  if (free_.empty()) {
    ::tlm::tlm_mm_interface* const manager = this;
    all_.push_back(std::make_unique<SubPayload>(manager));
    free_.push_back(all_.back().get());
  }
  SubPayload& sub = *free_.back();
  free_.pop_back();
  ++live_;
  Payload& part = sub;
  part.set_command(whole.get_command());
  part.set_address(piece.address);
  part.set_data_ptr(whole.get_data_ptr() + piece.first);
  part.set_data_length(piece.length);
  part.set_streaming_width(piece.streaming_width);
  part.set_dmi_allowed(false);
  part.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  part.set_gp_option(whole.get_gp_option());
  part.set_byte_enable_ptr(nullptr);
  part.set_byte_enable_length(0);
  if (const unsigned enables = whole.get_byte_enable_length(); whole.get_byte_enable_ptr() != nullptr) {
    const auto* const first = whole.get_byte_enable_ptr();
    sub.enables.assign(first, first + enables);
    std::rotate(sub.enables.begin(), sub.enables.begin() + piece.first % enables, sub.enables.end());
    part.set_byte_enable_ptr(sub.enables.data());
    part.set_byte_enable_length(enables);
  }
  part.resize_extensions();
  sub.shared.clear();
  for (unsigned n = 0; n < ::tlm::max_num_extensions(); ++n) {
    sub.shared.push_back(whole.get_extension(n));
    part.set_extension(n, sub.shared.back());
  }
  part.acquire();
  return sub;
}

void SubPayloads::give_back(SubPayload& sub) {
  sub.leave_shared();
  sub.release();
}

void SubPayloads::free(Payload* payload) {
  payload->reset();
  free_.push_back(static_cast<SubPayload*>(payload));
  --live_;
}

}  // namespace noctule::tlm
