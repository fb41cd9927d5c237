#pragma once
// Other programs, run without a shell.

#include <string>
#include <vector>

namespace noctule {

struct ProgramResult {
  int exit_code = 127;  ///< 127: could not be run; 128 + n: ended by signal n
  std::string output;   ///< standard output, and standard error where it was asked for
};

/// Runs words[0], searched in PATH, with the other words, and waits for it. `with_errors`: its standard error
/// is taken with its output; else it goes where ours goes.
ProgramResult run_program(const std::vector<std::string>& words, bool with_errors = false);

/// The words that start the C++ compiler: $CXX, which may be several ("ccache g++"), or c++.
[[nodiscard]] std::vector<std::string> cxx_compiler();
/// What to do where there is none; empty: it is there.
[[nodiscard]] std::string missing_cxx_compiler();

/// Is there a program of this name in PATH, or of this path?
[[nodiscard]] bool has_program(const std::string& name);

}  // namespace noctule
