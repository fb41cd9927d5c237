#pragma once
// What is in a router's buffers, for who looks at it from outside. Included by fabric/router.h.

#include "fabric/router.h"

namespace noctule {

template <class C>
void Router<C>::input_flits(std::size_t input, std::vector<Flit>& flits) const {
  flits.clear();
  if constexpr (C::kOpen)
    if (s_.open != nullptr && OpenInjection<C>::is_waiting_input(s_, input)) {
      std::vector<OutsideBuffer> buffers;
      s_.open->outside(s_, buffers);
      for (const OutsideBuffer& buffer : buffers)
        if (buffer.input == input) flits.insert(flits.end(), buffer.flits.begin(), buffer.flits.end());
      return;
    }
  if constexpr (C::kDeep) {
    const auto& ring = s_.in_vc()[input];
    const auto& layout = *s_.layout;
    const std::size_t count = s_.counts.input(input) - InjectionChannel<C>::flits_ahead(s_, input);
    for (std::size_t n = 0; n < count; ++n)
      flits.push_back(s_.in_flit()[(input << layout.in_shift) + ((ring.head + n) & layout.in_mask)]);
  } else if (s_.in_full.test(input)) {
    flits.push_back(s_.in_flit()[input]);
  }
}

template <class C>
std::uint64_t Router<C>::flits_ahead() const {
  std::uint64_t flits = 0;
  for (std::size_t i = s_.layout->link_inputs; i < s_.layout->inputs; ++i)
    flits += InjectionChannel<C>::flits_ahead(s_, i);
  return flits;
}

template <class C>
bool Router<C>::arriving_flit(std::size_t input, Cycle t, Flit& flit) const {
  if (!arriving(input, t)) return false;
  if constexpr (C::kDeep) {
    const auto& ring = s_.in_vc()[input];
    const auto& layout = *s_.layout;
    flit = s_.in_flit()[(input << layout.in_shift) + ((ring.head + s_.counts.input(input)) & layout.in_mask)];
  } else {
    flit = s_.in_flit()[input];
  }
  return true;
}

template <class C>
void Router<C>::output_flits(std::size_t output, std::vector<Flit>& flits) const {
  flits.clear();
  if constexpr (C::kDeep) {
    if (C::kDirect && output < s_.layout->link_outputs) return;
    const std::size_t place = OutputBuffers<C>::place_of(s_, output);
    const auto& ring = s_.out_ring()[place];
    const std::size_t depth = OutputBuffers<C>::depth_of(s_, output);
    for (std::size_t n = 0; n < ring.count; ++n)
      flits.push_back(s_.out_flit()[place * s_.layout->output_stride + (ring.head + n) % depth]);
  } else if (s_.out_full.test(output)) {
    flits.push_back(s_.out_flit()[output]);
  }
}

}  // namespace noctule
