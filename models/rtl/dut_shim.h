#pragma once
// The piece of C++ that is compiled together with what Verilator makes of a router: it gives the pins,
// whatever their types, as arrays of words.

#include <cstdint>
#include <map>
#include <string>

#include "rtl/pin_map.h"

namespace noctule {

/// What a compiled router offers to who loads it. The text of make_shim declares the same structure.
struct DutShim {
  const char* const* absent;  ///< names of input pins that the router does not have; ends with null
  void* (*make)(const char* instance);
  void (*destroy)(void* self);
  void (*reset)(void* self, const std::uint64_t* in, std::uint64_t* out);
  void (*step)(void* self, const std::uint64_t* in, std::uint64_t* out);
  void (*settle)(void* self, const std::uint64_t* in, std::uint64_t* out);
  void (*open_trace)(void* self, const char* file);
  void (*dump)(void* self, std::uint64_t time);
};

inline constexpr const char* kShimEntry = "noctule_dut_shim";

struct Port {
  unsigned width = 1;
  bool input = true;
};
using PortList = std::map<std::string, Port>;

/// The ports of a top as the header that Verilator wrote declares them.
[[nodiscard]] PortList parse_ports(const std::string& verilated_header);

/// Throws ConfigError with every port that is missing, of the wrong width or direction, or an input that the
/// interface does not know. Position pins may be missing.
void check_ports(const PortList& ports, const PinMap& map, const std::string& top);

/// SystemVerilog that holds the router's position in registers, loaded while it is in reset. Verilator's code
/// goes once more through all that depends on an input in each evaluation, and on the position depends nearly
/// everything: about half of the time.
[[nodiscard]] std::string make_harness(const PortList& ports, const PinMap& map, const std::string& top,
                                       const std::map<std::string, long>& parameters);
inline constexpr const char* kHarness = "noctule_harness";

[[nodiscard]] std::string make_shim(const PortList& ports, const PinMap& map, bool trace);
/// The text that make_shim fills in.
[[nodiscard]] std::string shim_template();

}  // namespace noctule
