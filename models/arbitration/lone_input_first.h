#pragma once
// Separable input-first allocation with round-robin arbiters where every requester is a group of its own, as
// headers are that bid for VCs: SeparableInputFirst of one round. What it remembers is a byte per requester
// and one per resource, wherever its owner keeps them.

#include <cstddef>
#include <cstdint>

#include "arbitration/arbiter.h"
#include "core/mask.h"

namespace noctule {

/// Matches the requesters `asking`, bits below 64, with resources below 64. want(r): the resources that r may
/// have now, as bits, perhaps none; give(r, o) for every grant, ascending by resource, when all have been
/// found. turn_of(r), a reference, and of_resource[o] are what the arbiters remember: first of the cyclic
/// order, at the beginning 0.
template <class TurnOf, class Want, class Give>
[[gnu::always_inline]] inline void match_lone(TurnOf&& turn_of, std::uint8_t* of_resource,
                                              std::uint64_t asking, Want&& want, Give&& give) {
  using Arbiter = RoundRobin<1>;
  const auto serve = [&](std::size_t r, std::size_t o) __attribute__((always_inline)) {
    turn_of(r) = static_cast<std::uint8_t>(Arbiter::after(o));
    of_resource[o] = static_cast<std::uint8_t>(Arbiter::after(r));
    give(r, o);
  };
  if ((asking & (asking - 1)) == 0) {  // nobody to lose against
    if (asking == 0) return;
    const std::size_t r = lowest_bit(asking);
    const std::uint64_t wanted = want(r);
    if (wanted != 0) serve(r, Arbiter::pick({{wanted}}, turn_of(r)));
    return;
  }
  std::uint8_t winner[64];  // [resource]: a requester
  std::uint64_t bidden = 0;
  for (; asking != 0; asking &= asking - 1) {
    const std::size_t r = lowest_bit(asking);
    const std::uint64_t wanted = want(r);
    if (wanted == 0) continue;
    const std::size_t o = Arbiter::pick({{wanted}}, turn_of(r));
    const bool contended = (bidden >> o & 1) != 0;
    winner[o] = static_cast<std::uint8_t>(contended ? Arbiter::pick(winner[o], r, of_resource[o]) : r);
    bidden |= std::uint64_t{1} << o;
  }
  for (; bidden != 0; bidden &= bidden - 1) {
    const std::size_t o = lowest_bit(bidden);
    serve(winner[o], o);
  }
}

}  // namespace noctule
