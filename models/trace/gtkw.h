#pragma once
// GTKWave save file for a waveform: signals grouped per router and block, numbers shown as names through
// translation files beside it.

#include <string>
#include <vector>

#include "trace/waveform.h"

namespace noctule {

/// Writes the save file `path` and, beside it, "<stem>.<what>.txt" per translation; all names inside are
/// relative to its folder, so start gtkwave there. The waveform's file is named relative to it, too. Returns
/// every file written. Throws ConfigError (key "trace.gtkw") for a file that cannot be written.
std::vector<std::string> write_gtkw(const std::string& path, const Waveform& waveform);

}  // namespace noctule
