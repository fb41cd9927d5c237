#pragma once
// A router forgets all flits and connections. Included by fabric/router.h.

#include <memory>

#include "fabric/router.h"

namespace noctule {

template <class C>
void Router<C>::reset() {
  State& s = s_;
  const auto& layout = *s.layout;
  s.in_full = s.in_waiting = s.in_connected = s.in_blocked = M{};
  s.out_full = s.out_busy = M{};
  s.out_credit = layout.home;
  for (std::uint32_t m = 0; m <= s.arrivals_mask; ++m) s.arrivals()[m] = {};
  std::fill_n(s.in_flit(), std::size_t{layout.inputs} << layout.in_shift, typename State::StoredFlit{});
  for (std::size_t i = 0; i < layout.inputs; ++i) s.in_vc()[i].clear();
  for (std::size_t i = 0; i < layout.inputs; ++i) s.set_feasible(i, {});
  std::fill_n(s.out_vc(), layout.outputs, typename State::OutputVc{});
  std::fill_n(s.scan_next(), layout.crossbars.size(), std::uint16_t{0});
  std::fill_n(s.select_next(), layout.crossbars.size(), std::uint16_t{0});
  for (std::size_t l = 0; l < layout.channel_mask.size(); ++l) s.outbound()[l].next = 0;
  if (s.service != nullptr) s.service->reset(layout);
  s.pending = 0;
  if (!s.context->births.empty()) s.context->births[s.position].busy = 0;
  s.crossbar_turn = 0;
  s.idle_draws = 0;
  std::fill_n(s.senders(), std::size_t{layout.plan->injecting} * layout.entries(), typename State::Sender{});
  for (std::size_t o = layout.link_outputs; o < layout.outputs; ++o)
    s.receivers()[o - layout.link_outputs] = {
        kNoPacket, 0,
        s.interface()[layout.consumers() + (o - layout.link_outputs) / layout.plan->consumption_vcs] /
            s.context->interfaces_per_terminal};
  if constexpr (C::kDeep) {
    s.in_active = s.in_pushed = s.credit_now = M{};
    s.out_slot = layout.link_mask | layout.consumption_mask;
    if (layout.keeps_order()) s.ordered() = {};
    s.tie_next = 0;
    if constexpr (C::kOpen)
      if (s.open != nullptr) s.open->reset(s);
    s.memory = {};
    if constexpr (State::kFew)
      if (layout.shape == Shape::kFew) std::construct_at(&s.memory.few);
    if (layout.lone_headers) std::fill_n(s.vc_turns(), layout.outputs + layout.inputs, std::uint8_t{0});
    if (layout.has_allocators())
      for (auto* allocator : {s.allocators().vc, s.allocators().ports, s.allocators().speculative})
        if (allocator != nullptr) allocator->reset();
    std::fill_n(s.out_ring(), layout.output_buffers(), typename State::Ring{});
    s.counts.clear_inputs();
    for (std::size_t o = 0; o < layout.outputs; ++o) s.counts.set_output(o, layout.most.output(o));
  }
  if constexpr (C::kMulticast) {
    s.in_tapped = M{};
    s.together_next = 0;
    std::fill_n(s.taps(), layout.inputs, M{});
    std::fill_n(s.claims(), layout.inputs, typename State::Claim{});
  }
}

}  // namespace noctule
