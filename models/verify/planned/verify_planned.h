#pragma once
// Can the messages of a fabric with multicasts deadlock?

#include "verify/verifier.h"

namespace noctule {

/// Does every worm carry one message straight to one destination, and end there, on the routing of the fabric
/// and in one class? Then these are unicasts, of which `verify` has more to say.
bool carries_unicasts_alone(const FabricPlan& plan);

/// Concludes, in a certificate that has plan, channels and the conditions of every proof: the dependency
/// graph of communication and consumption channels (Boppana et al. 1998, 3) is
///  1. acyclic: proved;
///  2. cyclic: unknown, with a shortest cycle and the messages that make it; a simulation may show that they
///     deadlock (run/fabric_verdict.h).
void verify_planned(Certificate& certificate, const VerifyOptions& options);

}  // namespace noctule
