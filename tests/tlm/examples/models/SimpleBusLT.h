#pragma once
// Found before the header of this name of SystemC's example systems.

#include "tlm_utils/simple_initiator_socket.h"
#include "tlm_utils/simple_target_socket.h"

#include "models/fabric_bus.h"

template <int kInitiators, int kTargets>
using SimpleBusLT = FabricBus<kInitiators, kTargets>;
