#pragma once
// Header decoding: which outputs may the worm at the front of an input take?

#include "blocks/known_routes.h"
#include "blocks/stop_claims.h"
#include "core/error.h"

namespace noctule {

/// Outputs that the relation offers the header of `packet`, which is not at its destination.
template <class C>
[[gnu::always_inline]] inline Mask<C::kWords> ask_relation(const RouterState<C>& s, const Packet& packet) {
  FabricContext& c = *s.context;
  const auto& layout = *s.layout;
  Mask<C::kWords> outputs;
  c.candidates.clear();
  c.relation->candidates(s.id, packet.destination_router, packet.route_state, c.candidates);
  for (const Candidate candidate : c.candidates) {
    const auto& of_class =
        layout.outputs_of[index(candidate.port) * layout.classes + index(candidate.vc_class)];
    if (candidate.lane != kAnyLane) [[unlikely]] {
      if (candidate.lane < layout.lanes.size()) outputs |= of_class & layout.lanes[candidate.lane];
    } else {
      outputs |= of_class;
    }
  }
  return outputs;
}

/// The same for the first time, to be remembered.
template <class C>
[[gnu::noinline]] Mask<1> learn_outputs(const RouterState<C>& s, const Packet& packet) {
  const Mask<1> asked = ask_relation(s, packet);
  s.context->known_routes.note(s.id, packet.destination_router, asked.words[0]);
  return asked;
}

/// The same, or what is remembered of it.
template <class C>
[[gnu::always_inline]] inline Mask<C::kWords> offered_outputs(const RouterState<C>& s, const Packet& packet) {
  if constexpr (C::kWords == 1) {
    const KnownRoutes& known = s.context->known_routes;
    if (known.kept() && packet.route_state == 0) {
      const std::uint64_t outputs = known.outputs(s.id, packet.destination_router);
      if (outputs != 0) [[likely]]
        return {{outputs}};
      return learn_outputs(s, packet);
    }
  }
  return ask_relation(s, packet);
}

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
    outputs = offered_outputs(s, packet);
    outputs &= layout.allowed[input];
    if (layout.restricted) [[unlikely]]
      outputs &= layout.of_message_class[packet.message_class];
    if (outputs.none()) [[unlikely]]
      no_route_error(*layout.plan, *c.topology, s.id, input, packet);
  }
  s.set_feasible(input, outputs);
}

}  // namespace noctule
