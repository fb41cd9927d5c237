#pragma once
// Shared by the tests of the interfaces: an initiator that keeps the base protocol.

#include <vector>

#include "tlm/tlm_support.h"

namespace noctule::tlm::tlm_test {

/// Sends nb transactions one after the other, as the base protocol allows, and collects their ends.
struct Sender {
  explicit Sender(Initiator& initiator) : initiator(initiator) {
    initiator.backward = [this](Payload& p, Phase& phase, sc_time& delay) {
      return backward(p, phase, delay);
    };
  }
  Sync backward(Payload& p, Phase& phase, sc_time&) {
    if (phase == ::tlm::END_REQ) {
      log.push_back({'e', &p, sc_core::sc_time_stamp()});
      request_over.notify(SC_ZERO_TIME);
      return ::tlm::TLM_ACCEPTED;
    }
    log.push_back({'r', &p, sc_core::sc_time_stamp()});
    statuses.push_back(p.get_response_status());
    response.notify(SC_ZERO_TIME);
    if (hold) return ::tlm::TLM_ACCEPTED;
    p.release();
    return ::tlm::TLM_COMPLETED;
  }
  /// Waits for END_REQ.
  void send(Payload& p) {
    if (initiator.forward(p, ::tlm::BEGIN_REQ) == ::tlm::TLM_ACCEPTED) sc_core::wait(request_over);
  }
  struct Entry {
    char what;
    const Payload* payload;
    sc_time at;
  };
  Initiator& initiator;
  sc_core::sc_event request_over, response;
  std::vector<Entry> log;
  std::vector<::tlm::tlm_response_status> statuses;
  bool hold = false;  ///< END_RESP comes later
};

}  // namespace noctule::tlm::tlm_test
