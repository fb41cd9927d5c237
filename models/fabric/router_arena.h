#pragma once
// All routers of a fabric with their state records, in one contiguous piece of memory.

#include <memory>
#include <vector>

#include "blocks/router_state.h"
#include "fabric/router_base.h"
#include "fabric/timing.h"
#include "nodes/router_plan.h"

namespace noctule {

class RouterArena {
 public:
  virtual ~RouterArena() = default;
  /// Builds the router; called once per router, in any order, within the constructor of the fabric.
  /// `with_blocks`: see Hierarchy.
  virtual std::unique_ptr<RouterBase> build(RouterId router, const char* name, std::uint32_t position,
                                            std::uint64_t seed, bool with_blocks) = 0;
  /// Bytes of all state records.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Bytes of unlimited injection channels, which follow what is in use; numbered ones are in the records.
  [[nodiscard]] virtual std::size_t injection_bytes() const = 0;
};

/// All routers of a fabric, each in the smallest compiled combination of blocks that does what it has to:
/// one arena for each combination. Neighbours of different ones meet through their ports.
class RouterArenas {
 public:
  /// Keeps references to all three. Throws ConfigError if a router has more inputs or outputs than the
  /// largest combination (1024).
  RouterArenas(const FabricPlan& plan, const FabricTiming& timing, FabricContext& context, bool observed);

  [[nodiscard]] RouterArena& of(RouterId router) const { return *arenas_[which_[index(router)]]; }
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t injection_bytes() const;

 private:
  std::vector<std::unique_ptr<RouterArena>> arenas_;
  std::vector<std::uint8_t> which_;  ///< by router
};

}  // namespace noctule
