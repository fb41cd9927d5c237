#pragma once
// Which routers of a fabric can be in hardware: what rtl/ implements, by the keys of their nodes and links.

#include <optional>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/ids.h"
#include "nodes/router_plan.h"

namespace noctule {

/// What keeps these routers of the fabric from being ones as in rtl/, as the key and the remedy; empty:
/// nothing. Two kinds of routers are there: with buffers of one flit at inputs and outputs (Gravano et al.
/// 1994, V), and input-queued ones without output buffers (Dally and Towles 2004, chapter 16). What is asked
/// of a link that begins or ends at one of them is what its pins show: as many VCs as its node has, one flit
/// per cycle. All other routers and links can be of any kind. What terminals do with packets that they cannot
/// inject is no concern of the routers.
[[nodiscard]] std::optional<Diagnostic> hardware_obstacle(const FabricPlan& plan,
                                                          std::span<const RouterId> routers);

/// Throws a ConfigError where there is an obstacle.
void require_hardware(const FabricPlan& plan, std::span<const RouterId> routers);

/// Throws ConfigError of `key` where terminals of these routers cannot refuse flits, as it says that they do.
void require_refusals(const FabricPlan& plan, std::span<const RouterId> routers, const char* key);
/// The same where they refuse as their buffers fill, by the class of the messages.
void require_sinks(const FabricPlan& plan, std::span<const RouterId> routers, const char* key);

/// Those for which a list by RouterId has something: the RTL that they shall be, or are.
template <class List>
[[nodiscard]] std::vector<RouterId> routers_with(const List& by_router) {
  std::vector<RouterId> routers;
  for (std::size_t r = 0; r < by_router.size(); ++r)
    if (by_router[r]) routers.push_back(RouterId(r));
  return routers;
}

}  // namespace noctule
