#pragma once
// Age-based arbitration: wherever packets compete within a router, the oldest one goes first (Abts and
// Weisser, Age-based packet arbitration in large-radix k-ary n-cubes, SC 2007). The age is that of
// the creation, so that it counts waiting at the source; packets that were created in one cycle are served by
// the number of their source, then in the order in which it made them. So all routers agree on one order, and
// the oldest packet of a fabric loses nowhere.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "blocks/input_buffers.h"
#include "blocks/output_buffers.h"

namespace noctule {

template <class C>
class AgeOrder {
 public:
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// Calls f(input) for each of `inputs`, all of which hold a flit: that of the oldest packet first.
  template <class F>
  void each_input(const State& s, const M& inputs, F&& f) {
    order_.clear();
    inputs.each([&](std::size_t i) {
      order_.emplace_back(age(s, InputBuffers<C>::front(s, i)), static_cast<std::uint16_t>(i));
    });
    std::ranges::sort(order_);
    for (const auto& [age, i] : order_) f(std::size_t{i});
  }
  /// Of link outputs with a flit to send, `asking`, that of the oldest packet. There is one.
  static std::size_t oldest_output(const State& s, const M& asking) {
    std::size_t oldest = asking.lowest();
    Age least = age(s, next_flit(s, oldest));
    asking.each([&](std::size_t o) {
      const Age mine = age(s, next_flit(s, o));
      if (!(mine < least)) return;
      least = mine;
      oldest = o;
    });
    return oldest;
  }

 private:
  using Age = std::tuple<Cycle, std::uint32_t, std::uint64_t>;  ///< birth, source, number there

  static Age age(const State& s, Flit flit) {
    const Packet& packet = s.context->packets[flit.packet];
    return {packet.birth, static_cast<std::uint32_t>(packet.source), packet.number};
  }
  /// The flit that leaves an output next: out of its buffer, or, where it has none, of the input that is
  /// connected to it.
  static Flit next_flit(const State& s, std::size_t o) {
    if constexpr (C::kDirect)
      return InputBuffers<C>::front(s, s.out_vc()[o].input);
    else
      return OutputBuffers<C>::front(s, o);
  }

  std::vector<std::pair<Age, std::uint16_t>> order_;  ///< scratch
};

}  // namespace noctule
