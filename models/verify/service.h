#pragma once
// What arbiters promise to message classes that they serve apart (MessageClasses::service).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/router_plan.h"
#include "verify/certificate.h"

namespace noctule {

/// At one link, between two flits of a service group that could leave at any time: flits of others that go in
/// between, at most. Nothing where a group of a higher priority can go first for ever. Of weighted groups,
/// those of other weights in sum, as they may have all of theirs left when this one has spent its own; and
/// one of each but the last of them at the begin of the next round (blocks/service_groups.h). Not where a
/// switch allocator gives links to flits: who loses an input port is passed over besides.
[[nodiscard]] std::optional<std::uint64_t> passed_over_at_most(const MessageClasses& classes,
                                                               std::size_t group);

/// Message classes that starve where others send without a pause, with what keeps them waiting and the
/// remedy: a sentence; empty: none does.
[[nodiscard]] std::string starvation_text(const MessageClasses& classes);

/// The same for a flit at the front of one VC: others that go before it, at most, where the group has `vcs`
/// VCs on the link, which it serves round robin.
[[nodiscard]] std::optional<std::uint64_t> waits_at_most(const MessageClasses& classes, std::size_t group,
                                                         std::size_t vcs);

/// One for each group that is served apart: for progress, not for freedom of deadlock.
[[nodiscard]] std::vector<ProofCondition> service_conditions(const FabricPlan& plan);

}  // namespace noctule
