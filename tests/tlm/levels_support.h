#pragma once
// Shared by the tests of the levels: the key that asks for one.

#include <fmt/format.h>

#include <string>

namespace noctule::tlm::tlm_test {

/// A line of the section tlm.
inline std::string key(const char* level) {
  return fmt::format("  level: {}\n", level);
}

}  // namespace noctule::tlm::tlm_test
