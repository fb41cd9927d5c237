#include "tb/stage_line.h"

#include <unistd.h>

namespace noctule {

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
