#pragma once
// Time that this process has computed.

#include <sys/resource.h>

namespace noctule {

/// User CPU time of the process so far, in seconds.
[[nodiscard]] inline double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

}  // namespace noctule
