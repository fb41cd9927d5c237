// Boppana and Chalasani 1993, section 3: every VC has a fixed share of its link and a buffer of one flit. The
// paper leaves open when a VC is free again, who is served first and how worms enter; these are the readings
// that reproduce its figures.

#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kFixedSlotRegistered{
    {{"fixed_slot",
      "no output buffers; every VC has its own share of the link (Boppana and Chalasani 1993, where links "
      "have credit_delay 0)",
      {}},
     [] {
       NodePreset preset;
       preset.routing = "negative_hop";
       preset.keys = Parameters(Json{{"output_depth", 0},
                                     {"link_sharing", "fixed_slot"},
                                     {"release", "next_buffer_empty"},
                                     {"scan", "first_come"},
                                     {"transit_first", true},
                                     {"selection", "first"},
                                     {"traversal_delay", 0},
                                     {"injection_delay", 0},
                                     {"injection_channels", "unlimited"},
                                     {"consumption_channels", "unlimited"}});
       return preset;
     }}};

}  // namespace
}  // namespace noctule
