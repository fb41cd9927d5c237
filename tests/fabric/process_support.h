#pragma once
// A fabric among other processes of a simulation: a small one, and who is told of its deliveries.

#include <vector>

#include "fabric_support.h"

namespace noctule::fabric_test {

inline FabricPlan small() {
  return plan_of(shipped_models()[0], torus({4, 4}));
}

/// Keeps what the fabric tells it, with the time of the call.
class Receiver final : public sc_core::sc_module, public consumption_if {
 public:
  explicit Receiver(sc_core::sc_module_name name) : sc_module(name) {}
  void delivered(const Delivery& delivery) override {
    deliveries.push_back(delivery);
    at.push_back(sc_core::sc_time_stamp());
  }
  std::vector<Delivery> deliveries;
  std::vector<sc_core::sc_time> at;
};

}  // namespace noctule::fabric_test
