// Processors and memories of one's own with TLM-2.0 sockets, on a fabric that a file describes.
//
//   tlm_main FILE       FILE: platform.yaml
//
// Each processor writes a block, reads it back and compares. Exit code 0: all bytes are right, and the
// checkers between processors and network have nothing to say.

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

#include "tlm/checker.h"
#include "tlm/network.h"
#include "tlm_utils/simple_initiator_socket.h"
#include "tlm_utils/simple_target_socket.h"

namespace {

class Cpu final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
  unsigned wrong = 1;  ///< bytes; 1 until it has compared them

  SC_HAS_PROCESS(Cpu);
  Cpu(sc_core::sc_module_name name, std::uint64_t base) : sc_module(name), base_(base) { SC_THREAD(run); }

 private:
  void access(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned length) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (!payload.is_response_ok()) std::printf("%s: %s\n", name(), payload.get_response_string().c_str());
  }
  void run() {
    std::vector<unsigned char> out(3000), in(3000);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(i * 7 + base_);
    access(tlm::TLM_WRITE_COMMAND, base_, out.data(), 3000);
    access(tlm::TLM_READ_COMMAND, base_, in.data(), 3000);
    wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != in[i] ? 1 : 0;
    std::printf("%s: done at %s\n", name(), sc_core::sc_time_stamp().to_string().c_str());
  }
  std::uint64_t base_;
};

class Ram final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Ram> socket{"socket"};
  explicit Ram(sc_core::sc_module_name name) : sc_module(name), bytes_(1 << 16) {
    socket.register_b_transport(this, &Ram::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    unsigned char* const at = &bytes_[payload.get_address()];
    if (payload.is_write())
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    else
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    delay += sc_core::sc_time(10, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::vector<unsigned char> bytes_;
};

int simulate(const char* file) {
  noctule::tlm::TlmNetwork network("network", noctule::tlm::configured_network(file));
  Cpu cpu_0("cpu_0", 0x100);
  Cpu cpu_1("cpu_1", 0x8010);
  noctule::tlm::Checker<32> checker_0("checker_0");
  noctule::tlm::Checker<32> checker_1("checker_1");
  Ram ram_0("ram_0");
  Ram ram_1("ram_1");
  cpu_0.socket.bind(checker_0.target_socket);
  cpu_1.socket.bind(checker_1.target_socket);
  checker_0.initiator_socket.bind(network.target_socket<32>(0));
  checker_1.initiator_socket.bind(network.target_socket<32>(1));
  network.initiator_socket<32>(0).bind(ram_0.socket);
  network.initiator_socket<32>(1).bind(ram_1.socket);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  std::printf("%lu packets for %lu transactions\n", static_cast<unsigned long>(network.counters().packets),
              static_cast<unsigned long>(network.counters().begun));
  const auto complaints = checker_0.rules().count() + checker_1.rules().count();
  return cpu_0.wrong + cpu_1.wrong + complaints == 0 ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return simulate(argc > 1 ? argv[1] : "platform.yaml");
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tlm_main: %s\n", problem.what());
    return 2;
  }
}
