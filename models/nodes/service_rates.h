#pragma once
// How many flits per cycle the parts of a router let through at most. What a worm meets on its way only
// lowers that, so these are bounds for every traffic.

#include "nodes/link_description.h"
#include "nodes/node_description.h"

namespace noctule {

/// Out of the injection channels of a terminal into its router: at most one flit per channel and cycle, and
/// as fast as the injection buffers empty; infinite if the channels are unlimited.
[[nodiscard]] double injection_rate(const NodeDescription& node);
/// To a terminal, over all of its consumption channels; infinite if these are unlimited. `stall`: share of
/// the cycles in which it takes no flit.
[[nodiscard]] double consumption_rate(const NodeDescription& node, double stall = 0);

/// Flits per cycle over a link.
class LinkRates {
 public:
  /// `depth`: flits in each input buffer behind it. `slots`: FabricPlan::slots.
  LinkRates(const NodeDescription& sender, const LinkDescription& link, unsigned depth, unsigned slots);

  /// Over the wires: one flit per cycle, or as fast as the serialiser is.
  [[nodiscard]] double wires() const { return 1 / serialiser_; }
  /// Over one virtual channel: its share of the link, and what its buffers hold per credit round trip.
  [[nodiscard]] double virtual_channel() const;
  /// Over so many virtual channels and the wires that they share.
  [[nodiscard]] double link(unsigned vcs) const;

  /// What a virtual channel is limited by: its share of the wires, its output buffer, or its places behind
  /// the link, of which each comes back after a credit round trip.
  enum class Narrow : std::uint8_t { kWires, kOutputBuffer, kCredits };
  [[nodiscard]] Narrow narrow() const;
  /// Cycles from the sending of a flit until its place can be taken again.
  [[nodiscard]] double credit_cycles() const { return round_trip_ + slot_ - 1; }

 private:
  double serialiser_ = 1;     ///< cycles that a flit occupies the wires
  double slot_ = 1;           ///< cycles between flits of one virtual channel
  double output_buffer_ = 0;  ///< flits per cycle through the output buffer of a VC
  double input_depth_ = 0;    ///< flits
  double round_trip_ = 0;     ///< cycles from the sending of a flit until its place is free again
};

}  // namespace noctule
