#pragma once
// What all initiators of the platform are: a socket, a time of their own, and a count of what they did.

#include <cstdint>
#include <cstdio>

#include "tlm_utils/simple_initiator_socket.h"
#include "tlm_utils/tlm_quantumkeeper.h"

/// A module with one thread, which runs ahead of the simulated time by at most the global quantum.
class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  struct Counts {
    std::uint64_t transactions = 0;
    std::uint64_t bytes = 0;
    std::uint64_t errors = 0;
    sc_core::sc_time latency;  ///< of all transactions together
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] sc_core::sc_time end() const { return end_; }  ///< once it is done

  SC_HAS_PROCESS(Initiator);
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(thread); }

  /// In no time, past the fabric. Bytes that were moved.
  unsigned debug(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned length) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, address, data, length);
    return socket->transport_dbg(payload);
  }

 protected:
  virtual void run() = 0;

  /// Blocks until the response is there. False: it is an error, which has been told.
  bool access(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned length) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, address, data, length);
    sc_core::sc_time delay = time_.get_local_time();
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    socket->b_transport(payload, delay);
    counts_.latency += sc_core::sc_time_stamp() + delay - begin;
    ++counts_.transactions;
    counts_.bytes += length;
    time_.set(delay);
    if (time_.need_sync()) time_.sync();
    if (payload.is_response_ok()) return true;
    ++counts_.errors;
    std::printf("%s: %s at 0x%llx\n", name(), payload.get_response_string().c_str(),
                static_cast<unsigned long long>(address));
    return false;
  }
  bool read(std::uint64_t address, void* data, unsigned length) {
    return access(tlm::TLM_READ_COMMAND, address, static_cast<unsigned char*>(data), length);
  }
  bool write(std::uint64_t address, const void* data, unsigned length) {
    auto* const bytes = const_cast<unsigned char*>(static_cast<const unsigned char*>(data));
    return access(tlm::TLM_WRITE_COMMAND, address, bytes, length);
  }
  /// Time passes without a transaction.
  void spend(const sc_core::sc_time& time) {
    time_.inc(time);
    if (time_.need_sync()) time_.sync();
  }
  /// The simulated time catches up with this initiator's own.
  void synchronise() { time_.sync(); }

 private:
  static void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                   unsigned char* data, unsigned length) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(length);
  }
  void thread() {
    time_.reset();
    run();
    synchronise();
    done_ = true;
    end_ = sc_core::sc_time_stamp();
  }

  tlm_utils::tlm_quantumkeeper time_;
  Counts counts_;
  bool done_ = false;
  sc_core::sc_time end_;
};
