// A node model of one's own: two lanes, inputs of four flits, one new connection per cycle.

#include "nodes/node_description.h"

namespace {

using namespace noctule;

NodePreset mine() {
  NodePreset preset;
  preset.routing = "yx_order";
  preset.keys.set("lanes", 2);
  preset.keys.set("input_depth", 4);
  preset.keys.set("connections_per_cycle", 1);
  return preset;
}

const Registration<NodeRegistry> kRegistered{
    {{"mine", "two lanes, inputs four flits deep, one new connection per cycle", {}}, mine}};

}  // namespace
