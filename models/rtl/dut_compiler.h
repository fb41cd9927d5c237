#pragma once
// From the C++ that Verilator wrote for a router to a shared library.

#include <filesystem>
#include <string>

#include "rtl/dut_cache.h"

namespace noctule {

/// Compiles all C++ in `folder`, which is what Verilator wrote for module `top` and the shim (make_shim), to
/// folder/dut.so: what runs in every cycle optimized, what runs once not; several parts at a time. `trace`:
/// with Verilator's writer of waveforms, and nothing optimized. Verilator's own part is compiled once and
/// kept in `cache`. Throws ConfigError (key "nodes") with what the compiler says.
void compile_dut(const std::filesystem::path& folder, const std::string& top, bool trace,
                 const DutCache& cache);

/// What `verilator --version` prints.
[[nodiscard]] const std::string& verilator_version();

/// What a tool said, cut to what helps.
[[nodiscard]] std::string excerpt(const std::string& output);

}  // namespace noctule
