#pragma once
// Header decoding: which outputs may the worm at the front of an input take?

#include "blocks/stop_claims.h"
#include "core/error.h"

namespace noctule {

/// Fills feasible[input] for the header `flit` at the front of `input`: the consumption channels at
/// its destination (none if they are unlimited), else the outputs that the relation offers (of one lane,
/// where a prescribed route names it), restricted to the crossbar of the input and to the VCs of the message
/// class.
template <class C>
void compute_route(RouterState<C>& s, std::size_t input, Flit flit) {
  using M = Mask<C::kWords>;
  FabricContext& c = *s.context;
  const auto& layout = *s.layout;
  if constexpr (C::kMulticast) {
    if (Packet& planned = c.packets[flit.packet]; planned.worm != kNoWorm)
      return StopClaims<C>::open(s, input, planned);
    s.claims()[input].worm = kNoWorm;
  }
  const Packet& packet = c.packets[flit.packet];
  M outputs;
  if (packet.destination_router == s.id) {
    outputs = layout.consumption_of[packet.consumption_slot];
  } else {
    c.candidates.clear();
    c.relation->candidates(s.id, packet.destination_router, packet.route_state, c.candidates);
    for (const Candidate candidate : c.candidates) {
      const M& of_class =
          layout.outputs_of[index(candidate.port) * layout.classes + index(candidate.vc_class)];
      if (candidate.lane != kAnyLane) [[unlikely]] {
        if (candidate.lane < layout.lanes.size()) outputs |= of_class & layout.lanes[candidate.lane];
      } else {
        outputs |= of_class;
      }
    }
    outputs &= layout.allowed[input];
    if (layout.restricted) [[unlikely]]
      outputs &= layout.of_message_class[packet.message_class];
    if (outputs.none()) [[unlikely]]
      no_route_error(*layout.plan, *c.topology, s.id, input, packet);
  }
  s.set_feasible(input, outputs);
}

}  // namespace noctule
