#pragma once
// What every block of a router is: static functions of the router's state record, so that shipped
// combinations of blocks compile into one piece. Its name and its ports in the SystemC hierarchy are in
// fabric/router_blocks.h.

#include "blocks/router_state.h"

namespace noctule {

template <class C>
class Block {
 public:
  using State = RouterState<C>;
  using M = Mask<C::kWords>;
  using StoredFlit = typename State::StoredFlit;

 protected:
  /// Routers with masks of several words are compiled once, for runs with an observer and without.
  static void report(const State& s, Cycle t, FlitEvent event, std::size_t place, std::size_t input,
                     Flit flit) {
    if constexpr (C::kWords > 1)
      if (s.context->observer == nullptr) return;
    s.context->observer->on_flit(t, s.id, event, static_cast<std::uint16_t>(place),
                                 static_cast<std::uint16_t>(input), flit, s.context->packets[flit.packet]);
  }
};

/// Raised when a header finds no output in its crossbar: the partition does not fit the relation.
[[noreturn]] void no_route_error(const RouterPlan& plan, const Topology& topology, RouterId router,
                                 std::size_t input, const Packet& packet);
/// Raised when immediate credits would go between routers of different builds. `port`: without its number.
[[noreturn]] void other_kind_error(const Topology& topology, RouterId router, const char* port,
                                   std::size_t number);
[[noreturn]] void worm_error(RouterId router, const std::string& input, Flit flit, Flit previous);

}  // namespace noctule
