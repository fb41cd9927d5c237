#include "nodes/service_rates.h"

#include <algorithm>
#include <limits>

namespace noctule {
namespace {

/// Cycles in which a buffer slot is taken and free again: filled at the end of one, emptied at the end of
/// the next.
constexpr double kFillAndEmpty = 2;

}  // namespace

ServiceRates::ServiceRates(const NodeDescription& node, std::uint64_t flit_delay, std::uint64_t credit_delay,
                           double stall)
    : input_depth_(node.input_depth), fixed_slots_(node.link_sharing == LinkSharing::kFixedSlot) {
  const double refill = node.injection_delay == 0 || node.refill_same_cycle ? 1 : kFillAndEmpty;
  injection_ = node.injection_channels == kUnlimited
                   ? std::numeric_limits<double>::infinity()
                   : node.injection_channels * std::min(1.0, node.injection_vcs * input_depth_ / refill);
  const double buffers = node.direct() ? 1.0 : node.consumption_vcs * node.consumption_depth / kFillAndEmpty;
  consumption_ = node.consumption_channels == kUnlimited
                     ? std::numeric_limits<double>::infinity()
                     : node.consumption_channels * std::min({1.0, buffers, 1 - stall});
  output_buffer_ = node.direct() ? 1.0 : node.output_depth / kFillAndEmpty;
  round_trip_ = static_cast<double>(flit_delay + credit_delay);
  if (node.direct()) round_trip_ += node.pipeline.behind_switch_allocation();
}

double ServiceRates::virtual_channel(unsigned of_link) const {
  const double slot = fixed_slots_ ? of_link : 1;
  return std::min({1 / slot, output_buffer_, input_depth_ / (round_trip_ + slot - 1)});
}

}  // namespace noctule
