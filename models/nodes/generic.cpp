// The node with the defaults of node_parameters().

#include "nodes/node_description.h"

namespace noctule {
namespace {

const Registration<NodeRegistry> kGenericRegistered{
    {{"generic", "one crossbar that connects every header it can; any routing relation", {}}, [] {
       NodePreset preset;
       preset.routing = "dimension_order";
       return preset;
     }}};

}  // namespace
}  // namespace noctule
