// Gravano et al. 1994, V.A and V.C: two dedicated links per direction, each with high and low lanes alike.

#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kObliviousRegistered{
    {{"oblivious",
      "Oblivious node (Gravano et al. 1994): one unrestricted crossbar, two links per direction, 32 buffers",
      {}},
     [] {
       NodePreset preset;
       preset.routing = "oblivious";
       preset.keys.set("lanes", 4);
       preset.keys.set("parallel_links", 2);
       return preset;
     }}};

}  // namespace
}  // namespace noctule
