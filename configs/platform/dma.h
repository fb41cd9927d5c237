#pragma once
// A DMA engine: a target with three registers, and an initiator that copies as these say.

#include <algorithm>
#include <array>

#include "initiator.h"
#include "tlm_utils/simple_target_socket.h"

class Dma final : public Initiator {
 public:
  /// Words at 0: from; at 4: to; at 8: bytes that are left. Writing the last one starts it.
  tlm_utils::simple_target_socket<Dma> registers{"registers"};

  explicit Dma(sc_core::sc_module_name name) : Initiator(name) {
    registers.register_b_transport(this, &Dma::b_transport);
  }

 private:
  static constexpr unsigned kBlock = 64;  ///< bytes of a transaction
  enum Register { kFrom, kTo, kLeft };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    if (payload.get_data_length() != 4 || address % 4 != 0 || payload.get_byte_enable_ptr() != nullptr)
      return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    const std::size_t number = address / 4;
    if (number >= registers_.size()) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    auto* const word = reinterpret_cast<unsigned char*>(&registers_[number]);
    if (payload.is_read()) std::copy_n(word, 4, payload.get_data_ptr());
    if (payload.is_write()) {
      if (registers_[kLeft] != 0)  // it is at work
        return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      std::copy_n(payload.get_data_ptr(), 4, word);
      if (number == kLeft) start_.notify(delay);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void run() override {
    std::array<unsigned char, kBlock> block{};
    while (true) {
      sc_core::wait(start_);
      std::uint32_t from = registers_[kFrom], to = registers_[kTo], left = registers_[kLeft];
      while (left > 0) {
        const unsigned length = std::min(left, kBlock);
        if (!read(from, block.data(), length) || !write(to, block.data(), length)) break;
        from += length;
        to += length;
        left -= length;
      }
      synchronise();  // nobody sees the end before it has come
      registers_[kLeft] = 0;
    }
  }

  std::array<std::uint32_t, 3> registers_{};
  sc_core::sc_event start_;
};
