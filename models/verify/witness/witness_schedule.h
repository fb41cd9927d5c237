#pragma once
// When the worms of a witness must start, so that in the simulated router they all hold what they hold before
// any of them asks for more.

#include "verify/certificate.h"

namespace noctule {

/// Sets the starts of the worms, the earliest at 0, and their lengths (those of committed worms stay). A
/// header takes one channel of its path every `cycles_per_hop` cycles, and asks for what it waits for as long
/// after its last one; it must find all of that taken. Where crossbars make few connections per cycle, no
/// more worms take a channel through one in the same cycle. Of committed worms the last channel of the path
/// is what they wait for. Where there are no such starts, each header asks for one of its alternatives alone
/// (WitnessWorm::asks_for), and only that one must be taken in time. False: not even then; then all worms
/// arrive together.
bool schedule(DeadlockWitness& witness, const FabricPlan& plan, const ChannelIndex& channels,
              std::uint64_t cycles_per_hop);

}  // namespace noctule
