#pragma once
// VC allocation, the headers with the longest paths first (Scan::kFarthestFirst). Included by
// blocks/vc_allocator.h.

#include "blocks/vc_allocator.h"

namespace noctule {

template <class C>
[[gnu::noinline]] void VcAllocator<C>::scan_farthest(State& s, Cycle t, M available) {
  const M late = M::from(static_cast<std::size_t>(s.rng.below(s.layout->inputs)));
  std::uint16_t* const order = s.order();
  std::uint16_t* const length = s.order() + s.layout->inputs;
  std::size_t count = 0;
  for (const M& part : {s.in_waiting & late, s.in_waiting & ~late})
    part.each([&](std::size_t i) {
      const std::uint16_t hops = path_length(s, i);
      std::size_t n = count++;
      for (; n > 0 && length[n - 1] < hops; --n) {
        order[n] = order[n - 1];
        length[n] = length[n - 1];
      }
      order[n] = static_cast<std::uint16_t>(i);
      length[n] = hops;
    });
  unsigned left = s.layout->connections;
  for (std::size_t n = 0; n < count && left > 0; ++n)
    if (serve_either(s, t, 0, order[n], available)) --left;
}

/// Links between source and destination of the header at the front of input i; of a shortest path where
/// those that the relation offers differ.
template <class C>
std::uint16_t VcAllocator<C>::path_length(const State& s, std::size_t i) {
  const FabricContext& c = *s.context;
  const Packet& packet = c.packets[Flit(InputBuffers<C>::front(s, i)).packet];
  const RouterId source = c.interfaces[c.interface(packet.source, packet.message_class)].router;
  const unsigned hops = c.relation->hops(source, packet.destination_router);
  return static_cast<std::uint16_t>(
      hops != kHopsVary ? hops : c.topology->distance(source, packet.destination_router));
}

}  // namespace noctule
