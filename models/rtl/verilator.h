#pragma once
// Verilator, as a program: from RTL to C++.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rtl/dut.h"

namespace noctule {

/// Runs it on module `top` of these files, with -G parameters; the C++ is in `folder`, in classes with the
/// prefix Vdut. `trace`: for waveforms. Returns what it says. Throws ConfigError (key "nodes") with what it
/// says of errors.
std::string verilate(const RtlSource& source, const std::string& top,
                     const std::vector<std::filesystem::path>& files,
                     const std::map<std::string, long>& parameters, const std::filesystem::path& folder,
                     bool trace);

/// What the C++ in `folder` does not do of the sources: delays, and final blocks. `said`: by verilate().
[[nodiscard]] std::vector<std::string> left_out(const std::string& said, const std::filesystem::path& folder);

/// The signals of a module that depend on themselves without a register in between, with their places, a line
/// each: of those that Verilator names the first few; empty: it names none.
[[nodiscard]] std::string circular_signals(const RtlSource& source);

}  // namespace noctule
