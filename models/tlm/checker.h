#pragma once
// A module that stands between two sockets and checks what both do.
//
//   noctule::tlm::Checker<32> checker("checker");
//   cpu.socket.bind(checker.target_socket);
//   checker.initiator_socket.bind(bus.socket);
//   ...
//   checker.rules().violations()

#include "tlm/base_protocol.h"

namespace noctule::tlm {

/// Passes every call on as it is, in no time.
template <unsigned kBusWidth = 32>
class Checker final : public sc_core::sc_module, private Forward, private Backward {
 public:
  ::tlm::tlm_target_socket<kBusWidth> target_socket{"target_socket"};           ///< the initiator binds here
  ::tlm::tlm_initiator_socket<kBusWidth> initiator_socket{"initiator_socket"};  ///< bound to the target

  explicit Checker(sc_core::sc_module_name name, Reaction reaction = Reaction::kWarn)
      : sc_module(name), rules_(*this, reaction) {
    target_socket.bind(static_cast<Forward&>(*this));
    initiator_socket.bind(static_cast<Backward&>(*this));
  }
  [[nodiscard]] const BaseProtocol& rules() const { return rules_; }

 private:
  void b_transport(Payload& payload, sc_time& delay) override {
    rules_.before_b_transport(payload);
    try {
      initiator_socket->b_transport(payload, delay);
    } catch (...) {  // the thread is reset or killed, or somebody behind throws
      rules_.left_b_transport(payload);
      throw;
    }
    rules_.after_b_transport(payload);
  }
  Sync nb_transport_fw(Payload& payload, Phase& phase, sc_time& delay) override {
    const Phase sent = phase;
    rules_.before_forward(payload, phase, delay);
    const Sync sync = initiator_socket->nb_transport_fw(payload, phase, delay);
    rules_.after_forward(payload, sent, sync, phase, delay);
    return sync;
  }
  Sync nb_transport_bw(Payload& payload, Phase& phase, sc_time& delay) override {
    const Phase sent = phase;
    rules_.before_backward(payload, phase, delay);
    const Sync sync = target_socket->nb_transport_bw(payload, phase, delay);
    rules_.after_backward(payload, sent, sync, phase, delay);
    return sync;
  }
  bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& dmi) override {
    rules_.before_dmi(dmi);
    const bool granted = initiator_socket->get_direct_mem_ptr(payload, dmi);
    rules_.after_dmi(granted, dmi);
    return granted;
  }
  unsigned int transport_dbg(Payload& payload) override {
    const unsigned length = payload.get_data_length();
    rules_.before_debug(payload);
    const unsigned moved = initiator_socket->transport_dbg(payload);
    rules_.after_debug(payload, length, moved);
    return moved;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    target_socket->invalidate_direct_mem_ptr(first, last);
  }

  BaseProtocol rules_;
};

}  // namespace noctule::tlm
