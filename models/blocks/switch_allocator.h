#pragma once
// Switch allocation: every cycle, of the flits that have an output VC and room behind it, at most one per
// input port and one per output port get through the crossbar. An input port is an inbound link or an
// injection channel, an output port an outbound link or a consumption channel.

#include "blocks/refusing.h"
#include "blocks/service_groups.h"

namespace noctule {

template <class C>
class SwitchAllocator final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  /// The inputs that may send, among those that could.
  static M allocate(State& s, const M& moves) {
    const auto& layout = *s.layout;
    if constexpr (C::kWords == 1)
      if (layout.port_allocator)
        return {layout.port_allocator->allocate(s.memory.turns, moves.words[0], bids(s))};
    M granted;
    moves.each([&](std::size_t i) { s.layout->wants[i] = M::bit(layout.out_port[s.in_vc()[i].output]); });
    for (const auto& grant : s.allocators().ports->allocate(moves, s.layout->wants.data()))
      granted.set(grant.requester);
    return granted;
  }

  /// The same with RouterLayout::port_allocator, and give(i) for each of them, ascending.
  /// `kShape`: see Router::step.
  template <Shape kShape, class Give>
  [[gnu::always_inline]] static M serve(State& s, const M& moves, Give&& give) {
    return {s.layout->port_allocator->template serve<is_plain(kShape)>(s.memory.turns, moves.words[0],
                                                                       bids(s), give)};
  }

  /// The same, priority by priority: first those of the group whose turn it is at their port, then whoever
  /// finds both of its ports free.
  static M allocate_grouped(State& s, const M& moves, Cycle t) {
    const auto& layout = *s.layout;
    ServiceGroups<C>& service = *s.service;
    const M first = service.first_choice(s, moves);
    M granted;
    M left = moves;
    M taken;  // output ports
    ServiceGroups<C>::each(s, t, 2, [&](std::size_t g, unsigned round) {
      M asking = left & service.inputs(g);
      if (round == 0) asking &= first;
      asking.each([&](std::size_t i) {
        if (taken.test(layout.out_port[s.in_vc()[i].output])) asking.clear(i);
      });
      if (asking.none()) return;
      const typename ServiceGroups<C>::Arbiters arbiters(s, g);
      const M won = layout.by_age ? allocate_by_age(s, asking) : allocate(s, asking);
      won.each([&](std::size_t i) {
        const std::size_t o = s.in_vc()[i].output;
        left &= ~layout.in_port_mask[layout.in_port[i]];
        taken.set(layout.out_port[o]);
        if (o < layout.link_outputs) service.served(s, layout.out[o].channel, g);
      });
      granted |= won;
    });
    return granted;
  }

  /// The oldest packet first, whoever finds both of its ports free: what separable allocators with arbiters
  /// by age come to in enough rounds, as all of their arbiters agree on one order.
  static M allocate_by_age(State& s, const M& moves) {
    const auto& layout = *s.layout;
    M granted;
    M inputs;   // whose port is taken
    M outputs;  // ports that are taken
    s.service->oldest_first(s, moves, [&](std::size_t i) {
      const std::size_t port = layout.out_port[s.in_vc()[i].output];
      if (inputs.test(i) || outputs.test(port)) return;
      granted.set(i);
      inputs |= layout.in_port_mask[layout.in_port[i]];
      outputs.set(port);
    });
    return granted;
  }

  /// Adds headers that ask for the switch while they bid for a VC: `bidding`. They get ports that `granted`
  /// leaves; a port is wasted where the header got no VC in the cycle, one of another port, or one without
  /// room behind, be it at a terminal.
  static void speculate(State& s, Cycle t, const M& bidding, M& granted) {
    const auto& layout = *s.layout;
    M ports_left = ~M{};
    M asking = bidding;
    granted.each([&](std::size_t i) {
      ports_left.clear(layout.out_port[s.in_vc()[i].output]);
      asking &= ~layout.in_port_mask[layout.in_port[i]];
    });
    M left;
    asking.each([&](std::size_t i) {
      M ports;
      s.feasible(i).each([&](std::size_t o) { ports.set(layout.out_port[o]); });
      s.layout->wants[i] = ports & ports_left;
      if (s.layout->wants[i].any()) left.set(i);
    });
    if (left.none()) return;
    for (const auto& grant : s.allocators().speculative->allocate(left, s.layout->wants.data())) {
      const std::size_t i = grant.requester;
      if (s.in_connected.test(i) && !s.in_blocked.test(i) &&
          layout.out_port[s.in_vc()[i].output] == grant.resource &&
          (!layout.refusing || Refusing<C>::held(s, M::bit(i), t).none())) {
        granted.set(i);
        s.in_active.set(i);
        s.arrivals()[(t + layout.pipeline.vc_allocation) & s.arrivals_mask].allocated.clear(i);
      }
    }
  }

 private:
  static auto bids(const State& s) {
    return [vcs = s.in_vc()](std::size_t i) { return vcs[i].bid; };
  }
};

}  // namespace noctule
