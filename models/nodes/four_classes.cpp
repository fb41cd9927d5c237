// Gravano et al. 1994, V.C: one crossbar per class and prefix.

#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kFourClassesRegistered{
    {{"four_classes", "4-Classes node (Gravano et al. 1994): eight independent 3x3 crossbars", {}}, [] {
       NodePreset preset;
       preset.routing = "four_classes";
       preset.keys.set("crossbar_per", Json::array({"sign_x", "sign_y", "prefix"}));
       preset.keys.set("connections_per_cycle", 1);
       return preset;
     }}};

}  // namespace
}  // namespace noctule
