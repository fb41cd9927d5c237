#pragma once
// GTKWave save file for a waveform: signals grouped per router and block, numbers shown as names through
// translation files in a folder beside it.

#include <string>
#include <vector>

#include "trace/waveform.h"

namespace noctule {

/// Folder of the translation files of the save file `path`: gtkwave/<stem>, beside it.
[[nodiscard]] std::string translation_folder(const std::string& path);

/// Writes the save file `path` and its translation files; what an earlier one left in their folder goes. All
/// names inside, also that of the waveform, are relative to the save file, and GTKWave finds them from any
/// working directory. Returns every file written. Throws ConfigError (key "trace.gtkw") for a file that
/// cannot be written.
std::vector<std::string> write_gtkw(const std::string& path, const Waveform& waveform);

}  // namespace noctule
