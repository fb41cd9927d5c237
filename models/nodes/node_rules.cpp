// Which keys of a node go together.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "arbitration/allocator.h"
#include "core/error.h"
#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

void refuse(bool wrong, const char* key, const std::string& text) {
  if (wrong) throw ConfigError(std::string("node.") + key, text);
}

/// An allocator says itself what it cannot be made of: one is made, to hear it before a fabric is built.
/// Where the oldest packet goes first, none is asked.
void check_allocators(const NodeDescription& node) {
  if (node.arbiter == ArbiterKind::kAge) return;
  const AllocatorRegistry& known = AllocatorRegistry::instance();
  for (const std::string& name : {node.vc_allocator, node.switch_allocator})
    if (name != "scan" && name != "none")
      (void)known.at(name).make.factory.make<1>({{0, 1}, 2}, {node.arbiter, node.allocator_iterations});
}

/// A channel that exists only while a worm is in it has no number: whatever goes by numbers of inputs or
/// shares a channel cannot serve it.
void check_unlimited_injection(const NodeDescription& node) {
  if (node.injection_channels != kUnlimited) return;
  const char* const key = "injection_channels";
  const std::string remedy = fmt::format("; or give their number, 1 to {}", kMostChannels);
  refuse(node.vc_allocator != "scan", key,
         "an allocator matches inputs by number, unlimited injection channels have none: it needs "
         "node.vc_allocator scan and node.scan first_come" +
             remedy);
  refuse(node.scan != Scan::kFirstCome, key,
         "a scan goes by the numbers of the inputs, unlimited injection channels have none: it needs "
         "node.scan first_come" +
             remedy);
  refuse(node.switch_allocator != "none", key,
         "a switch allocator matches inputs by number, unlimited injection channels have none: it needs "
         "node.switch_allocator none" +
             remedy);
  refuse(node.selection == Selection::kBlind, key,
         "headers in unlimited channels wait for what is free, and draw nothing: it needs another "
         "node.selection than blind" +
             remedy);
  refuse(node.injection_vcs != 1, "injection_vcs",
         "where injection channels are unlimited, every worm has one of its own: write injection_vcs: 1");
  refuse(node.retransmission_buffers != 0, key,
         "messages that are sent on use numbered injection channels: it needs "
         "node.retransmission_buffers 0" +
             remedy);
}

/// The second of two elements that are the same would have no effect.
template <class T>
void refuse_doubles(const char* name, const std::vector<T>& list) {
  for (auto it = list.begin(); it != list.end(); ++it)
    if (const auto before = std::find(list.begin(), it, *it); before != it)
      throw ConfigError(fmt::format("node.{}[{}]", name, it - list.begin()),
                        fmt::format("is the same as element {}; leave one out", before - list.begin()));
}

void check_lists(const NodeDescription& node) {
  for (std::size_t i = 0; i < node.prefer.size(); ++i)
    refuse(node.prefer[i].empty(), fmt::format("prefer[{}]", i).c_str(),
           "fits every VC, so that none is preferred; name a field, such as {lane: 0}");
  refuse_doubles("prefer", node.prefer);
  refuse_doubles("crossbar_per", node.crossbar_per);
  refuse_doubles("consumption_classes", node.consumption_classes);
}

}  // namespace

void check_node(const NodeDescription& node) {
  check_lists(node);
  const bool scans = node.vc_allocator == "scan";
  const bool switched = node.switch_allocator != "none";
  const Pipeline& pipeline = node.pipeline;
  refuse(node.link_assignment == LinkAssignment::kMixed && node.lanes < node.parallel_links, "parallel_links",
         fmt::format("{} parallel links but {} lane(s): with link_assignment mixed each link needs a lane of "
                     "its own; raise node.lanes or use link_assignment by_class",
                     node.parallel_links, node.lanes));
  refuse(!scans && node.connections_per_cycle != 0, "connections_per_cycle",
         "a limit on new connections belongs to vc_allocator scan; " + node.vc_allocator +
             " grants what it matches: write connections_per_cycle: all");
  refuse(!scans && node.scan != Scan::kRoundRobin, "scan",
         "an order of service belongs to vc_allocator scan; " + node.vc_allocator +
             " has arbiters of its own: write scan: round_robin");
  refuse(!scans && node.selection != Selection::kRandom, "selection",
         "a choice among output VCs belongs to vc_allocator scan; " + node.vc_allocator +
             " chooses by its arbiters: write selection: random");
  refuse(!scans && node.transit_first, "transit_first", "an order of service belongs to vc_allocator scan");
  refuse(node.transit_first && node.scan != Scan::kFirstCome, "transit_first",
         "transit first needs node.scan first_come");
  refuse((node.scan == Scan::kFirstCome || node.scan == Scan::kFarthestFirst) &&
             (!node.crossbar_per.empty() || node.crossbars.size() > 1),
         "scan", "all headers of a router are in one order; it needs a router with one crossbar");
  refuse(node.ties != Ties::kRandom && node.scan != Scan::kFirstCome, "ties",
         "who comes first in a tie matters where headers are served first come, first served: it needs "
         "node.scan first_come; or write ties: random");
  check_unlimited_injection(node);
  check_allocators(node);
  refuse(
      !node.direct() && (pipeline.switch_allocation != 0 || pipeline.traversal != 1),
      pipeline.traversal != 1 ? "traversal_delay" : "switch_allocation_delay",
      "with output buffers a flit crosses in the cycle of its grant and is in the output buffer in the next "
      "one: switch_allocation_delay is 0 and traversal_delay 1; or use output_depth 0");
  refuse(
      node.direct() && node.release == VcRelease::kTailLeft, "release",
      "tail_left waits for an empty output buffer, and there is none (output_depth 0): use tail_crossed (the "
      "tail has left the input buffer) or next_buffer_empty");
  refuse(!node.direct() && node.consumption_channels == kUnlimited, "consumption_channels",
         "unlimited consumption takes flits out of the input buffers: it needs output_depth 0");
  refuse(!node.direct() && node.consumption_delay > 0, "consumption_delay",
         "output buffers are what flits to the terminal wait in: consumption_delay 0; or use output_depth 0");
  refuse(node.consumption_channels == kUnlimited && node.consumption_delay > 0, "consumption_channels",
         "unlimited consumption takes flits out of the input buffers, and nothing is behind them: it needs "
         "consumption_delay 0");
  refuse(node.consumption_vcs > 1 && !switched && !node.direct(), "consumption_vcs",
         "worms that share a consumption channel need output_depth 0, and a switch_allocator or a "
         "multicast.planner");
  refuse(node.consumption_channels == kUnlimited && node.consumption_vcs > 1, "consumption_vcs",
         "where consumption is unlimited, worms do not share a channel");
  refuse(switched && node.link_sharing == LinkSharing::kFixedSlot, "link_sharing",
         "a switch allocator gives an output port to one flit per cycle, on demand; fixed slots need "
         "switch_allocator none");
  refuse(switched && !node.direct(), "switch_allocator",
         "a switch allocator matches input ports with links: it needs output_depth 0");
  refuse(switched && node.consumption_channels == kUnlimited, "consumption_channels",
         "unlimited consumption bypasses the switch: it needs switch_allocator none");
  refuse(
      pipeline.early_routing && (pipeline.routing != 1 || pipeline.lookahead), "early_routing",
      "the buffers do not know how long a header has waited in them: early_routing needs routing_delay 1 and "
      "no lookahead");
  refuse(pipeline.speculative && !switched, "speculative", "speculation needs a switch_allocator");
  refuse(pipeline.speculative && pipeline.vc_allocation == 0, "speculative",
         "vc_allocation_delay 0 leaves nothing to speculate on");
  refuse(node.stores() && !node.direct(), "forwarding",
         "store_and_forward is about packets in input buffers that the crossbar sends on: it needs "
         "output_depth 0");
  refuse(node.stores() && pipeline.early_routing, "forwarding",
         "a stored packet asks for its way when its tail is in, not as its header arrives: store_and_forward "
         "needs early_routing false");
  refuse(node.injection_delay == 0 && node.refill_same_cycle, "injection_refill",
         "with injection_delay 0 a buffer that empties takes its next flit at the start of the next cycle, "
         "which is as early as it gets: write injection_refill: next_cycle");
}

void check_node_keys(const Parameters& keys) {
  std::vector<std::string> names{"model"};
  for (const auto& key : node_parameters()) names.push_back(key.name);
  const auto* entry = NodeRegistry::instance().find(keys.get<std::string>("model", ""));
  if (entry != nullptr)
    for (const auto& key : entry->parameters) names.push_back(key.name);
  for (const auto& [key, value] : keys.json().items())
    if (std::ranges::find(names, key) == names.end())
      throw ConfigError("node." + key,
                        fmt::format("there is no such key; there are {}", fmt::join(names, ", ")));
}

}  // namespace noctule
