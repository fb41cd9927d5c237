// The switches of Greenberg and Oh 1997, section III: a queue of a few flits or of one packet behind every
// link, also behind the one to a processor; a header moves once the link that it asks for is nobody's and
// there is room behind it; heads are scanned from a random input, and each draws one of its links up anew in
// every step.
//
// A step is a cycle. In greenberg_store what moves in a step is a whole packet: packets of one flit, and a
// cycle that stands for as many flit-steps as a packet has flits. Credits of links up are immediate (top
// level first):
//   links: [{links: ["*.parent_*"], set: {credit_delay: 0}}]

#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

/// `queue`: flits behind every link.
NodePreset preset_of(unsigned queue) {
  NodePreset preset;
  preset.routing = "nearest_common_ancestor";
  preset.keys = Parameters(Json{{"output_depth", 0},
                                {"input_depth", queue},
                                {"traversal_delay", 0},
                                {"injection_refill", "same_cycle"},
                                {"consumption_delay", 1},
                                {"consumption_depth", queue},
                                {"vc_busy_when_full", true},
                                {"scan", "random_start"},
                                {"selection", "blind"}});
  return preset;
}

const Registration<NodeRegistry> kGreenbergWormRegistered{
    {{"greenberg_worm",
      "switch of queues of 2 flits, heads scanned from a random input, links up drawn blind in every step "
      "(Greenberg and Oh 1997, WORM, where links up have credit_delay 0)",
      {}},
     [] { return preset_of(2); }}};

const Registration<NodeRegistry> kGreenbergStoreRegistered{
    {{"greenberg_store",
      "the same with queues of 1 packet: packets of 1 flit, and a cycle is a packet-step (Greenberg and Oh "
      "1997, STORE, where links up have credit_delay 0)",
      {}},
     [] { return preset_of(1); }}};

}  // namespace
}  // namespace noctule
