#include "nodes/service_rates.h"

#include <algorithm>
#include <limits>

namespace noctule {
namespace {

/// Cycles in which a buffer slot is taken and free again: filled at the end of one, emptied at the end of
/// the next.
constexpr double kFillAndEmpty = 2;

}  // namespace

double injection_rate(const NodeDescription& node) {
  if (node.injection_channels == kUnlimited) return std::numeric_limits<double>::infinity();
  const double refill = node.injection_delay == 0 || node.refill_same_cycle ? 1 : kFillAndEmpty;
  return node.injection_channels *
         std::min(1.0, node.injection_vcs * static_cast<double>(node.input_depth) / refill);
}

double consumption_rate(const NodeDescription& node, double stall) {
  if (node.consumption_channels == kUnlimited) return std::numeric_limits<double>::infinity();
  // A place is taken as a flit crosses, and free in the cycle after the terminal took the flit.
  const double turn =
      node.direct() ? node.pipeline.behind_switch_allocation() + node.consumption_delay + 1 : kFillAndEmpty;
  const double buffers =
      node.consumption_buffered() ? node.consumption_vcs * node.consumption_depth / turn : 1.0;
  return node.consumption_channels * std::min({1.0, buffers, 1 - stall});
}

LinkRates::LinkRates(const NodeDescription& sender, const LinkDescription& link, unsigned depth,
                     unsigned slots)
    : serialiser_(link.cycles_per_flit),
      slot_(serialiser_ * slots),
      output_buffer_(sender.direct() ? 1.0 : sender.output_depth / kFillAndEmpty),
      input_depth_(depth),
      round_trip_(link.flit_delay + link.credit_delay) {
  if (sender.direct()) round_trip_ += sender.pipeline.behind_switch_allocation();
}

double LinkRates::virtual_channel() const {
  return std::min({1 / slot_, output_buffer_, input_depth_ / credit_cycles()});
}

LinkRates::Narrow LinkRates::narrow() const {
  const double all = virtual_channel();
  if (all >= 1 / slot_) return Narrow::kWires;
  return input_depth_ / credit_cycles() <= all ? Narrow::kCredits : Narrow::kOutputBuffer;
}

double LinkRates::link(unsigned vcs) const {
  return std::min(wires(), vcs * virtual_channel());
}

}  // namespace noctule
