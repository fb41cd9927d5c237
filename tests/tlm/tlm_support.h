#pragma once
// Shared by the tests of the network between TLM-2.0 sockets: configurations, memories, payloads.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tlm/network.h"

namespace noctule::tlm::tlm_test {

using sc_core::SC_NS;
using sc_core::SC_ZERO_TIME;

/// Several networks live in one process: each has a name of its own.
inline std::string unique(const char* stem) {
  return sc_core::sc_gen_unique_name(stem);
}

/// A mesh, by default 4x4, with a lane for requests and one for responses; initiators and targets at these
/// terminals. Target t serves 64 KiB from t * 64 KiB on. `more`: keys of the section tlm.
struct Platform {
  std::vector<unsigned> initiators{0};
  std::vector<unsigned> targets{15};
  std::string more = "";
  std::string map = "";  ///< instead of 64 KiB each
  std::string buffer = "4";
  std::string topology = "{kind: mesh, radix: [4, 4]}";
  std::string node = "{model: input_queued, lanes: 2, input_depth: 4, injection_vcs: 1, consumption_vcs: 1}";
  std::string classes = "";  ///< instead of a lane each
  std::string end = "";      ///< further sections

  [[nodiscard]] std::string text() const {
    std::string s = "topology: " + topology + "\nnode: " + node + "\n";
    s += classes.empty()
             ? fmt::format(
                   "message_classes: {{request: {{vcs: {{lane: 0}}, buffer: {}}}, response: {{vcs: "
                   "{{lane: 1}}}}}}\n",
                   buffer)
             : classes;
    s += "depends: {request: [response]}\ntlm:\n";
    s += "  initiators: {";
    for (std::size_t i = 0; i < initiators.size(); ++i)
      s += fmt::format("{}i{}: {{terminal: {}}}", i == 0 ? "" : ", ", i, initiators[i]);
    s += "}\n  targets: {";
    for (std::size_t t = 0; t < targets.size(); ++t)
      s += fmt::format("{}t{}: {{terminal: {}}}", t == 0 ? "" : ", ", t, targets[t]);
    s += "}\n";
    if (map.empty()) {
      s += "  map:\n";
      for (std::size_t t = 0; t < targets.size(); ++t)
        s += fmt::format("    - {{base: 0x{:x}, size: 64KiB, target: t{}}}\n", t * 0x10000, t);
    } else {
      s += map;
    }
    return s + more + end;
  }
  [[nodiscard]] std::unique_ptr<TlmNetwork> build(
      const std::function<void(NetworkParts&)>& change = {}) const {
    NetworkParts parts = configured_network_text(text(), "test.yaml");
    if (change) change(parts);
    return std::make_unique<TlmNetwork>(unique("network").c_str(), std::move(parts));
  }
};

/// Payloads with reference counts; counts what is in use.
class Payloads final : public ::tlm::tlm_mm_interface {
 public:
  ~Payloads() override = default;
  /// Acquired once, fit to be sent.
  Payload& take(bool write, std::uint64_t address, unsigned char* data, unsigned length) {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Payload>(this));
      free_.push_back(all_.back().get());
    }
    Payload& p = *free_.back();
    free_.pop_back();
    fill(p, write, address, data, length);
    p.acquire();
    ++in_use;
    return p;
  }
  static void fill(Payload& p, bool write, std::uint64_t address, unsigned char* data, unsigned length) {
    p.set_command(write ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
    p.set_address(address);
    p.set_data_ptr(data);
    p.set_data_length(length);
    p.set_streaming_width(length);
    p.set_byte_enable_ptr(nullptr);
    p.set_byte_enable_length(0);
    p.set_dmi_allowed(false);
    p.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void free(Payload* p) override {
    p->reset();
    free_.push_back(p);
    --in_use;
    ++freed;
  }
  int in_use = 0;
  int freed = 0;

 private:
  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> free_;
};

/// Bytes at addresses; executes payloads as clause 14 says.
class Store {
 public:
  explicit Store(std::size_t bytes) : bytes(bytes) {}
  /// Sets the response status.
  void execute(Payload& p) {
    const std::uint64_t address = p.get_address();
    const unsigned width = std::min(p.get_streaming_width(), p.get_data_length());
    if (!p.is_read() && !p.is_write()) return p.set_response_status(::tlm::TLM_OK_RESPONSE);
    if (address + width > bytes.size()) return p.set_response_status(::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      if (p.get_byte_enable_ptr() != nullptr &&
          p.get_byte_enable_ptr()[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
        continue;
      unsigned char& cell = bytes[address + i % width];
      if (p.is_write())
        cell = p.get_data_ptr()[i];
      else
        p.get_data_ptr()[i] = cell;
    }
    p.set_response_status(::tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(Payload& p) {
    const std::uint64_t address = p.get_address();
    if (address >= bytes.size()) return 0;
    const auto n =
        static_cast<unsigned>(std::min<std::uint64_t>(p.get_data_length(), bytes.size() - address));
    if (p.is_write())
      std::memcpy(&bytes[address], p.get_data_ptr(), n);
    else
      std::memcpy(p.get_data_ptr(), &bytes[address], n);
    return n;
  }
  std::vector<unsigned char> bytes;
};

/// A thread with a body, and a socket of its own.
class Initiator : public sc_core::sc_module, public Backward {
 public:
  ::tlm::tlm_initiator_socket<32> socket{"socket"};
  std::function<void(Initiator&)> body;
  /// What nb_transport_bw does; none: TLM_ACCEPTED.
  std::function<Sync(Payload&, Phase&, sc_time&)> backward;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

  SC_HAS_PROCESS(Initiator);
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*this);
    SC_THREAD(run_body);
  }
  Sync nb_transport_bw(Payload& p, Phase& phase, sc_time& delay) override {
    return backward ? backward(p, phase, delay) : ::tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    invalidated.emplace_back(first, last);
  }
  /// A blocking access; the response status.
  ::tlm::tlm_response_status access(bool write, std::uint64_t address, unsigned char* data, unsigned length) {
    Payload p;
    Payloads::fill(p, write, address, data, length);
    sc_time delay = SC_ZERO_TIME;
    socket->b_transport(p, delay);
    return p.get_response_status();
  }
  /// Sends a phase on the forward path.
  Sync forward(Payload& p, Phase phase, sc_time delay = SC_ZERO_TIME) {
    return socket->nb_transport_fw(p, phase, delay);
  }

 private:
  void run_body() {
    if (body) body(*this);
  }
};

/// A memory. By b_transport after `latency`; nb_transport as `forward` says, or in one call.
class Memory : public sc_core::sc_module, public Forward {
 public:
  ::tlm::tlm_target_socket<32> socket{"socket"};
  Store store;
  sc_time latency = SC_ZERO_TIME;  ///< annotated
  bool waits = false;              ///< waited for instead
  std::function<Sync(Payload&, Phase&, sc_time&)> forward;
  std::function<void(Payload&)> seen;  ///< every transaction, as it comes
  std::uint64_t dmi_first = 0;
  std::uint64_t dmi_last = 0;  ///< 0: no direct access
  unsigned transactions = 0;
  unsigned debug_adds = 0;  ///< to the bytes that a debug access says it has moved

  explicit Memory(sc_core::sc_module_name name, std::size_t bytes = 0x10000) : sc_module(name), store(bytes) {
    socket.bind(*this);
  }
  void b_transport(Payload& p, sc_time& delay) override {
    ++transactions;
    if (seen) seen(p);
    if (waits)
      sc_core::wait(latency);
    else
      delay += latency;
    store.execute(p);
    p.set_dmi_allowed(true);
  }
  Sync nb_transport_fw(Payload& p, Phase& phase, sc_time& delay) override {
    if (phase == ::tlm::BEGIN_REQ) {
      ++transactions;
      if (seen) seen(p);
    }
    if (forward) return forward(p, phase, delay);
    store.execute(p);
    delay += latency;
    return ::tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, ::tlm::tlm_dmi& dmi) override {
    if (dmi_last == 0) return false;
    dmi.set_dmi_ptr(&store.bytes[dmi_first]);
    dmi.set_start_address(dmi_first);
    dmi.set_end_address(dmi_last);
    dmi.allow_read_write();
    return true;
  }
  unsigned int transport_dbg(Payload& p) override { return store.debug(p) + debug_adds; }
};

/// A network with its initiators and memories bound.
struct System {
  explicit System(const Platform& platform, const std::function<void(NetworkParts&)>& change = {})
      : network(platform.build(change)) {
    for (std::size_t i = 0; i < platform.initiators.size(); ++i) {
      initiators.push_back(std::make_unique<Initiator>(unique("initiator").c_str()));
      initiators[i]->socket.bind(network->target_socket<32>(i));
    }
    for (std::size_t t = 0; t < platform.targets.size(); ++t) {
      memories.push_back(std::make_unique<Memory>(unique("memory").c_str()));
      network->initiator_socket<32>(t).bind(memories[t]->socket);
    }
  }
  [[nodiscard]] Cycle cycles(const sc_time& time) const {
    return time.value() / network->fabric().options().period.value();
  }

  std::unique_ptr<TlmNetwork> network;
  std::vector<std::unique_ptr<Initiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
};

}  // namespace noctule::tlm::tlm_test
