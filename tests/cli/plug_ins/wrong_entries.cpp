// Entries that are wrong as soon as they are registered: a name that is taken, keys that are declared
// wrongly, presets of keys that do not exist.

#include <memory>

#include "nodes/node_description.h"
#include "patterns/pattern.h"

namespace {

using namespace noctule;

std::unique_ptr<TrafficPattern> none(std::shared_ptr<const Topology>, const Parameters&, std::uint64_t) {
  return nullptr;
}

const Registration<PatternRegistry> kTaken{{{"uniform", "a name that is taken", {}}, none}};
const Registration<PatternRegistry> kTwoKeys{
    {{"two_keys",
      "the same key twice",
      {Parameter::boolean("same", true, ""), Parameter::boolean("same", false, "")}},
     none}};
const Registration<PatternRegistry> kDefault{
    {{"wrong_default", "out of its own range", {Parameter::integer("n", 9, 1, 5, "", "")}}, none}};
const Registration<PatternRegistry> kKind{
    {{"common_key", "a key that all have", {Parameter::boolean("kind", true, "")}}, none}};

const Registration<NodeRegistry> kKey{{{"preset_key", "presets a key that does not exist", {}}, [] {
                                         NodePreset preset;
                                         preset.keys.set("lanse", 2);
                                         return preset;
                                       }}};
const Registration<NodeRegistry> kValue{{{"preset_value", "presets a value that is not allowed", {}}, [] {
                                           NodePreset preset;
                                           preset.keys.set("lanes", 2000);
                                           return preset;
                                         }}};
const Registration<NodeRegistry> kRouting{{{"preset_routing", "presets a relation that is none", {}}, [] {
                                             NodePreset preset;
                                             preset.routing = "nowhere";
                                             return preset;
                                           }}};
const Registration<NodeRegistry> kThrows{{{"preset_throws", "throws", {}}, []() -> NodePreset { throw 7; }}};

}  // namespace
