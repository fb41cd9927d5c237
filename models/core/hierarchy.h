#pragma once
// Which parts of a fabric are objects of the SystemC hierarchy. Results do not depend on it.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace noctule {

enum class Hierarchy : std::uint8_t {
  kBlocks,  ///< routers, their blocks, and ports between routers
  kRouters  ///< routers alone; links join them without ports
};

/// Larger fabrics have no blocks in the hierarchy unless somebody asks for them.
inline constexpr std::size_t kMostRoutersWithBlocks = 4096;

/// That of a fabric. `chosen`: absent where its size decides.
[[nodiscard]] constexpr Hierarchy hierarchy_of(std::optional<Hierarchy> chosen, std::size_t routers) {
  return chosen.value_or(routers <= kMostRoutersWithBlocks ? Hierarchy::kBlocks : Hierarchy::kRouters);
}

[[nodiscard]] constexpr const char* name_of(Hierarchy hierarchy) {
  return hierarchy == Hierarchy::kBlocks ? "blocks" : "routers";
}

}  // namespace noctule
