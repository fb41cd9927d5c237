#include "analytic/zero_load.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {

namespace {

std::uint64_t most_vcs_of_a_link(const FabricPlan& plan) {
  std::uint64_t most = 1;
  for (const auto& router : plan.routers)
    for (const auto& channel : router->outbound) most = std::max<std::uint64_t>(most, channel.count);
  return most;
}

}  // namespace

ZeroLoad::ZeroLoad(const FabricPlan& plan) : plan_links_(plan.links) {
  const NodeDescription& node = plan.node;
  const LinkDescription& link = plan.links.kinds().front();
  const Pipeline& pipeline = node.pipeline;
  if (node.link_sharing == LinkSharing::kFixedSlot) slots_ = most_vcs_of_a_link(plan);
  header_ = pipeline.before_vc_allocation() + (pipeline.speculative ? 0 : pipeline.vc_allocation);
  crossing_ = pipeline.behind_switch_allocation();
  direct_ = node.direct();
  behind_ = direct_ ? crossing_ : 0;
  birth_ = node.injection_delay;
  consumption_waits_ = node.consumption_channels != kUnlimited;
  slot_ = slot_cycles(link);
  router_ = header_ + crossing_;
  link_ = slot_ - 1 + link.flit_delay;
  ends_ = birth_ + (consumption_waits_ ? router_ : 0);
  // Flits leave an input buffer in the cycle in which they get there, if the next buffer has room.
  links_ = {node.input_depth, credit_round_trip(link)};
  injection_ = {node.input_depth, node.injection_delay == 0 || node.refill_same_cycle ? 1U : 2U};
  if (!node.direct()) {
    // A place of an output buffer is filled at the end of one cycle, emptied at the end of the next.
    output_ = {node.output_depth, 2};
    consumption_ = {node.consumption_depth, 2};
  }
  for (std::size_t length = 1; length < kTabulated; ++length)
    for (const bool over_links : {false, true}) body_[over_links][length] = body(over_links, length);
}

std::vector<ZeroLoad::Buffer> ZeroLoad::buffers(std::span<const LinkId> path) const {
  std::vector<Buffer> all{{0, 0, 1, injection_.places, injection_.cycles}};
  std::uint64_t flown = 0;  // from the buffer before a router into it
  for (const LinkId id : path) {
    const LinkDescription& link = plan_links_[id];
    const Buffer behind{0, 0, slot_cycles(link), links_.places, link.credit_delay};
    if (direct_) {
      all.push_back({flown + header_, flown, behind.apart, behind.places, behind.again});
    } else {
      all.push_back({flown + header_, flown, 1, output_.places, output_.cycles - 1});
      all.push_back({crossing_, crossing_, behind.apart, behind.places, behind.again});
    }
    flown = flight(link);
  }
  if (!consumption_waits_) {
    all.push_back({flown, flown, 1, 0, 0});
    return all;
  }
  all.push_back(
      {flown + header_, flown, 1, direct_ ? 0 : consumption_.places, direct_ ? 0 : consumption_.cycles - 1});
  all.push_back({crossing_, crossing_, 1, 0, 0});
  return all;
}

std::uint64_t ZeroLoad::latency(std::span<const LinkId> path, std::uint64_t length) const {
  const auto way = buffers(path);
  std::uint64_t kept = 1;  // flits whose cycles are remembered
  for (const Buffer& buffer : way) kept = std::max(kept, buffer.places);
  kept = std::min(kept, length) + 1;
  std::vector<std::vector<std::uint64_t>> entered(kept, std::vector<std::uint64_t>(way.size()));
  for (std::uint64_t f = 0; f < length; ++f) {
    auto& now = entered[f % kept];
    for (std::size_t k = 0; k < way.size(); ++k) {
      const Buffer& buffer = way[k];
      std::uint64_t at = (k == 0 ? birth_ : now[k - 1]) + (f == 0 ? buffer.header : buffer.follower);
      if (f > 0) at = std::max(at, entered[(f - 1) % kept][k] + buffer.apart);
      if (buffer.places > 0 && f >= buffer.places)
        at = std::max(at, entered[(f - buffer.places) % kept][k + 1] + buffer.again);
      now[k] = at;
    }
  }
  return entered[(length - 1) % kept].back();
}

std::uint64_t ZeroLoad::body(bool over_links, std::uint64_t length) const {
  const std::uint64_t flits = length - 1;
  const std::uint64_t ends = std::max(injection_.behind_header(flits), consumption_.behind_header(flits));
  if (!over_links) return ends;
  return std::max({ends, links_.behind_header(flits, slot_), output_.behind_header(flits)});
}

std::string ZeroLoad::formula() const {
  if (!by_hops()) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (const LinkDescription& link : plan_links_.kinds()) {
      const std::uint64_t cycles = slot_cycles(link) - 1 + link.flit_delay;
      least = std::min(least, cycles);
      most = std::max(most, cycles);
    }
    return fmt::format(
        "T0 = {} + the sum over the links of {} + their cycles, {} to {}, and the flits behind the "
        "header as the slowest part lets them",
        ends_, router_, least, most);
  }
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
