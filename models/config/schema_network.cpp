// The declaration of the network: routers, links, message classes and planes.

#include <string>
#include <utility>
#include <vector>

#include "config/schema_sections.h"
#include "core/globs.h"
#include "core/json.h"
#include "core/registry.h"
#include "nodes/link_description.h"
#include "nodes/message_class.h"
#include "nodes/node_description.h"
#include "topology/planes.h"
#include "topology/topology.h"

namespace noctule {
namespace {

using P = Parameter;

/// Keys of a link; with a default, or absent where they are not given.
std::vector<P> link_keys(const Value& otherwise) {
  return {P::integer("flit_delay", otherwise, 1, kMostLinkCycles, "cycles",
                     "cycles that a flit spends on a link: pipeline stages of the wires"),
          P::integer("credit_delay", otherwise, 0, kMostLinkCycles, "cycles",
                     "cycles until the sender knows that a buffer slot is free: return wires; 0: "
                     "in the same cycle (fixed slots without output buffers; or not round in a circle)"),
          P::integer(
              "cycles_per_flit", otherwise, 1, kMostLinkCycles, "cycles",
              "a link narrower than a flit: cycles that each flit occupies it (a serialiser); the receiver "
              "has the flit with its last part")};
}

/// Keys of some links: what the node of the router that they leave says else, too.
std::vector<P> keys_of_some_links() {
  std::vector<P> keys = link_keys(nullptr);
  keys.push_back(P::integer("lanes", nullptr, 1, kMostLanes, "VCs",
                            "replicas of every VC class; else node.lanes of the sender"));
  keys.push_back(P::integer("parallel_links", nullptr, 1, kMostParallelLinks, "links",
                            "physical links, each one flit wide; else node.parallel_links of the sender"));
  keys.push_back(P::choice("sharing", nullptr, {kLinkSharings.begin(), kLinkSharings.end()},
                           "how VCs share the link; else node.link_sharing of the sender"));
  return keys;
}

/// The keys of a node, absent where they are not given.
std::vector<P> node_keys() {
  std::vector<std::string> models;
  for (const auto* entry : Catalog::instance().entries("node")) models.push_back(entry->name);
  std::vector<P> keys{P::choice("model", nullptr, std::move(models),
                                "node model, whose keys hold unless they are given here")};
  for (P key : node_parameters()) {
    key.default_value = nullptr;
    key.required = false;
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

std::string with_globs(const std::string& description) {
  return description + "; " + kGlobGrammar;
}

Parameter link_section() {
  return P::section("link", link_keys(1), "the physical links between routers");
}

Parameter links_list() {
  return P::list(
      "links", Json::array(),
      P::section(
          "links_entry",
          {P::list("links", Json::array({"*"}), P::text("link", nullptr, "glob of names of links"), 1, 10000,
                   with_globs("which links, by globs of their names ROUTER.PORT, as 'router_3_*.x_plus'")),
           P::section("set", keys_of_some_links(), "what is otherwise with them")},
          "some links"),
      0, 1000,
      "links that differ from the section link; for each key the last entry that names a link counts");
}

Parameter without_section() {
  return P::section(
      "without",
      {P::list("links", Json::array(), P::text("link", nullptr, "glob of names of links, ROUTER.PORT"), 0,
               4096,
               with_globs("links taken away, by globs of their names, as 'router_3_*.x_plus'; one direction "
                          "each")),
       P::list("routers", Json::array(), P::text("router", nullptr, "glob of names of routers"), 0, 4096,
               with_globs("routers taken away, with their links and terminals, by globs of their names")),
       P::section("random_links",
                  {P::integer("count", 0, 0, 1'000'000, "links",
                              "links both ways taken away at random, so that no terminal is cut off"),
                   P::integer("seed", 1, 0, std::int64_t{1} << 53, "", "of that draw")},
                  "links taken away at random")},
      "what is missing of the topology");
}

Parameter message_classes_section() {
  return P::named(
      "message_classes",
      P::section(
          "message_class",
          {P::labels("vcs",
                     "VCs on links that its packets may take, by fields of the relation, lane, direction or "
                     "position; none given: all"),
           P::text(
               "interface", "",
               "of each terminal, by which its packets enter and leave: a source queue, injection channels "
               "and consumption channels; classes of a plane that give the same name share it; empty: one of "
               "its own"),
           P::integer("buffer", 1, 1, 1'000'000'000, "packets",
                      "that a terminal holds of it while what it depends on cannot be injected (depends); "
                      "unlimited: it takes them all")
               .or_word("unlimited"),
           P::integer("priority", 0, 0, 15, "",
                      "at every arbiter: flits of classes of a higher one go first, always"),
           P::integer(
               "weight", "none", 1, kMostWeight, "flits",
               "that it may send per round at each link, while other classes of its priority have "
               "some that could leave; none: 1 where another class of the priority gives a weight; else the "
               "classes of the priority are not told apart")
               .or_word("none")},
          "a message class"),
      kMostMessageClasses,
      "kinds of messages that are kept apart, such as request and response, by name; none: all messages are "
      "of "
      "one");
}

Parameter depends_section() {
  return P::labels(
      "depends",
      "what a terminal must be able to send before it can take more: request: [response] says that "
      "the end of a request waits until a response has been injected");
}

Parameter planes_section() {
  return P::named(
      "planes",
      P::section(
          "plane",
          {P::list("classes", nullptr, P::text("class", nullptr, "name of a message class"), 1,
                   kMostMessageClasses, "message classes whose packets it carries; each class has one plane")
               .mandatory(),
           P::settings("set",
                       "what is otherwise in it: keys of topology, without, node, nodes, routing, link and "
                       "links, whose names of routers and links are those inside the plane")},
          "a plane"),
      kMostPlanes,
      "networks side by side, by name, to each of which every terminal is attached: one for requests and one "
      "for "
      "responses; none: there is one network, which the other sections describe");
}

Parameter nodes_list() {
  auto rtl =
      P::section("rtl",
                 {P::text("top", "", "module; empty: the shipped one of the node model's name"),
                  P::list("files", Json::array(), P::file("file", "SystemVerilog or Verilog source"), 0, 1000,
                          "your own router: its sources; empty: the shipped one"),
                  P::list("folders", Json::array(), P::file("folder", "folder"), 0, 100,
                          "your own router: where its modules and included files are looked for"),
                  P::labels("parameters", "parameters of the module and their values, such as DataW: 46")},
                 "they are SystemVerilog, compiled by Verilator");
  return P::list(
      "nodes", Json::array(),
      P::section("nodes_entry",
                 {P::list("routers", Json::array({"*"}), P::text("glob", nullptr, "glob on names of routers"),
                          1, 10000, with_globs("which routers, such as router_3_4 or 'router_0_*'")),
                  P::section("set", node_keys(), "keys of the section node that are otherwise with them")
                      .only_if_given(),
                  std::move(rtl).only_if_given()},
                 "some routers"),
      0, 1000,
      "routers that differ from the section node, in keys or by being RTL; for each key the last entry that "
      "gives it counts; the last one that names a router says by its rtl whether it is RTL");
}

}  // namespace noctule
