#pragma once
// Is every output pin of an RTL router a function of registers alone?

#include "rtl/dut.h"

namespace noctule {

/// Drives the router with legal traffic and, in every cycle, shows it without a clock edge what else could be
/// on its input pins. Throws ConfigError that names an input and an output between which there is a
/// combinational path: the fabric reads all outputs at the start of a cycle. Where the router itself breaks
/// the rules of the pins or stops, the check ends: the bench says where.
void check_registered_outputs(const Dut& dut, const FabricPlan& plan, RouterId router);

}  // namespace noctule
