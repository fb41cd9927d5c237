#pragma once
// Sockets whose bus width is known when the program runs.

#include <functional>
#include <memory>
#include <vector>

#include "tlm/systemc_tlm.h"

namespace noctule::tlm {

template <unsigned kBusWidth>
using TargetSocket =
    ::tlm::tlm_target_socket<kBusWidth, ::tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
template <unsigned kBusWidth>
using InitiatorSocket =
    ::tlm::tlm_initiator_socket<kBusWidth, ::tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

/// A socket that initiators bind to.
struct AnyTargetSocket {
  virtual ~AnyTargetSocket() = default;
  [[nodiscard]] virtual sc_core::sc_object& object() = 0;
  /// Null: nobody is bound. After elaboration.
  [[nodiscard]] virtual Backward* backward() = 0;
};
/// A socket that is bound to a target.
struct AnyInitiatorSocket {
  virtual ~AnyInitiatorSocket() = default;
  [[nodiscard]] virtual sc_core::sc_object& object() = 0;
  [[nodiscard]] virtual Forward* forward() = 0;
};

template <unsigned kBusWidth>
struct TargetSocketOf final : AnyTargetSocket {
  TargetSocketOf(const char* name, Forward& receiver) : socket(name) { socket.bind(receiver); }
  [[nodiscard]] sc_core::sc_object& object() override { return socket; }
  [[nodiscard]] Backward* backward() override {
    return socket.get_base_port().size() == 0 ? nullptr : socket.operator->();
  }
  TargetSocket<kBusWidth> socket;
};
template <unsigned kBusWidth>
struct InitiatorSocketOf final : AnyInitiatorSocket {
  InitiatorSocketOf(const char* name, Backward& receiver) : socket(name) { socket.bind(receiver); }
  [[nodiscard]] sc_core::sc_object& object() override { return socket; }
  [[nodiscard]] Forward* forward() override {
    return socket.get_base_port().size() == 0 ? nullptr : socket.operator->();
  }
  InitiatorSocket<kBusWidth> socket;
};

/// Makes sockets of one bus width. `bus_width<24>()` is one of 24 bits.
struct BusWidth {
  unsigned bits = 0;
  std::function<std::unique_ptr<AnyTargetSocket>(const char*, Forward&)> target;
  std::function<std::unique_ptr<AnyInitiatorSocket>(const char*, Backward&)> initiator;
};
template <unsigned kBits>
[[nodiscard]] BusWidth bus_width() {
  return {kBits,
          [](const char* name, Forward& receiver) -> std::unique_ptr<AnyTargetSocket> {
            return std::make_unique<TargetSocketOf<kBits>>(name, receiver);
          },
          [](const char* name, Backward& receiver) -> std::unique_ptr<AnyInitiatorSocket> {
            return std::make_unique<InitiatorSocketOf<kBits>>(name, receiver);
          }};
}

}  // namespace noctule::tlm
