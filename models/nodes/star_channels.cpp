// Gravano et al. 1994, V.C: one crossbar over both lanes of all classes; a VC is taken only if both its
// buffers are empty (without that rule the network locks up).

#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kStarChannelsRegistered{
    {{"star_channels",
      "*-Channels node (Gravano et al. 1994): one 17x17 crossbar, two lanes, one connection per cycle",
      {}},
     [] {
       NodePreset preset;
       preset.routing = "star_channels";
       preset.keys.set("lanes", 2);
       preset.keys.set("connections_per_cycle", 1);
       preset.keys.set("release", "next_buffer_empty");
       return preset;
     }}};

}  // namespace
}  // namespace noctule
