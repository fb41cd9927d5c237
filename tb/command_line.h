#pragma once
// What can stand on the command line: commands, with the options that each takes.

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "tb/options.h"

namespace noctule {

/// A command, and which of the options it takes.
struct Command {
  const char* name;
  const char* description;
  const char* options;  ///< names, separated by blanks
  int (*run)(const Options&);
};

/// All, in the order of the help.
[[nodiscard]] std::span<const Command> commands();

[[nodiscard]] bool takes(const Command& command, const std::string& option);

/// The parser of the program: it fills `options`, which must outlive it.
void add_commands(CLI::App& app, Options& options);

}  // namespace noctule
