#include "tb/stage_line.h"

#include <unistd.h>

#include "core/error_output.h"

namespace noctule {

Compiling say_compiling(bool quiet) {
  if (quiet) return {};
  return [](const std::string& module) {
    // A line that is rewritten in place may stand there.
    const char* const start = ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";
    print_error("{}noctule: compiling {} with Verilator, once; it is kept for later runs\n", start, module);
  };
}

StageLine::StageLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

void StageLine::say(const std::string& text) {
  if (!shown_) return;
  on_screen_ = true;
  std::fprintf(stderr, "\r%s\x1b[K", text.substr(0, 79).c_str());
  std::fflush(stderr);
}

void StageLine::clear() {
  if (!on_screen_) return;
  on_screen_ = false;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace noctule
