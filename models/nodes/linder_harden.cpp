// Gravano et al. 1994, V.C: one crossbar per virtual network and level.

#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kLinderHardenRegistered{
    {{"linder_harden", "Linder-Harden node as in Gravano et al. 1994: six independent 4x4 crossbars", {}},
     [] {
       NodePreset preset;
       preset.routing = "linder_harden";
       preset.keys.set("crossbar_per", Json::array({"network", "level"}));
       preset.keys.set("connections_per_cycle", 1);
       return preset;
     }}};

}  // namespace
}  // namespace noctule
