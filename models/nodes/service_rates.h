#pragma once
// How many flits per cycle the parts of a router let through at most. What a worm meets on its way only
// lowers that, so these are bounds for every traffic.

#include <cstdint>

#include "nodes/node_description.h"

namespace noctule {

class ServiceRates {
 public:
  /// Delays in cycles. `stall`: share of the cycles in which a terminal takes no flit.
  ServiceRates(const NodeDescription& node, std::uint64_t flit_delay, std::uint64_t credit_delay,
               double stall = 0);

  /// Out of the injection channels of a terminal into its router: at most one flit per channel and cycle, and
  /// as fast as the injection buffers empty; infinite if the channels are unlimited.
  [[nodiscard]] double injection() const { return injection_; }
  /// To a terminal, over all of its consumption channels; infinite if these are unlimited.
  [[nodiscard]] double consumption() const { return consumption_; }
  /// Over one virtual channel of a link that has so many: its share of the link, and what its buffers hold
  /// per credit round trip.
  [[nodiscard]] double virtual_channel(unsigned of_link) const;

 private:
  double injection_ = 0;
  double consumption_ = 0;
  double output_buffer_ = 0;  ///< flits per cycle through the output buffer of a VC
  double input_depth_ = 0;    ///< flits
  double round_trip_ = 0;     ///< cycles from the sending of a flit until its slot is free again
  bool fixed_slots_ = false;
};

}  // namespace noctule
