#pragma once
// Input buffers: one FIFO per input VC and injection channel. Receives flits from the links, gives credits
// back through one port per inbound link.

#include <algorithm>
#include <memory>

#include "blocks/output_buffers.h"
#include "blocks/route_computation.h"

namespace noctule {

/// The receiving end of one inbound link.
template <class C>
class LinkReceiver final : public flit_if {
 public:
  void attach(RouterState<C>& state, std::uint16_t first) {
    state_ = &state;
    first_ = first;
  }

  void put(std::uint16_t vc, Flit flit, Cycle effect) override {
    store(*state_, static_cast<std::size_t>(first_) + vc, flit, effect);
    state_->context->calendar->wake(state_->position, effect);
  }
  [[nodiscard]] RouterState<C>& state() const { return *state_; }
  [[nodiscard]] std::uint16_t first() const { return first_; }

  /// The flit is in the buffer of input i, visible from the start of cycle `effect` on. Wakes nobody.
  static void store(RouterState<C>& s, std::size_t i, Flit flit, Cycle effect) {
    if constexpr (C::kDeep) {
      auto& ring = s.in_ring[i];
      const std::uint16_t depth = s.layout->input_depth;
      Flit* const fifo = &s.in_flit[i * depth];
      Flit* const slot = &fifo[ring.tail];
      check(s, i, flit, fifo[ring.tail == 0 ? depth - 1 : ring.tail - 1]);
      ring.tail = static_cast<std::uint16_t>(ring.tail + 1 == depth ? 0 : ring.tail + 1);
      *slot = flit;
    } else {
      check(s, i, flit, s.in_flit[i]);
      s.in_flit[i] = flit;
    }
    post(s.mail[effect & s.mail_mask], i, flit);
  }
  static void post(typename RouterState<C>::Mail& mail, std::size_t i, Flit flit) {
    mail.arrived.set(i);
    mail.headers.set_if(i, flit.head());
  }
  static void check(const RouterState<C>& s, std::size_t i, Flit flit, Flit previous) {
    if (!flit.follows(previous)) [[unlikely]]
      worm_error(s.id, s.layout->plan->inputs[i].name, flit, previous);
  }

 private:
  RouterState<C>* state_ = nullptr;
  std::uint16_t first_ = 0;
};

template <class C>
class InputBuffers final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  /// One port per inbound link: credits to the router at its other end.
  sc_core::sc_vector<sc_core::sc_port<credit_if>> credit_o;

  InputBuffers(sc_core::sc_module_name name, State& state)
      : Block<C>(name, state),
        credit_o("credit_o", state.layout->plan->inbound.size()),
        receivers_(state.layout->plan->inbound.size()) {
    for (std::size_t c = 0; c < receivers_.size(); ++c)
      receivers_[c].attach(state, state.layout->plan->inbound[c].first);
  }
  /// The channel that the sender's link port is bound to.
  [[nodiscard]] flit_if& receiver(std::size_t inbound) { return receivers_[inbound]; }

  /// Start of cycle t: arrivals and credits take effect, headers that came to the front are decoded.
  static void receive(State& s, Cycle t) {
    auto& mail = s.mail[t & s.mail_mask];
    M headers;
    if constexpr (C::kDeep) {
      headers = receive_deep(s, mail);
    } else {
      s.in_full |= mail.arrived;
      s.out_credit |= mail.credits;
      headers = mail.headers;
    }
    mail = {};
    if (headers.any()) {
      headers.each([&](std::size_t i) { compute_route(s, i, front(s, i)); });
      s.in_waiting |= headers;
    }
  }
  static Flit front(const State& s, std::size_t i) {
    if constexpr (C::kDeep) return s.in_flit[i * s.layout->input_depth + s.in_ring[i].head];
    return s.in_flit[i];
  }
  /// Takes the foremost flit out at the end of cycle t. What follows it is at the front from t+1 on.
  static void pop(State& s, std::size_t i) {
    if constexpr (C::kDeep) {
      auto& ring = s.in_ring[i];
      ring.head = static_cast<std::uint16_t>(ring.head + 1 == s.layout->input_depth ? 0 : ring.head + 1);
      if (--ring.count == 0) {
        s.in_full.clear(i);
      } else if (front(s, i).head()) {
        compute_route(s, i, front(s, i));
        s.in_waiting.set(i);
      }
    } else {
      s.in_full.clear(i);
    }
  }
  /// Has this input room for one more flit of its own source? (Injection channels; links use credits.)
  static bool has_room(const State& s, std::size_t i) {
    if constexpr (C::kDeep) return s.in_ring[i].count < s.layout->input_depth;
    return !s.in_full.test(i);
  }
  /// A flit of the router's own terminal enters at the end of the cycle.
  static void push(State& s, std::size_t i, Flit flit) {
    bool foremost = true;
    if constexpr (C::kDeep) {
      auto& ring = s.in_ring[i];
      s.in_flit[i * s.layout->input_depth + ring.tail] = flit;
      ring.tail = static_cast<std::uint16_t>(ring.tail + 1 == s.layout->input_depth ? 0 : ring.tail + 1);
      foremost = ring.count++ == 0;
    } else {
      s.in_flit[i] = flit;
    }
    s.in_full.set(i);
    if (flit.head() && foremost) {
      compute_route(s, i, flit);
      s.in_waiting.set(i);
    }
  }

  /// A place of input i becomes free in cycle t; the sender may use it once the credit has come back.
  static void give_credit(State& s, std::size_t i, Cycle t) {
    const auto& place = s.layout->in[i];
    const auto& back = s.inbound[place.channel];
    const Cycle effect = t + back.delay;
    if (back.peer_mail != nullptr) [[likely]] {
      back.peer_mail[effect & s.mail_mask].credits.set(static_cast<std::size_t>(back.peer_first) + place.vc);
    } else {
      back.sink->credit(place.vc, effect);
    }
  }

  void end_of_elaboration() override {
    for (std::size_t c = 0; c < credit_o.size(); ++c) {
      auto& back = this->state_.inbound[c];
      back.sink = credit_o[c].operator->();
      back.delay = static_cast<std::uint32_t>(this->state_.context->credit_delay);
      if (const auto* peer = dynamic_cast<CreditReceiver<C>*>(back.sink)) {
        back.peer_mail = peer->state().mail;
        back.peer_first = peer->first();
      }
    }
  }
  void trace(sc_core::sc_trace_file* file) const override {
    this->trace_mask(file, this->state_.in_full, "full");
    this->trace_mask(file, this->state_.in_waiting, "waiting");
  }

 private:
  template <class Mail>
  static M receive_deep(State& s, const Mail& mail) {
    M headers;
    mail.arrived.each([&](std::size_t i) {
      if (s.in_ring[i].count++ == 0 && front(s, i).head()) headers.set(i);
    });
    s.in_full |= mail.arrived;
    mail.credits.each([&](std::size_t o) {
      if (++s.credits[o] == s.layout->input_depth) s.out_drained.set(o);
    });
    s.out_credit |= mail.credits;
    return headers;
  }
  std::vector<LinkReceiver<C>> receivers_;
};

}  // namespace noctule
