#include "verify/recheck.h"

#include "verify/planned/check_planned_numbering.h"
#include "verify/planned/verify_planned.h"
#include "verify/unicast/check_numbering.h"

namespace noctule {

bool can_recheck(const Certificate& certificate) {
  return certificate.proved() && certificate.followed == Certificate::Followed::kWorms &&
         !certificate.numbering.empty();
}

bool recheck(const FabricPlan& plan, const std::string& method, const std::vector<std::uint32_t>& numbering) {
  const ChannelIndex channels(plan);
  if (numbering.size() != channels.size()) return false;
  const bool planned = plan.multicast && !carries_unicasts_alone(plan);
  if (method == "acyclic")
    return (planned ? check_planned_numbering(plan, channels, numbering)
                    : check_numbering(plan, channels, numbering, false))
        .empty();
  return method == "escape_network" && !planned &&
         plan.nodes.all([](const auto& node) { return node.release == VcRelease::kNextBufferEmpty; }) &&
         check_numbering(plan, channels, numbering, true).empty();
}

}  // namespace noctule
