// Where the keys of a node count for anything.

#include <algorithm>
#include <array>

#include "core/json.h"
#include "core/key_effect.h"

namespace noctule {
namespace {

const Json& node(const Json& resolved) {
  return resolved.at("node");
}

/// Is one of the two allocators made of arbiters, which work in rounds? Those of plug-ins may be.
bool arbitrates(const Json& resolved) {
  return std::ranges::any_of(std::array{"vc_allocator", "switch_allocator"}, [&](const char* key) {
    const Json& allocator = node(resolved).at(key);
    return std::ranges::none_of(std::array{"scan", "none", "maximum", "wavefront"},
                                [&](const char* other) { return allocator == other; });
  });
}

bool plans(const Json& resolved) {
  return resolved.at("multicast").at("planner") != "none";
}

const EffectOf kArbiter{
    {{"node.arbiter"},
     "",
     "vc_allocator or switch_allocator is one with arbiters: separable_input_first, "
     "separable_output_first, islip; or it is age",
     [](const Json& resolved) { return arbitrates(resolved) || node(resolved).at("arbiter") == "age"; }}};
const EffectOf kIterations{
    {{"node.allocator_iterations"},
     "",
     "vc_allocator or switch_allocator is one that works in rounds: separable_input_first, "
     "separable_output_first, islip",
     arbitrates}};
const EffectOf kLookahead{
    {{"node.lookahead"}, "", "node.routing_delay is above 0, which it takes away", [](const Json& resolved) {
       return node(resolved).at("routing_delay") > 0;
     }}};
const EffectOf kAssignment{
    {{"node.link_assignment"}, "", "node.parallel_links is above 1", [](const Json& resolved) {
       return node(resolved).at("parallel_links") > 1;
     }}};
const EffectOf kInjectionSharing{
    {{"node.injection_sharing"}, "", "node.injection_vcs is above 1", [](const Json& resolved) {
       return node(resolved).at("injection_vcs") > 1;
     }}};
const EffectOf kConsumptionDepth{
    {{"node.consumption_depth"},
     "",
     "node.output_depth or node.consumption_delay is above 0: without output buffers flits are consumed as "
     "they leave the switch",
     [](const Json& resolved) {
       return node(resolved).at("output_depth") > 0 || node(resolved).at("consumption_delay") > 0;
     }}};
const EffectOf kConsumption{{{"node.consumption_classes", "node.consumption_access", "node.unicast_access",
                              "node.consumption_wait", "node.acquisition", "node.retransmission_buffers"},
                             "",
                             "there is a multicast.planner",
                             plans}};

}  // namespace
}  // namespace noctule
