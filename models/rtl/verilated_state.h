#pragma once
// What a class that Verilator wrote keeps from one evaluation to the next: registers, memories, and signals
// in between that it does not compute where they are used.

#include <map>
#include <string>
#include <vector>

namespace noctule {

/// One of the classes of a verilated design: the top ("Vdut___024root"), or a module that was not inlined.
struct VerilatedClass {
  struct Signal {
    std::string member;  ///< of the class
    std::string path;    ///< in the design, relative to the module of the class: "gen_input[3].u_fifo.head_q"
    unsigned width = 1;  ///< bits; of an array: of one element
  };
  struct Child {
    std::string member;  ///< a pointer
    std::string type;
    std::string path;
  };
  std::vector<Signal> signals;  ///< ports and what Verilator needs for itself left out
  std::vector<Child> children;
};

/// By name. `headers`: texts of the headers that Verilator wrote.
[[nodiscard]] std::map<std::string, VerilatedClass> parse_state(const std::vector<std::string>& headers);

/// C++ tables of where all that is in objects of these classes, for the shim: a `const Layout layout_TYPE`
/// for each, of Signal {path, offset, bytes, bytes of an element, width} and Child {path, offset, layout}.
[[nodiscard]] std::string make_layout(const std::map<std::string, VerilatedClass>& classes);

}  // namespace noctule
