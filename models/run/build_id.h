#pragma once
// What a linker wrote into a program or library as a digest of its content (NT_GNU_BUILD_ID).

#include <string>

namespace noctule {

/// In hexadecimal digits: of the loaded object that holds this address, of the program itself for null.
/// Empty: there is none.
[[nodiscard]] std::string build_id(const void* address);

}  // namespace noctule
