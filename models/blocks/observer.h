#pragma once
// Who wants to know what every flit does. Compiled in only where a fabric is observed.

#include <cstdint>

#include "core/flit.h"
#include "core/ids.h"

namespace noctule {

enum class FlitEvent : std::uint8_t {
  kGenerate,  ///< a source made a packet that is not discarded; place: injection input
  kDiscard,   ///< a source made a packet that was discarded, the injection channel being busy
  kInject,    ///< the flit entered the injection buffer; place: injection input
  kGrant,     ///< the header was given an output VC; place: the output
  kCross,     ///< the flit crossed the crossbar, into an output buffer or towards the link; place: the output
  kLink,      ///< the flit left on a link (without output buffers: left for it); place: the output
  kConsume    ///< the flit left the consumption buffer; place: consumption output
};

class FlitObserver {
 public:
  virtual ~FlitObserver() = default;
  /// Before anything happens in cycle t (a reset excepted): routers hold the state at its start, what arrives
  /// then is in their arrivals. Cycles in which nothing can happen may be skipped over.
  virtual void on_cycle_start(Cycle t) { (void)t; }
  /// `place` is an input of the router's plan for the first three events, an output for the others. `input`:
  /// for kGrant and kCross the input on the other side of the crossbar, else 0xffff. Where consumption is
  /// unlimited, kConsume has no output (`place` 0xffff) but the input from which the flit was taken. The
  /// flit's packet is live during the call (kDiscard: only `packet` tells what it was).
  virtual void on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input,
                       Flit flit, const Packet& packet) = 0;
  /// After all routers have performed cycle t. Cycles in which nothing moved may be skipped over.
  virtual void on_cycle_end(Cycle t) = 0;
};

}  // namespace noctule
