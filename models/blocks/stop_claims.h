#pragma once
// What a planned worm acquires at a router: consumption channels, where it is at one of its stops, and an
// output VC, where it goes on; one after the other, each held while it waits for the next (Boppana et al.
// 1998, 3.1 and 3.2).

#include "blocks/block.h"

namespace noctule {

/// Works on RouterState::claims of multicast builds.
template <class C>
struct StopClaims {
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// The header of planned worm `packet` is at the front of input i. Fills the claim, and feasible[i]
  /// with what it needs first.
  static void open(State& s, std::size_t i, Packet& packet) {
    FabricContext& c = *s.context;
    Worm& worm = c.worms[packet.worm];
    auto& claim = s.claims()[i];
    claim = {};
    claim.worm = packet.worm;
    claim.at = claim.end = worm.next;
    const bool absorbs = s.layout->retransmission_buffers > 0;
    while (claim.end < worm.stops.size() && worm.stops[claim.end].router == s.id) {
      ++claim.end;
      if (absorbs && worm.stops[claim.end - 1].serves()) break;
    }
    const bool arrived = claim.end > claim.at;
    const bool more = claim.end < worm.stops.size();
    claim.absorbed = absorbs && more && arrived && worm.stops[claim.end - 1].serves();
    claim.onward = more && !claim.absorbed;
    if (claim.onward && arrived) head_for(packet, worm.stops, claim.end);
    pass_waypoints(worm, claim);
    if (claim.at < claim.end) classify(s, i, packet, worm, claim);
    s.set_feasible(i, need(s, i, packet));
  }
  /// Output o is the header's. True: it has all that it needs here; else feasible[i] is what it needs
  /// next.
  static bool take(State& s, std::size_t i, std::size_t o, Packet& packet) {
    auto& claim = s.claims()[i];
    Worm& worm = s.context->worms[claim.worm];
    if (o < s.layout->link_outputs) {
      claim.linked = true;
      s.lead(i, o);
    } else {
      s.taps()[i].set(o);
      ++claim.at;
      pass_waypoints(worm, claim);
    }
    if (claim.at < claim.end || (claim.onward && !claim.linked)) {
      s.set_feasible(i, need(s, i, packet));
      return false;
    }
    if (!claim.onward) {  // the last channel leads its connection; others, of terminals beside it, go along
      s.lead(i, o);
      s.taps()[i].clear(o);
    }
    s.in_tapped.set_if(i, s.taps()[i].any());
    worm.next = claim.end;
    return true;
  }
  /// Of the free outputs that a header may take next: its own class's, if there are any.
  static M prefer(const State& s, std::size_t i, const M& free) {
    const auto& claim = s.claims()[i];
    if (claim.worm == kNoWorm || free.lowest() < s.layout->link_outputs) return free;
    const M own = free & channels(s, i, claim.own);
    return own.any() ? own : free;
  }

 private:
  using Claim = typename State::Claim;

  static void pass_waypoints(const Worm& worm, Claim& claim) {
    while (claim.at < claim.end && !worm.stops[claim.at].serves()) ++claim.at;
  }
  static void classify(State& s, std::size_t i, const Packet& packet, const Worm& worm, Claim& claim) {
    const ConsumptionRule& rule = *s.context->multicast->consumption;
    Visit visit{worm.group, rule.no_port(), rule.no_port(), worm.several};
    if (i < s.layout->link_inputs)
      visit.incoming = static_cast<std::uint16_t>(s.layout->plan->inputs[i].port);
    if (claim.onward) {
      offered(s, worm, packet);
      visit.outgoing = static_cast<std::uint16_t>(s.context->candidates[0].port);
    }
    const auto& channels = rule.channels(rule.class_of(visit), worm.several);
    claim.own = channels.own;
    claim.allowed = channels.allowed;
  }
  static M need(State& s, std::size_t i, const Packet& packet) {
    const auto& claim = s.claims()[i];
    const bool link_left = claim.onward && !claim.linked;
    if (claim.at < claim.end && !(link_left && s.layout->output_first)) {
      const M wanted = channels(s, i, claim.allowed);
      if (!s.context->multicast->consumption->waits_committed()) return wanted;
      const unsigned n = wanted.count();
      return n == 1 ? wanted : M::bit(wanted.nth(s.rng.below(n)));
    }
    const Worm& worm = s.context->worms[claim.worm];
    const auto& layout = *s.layout;
    offered(s, worm, packet);
    M outputs;
    for (const Candidate candidate : s.context->candidates)
      outputs |= layout.outputs_of[index(candidate.port) * layout.classes + index(candidate.vc_class)];
    outputs &= layout.allowed[i];
    if (outputs.none()) [[unlikely]]
      no_route_error(*layout.plan, *s.context->topology, s.id, i, packet);
    return outputs;
  }
  static void offered(State& s, const Worm& worm, const Packet& packet) {
    FabricContext& c = *s.context;
    c.candidates.clear();
    worm.relation->candidates(s.id, packet.destination_router, packet.route_state, c.candidates);
  }
  /// Outputs of channels of the terminal that the claim of input i is at.
  static M channels(const State& s, std::size_t i, std::uint64_t bits) {
    const auto& claim = s.claims()[i];
    const TerminalId terminal = s.context->worms[claim.worm].stops[claim.at].terminal;
    const std::size_t first =
        s.layout->plan->consumption(s.context->interfaces[index(terminal)].consumption_slot);
    M outputs;
    for (; bits != 0; bits &= bits - 1) outputs.set(first + static_cast<std::size_t>(std::countr_zero(bits)));
    return outputs;
  }
};

}  // namespace noctule
