#pragma once
// The version of the library and the program; the build checks that it is the project's.

namespace noctule {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace noctule
