#pragma once
// Where a flit is bound for, as event logs and waveforms show it.

#include "blocks/observer.h"
#include "nodes/router_plan.h"

namespace noctule {

/// Of a flit that is consumed: the terminal that takes it. Else the one that its packet's header goes to
/// next: of a worm with several destinations this changes on the way. `place`: as FlitObserver::on_flit gives
/// it.
inline TerminalId flit_destination(const FabricPlan& plan, RouterId router, FlitEvent event,
                                   std::uint16_t place, const Packet& packet) {
  if (event != FlitEvent::kConsume || place == kNoSlot) return packet.destination;
  const RouterPlan& at = *plan.routers[index(router)];
  const std::size_t slot = (place - at.link_outputs()) / at.consumption_vcs;
  return plan.consuming[index(router)][slot].terminal;
}

}  // namespace noctule
