#include "verify/conditions.h"

#include <fmt/format.h>

#include "arbitration/allocator.h"
#include "verify/service.h"

namespace noctule {
namespace {

const char* ties_text(Ties ties) {
  switch (ties) {
    case Ties::kRandom:
      return "drawn";
    case Ties::kRotating:
      return "by a rotating priority";
    case Ties::kPort:
      break;
  }
  return "by port";
}

/// Are headers and flits served within bounded time, and by what?
std::pair<bool, std::string> fairness(const NodeDescription& node) {
  if (node.arbiter == ArbiterKind::kAge) return {true, "the oldest packet first, everywhere"};
  const auto& allocators = AllocatorRegistry::instance();
  for (const std::string& name : {node.vc_allocator, node.switch_allocator})
    if (const auto* entry = allocators.find(name); entry != nullptr && !entry->make.fair)
      return {false, fmt::format("allocator {} may pass a header over for ever", name)};
  // The VCs of an input port are a group of the switch allocator.
  if (const auto* entry = allocators.find(node.switch_allocator);
      entry != nullptr && entry->make.groups_need_matrix && node.arbiter == ArbiterKind::kRoundRobin)
    return {false,
            fmt::format("switch_allocator {} with round robin may pass a VC over for ever; node.arbiter "
                        "matrix does not",
                        node.switch_allocator)};
  if (node.vc_allocator != "scan") return {true, node.vc_allocator};
  switch (node.scan) {
    case Scan::kFixed:
      return {false, "node.scan fixed favours low inputs"};
    case Scan::kInjectionFirst:
      return {false, "node.scan injection_first favours terminals and low inputs"};
    case Scan::kFarthestFirst:
      return {false, "node.scan farthest_first favours long paths"};
    case Scan::kFirstCome:
      return {true, fmt::format("first come, first served{}, ties {}",
                                node.transit_first ? ", worms in transit before new ones" : "",
                                ties_text(node.ties))};
    default:
      return {true, "round robin, rotating or random start"};
  }
}

std::vector<ProofCondition> conditions_of(const NodeDescription& node) {
  const auto [fair, arbiters] = fairness(node);
  const char* const consumption =
      node.consumption_channels == kUnlimited ? "node.consumption_channels" : "node.consumption_depth";
  return {{"every VC has a buffer of its own at both ends of its link", "node.input_depth, node.output_depth",
           node.direct() ? fmt::format("{} flits per VC behind the link, none before", node.input_depth)
                         : fmt::format("{} and {} flits per VC", node.input_depth, node.output_depth),
           node.input_depth >= 1, true},
          {"a link serves only VCs that can move: a blocked VC does not block another", "",
           "the link multiplexers choose among the VCs that hold a flit and have room behind", true, true},
          {"a header that waits may take any of its candidates as soon as it is free", "",
           node.selection == Selection::kBlind
               ? "the VC allocators draw one candidate of a waiting header in every cycle, each as likely"
               : "the VC allocators look at all candidates of a waiting header in every cycle",
           true, true},
          {"a consumption channel always takes flits again", consumption,
           node.consumption_channels == kUnlimited ? "unlimited: every worm that arrives is consumed at once"
           : !node.consumption_buffered()
               ? "one flit per cycle whatever happens"
               : fmt::format("{} flit{}, emptied at one flit per cycle whatever happens",
                             node.consumption_depth, node.consumption_depth == 1 ? "" : "s"),
           node.consumption_depth >= 1, true},
          {"arbiters are fair: a header that can go on is served in the end",
           node.arbiter == ArbiterKind::kAge ? "node.arbiter"
           : node.vc_allocator == "scan"     ? "node.scan"
                                             : "node.vc_allocator",
           arbiters, fair, false}};
}

}  // namespace

const char* release_text(VcRelease release) {
  switch (release) {
    case VcRelease::kTailCrossed:
      return "node.release tail_crossed";
    case VcRelease::kTailLeft:
      return "node.release tail_left";
    case VcRelease::kNextBufferEmpty:
      break;
  }
  return "node.release next_buffer_empty";
}

std::vector<ProofCondition> common_conditions(const FabricPlan& plan) {
  auto all = conditions_of(plan.common_node());
  for (std::size_t c = 0; c < plan.message_classes.size(); ++c)
    for (const std::uint8_t then : plan.message_classes.awaited_by(c))
      all.push_back({fmt::format("a terminal that has injected what it owes takes {} packets again",
                                 plan.message_classes[c].name),
                     "depends",
                     fmt::format("it holds {} and owes a {} for each", *plan.message_classes[c].buffer,
                                 plan.message_classes[then].name),
                     true, true});
  for (const NodeDescription& node : plan.nodes.kinds().subspan(1)) {
    const auto more = conditions_of(node);
    for (std::size_t i = 0; i < more.size(); ++i) {
      if (all[i].given != more[i].given && all[i].given.find("; " + more[i].given) == std::string::npos)
        all[i].given += "; " + more[i].given;
      all[i].holds = all[i].holds && more[i].holds;
    }
  }
  for (auto& condition : service_conditions(plan)) all.push_back(std::move(condition));
  return all;
}

ProofCondition empty_vc_condition(const NodeDescription& node) {
  return {
      "a worm takes a VC only if its buffers at both ends are empty, so that every header is at the front "
      "and can turn to an escape channel",
      "node.release", release_text(node.release), node.release == VcRelease::kNextBufferEmpty, true};
}

}  // namespace noctule
