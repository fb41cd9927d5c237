#pragma once
// Separable input-first switch allocation with round-robin arbiters, those of all input ports at once, then
// those of all output ports: SeparableInputFirst of one round, where every requester asks for one resource
// and the arbiters of each stage fit into words: those of the input ports into one of 64 bits, those of the
// output ports into up to three. What routers share, and what each remembers, are apart.

#include <array>
#include <cstddef>
#include <cstdint>

#include "arbitration/field_arbiters.h"
#include "core/mask.h"

namespace noctule {

/// What the arbiters of one router remember; at the beginning the lowest numbers come first.
struct PortTurns {
  static constexpr std::size_t kWords = 3;
  std::uint64_t inputs = 0;
  std::array<std::uint64_t, kWords> bids = {};
};

class PortAllocator {
 public:
  /// Does it fit?
  [[nodiscard]] static constexpr bool holds(std::size_t input_ports, std::size_t vcs,
                                            std::size_t output_ports) {
    return input_ports * vcs <= kBits && output_ports <= PortTurns::kWords * fields_per_word(input_ports);
  }
  /// Requester port x vcs + v is VC v of an input port. They fit.
  PortAllocator(std::size_t input_ports, std::size_t vcs, std::size_t output_ports)
      : input_ports_(input_ports),
        words_((output_ports + fields_per_word(input_ports) - 1) / fields_per_word(input_ports)),
        inputs_(static_cast<unsigned>(input_ports), static_cast<unsigned>(vcs)),
        outputs_(static_cast<unsigned>(fields_per_word(input_ports)), static_cast<unsigned>(input_ports)) {
    for (std::size_t r = 0; r < input_ports * vcs; ++r)
      input_begin_[r] = static_cast<std::uint8_t>(r / vcs * vcs);
    for (std::size_t bid = 0; bid < kBits; ++bid)
      output_begin_[bid] = static_cast<std::uint8_t>(bid / input_ports * input_ports);
  }

  /// First number of the bids for an output port; the input port's number is added to it. Bid b is bit b % 64
  /// of word b / 64.
  [[nodiscard]] std::size_t field(std::size_t output_port) const {
    const std::size_t fields = fields_per_word(input_ports_);
    return output_port / fields * kBits + output_port % fields * input_ports_;
  }

  /// Bids are in word 0.
  [[nodiscard]] bool one_word() const { return words_ == 1; }

  /// give(r) for those of `requests`, of which there are some, that get the port that they ask for,
  /// ascending: at most one of every input port and one for every output port. bid_of(r) = field(output port)
  /// + input port of requester r. Returns them. `kOneWord`: one_word().
  template <bool kOneWord = false, class BidOf, class Give>
  [[gnu::always_inline]] std::uint64_t serve(PortTurns& turns, std::uint64_t requests, BidOf&& bid_of,
                                             Give&& give) const {
    std::uint64_t granted = requests;
    if ((requests & (requests - 1)) == 0)
      alone<kOneWord>(turns, Mask<1>{{requests}}.lowest(), bid_of);
    else
      granted = contend<kOneWord>(turns, requests, bid_of);
    Mask<1>{{granted}}.each(give);
    return granted;
  }
  template <class BidOf>
  std::uint64_t allocate(PortTurns& turns, std::uint64_t requests, BidOf&& bid_of) const {
    return serve(turns, requests, bid_of, [](std::size_t) {});
  }

 private:
  static constexpr std::size_t kBits = 64;

  /// Fields do not go over the end of a word.
  static constexpr std::size_t fields_per_word(std::size_t input_ports) { return kBits / input_ports; }

  /// There is nobody to lose against.
  template <bool kOneWord, class BidOf>
  [[gnu::always_inline]] void alone(PortTurns& turns, std::size_t r, BidOf&& bid_of) const {
    turns.inputs = inputs_.after_one(static_cast<unsigned>(r), input_begin_[r], turns.inputs);
    const std::size_t bid = bid_of(r);
    std::uint64_t& bids = turns.bids[kOneWord ? 0 : bid / kBits];
    bids = outputs_.after_one(static_cast<unsigned>(bid % kBits), output_begin_[bid % kBits], bids);
  }
  template <bool kOneWord, class BidOf>
  [[gnu::always_inline]] std::uint64_t contend(PortTurns& turns, std::uint64_t requests,
                                               BidOf&& bid_of) const {
    const Mask<1> bidders{{inputs_.pick(requests, turns.inputs)}};
    std::uint64_t granted = 0;
    if (kOneWord || words_ == 1) [[likely]] {
      std::uint64_t bids = 0;
      bidders.each([&](std::size_t r) { bids |= std::uint64_t{1} << bid_of(r); });
      const std::uint64_t won = choose(turns.bids[0], bids);
      bidders.each([&](std::size_t r) { granted |= (won >> bid_of(r) & 1) << r; });
    } else {
      granted = contend_in_words(turns, bidders, bid_of);
    }
    turns.inputs = inputs_.after(granted, turns.inputs);
    return granted;
  }
  template <class BidOf>
  [[gnu::noinline]] std::uint64_t contend_in_words(PortTurns& turns, Mask<1> bidders, BidOf&& bid_of) const {
    std::array<std::uint64_t, PortTurns::kWords> bids = {};
    bidders.each([&](std::size_t r) { bids[bid_of(r) / kBits] |= std::uint64_t{1} << bid_of(r) % kBits; });
    for (std::size_t w = 0; w < words_; ++w) bids[w] = choose(turns.bids[w], bids[w]);
    std::uint64_t granted = 0;
    bidders.each([&](std::size_t r) { granted |= (bids[bid_of(r) / kBits] >> bid_of(r) % kBits & 1) << r; });
    return granted;
  }
  /// The bids that win at their output ports.
  [[gnu::always_inline]] std::uint64_t choose(std::uint64_t& turns, std::uint64_t bids) const {
    const std::uint64_t won = outputs_.pick(bids, turns);
    turns = outputs_.after(won, turns);
    return won;
  }

  std::size_t input_ports_;
  std::size_t words_;  ///< of bids
  FieldArbiters inputs_;
  FieldArbiters outputs_;                  ///< of each word
  std::uint8_t input_begin_[kBits] = {};   ///< [requester]: of its field of inputs_
  std::uint8_t output_begin_[kBits] = {};  ///< [bid within its word]: of its field of outputs_
};

}  // namespace noctule
