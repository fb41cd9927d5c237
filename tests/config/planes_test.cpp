// The section planes: what a plane is made of, and what cannot be.

#include "config/planes.h"

#include <gtest/gtest.h>

#include "config_support.h"
#include "topology/planes.h"

namespace noctule::testing {
namespace {

const std::string kTwo =
    "topology: {kind: torus, radix: [4, 4]}\n"
    "message_classes: {request: {}, response: {}}\n";

FabricConfig fabric(const std::string& yaml) {
  return model_from_json(expand(decode_text(yaml, "file")).front().resolved);
}

TEST(ThePlanes, AreAsTheSectionsSayButForWhatTheySet) {
  const FabricConfig config = fabric(kTwo +
                                     "node: {model: input_queued, input_depth: 3}\n"
                                     "planes:\n"
                                     "  a: {classes: [request]}\n"
                                     "  b: {classes: [response], set: {node.model: star_channels, topology: "
                                     "{kind: mesh}, link.flit_delay: 4}}\n");
  ASSERT_EQ(config.planes.size(), 2U);
  const NetworkConfig& a = config.planes[0].network;
  const NetworkConfig& b = config.planes[1].network;
  EXPECT_EQ(a.topology.name, "torus");
  EXPECT_EQ(b.topology.name, "mesh");
  EXPECT_EQ(a.node.model, "input_queued");
  EXPECT_EQ(a.node.input_depth, 3U);
  EXPECT_EQ(b.node.model, "star_channels");
  EXPECT_EQ(b.routing.name, "star_channels") << "the default of its node model";
  EXPECT_EQ(b.node.input_depth, 3U) << "given for all";
  EXPECT_EQ(a.link.flit_delay, 1U);
  EXPECT_EQ(b.link.flit_delay, 4U);
}

TEST(ThePlanes, AreInTheEchoAsTheyWereGiven) {
  const auto resolved =
      decode_text(kTwo +
                      "planes: {a: {classes: [request], set: {node.model: star_channels}}, b: {classes: "
                      "[response]}}\n",
                  "file")
          .resolved;
  const auto again = decode_text(resolved.dump(), "echo").resolved;
  EXPECT_EQ(again, resolved);
  EXPECT_EQ(fabric_part(again), fabric_part(resolved));
  EXPECT_EQ(fabric_part(fabric_part(resolved)), fabric_part(resolved));
  EXPECT_EQ(fabric_from_json(fabric_part(again)).planes[0].network.node.model, "star_channels");
}

TEST(ThePlanes, CarryClassesByInterfacesOfTheirOwn) {
  const FabricConfig config = fabric(
      "message_classes: {c0: {}, c1: {}, c2: {interface: shared}, c3: {interface: shared}, c4: {}}\n"
      "planes: {a: {classes: [c1, c4]}, b: {classes: [c0, c2, c3]}}\n");
  const MessageClasses& classes = config.message_classes;
  ASSERT_EQ(classes.attachments(), 2U);
  EXPECT_EQ(classes.interfaces(), 4U);
  EXPECT_EQ(classes.interfaces_at(0), 2U);
  EXPECT_EQ(classes.interfaces_at(1), 2U);
  EXPECT_EQ(classes[2].interface, classes[3].interface);
  for (std::size_t c = 0; c < classes.size(); ++c)
    EXPECT_EQ(classes.attachment_of(classes[c].interface), classes[c].attachment) << c;
}

TEST(ThePlanes, TakeSettingsOfTheCommandLine) {
  DecodeOptions options;
  options.set = {"planes.b.set.topology.kind=mesh"};
  const auto config = model_from_json(
      decode_text(kTwo + "planes: {a: {classes: [request]}, b: {classes: [response]}}\n", "file", options)
          .resolved);
  EXPECT_EQ(config.planes[1].network.topology.name, "mesh");
}

TEST(ThePlanes, RefuseWhatCannotBe) {
  EXPECT_ONE_FAULT(kTwo + "planes: {a: {classes: [request, response]}}\n", "file:3:1", "planes",
                   "one plane only; leave it out");
  EXPECT_ONE_FAULT(kTwo + "planes:\n  a: {classes: [request]}\n  b: {classes: [reply, response]}\n",
                   "file:5:7", "planes.b.classes", "no message class 'reply'");
  EXPECT_ONE_FAULT(kTwo + "planes:\n  a: {classes: [request]}\n  b: {classes: [request, response]}\n",
                   "file:5:7", "planes.b.classes", "give each class one plane");
  EXPECT_ONE_FAULT("message_classes: {x: {}, y: {}, z: {}}\nplanes: {a: {classes: [x]}, b: {classes: [y]}}\n",
                   "file:1:33", "message_classes.z", "no plane carries it");
  EXPECT_ONE_FAULT(
      kTwo + "planes:\n  a: {classes: [request], set: {traffic.stall: 0.1}}\n  b: {classes: [response]}\n",
      "file:4:33", "planes.a.set.traffic.stall", "not of one plane but of the whole fabric");
  EXPECT_ONE_FAULT(kTwo + "planes:\n  a: {classes: [request], set: {name: x}}\n  b: {classes: [response]}\n",
                   "file:4:33", "planes.a.set.name", "not of one plane but of the whole fabric");
  EXPECT_ONE_FAULT(
      kTwo + "planes:\n  a: {classes: [request], set: {routing.rot: 1}}\n  b: {classes: [response]}\n",
      "file:4:33", "planes.a.set.routing.rot", "there is no key");
  EXPECT_ONE_FAULT(kTwo +
                       "planes:\n  a: {classes: [request], set: {node.lanes: 2, node.parallel_links: 3, "
                       "node.link_assignment: mixed}}\n"
                       "  b: {classes: [response]}\n",
                   "file:4:48", "planes.a.set.node.parallel_links", "each link needs a lane of its own");
  EXPECT_ONE_FAULT(
      kTwo + "multicast: individual\nplanes: {a: {classes: [request]}, b: {classes: [response]}}\n",
      "file:4:1", "planes", "leave out planes, or the planner");
}

TEST(ThePlanes, HaveAsManyTerminals) {
  const FabricConfig config = fabric(
      kTwo + "planes: {a: {classes: [request]}, b: {classes: [response], set: {topology.radix: [4, 5]}}}\n");
  try {
    (void)make_topology(config);
    ADD_FAILURE() << "nothing was refused";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, "planes.b");
    EXPECT_NE(error.diagnostics().front().message.find("it has 20 terminals, and plane 'a' has 16"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace noctule::testing
