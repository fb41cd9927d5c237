#include "config/schema.h"

#include <fmt/format.h>

#include <cmath>

#include "config/spelling.h"
#include "core/globs.h"
#include "core/json.h"
#include "nodes/message_class.h"
#include "nodes/node_description.h"
#include "topology/planes.h"
#include "topology/topology.h"
#include "transactions/settings.h"

namespace noctule {
namespace {

using P = Parameter;

std::string with_globs(const std::string& description) {
  return description + "; " + kGlobGrammar;
}

constexpr std::int64_t kMostCycles = 1'000'000'000'000;  // about a year of simulation of the smallest fabric
constexpr std::int64_t kMostFlits = 65535;

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

P link_section() {
  return P::section("link", link_keys(1), "the physical links between routers");
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

P links_list() {
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

P without_section() {
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

P message_classes() {
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
               "and consumption channels; classes that give the same name share it; empty: one of its own"),
           P::integer("buffer", 1, 1, 1'000'000'000, "packets",
                      "that a terminal holds of it while what it depends on cannot be injected (depends); "
                      "unlimited: it takes them all")
               .or_word("unlimited"),
           P::integer("priority", 0, 0, 15, "",
                      "at every arbiter: flits of classes of a higher one go first, always"),
           P::integer("weight", "none", 1, kMostWeight, "flits",
                      "that it may send per round at each link, while other classes of its priority have "
                      "some to send; none: 1 where another class of the priority gives a weight; else the "
                      "classes of the priority are not told apart")
               .or_word("none")},
          "a message class"),
      kMostMessageClasses,
      "kinds of messages that are kept apart, such as request and response, by name; none: all messages are "
      "of "
      "one");
}

P depends() {
  return P::labels(
      "depends",
      "what a terminal must be able to send before it can take more: request: [response] says that "
      "the end of a request waits until a response has been injected");
}

P planes() {
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

P multicast_traffic() {
  return P::section("multicast",
                    {P::real("fraction", 0.0, 0, 1, "",
                             "share of the messages that are multicasts: to destinations that are drawn "
                             "uniformly, whatever the "
                             "pattern; needs multicast.planner"),
                     P::integer("least", 1, 1, kMostFlits, "destinations",
                                "destinations of a multicast, at least; drawn uniformly"),
                     P::integer("most", 1, 1, kMostFlits, "destinations", "at most so many"),
                     P::integer("preparation_delay", 0, 0, 1'000'000, "cycles",
                                "from the generation of a multicast until its first copy may be injected"),
                     P::integer("unicast_preparation_delay", 0, 0, 1'000'000, "cycles",
                                "the same for messages with one destination")},
                    "messages with several destinations");
}

P traffic_section() {
  auto lengths =
      P::list("packet_lengths", nullptr,
              P::section(
                  "packet_length",
                  {P::integer("length", nullptr, 1, kMostFlits, "flits", "length of the packet").mandatory(),
                   P::real("weight", 1.0, 0, 1e9, "", "share of the packets, relative to the others")
                       .exclusive_minimum()},
                  "one length of the mixture"),
              1, 64, "a mixture of packet lengths, instead of packet_length")
          .instead_of("packet_length");
  return P::section(
      "traffic",
      {P::variant("pattern", "pattern", "kind", "uniform", {}, "who sends to whom"),
       P::variant("source", "source", "kind", "bernoulli", {}, "when packets are generated"),
       P::real("offered_load", 0.1, 0, 65535, "load_unit",
               "traffic generated by each terminal that injects; flits count once for every destination"),
       P::choice("load_unit", "flits_per_node_cycle",
                 {"flits_per_node_cycle", "packets_per_node_cycle", "normalized"},
                 "unit of offered_load; normalized: packets, as a fraction of tau_max (Gravano et al. 1994, "
                 "equation 2; where it is not the bisection that limits uniform traffic, of what does)"),
       P::integer("packet_length", 5, 1, kMostFlits, "flits",
                  "length of all packets, header and tail included"),
       std::move(lengths), multicast_traffic(),
       P::real(
           "stall", 0.0, 0, 0.99, "",
           "share of the cycles in which a terminal takes no flit out of its consumption channel, drawn for "
           "each cycle"),
       P::variant("sink", "sink", "kind", "open", {}, "what terminals do with the flits that arrive"),
       P::integer("source_queue", "infinite", 1, 1'000'000'000, "packets",
                  "what a busy injection channel does with new packets: queue them without limit in front of "
                  "the router, up to so many and discard the others, or discard all")
           .or_word("infinite")
           .or_word("discard")},
      "what the terminals send");
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

P nodes_list() {
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
      "routers that differ from the section node, in keys or by being RTL; for each the last entry that "
      "names "
      "a router counts");
}

P cosim_section() {
  return P::section(
      "cosim",
      {P::choice(
           "mode", "shadow", {"shadow", "swapped", "plain"},
           "shadow: the model drives the fabric, RTL routers get the same inputs; swapped: RTL routers "
           "drive, "
           "the model gets the same; plain: one router after the other, without fabric or SystemC, under "
           "drawn traffic"),
       P::integer("cycles", 10000, 1, kMostCycles, "cycles", "cycles that are compared"),
       P::integer("resets", 2, 0, 1000000, "",
                  "resets of everything in mid-run, RTL and model alike, in cycles drawn from the seed; what "
                  "was under way is dropped and counted as such"),
       P::boolean("coverage", false,
                  "note which bits of pins, and of what is inside the RTL, have been both 0 and 1, and name "
                  "the others; takes more time"),
       P::integer("draws", 0, 0, 1000, "",
                  "every point so many times more, with drawn sizes (radix 2 to 20), packet lengths, loads, "
                  "stalls, resets and modes, uniform traffic and about as many router-cycles; by the seed"),
       P::text("record", "",
               "router whose pins and insides are recorded from the first cycle on, whatever it does (VCD)"),
       P::boolean("waveform", true,
                  "at a divergence: run again, and record the router's pins and insides around it (VCD)")},
      "noctule cosim: RTL against model, every output pin in every cycle");
}

P measurement_section() {
  return P::section(
      "measurement",
      {P::integer("warm_up", "auto", 0, kMostCycles, "cycles",
                  "cycles before the measurement; auto: until the transient is over")
           .or_word("auto"),
       P::integer("warm_up_limit", 200000, 1, kMostCycles, "cycles",
                  "longest transient that is waited for; after a longer one the status is not_converged"),
       P::integer(
           "cycles", "auto", 1, kMostCycles, "cycles",
           "length of the measurement; auto: until precision is reached, or limit; a status not_converged "
           "says how many cycles would tell")
           .or_word("auto"),
       P::integer(
           "batches", 20, 4, 1000, "batches",
           "parts of the measurement whose means give the confidence intervals and tell whether the source "
           "queues grow"),
       P::real("precision", 0.02, 0, 1, "",
               "with cycles auto: relative half width of the 95 % intervals of accepted throughput and mean "
               "latency at which the measurement ends")
           .exclusive_minimum(),
       P::integer("limit", 1000000, 1, kMostCycles, "cycles",
                  "longest measurement with cycles auto, and longest time for a finite workload to drain"),
       P::integer("occupancy_interval", 64, 1, kMostCycles, "cycles",
                  "cycles between samples of buffer, VC and crossbar occupancy"),
       P::integer("deadlock_interval", 5000, 1, kMostCycles, "cycles",
                  "cycles between searches for worms that can never move again")},
      "how long to warm up and to measure");
}

P cost_section() {
  return P::section(
      "cost",
      {P::file("table",
               "table of figures that scripts/synthesize wrote; the shipped one, rtl/cost.csv, where none is "
               "given"),
       P::text("library", "osu018", "cells to which the routers were mapped, as the table names them"),
       P::text("tuning", "as_written", "how the routers are written, as the table names it")},
      "area and clock of the routers in hardware: for `noctule cost` and plots in nanoseconds");
}

P trace_section() {
  return P::section(
      "trace",
      {P::boolean("vcd", false, "write a waveform file (VCD)"),
       P::list(
           "scope", Json::array({"*"}), P::text("glob", nullptr, "glob on hierarchical names"), 1, 1000,
           with_globs("parts of the hierarchy that the waveform shows, by globs of their names: "
                      "'router_3_4.*' is one router, ['router_?_2', 'router_5_*'] row 2 and column 5 of a "
                      "mesh of up to 10 columns")),
       P::integer("from", 0, 0, kMostCycles, "cycles", "first cycle of waveform and event log"),
       P::integer("cycles", "all", 1, kMostCycles, "cycles",
                  "length of waveform and event log; all: to the end")
           .or_word("all"),
       P::boolean("gtkw", true, "with vcd: write a GTKWave save file that groups and translates the signals"),
       P::boolean("events", false, "write a CSV file with one line per flit event"),
       P::choice("points", "first", {"first", "all"},
                 "which points of a sweep are traced: the first of each series, or all")},
      "waveforms and event logs");
}

P tlm_section() {
  const auto terminal = [](const char* what) {
    return P::integer("terminal", nullptr, 0, (std::int64_t{1} << 31) - 1, "", what).mandatory();
  };
  const auto width = [] { return P::integer("bus_width", 32, 1, 65536, "bits", "BUSWIDTH of the socket"); };
  auto initiator = P::section(
      "initiator",
      {terminal("terminal of the fabric at which its requests enter and its responses leave"), width(),
       P::integer("max_outstanding", 8, 1, 1'000'000, "transactions",
                  "transactions that have begun and not ended; the next one waits, and END_REQ with it"),
       P::integer("max_per_id", "unlimited", 1, 1'000'000, "transactions", "of those, with one id")
           .or_word("unlimited")},
      "an initiator: a target socket of the network");
  auto target = P::section(
      "target",
      {terminal("terminal of the fabric at which its requests leave and its responses enter"), width()},
      "a target: an initiator socket of the network");
  auto region = P::section(
      "region",
      {P::text("base", nullptr, "first address, in decimal or, with 0x, in hexadecimal").mandatory(),
       P::text("size", nullptr, "bytes, written likewise; 4KiB, 16MiB and 2GiB are possible too").mandatory(),
       P::text("target", "", "who serves it, by name; empty: see interleave"),
       P::text("offset", "0", "address at the target that base becomes, at each if several share the region"),
       P::section("interleave",
                  {P::text("granule", nullptr, "bytes that one target serves before the next one's turn")
                       .mandatory(),
                   P::list("over", nullptr, P::text("target", nullptr, "name of a target"), 1, 4096,
                           "targets that take turns")
                       .mandatory(),
                   P::boolean("hash", false, "the turn is XORed with the higher parts of the address")},
                  "targets that share the region")
           .only_if_given()},
      "a range of addresses");
  return P::section(
      "tlm",
      {P::choice(
           "level", "cycle", {kLevels.begin(), kLevels.end()},
           "cycle: flits move in the fabric; approximate: packets book their links; loose: nothing moves, "
           "delays are annotated"),
       P::choice(
           "contention", "none", {kContentions.begin(), kContentions.end()},
           "what packets wait for others at level loose: nothing, or the mean at links that are as busy"),
       P::integer("utilisation_window", 4096, 1, 1'000'000'000, "cycles",
                  "with contention utilisation: over which the share of busy cycles of a link is taken"),
       P::file("calibration",
               "with contention utilisation: what packets wait as links are busy, as noctule levels FILE "
               "--calibrate OUT found for this fabric"),
       P::real("period", 1.0, 0, 1e9, "ns", "a cycle of the fabric, where no clock is bound")
           .exclusive_minimum(),
       P::named("initiators", std::move(initiator), 65536, "who sends requests, by name, in this order"),
       P::named("targets", std::move(target), 65536, "who serves them, by name, in this order"),
       P::list("map", Json::array(), std::move(region), 0, 65536, "which target serves which addresses"),
       P::text("default", "", "target that serves all other addresses; empty: nobody, ADDRESS_ERROR"),
       P::section("packet",
                  {P::integer("flit_bytes", 8, 1, 4096, "bytes", "of data in a flit"),
                   P::integer("address_bits", 40, 1, 64, "bits", "of a request header"),
                   P::integer("length_bits", 12, 1, 28, "bits",
                              "of a request header: a packet carries at most 2 to this power bytes"),
                   P::integer("id_bits", 8, 0, 32, "bits", "of all headers")},
                  "widths of flits and of the fields of headers"),
       P::boolean("split", true,
                  "cut transactions across regions, granules and packets; else they end with BURST_ERROR"),
       P::choice("reorder", "none", {kReorders.begin(), kReorders.end()},
                 "which responses of an initiator come in the order of requests: none; needs a fabric that "
                 "keeps the order of each pair; those of one target, of one id, or all"),
       P::choice("end_req", "call", {"call", "return"},
                 "END_REQ as a call on the backward path, or as the return of the call with BEGIN_REQ where "
                 "the request is taken at once"),
       P::choice(
           "dmi", "by_level", {"by_level", "denied", "granted"},
           "direct memory access, whose traffic the fabric does not see; by_level: granted at level loose"),
       P::choice("return_delay", "zero", {"zero", "keep"},
                 "b_transport waits for the annotated delay and returns zero, or sends at once and gives it "
                 "back as it came"),
       P::boolean("strict", false,
                  "what clients do against the base protocol is an error; else a warning, once a socket"),
       P::integer("request_queue", 1, 1, 1'000'000, "packets",
                  "of an initiator that wait for its injection channel; END_REQ waits for room"),
       P::integer("response_queue", 1, 1, 1'000'000, "packets",
                  "of a target that wait for its injection channel; END_RESP waits for room"),
       P::integer("response_buffer", 2, 1, 1'000'000, "responses",
                  "that the terminal of an initiator holds until END_RESP, with reorder none; else as many "
                  "as are outstanding"),
       P::text("request_class", "request", "message class of the requests"),
       P::text("response_class", "response", "message class of the responses")},
      "TLM-2.0 sockets at the terminals, for programs that link noctule::tlm");
}

std::vector<P> declare() {
  std::vector<P> keys;
  keys.push_back(P::text("name", "", "title of the configuration, for reports and plots"));
  keys.push_back(P::text("description", "", "what it is for, in a sentence"));
  keys.push_back(P::text(
      "base", nullptr, "another YAML file, relative to this one; its keys hold unless this file gives them"));
  keys.push_back(P::integer("seed", 1, 0, std::int64_t{1} << 53, "",
                            "seed of all random draws; points of a sweep or comparison share it"));
  keys.push_back(P::variant("topology", "topology", "kind", Json{{"kind", "mesh"}}, {},
                            "which routers there are and which links join them"));
  keys.push_back(P::variant("node", "node", "model", "generic", node_parameters(),
                            "the inside of a router; the model sets the defaults of the other keys"));
  keys.push_back(P::variant("routing", "routing", "algorithm", nullptr, {},
                            "which virtual channels a worm may take next; the default is the node model's"));
  keys.push_back(P::variant(
      "multicast", "multicast", "planner", Json{{"planner", "none"}},
      {P::choice("unicasts", "planner", {"planner", "routing"},
                 "messages with one destination: planned like the others, or routed by routing.algorithm")},
      "which worms carry a message with several destinations, and in which order they visit these"));
  keys.push_back(nodes_list());
  keys.push_back(without_section());
  keys.push_back(message_classes());
  keys.push_back(depends());
  keys.push_back(planes());
  keys.push_back(link_section());
  keys.push_back(links_list());
  keys.push_back(traffic_section());
  keys.push_back(tlm_section());
  keys.push_back(measurement_section());
  keys.push_back(P::settings("sweep",
                             "axes: dotted keys, each with a list of values or {from, to, step}; every "
                             "combination is a point"));
  keys.push_back(
      P::list("compare", Json::array(),
              P::section("series",
                         {P::text("label", nullptr, "name of the series in tables and plots").mandatory(),
                          P::settings("set", "dotted keys with the values that make this series")},
                         "one series of points"),
              0, 100, "variants measured on the same traffic; every series runs every point of the sweep"));
  keys.push_back(cosim_section());
  keys.push_back(trace_section());
  keys.push_back(P::choice("hierarchy", "auto", {"auto", "blocks", "routers"},
                           "what of a fabric are objects of SystemC: blocks: routers, their blocks and "
                           "ports; routers: routers alone, "
                           "for less memory; auto: blocks up to 4096 routers; a router that a waveform shows "
                           "has its blocks in any "
                           "case"));
  keys.push_back(
      P::list("plots", Json::array(),
              P::choice("plot", nullptr,
                        {"latency_throughput", "latency_load", "throughput_load", "link_heat_map",
                         "latency_histogram", "latency_ns", "throughput_area"},
                        "kind of plot; the last two are in nanoseconds and per mm2 of router and need "
                        "figures in the table of section cost"),
              0, 7, "plots drawn into the result folder; scripts/plot draws others of the same results"));
  keys.push_back(cost_section());
  keys.push_back(
      P::boolean("allow_deadlock", false,
                 "simulate although the verifier cannot prove that worms never wait for each other "
                 "in a cycle"));
  keys.push_back(P::choice("expect", "any", {"any", "stable", "saturated", "deadlocked", "not_converged"},
                           "status that every point must have; deadlocked: finding a deadlock is success"));
  keys.push_back(P::section(
      "limits",
      {P::integer("memory_mb", 16384, 1, 1 << 24, "MB", "refuse a run whose estimated memory is larger"),
       P::real("time_h", 24.0, 0, 1e6, "hours", "refuse a run whose estimated time on one core is longer")
           .exclusive_minimum(),
       P::integer("verify_states", 100'000'000, 1, std::int64_t{1} << 40, "header states",
                  "states of headers (router, destination, routing state) that the verifier follows"),
       P::integer("verify_worms", 400'000, 1, std::int64_t{1} << 40, "worms",
                  "worms that the verifier tries, where nothing is proved, to construct a deadlock"),
       P::integer(
           "verify_router_cycles", 10'000'000, 0, std::int64_t{1} << 40, "router-cycles",
           "simulated, where nothing is proved, in the search for a deadlock (cycles times routers, all "
           "runs together; 0.1 to 0.3 us each)")},
      "limits of memory, time and search"));
  keys.push_back(
      P::list("implied", Json::array(), P::text("key", nullptr, "dotted key"), 0, 10000,
              "written by noctule into resolved configurations: keys of variants that nobody gave, "
              "which follow the model when a sweep or comparison changes it"));
  return keys;
}

}  // namespace

const Parameter& configuration_schema() {
  static const Parameter schema = P::section("", declare(), "a configuration");
  return schema;
}

}  // namespace noctule
