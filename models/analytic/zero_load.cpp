#include "analytic/zero_load.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {

std::uint64_t slot_cycles(const FabricPlan& plan) {
  if (plan.node.link_sharing == LinkSharing::kDemand) return 1;
  std::uint64_t most = 1;
  for (const auto& router : plan.routers)
    for (const auto& channel : router->outbound) most = std::max<std::uint64_t>(most, channel.count);
  return most;
}

ZeroLoad::ZeroLoad(const FabricPlan& plan, std::uint64_t flit_delay, std::uint64_t credit_delay)
    : slot_(slot_cycles(plan)) {
  const NodeDescription& node = plan.node;
  const Pipeline& pipeline = node.pipeline;
  const std::uint64_t header =
      pipeline.before_vc_allocation() + (pipeline.speculative ? 0 : pipeline.vc_allocation);
  const std::uint64_t behind = pipeline.behind_switch_allocation();
  router_ = header + behind;
  link_ = slot_ - 1 + flit_delay;
  flight_ = (node.direct() ? behind : 0) + link_;
  ends_ = node.injection_delay + (node.consumption_channels == kUnlimited ? 0 : router_);
  // Flits leave an input buffer in the cycle in which they get there, if the next buffer has room.
  links_ = {node.input_depth, flight_ + credit_delay};
  injection_ = {node.input_depth, node.injection_delay == 0 || node.refill_same_cycle ? 1U : 2U};
  if (!node.direct()) {
    // A place of an output buffer is filled at the end of one cycle, emptied at the end of the next.
    output_ = {node.output_depth, 2};
    consumption_ = {node.consumption_depth, 2};
  }
  for (std::size_t length = 1; length < kTabulated; ++length)
    for (const bool over_links : {false, true}) body_[over_links][length] = body(over_links, length);
}

std::uint64_t ZeroLoad::body(bool over_links, std::uint64_t length) const {
  const std::uint64_t flits = length - 1;
  const std::uint64_t ends = std::max(injection_.behind_header(flits), consumption_.behind_header(flits));
  if (!over_links) return ends;
  return std::max({ends, links_.behind_header(flits, slot_), output_.behind_header(flits)});
}

std::string ZeroLoad::formula() const {
  const std::uint64_t each = latency(1, 2) - latency(1, 1);
  const bool steady = latency(1, 65) - latency(1, 1) == 64 * each;
  std::string text = "T0 = ";
  if (ends_ > 0) text += fmt::format("{} + ", ends_);
  text += fmt::format("{} d", per_hop());
  if (steady)
    text += each == 1 ? " + (L - 1)" : fmt::format(" + {} (L - 1)", each);
  else
    text +=
        fmt::format(" + the cycles in which L - 1 flits follow, {} every {}", links_.places, links_.cycles);
  return text + fmt::format(" cycles for d hops and L flits; router {}, link {}", router_, link_);
}

}  // namespace noctule
