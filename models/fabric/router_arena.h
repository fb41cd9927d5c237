#pragma once
// All routers of a fabric with their state records, in one contiguous piece of memory.

#include <memory>
#include <vector>

#include "blocks/router_state.h"
#include "fabric/router_base.h"
#include "nodes/router_plan.h"

namespace noctule {

class RouterArena {
 public:
  virtual ~RouterArena() = default;
  /// Builds the router; called once per router, in any order, within the constructor of the fabric.
  virtual std::unique_ptr<RouterBase> build(RouterId router, const char* name, std::uint32_t position,
                                            std::uint64_t seed) = 0;
  /// Bytes of all state records.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Bytes of unlimited injection channels, which follow what is in use; numbered ones are in the records.
  [[nodiscard]] virtual std::size_t injection_bytes() const = 0;
};

/// The smallest compiled combination of blocks that fits the plan. Throws ConfigError if a router has more
/// inputs or outputs than the largest combination (1024).
std::unique_ptr<RouterArena> make_router_arena(const FabricPlan& plan, FabricContext& context, bool observed);

}  // namespace noctule
