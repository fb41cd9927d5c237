#pragma once
// Numbers in the place of pointers that packets carry along (GeneratedPacket::user).

#include <cstdint>

namespace noctule {

/// A number that travels as a pointer, which nobody follows; and back. Null is 0.
[[nodiscard]] inline void* as_user(std::uint64_t number) {
  static_assert(sizeof(void*) >= sizeof(number));
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));  // NOLINT(performance-no-int-to-ptr)
}
[[nodiscard]] inline std::uint64_t number_of(const void* user) {
  return reinterpret_cast<std::uintptr_t>(user);
}

}  // namespace noctule
