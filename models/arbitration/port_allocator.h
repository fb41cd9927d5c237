#pragma once
// Separable input-first switch allocation with round-robin arbiters, those of all input ports at once, then
// those of all output ports: SeparableInputFirst of one round, where every requester asks for one resource
// and the arbiters of each stage fit into a word. What routers share, and what each remembers, are apart.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "arbitration/field_arbiters.h"

namespace noctule {

class PortAllocator {
 public:
  /// What the arbiters of one router remember.
  struct Turns {
    std::uint64_t inputs = 0;
    std::uint64_t bids = 0;
  };

  /// Does it fit?
  [[nodiscard]] static constexpr bool holds(std::size_t input_ports, std::size_t vcs,
                                            std::size_t output_ports) {
    return input_ports * vcs <= 64 && input_ports * output_ports <= 64;
  }
  /// Requester port x vcs + v is VC v of an input port. They fit.
  PortAllocator(std::size_t input_ports, std::size_t vcs, std::size_t output_ports)
      : input_ports_(input_ports),
        inputs_(static_cast<unsigned>(input_ports), static_cast<unsigned>(vcs)),
        outputs_(static_cast<unsigned>(output_ports), static_cast<unsigned>(input_ports)) {}

  /// Lowest numbers first.
  [[nodiscard]] Turns start() const { return {inputs_.start(), outputs_.start()}; }
  /// First bit of the bids for an output port; the input port's number is added to it.
  [[nodiscard]] std::size_t field(std::size_t output_port) const { return output_port * input_ports_; }

  /// Those of `requests`, of which there are some, that get the port that they ask for: at most one of every
  /// input port and one for every output port. bid_of(r) = field(output port) + input port of requester r.
  template <class BidOf>
  [[gnu::always_inline]] std::uint64_t allocate(Turns& turns, std::uint64_t requests, BidOf&& bid_of) const {
    if ((requests & (requests - 1)) == 0) {  // nobody to lose against
      turns.bids = outputs_.after(1ULL << bid_of(lowest(requests)), turns.bids);
      turns.inputs = inputs_.after(requests, turns.inputs);
      return requests;
    }
    const std::uint64_t bidders = inputs_.pick(requests, turns.inputs);
    std::uint64_t bids = 0;
    for (std::uint64_t rest = bidders; rest != 0; rest &= rest - 1) bids |= 1ULL << bid_of(lowest(rest));
    const std::uint64_t won = outputs_.pick(bids, turns.bids);
    std::uint64_t granted = 0;
    for (std::uint64_t rest = bidders; rest != 0; rest &= rest - 1)
      granted |= (won >> bid_of(lowest(rest)) & 1) << lowest(rest);
    turns.bids = outputs_.after(won, turns.bids);
    turns.inputs = inputs_.after(granted, turns.inputs);
    return granted;
  }

 private:
  static std::size_t lowest(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

  std::size_t input_ports_;
  FieldArbiters inputs_;
  FieldArbiters outputs_;
};

}  // namespace noctule
