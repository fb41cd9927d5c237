// Where the keys of a node count for anything.

#include "core/json.h"
#include "core/key_effect.h"

namespace noctule {
namespace {

const Json& node(const Json& resolved) {
  return resolved.at("node");
}

/// Is one of the two allocators other than these?
bool allocates(const Json& resolved, std::initializer_list<const char*> but = {}) {
  for (const char* key : {"vc_allocator", "switch_allocator"}) {
    bool other = node(resolved).at(key) != "scan" && node(resolved).at(key) != "none";
    for (const char* name : but) other = other && node(resolved).at(key) != name;
    if (other) return true;
  }
  return false;
}

bool plans(const Json& resolved) {
  return resolved.at("multicast").at("planner") != "none";
}

const EffectOf kArbiter{
    {{"node.arbiter"},
     "",
     "vc_allocator or switch_allocator is an allocator (`noctule list allocator`), or it "
     "is age",
     [](const Json& resolved) { return allocates(resolved) || node(resolved).at("arbiter") == "age"; }}};
const EffectOf kIterations{
    {{"node.allocator_iterations"},
     "",
     "vc_allocator or switch_allocator is one that works in rounds: separable_input_first, "
     "separable_output_first, islip",
     [](const Json& resolved) {
       return allocates(resolved, {"maximum", "wavefront"});
     }}};
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
