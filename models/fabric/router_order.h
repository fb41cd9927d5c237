#pragma once
// In which order the routers of a fabric are built and visited.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace noctule {

/// 0, 1, ..., n-1, shuffled if the seed is not 0.
[[nodiscard]] std::vector<std::uint32_t> numbers_to(std::size_t n, std::uint64_t seed);

}  // namespace noctule
