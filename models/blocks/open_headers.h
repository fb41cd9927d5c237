#pragma once
// VC allocation with unlimited injection channels. Included by blocks/vc_allocator.h.

#include "blocks/vc_allocator.h"

namespace noctule {

template <class C>
[[gnu::noinline]] void VcAllocator<C>::scan_open(State& s, Cycle t, M available) {
  OpenInjection<C>& open = *s.open;
  const auto& layout = *s.layout;
  open.settle(s, t);
  unsigned left = layout.connections;
  const auto serve_outside = [&](std::uint64_t before) {
    Waiting who;
    while (left != 0 && open.first(available, before, who)) {
      const std::size_t o = select(s, 0, open.feasible(who) & available, available);
      connect(s, t, 0, open.take_seat(s, who, o), o);
      available.clear(o);
      --left;
    }
  };
  std::uint16_t kept = 0;
  for (std::uint16_t n = 0; n < s.ordered().entries[0]; ++n) {
    const std::size_t i = s.order()[n];
    if (!layout.transit_first) serve_outside(open.link_ticket(i));
    if (left != 0 && serve_either(s, t, 0, i, available))
      --left;
    else
      s.order()[kept++] = static_cast<std::uint16_t>(i);
  }
  s.ordered().entries[0] = kept;
  serve_outside(OpenInjection<C>::kLast);
}

}  // namespace noctule
