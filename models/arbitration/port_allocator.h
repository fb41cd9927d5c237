#pragma once
// Separable input-first switch allocation with round-robin arbiters, those of all input ports at once, then
// those of all output ports: SeparableInputFirst of one round, where every requester asks for one resource
// and the arbiters of each stage fit into a word: those of the input ports into one of 64 bits, those of the
// output ports into one of 64 or 128. What routers share, and what each remembers, are apart.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "arbitration/field_arbiters.h"

namespace noctule {

/// What the arbiters of one router remember; at the beginning the lowest numbers come first.
struct PortTurns {
  std::uint64_t inputs = 0;
  std::uint64_t bids = 0;
  std::uint64_t far_bids = 0;  ///< the higher half, of 128 bits
};

/// `Word`: for the bids.
template <class Word>
class PortAllocator {
  static constexpr unsigned kBids = 8 * sizeof(Word);

 public:
  /// Does it fit?
  [[nodiscard]] static constexpr bool holds(std::size_t input_ports, std::size_t vcs,
                                            std::size_t output_ports) {
    return input_ports * vcs <= 64 && input_ports * output_ports <= kBids;
  }
  /// Requester port x vcs + v is VC v of an input port. They fit.
  PortAllocator(std::size_t input_ports, std::size_t vcs, std::size_t output_ports)
      : input_ports_(input_ports),
        inputs_(static_cast<unsigned>(input_ports), static_cast<unsigned>(vcs)),
        outputs_(static_cast<unsigned>(output_ports), static_cast<unsigned>(input_ports)) {
    for (std::size_t r = 0; r < input_ports * vcs; ++r)
      input_begin_[r] = static_cast<std::uint8_t>(r / vcs * vcs);
    for (std::size_t bid = 0; bid < output_ports * input_ports; ++bid)
      output_begin_[bid] = static_cast<std::uint8_t>(bid / input_ports * input_ports);
  }

  /// First bit of the bids for an output port; the input port's number is added to it.
  [[nodiscard]] std::size_t field(std::size_t output_port) const { return output_port * input_ports_; }

  /// give(r) for those of `requests`, of which there are some, that get the port that they ask for,
  /// ascending: at most one of every input port and one for every output port. bid_of(r) = field(output port)
  /// + input port of requester r; give(r) does not change it. Returns them.
  template <class BidOf, class Give>
  [[gnu::always_inline]] std::uint64_t serve(PortTurns& turns, std::uint64_t requests, BidOf&& bid_of,
                                             Give&& give) const {
    std::uint64_t bidders = requests;
    Word won;
    const bool alone = (requests & (requests - 1)) == 0;  // nobody to lose against
    if (alone) {
      const std::size_t r = lowest(requests);
      const std::size_t bid = bid_of(r);
      won = Word{1} << bid;
      turns.inputs = inputs_.after_one(static_cast<unsigned>(r), input_begin_[r], turns.inputs);
      keep(turns, outputs_.after_one(static_cast<unsigned>(bid), output_begin_[bid], kept(turns)));
    } else {
      bidders = inputs_.pick(requests, turns.inputs);
      Word bids = 0;
      for (std::uint64_t rest = bidders; rest != 0; rest &= rest - 1) bids |= Word{1} << bid_of(lowest(rest));
      won = outputs_.pick(bids, kept(turns));
      keep(turns, outputs_.after(won, kept(turns)));
    }
    std::uint64_t granted = 0;
    for (std::uint64_t rest = bidders; rest != 0; rest &= rest - 1) {
      const std::size_t r = lowest(rest);
      if ((won >> bid_of(r) & 1) == 0) continue;
      granted |= rest & -rest;
      give(r);
    }
    if (!alone) turns.inputs = inputs_.after(granted, turns.inputs);
    return granted;
  }
  template <class BidOf>
  std::uint64_t allocate(PortTurns& turns, std::uint64_t requests, BidOf&& bid_of) const {
    return serve(turns, requests, bid_of, [](std::size_t) {});
  }

 private:
  static std::size_t lowest(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }
  static Word kept(const PortTurns& turns) {
    if constexpr (kBids > 64) return Word{turns.far_bids} << 64 | turns.bids;
    return turns.bids;
  }
  static void keep(PortTurns& turns, Word bids) {
    turns.bids = static_cast<std::uint64_t>(bids);
    if constexpr (kBids > 64) turns.far_bids = static_cast<std::uint64_t>(bids >> 64);
  }

  std::size_t input_ports_;
  FieldArbiters<std::uint64_t> inputs_;
  FieldArbiters<Word> outputs_;
  std::uint8_t input_begin_[64] = {};      ///< [requester]: of its field of inputs_
  std::uint8_t output_begin_[kBids] = {};  ///< [bid]: of its field of outputs_
};

__extension__ using WideWord = unsigned __int128;
using NearPortAllocator = PortAllocator<std::uint64_t>;
/// For routers of 9 to 11 ports.
using FarPortAllocator = PortAllocator<WideWord>;

}  // namespace noctule
