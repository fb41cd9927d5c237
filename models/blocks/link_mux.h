#pragma once
// Link multiplexer: one flit per physical link and cycle, round robin over the output VCs that hold a flit
// and have room behind (Gravano et al. 1994, V.C, link cycle).

#include "blocks/input_buffers.h"

namespace noctule {

template <class C>
class LinkMux final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  sc_core::sc_port<flit_if> flit_o{"flit_o"};

  LinkMux(sc_core::sc_module_name name, State& state, std::size_t outbound)
      : Block<C>(name, state), outbound_(outbound) {}

  /// All links of the router. `ready`: outputs that could send at the start of cycle t.
  static void send(State& s, M ready, Cycle t) {
    const auto& layout = *s.layout;
    M sent;
    while (ready.any()) {
      const std::size_t channel = layout.out[ready.lowest()].channel;
      const M& mine = layout.channel_mask[channel];
      auto& link = s.outbound[channel];
      const std::size_t o = (ready & mine).next_from(link.next);
      ready &= ~mine;
      link.next = static_cast<std::uint16_t>(o + 1);
      ++link.flits;
      Flit flit;
      if constexpr (C::kDeep) {
        s.out_drained.clear(o);
        if (--s.credits[o] == 0) s.out_credit.clear(o);
        flit = OutputBuffers<C>::pop(s, o);
      } else {
        sent.set(o);
        flit = s.out_flit[o];
        if (const std::uint16_t i = s.input_of[o]; i != kNoPlace) s.in_blocked.clear(i);
      }
      transmit(s, link, layout.out[o].vc, flit, t + link.delay);
      if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kLink, o, kNoPlace, flit);
    }
    if constexpr (!C::kDeep) {
      s.out_full &= ~sent;
      s.out_credit &= ~sent;
    }
  }

  void end_of_elaboration() override {
    auto& link = this->state_.outbound[outbound_];
    link.sink = flit_o.operator->();
    link.delay = static_cast<std::uint32_t>(this->state_.context->flit_delay);
    if (const auto* receiver = dynamic_cast<LinkReceiver<C>*>(link.sink)) {
      link.peer = &receiver->state();
      link.peer_mail = link.peer->mail;
      link.peer_flit = link.peer->in_flit + receiver->first();
      link.peer_position = link.peer->position;
      link.peer_first = receiver->first();
    }
  }
  void trace(sc_core::sc_trace_file* file) const override {
    sc_core::sc_trace(file, this->state_.outbound[outbound_].flits, std::string(this->name()) + ".flits");
  }

 private:
  static void transmit(State& s, typename State::Outbound& link, std::uint16_t vc, Flit flit, Cycle effect) {
    if (link.peer_mail == nullptr) [[unlikely]]
      return link.sink->put(vc, flit, effect);
    const std::size_t i = static_cast<std::size_t>(link.peer_first) + vc;
    if constexpr (C::kDeep) {
      LinkReceiver<C>::store(*link.peer, i, flit, effect);
    } else {
      LinkReceiver<C>::check(*link.peer, i, flit, link.peer_flit[vc]);
      link.peer_flit[vc] = flit;
      LinkReceiver<C>::post(link.peer_mail[effect & s.mail_mask], i, flit);
    }
    s.context->calendar->wake(link.peer_position, effect);
  }

  std::size_t outbound_;
};

}  // namespace noctule
