#pragma once
// The piece of C++ that is compiled together with what Verilator makes of a router: it gives the pins,
// whatever their types, as arrays of words.

#include <cstdint>
#include <map>
#include <string>

#include "rtl/pin_map.h"
#include "rtl/verilated_state.h"

namespace noctule {

/// What a compiled router offers to who loads it. The text of make_shim declares the same structures.
struct DutFinding {
  const char* file;
  int line;
  const char* text;  ///< null: nothing was found
  bool loop;         ///< signals that depend on themselves do not come to rest
  bool no_file;      ///< `file`, of $readmemh or $readmemb, is not there
};

/// `reset`, `step` and `settle` return false once the router's own code has found something.
struct DutShim {
  const char* const* absent;  ///< names of input pins that the router does not have; ends with null
  void* (*make)(const char* instance, std::uint64_t seed);
  void (*destroy)(void* self);
  bool (*reset)(void* self, const std::uint64_t* in, std::uint64_t* out);
  bool (*step)(void* self, const std::uint64_t* in, std::uint64_t* out);
  bool (*settle)(void* self, const std::uint64_t* in, std::uint64_t* out);
  const DutFinding* (*finding)(void* self);
  void (*cover)(void* self);
  void (*toggles)(void* self, void* user,
                  void (*tell)(void* user, const char* signal, unsigned first_bit, unsigned width,
                               std::uint64_t ones, std::uint64_t zeros));
  void (*open_trace)(void* self, const char* file);
  void (*dump)(void* self, std::uint64_t time);
  void (*close_trace)(void* self);
};

inline constexpr const char* kShimEntry = "noctule_dut_shim";

struct Port {
  unsigned width = 1;
  bool input = true;
  bool both = false;   ///< inout: no input of the interface, and no output
  bool array = false;  ///< unpacked; `width` is that of an element
};
using PortList = std::map<std::string, Port>;

/// The ports of a top as the header that Verilator wrote declares them.
[[nodiscard]] PortList parse_ports(const std::string& verilated_header);

/// Throws ConfigError where ports are missing, of the wrong width or direction, or arrays, or inputs that the
/// interface does not know: of each kind the first, and how many more there are. Position pins may be
/// missing.
void check_ports(const PortList& ports, const PinMap& map, const std::string& top);

/// SystemVerilog that holds the router's position in registers, loaded while it is in reset. Verilator's code
/// goes once more through all that depends on an input in each evaluation, and on the position depends nearly
/// everything: about half of the time.
[[nodiscard]] std::string make_harness(const PortList& ports, const PinMap& map, const std::string& top,
                                       const std::map<std::string, long>& parameters);
/// A parameter's value in SystemVerilog: as decimal, or with its width where that takes more than 32 bits.
[[nodiscard]] std::string parameter_literal(long value);
inline constexpr const char* kHarness = "noctule_harness";

/// `classes`: of the harness with the router in it, as parse_state gives them.
[[nodiscard]] std::string make_shim(const PortList& ports, const PinMap& map,
                                    const std::map<std::string, VerilatedClass>& classes, bool trace);
/// The text that make_shim fills in.
[[nodiscard]] std::string shim_template();

}  // namespace noctule
