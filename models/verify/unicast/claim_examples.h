#pragma once
// Of a claim that does not hold: a pair of terminals whose worms show it.

#include <string>

#include "verify/certificate.h"

namespace noctule {

/// "terminal 3 (router_3_0) to terminal 0 (router_0_0)": the first ones at these routers.
[[nodiscard]] std::string pair_in_words(const FabricPlan& plan, RouterId source, RouterId destination,
                                        unsigned message_class = 0);

/// Each says who does what, as ": from terminal 3 (router_3_0) to terminal 0 (router_0_0), router_3_0 offers
/// x_plus, ..."; empty where none of the first 2 million header states shows it. Of plan.relation.
[[nodiscard]] std::string example_not_minimal(const Certificate& certificate);
[[nodiscard]] std::string example_not_adaptive(const Certificate& certificate);
[[nodiscard]] std::string example_other_hops(const Certificate& certificate);
[[nodiscard]] std::string example_without_escape(const Certificate& certificate);

/// Where the relation serves every pair by `serves_all`, and not by `serves`: a pair that it does not, of the
/// first million pairs of routers. Empty: there is none.
[[nodiscard]] std::string example_not_served(const Certificate& certificate);

}  // namespace noctule
