// The input-queued virtual-channel router of the textbook (Dally and Towles, Principles and Practices of
// Interconnection Networks, 2004, chapter 16): four stages of one cycle, separable allocators.

#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kInputQueuedRegistered{
    {{"input_queued",
      "no output buffers; routing, VC allocation, switch allocation and traversal of one cycle each, "
      "separable "
      "allocators, 4 VCs of 8 flits (Dally and Towles 2004, chapter 16)",
      {}},
     [] {
       NodePreset preset;
       preset.routing = "dimension_order";
       preset.keys = Parameters(Json{{"output_depth", 0},
                                     {"input_depth", 8},
                                     {"lanes", 4},
                                     {"vc_allocator", "separable_input_first"},
                                     {"switch_allocator", "separable_input_first"},
                                     {"routing_delay", 1},
                                     {"vc_allocation_delay", 1},
                                     {"switch_allocation_delay", 1},
                                     {"traversal_delay", 1},
                                     {"injection_vcs", 4},
                                     {"consumption_vcs", 4}});
       return preset;
     }}};

}  // namespace
}  // namespace noctule
