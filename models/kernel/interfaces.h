#pragma once
// What crosses a boundary: between routers (a flit with its virtual channel; a credit), between the fabric
// and its routers (evaluation), between the fabric and whoever uses it (packets in, deliveries out).

#include <cstdint>

#include "core/flit.h"
#include "core/ids.h"
#include "core/packet.h"
#include "kernel/systemc.h"

namespace noctule {

/// Receiving end of a physical link. A call is made during the evaluation of cycle t and takes effect at the
/// start of cycle `effect` > t; one writer per link, at most one flit per cycle of effect.
class flit_if : virtual public sc_core::sc_interface {
 public:
  /// `vc`: number of the virtual channel within this link.
  virtual void put(std::uint16_t vc, Flit flit, Cycle effect) = 0;
};

/// Sending end of a physical link, as its receiver sees it: a place in the input buffer of `vc` is free again
/// from the start of cycle `effect` on: a later cycle, or this one for a sender that is evaluated after.
class credit_if : virtual public sc_core::sc_interface {
 public:
  virtual void credit(std::uint16_t vc, Cycle effect) = 0;
};

/// A router as the fabric's scheduler sees it. Decisions read the state at the start of the cycle only.
class router_if : virtual public sc_core::sc_interface {
 public:
  /// Performs cycle t. False: nothing happens here until a call from outside wakes the router.
  virtual bool evaluate(Cycle t) = 0;
};

/// Packets into a fabric, from any process of the user's. A call at time T takes effect at the first cycle
/// that starts after T, whatever the delta cycle of the call.
class injection_if : virtual public sc_core::sc_interface {
 public:
  /// Would `inject` be accepted? Reads the state at the start of the cycle that is due or being performed at
  /// this instant, else the state that the last cycle left, like a register; and what other calls have handed
  /// over since. Always true with an infinite source queue.
  [[nodiscard]] virtual bool can_accept(TerminalId source, std::uint8_t message_class = 0) const = 0;
  /// Hands over a packet. `packet.birth` is ignored: it is the cycle in which the call takes effect. False:
  /// the source queue is full, or the injection channel is busy and sources discard; nothing was taken.
  /// Throws ConfigError for a destination outside the fabric, a length out of range, or a message class that
  /// the fabric does not have. Where the terminal has a source of its own inside the fabric as well, that may
  /// take the channel first; the packet is then discarded like any other (counters).
  virtual bool inject(TerminalId source, const GeneratedPacket& packet) = 0;
};

/// Deliveries out of a fabric; called during the cycle in which the tail is consumed.
class consumption_if : virtual public sc_core::sc_interface {
 public:
  virtual void delivered(const Delivery& delivery) = 0;
};

}  // namespace noctule
