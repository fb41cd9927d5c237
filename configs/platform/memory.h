#pragma once
// A memory that takes the same time for every access.

#include <cstring>
#include <vector>

#include "tlm_utils/simple_target_socket.h"

class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};

  Memory(sc_core::sc_module_name name, std::size_t bytes, const sc_core::sc_time& latency)
      : sc_module(name), bytes_(bytes), latency_(latency) {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    delay += latency_;
    if (payload.get_byte_enable_ptr() != nullptr)
      return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (payload.get_streaming_width() < payload.get_data_length())
      return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    const bool all = transport_dbg(payload) == payload.get_data_length();
    payload.set_response_status(all ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address > bytes_.size() || length > bytes_.size() - address) return 0;
    if (payload.is_write()) std::memcpy(&bytes_[address], payload.get_data_ptr(), length);
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &bytes_[address], length);
    return length;
  }

  std::vector<unsigned char> bytes_;
  sc_core::sc_time latency_;
};
