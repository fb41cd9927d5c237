#pragma once
// What every block of a router is: a named module of the hierarchy, without a process of its own, that
// works on the router's state record. Its step is a static function of the state, so that shipped
// combinations of blocks compile into one piece.

#include "blocks/router_state.h"
#include "kernel/systemc.h"

namespace noctule {

template <class C>
class Block : public sc_core::sc_module {
 public:
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

 protected:
  Block(sc_core::sc_module_name name, State& state) : sc_module(name), state_(state) {}
  State& state_;

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
[[noreturn]] void no_route_error(const RouterPlan& plan, RouterId router, std::size_t input,
                                 const Packet& packet);
[[noreturn]] void worm_error(RouterId router, const std::string& input, Flit flit, Flit previous);

}  // namespace noctule
