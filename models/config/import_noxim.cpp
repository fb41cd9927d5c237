#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/given.h"
#include "config/imported.h"
#include "config/noxim_keys.h"
#include "core/error.h"

namespace noctule {
namespace {

class NoximImport {
 public:
  NoximImport(const ConfigNode& root, const std::string& name) : root_(root) {
    if (root.kind != ConfigNode::Kind::kMap) fail(root.place, name + ": expected keys and values of Noxim");
    for (const auto& [key, place, value, implied] : root.entries) {
      if (const auto wrong = wrong_noxim_word(key, value); !wrong.empty()) fail(value.place, wrong);
      if (is_noxim_key(key)) continue;
      if (const auto meant = probable_noxim_key(key); !meant.empty())
        fail(place, fmt::format("Noxim has no key '{}'{}", shown(key), with_hint(meant)));
      out_.remark(
          fmt::format("{}: no key of Noxim that is known here, perhaps of another version; it has no "
                      "counterpart and is left out",
                      shown(key)));
    }
  }

  ImportedConfiguration make() {
    topology();
    routing();
    router();
    traffic();
    measurement();
    const auto* const winoc = root_.find("use_winoc");
    const bool wireless = winoc != nullptr && as_boolean(winoc->value).value_or(false);
    for (const auto& entry : root_.entries)
      if (const auto remark = remark_on_noxim(entry, wireless)) out_.remark(*remark);
    return std::move(out_);
  }

 private:
  [[noreturn]] static void fail(const Place& place, const std::string& text) {
    throw ConfigError({Diagnostic{"import noxim", text, place.text()}});
  }
  [[nodiscard]] std::string value(const std::string& key) const {
    const auto* entry = root_.find(key);
    return entry == nullptr ? noxim_keys().at(key) : entry->value.scalar;
  }
  /// As given, on one line: for comments and messages.
  [[nodiscard]] std::string text(const std::string& key) const {
    const auto* entry = root_.find(key);
    if (entry == nullptr) return noxim_keys().at(key);
    return is_scalar(entry->value) ? shown(entry->value.scalar) : describe_given(entry->value);
  }
  static bool is_scalar(const ConfigNode& value) { return value.kind == ConfigNode::Kind::kScalar; }
  [[nodiscard]] Place place(const std::string& key) const {
    const auto* entry = root_.find(key);
    return entry == nullptr ? root_.place : entry->value.place;
  }
  [[nodiscard]] std::string from(const std::string& key) const {
    return fmt::format("{}: {}{}", key, text(key), root_.find(key) == nullptr ? ", Noxim's default" : "");
  }
  [[nodiscard]] double number(const std::string& key) const {
    if (const auto* entry = root_.find(key); entry != nullptr && !is_scalar(entry->value))
      fail(place(key), fmt::format("{}: expected a number, not {}", key, text(key)));
    const std::string given = value(key);
    double x = 0;
    const auto* const end = given.data() + given.size();
    const auto [stop, error] = std::from_chars(given.data(), end, x);
    if (error != std::errc() || stop != end || !std::isfinite(x))
      fail(place(key), fmt::format("{}: expected a number, not '{}'", key, text(key)));
    return x;
  }
  [[nodiscard]] long whole(const std::string& key, long least, long most) const {
    const double x = number(key);
    if (x != std::floor(x) || x < static_cast<double>(least) || x > static_cast<double>(most))
      fail(place(key),
           fmt::format("{}: expected an integer, {} to {}, not '{}'", key, least, most, text(key)));
    return static_cast<long>(x);
  }
  void no_counterpart(const std::string& key, const std::string& instead) {
    out_.replaced(fmt::format("{}: {}{} has no counterpart; {}", key, text(key),
                              is_noxim_word(key, value(key)) ? "" : ", which is not known here,", instead));
  }

  void topology() {
    const std::string kind = value("topology");
    if (kind == "MESH") {
      const long x = whole("mesh_dim_x", 2, 65535);
      const long y = whole("mesh_dim_y", 2, 65535);
      square_ = x == y;
      out_.set("topology.kind", "mesh", from("topology"));
      out_.set("topology.radix", fmt::format("[{}, {}]", x, y),
               from("mesh_dim_x") + "; " + from("mesh_dim_y"));
      return;
    }
    if (kind != "BUTTERFLY" && kind != "BASELINE" && kind != "OMEGA") {
      graph_ = true;
      out_.set("topology.kind", "graph", from("topology"));
      out_.set("topology.file", "network.yaml", "to be written: see configs/networks/README.md");
      no_counterpart("topology", "write the network as a graph file");
      return;
    }
    const long tiles = whole("n_delta_tiles", 2, 65536);
    long stages = 0;
    while ((1L << stages) < tiles) ++stages;
    if ((1L << stages) != tiles) fail(place("n_delta_tiles"), "n_delta_tiles: expected a power of 2");
    delta_ = true;
    out_.set("topology.kind", "butterfly", from("topology"));
    out_.set("topology.arity", "2", "switches of a delta network");
    out_.set("topology.stages", std::to_string(stages), from("n_delta_tiles"));
    if (kind != "BUTTERFLY")
      no_counterpart("topology", "the butterfly is taken; write the network as a graph file");
  }

  void routing() {
    const std::string name = value("routing_algorithm");
    if (graph_) {
      out_.set("routing.algorithm", "up_down", from("routing_algorithm"));
      no_counterpart("routing_algorithm", "up_down is taken");
      return;
    }
    if (delta_) {
      out_.set("routing.algorithm", "destination_tag", from("routing_algorithm"));
      if (name != "DELTA") no_counterpart("routing_algorithm", "destination_tag is taken");
      return;
    }
    // In Noxim y grows to the south: north is y_minus, west x_minus; here, too.
    if (name == "NORTH_LAST") {
      out_.set("routing.algorithm", "north_last", from("routing_algorithm"));
    } else if (name == "WEST_FIRST" || name == "NEGATIVE_FIRST") {
      out_.set("routing.algorithm", "turn_table", from("routing_algorithm"));
      out_.set("routing.forbid",
               name == "WEST_FIRST" ? "['y_* -> x_minus']" : "[x_plus -> y_plus, y_minus -> x_minus]",
               name == "WEST_FIRST" ? "who goes west does so first"
                                    : "west and south before east and north: to the north-east and the "
                                      "south-west a header has a choice");
      if (name == "NEGATIVE_FIRST")
        out_.remark(
            "routing_algorithm: NEGATIVE_FIRST: who goes south-east goes south first here; in Noxim east "
            "first, which can deadlock");
    } else {
      out_.set("routing.algorithm", "dimension_order", from("routing_algorithm"));
      if (name != "XY")
        no_counterpart("routing_algorithm",
                       "dimension_order is taken; turn_table takes rules on turns, also for single routers");
    }
  }

  void router() {
    out_.set("node.model", "input_queued", "Noxim's router has input buffers");
    out_.set("node.lanes", std::to_string(whole("n_virtual_channels", 1, 64)), from("n_virtual_channels"));
    out_.set("node.injection_vcs", std::to_string(whole("n_virtual_channels", 1, 64)),
             from("n_virtual_channels"));
    out_.set("node.consumption_vcs", std::to_string(whole("n_virtual_channels", 1, 64)),
             from("n_virtual_channels"));
    if (whole("n_virtual_channels", 1, 64) > 1)
      out_.remark(
          "n_virtual_channels: a packet changes its virtual channel at every router here; in Noxim it keeps "
          "the "
          "one drawn at its source");
    out_.set("node.input_depth", std::to_string(whole("buffer_depth", 1, 4096)), from("buffer_depth"));
    for (const char* key : {"node.routing_delay", "node.vc_allocation_delay", "node.switch_allocation_delay"})
      out_.set(key, "0", "a header is routed, and crosses, in one cycle");
    const std::string selection = value("selection_strategy");
    if (selection == "RANDOM" || selection == "BUFFER_LEVEL") {
      out_.set("node.vc_allocator", "scan", "the allocator that selects");
      out_.set("node.selection", selection == "RANDOM" ? "random" : "least_busy", from("selection_strategy"));
      if (selection == "BUFFER_LEVEL")
        out_.remark(
            "selection_strategy: BUFFER_LEVEL looks at free places of the next buffer, least_busy at VCs "
            "that are "
            "free");
    } else {
      out_.set("node.vc_allocator", "scan", "the allocator that selects");
      no_counterpart("selection_strategy", "random is taken");
    }
  }

  void traffic() {
    pattern();
    const long least = whole("min_packet_size", 1, 65535);
    const long most = whole("max_packet_size", least, 65535);
    const std::string sizes = from("min_packet_size") + "; " + from("max_packet_size");
    if (least == most) {
      out_.set("traffic.packet_length", std::to_string(least), sizes);
    } else if (most - least < 64) {
      std::string all;
      for (long n = least; n <= most; ++n) all += fmt::format("{}{{length: {}}}", n == least ? "" : ", ", n);
      out_.set("traffic.packet_lengths", "[" + all + "]", sizes + "; each as often");
    } else {
      out_.set("traffic.packet_lengths", fmt::format("[{{length: {}}}, {{length: {}}}]", least, most), sizes);
      no_counterpart("max_packet_size",
                     "at most 64 lengths are mixed; the shortest and the longest are taken");
    }
    const double rate = number("packet_injection_rate");
    if (rate <= 0 || rate > 1)
      fail(place("packet_injection_rate"), "packet_injection_rate: expected a number above 0, at most 1");
    out_.set("traffic.offered_load", fmt::format("{:.10g}", rate * static_cast<double>(least + most) / 2),
             from("packet_injection_rate") + " packets per cycle and tile; here in flits");
    out_.set("traffic.source", "bernoulli", from("packet_injection_rate"));
    if (number("probability_of_retransmission") != rate)
      no_counterpart(
          "probability_of_retransmission",
          "a packet comes with the same probability in every cycle; bursts are traffic.source on_off");
  }

  void pattern() {
    const std::map<std::string, std::string> names{
        {"TRAFFIC_RANDOM", "uniform"},
        {"TRAFFIC_TRANSPOSE2", "transpose"},
        {"TRAFFIC_BIT_REVERSAL", "bit_reversal"},
        {"TRAFFIC_SHUFFLE", "shuffle"},
    };
    const std::string name = value("traffic_distribution");
    const auto found = names.find(name);
    if (found != names.end()) {
      out_.set("traffic.pattern", found->second, from("traffic_distribution"));
      if (name == "TRAFFIC_BIT_REVERSAL" || name == "TRAFFIC_SHUFFLE")
        out_.remark(name +
                    ": here it permutes the bits of terminal numbers, which takes a power of two of "
                    "terminals; of other meshes write the pairs as a file for permutation_file");
      if (name == "TRAFFIC_TRANSPOSE2" && !square_)
        out_.remark(name +
                    ": without a square mesh it exchanges the halves of terminal numbers here, which takes "
                    "a power of four of terminals; or write the pairs as a file for permutation_file");
      return;
    }
    if (name == "TRAFFIC_HOTSPOT") {
      out_.set("traffic.pattern", "{kind: hotspot, nodes: [0], fraction: 0.1}", from("traffic_distribution"));
      out_.remark(
          "traffic_distribution: TRAFFIC_HOTSPOT: Noxim takes hot tiles from its command line only; write "
          "them, "
          "and their probability, in traffic.pattern");
      return;
    }
    out_.set("traffic.pattern", "uniform", from("traffic_distribution"));
    no_counterpart("traffic_distribution",
                   "uniform is taken; write the pairs as a file for permutation_file, or rates for flows");
  }

  void measurement() {
    const long time = whole("simulation_time", 1, 1'000'000'000);
    const long warm_up = whole("stats_warm_up_time", 0, 1'000'000'000);
    if (warm_up >= time)
      fail(place("stats_warm_up_time"),
           "stats_warm_up_time: nothing is measured; it is not below simulation_time");
    out_.set("measurement.warm_up", std::to_string(warm_up), from("stats_warm_up_time"));
    out_.set("measurement.cycles", std::to_string(time - warm_up),
             from("simulation_time") + ", less the warm-up");
    if (root_.find("reset_time") != nullptr) no_counterpart("reset_time", "a fabric begins empty");
    if (root_.find("rnd_generator_seed") != nullptr)
      out_.set("seed", std::to_string(whole("rnd_generator_seed", 0, 1'000'000'000'000)),
               from("rnd_generator_seed"));
    else
      out_.set("seed", "0", "Noxim takes the time of day");
    for (const auto& [theirs, ours] :
         {std::pair{"trace_mode", "trace.vcd"}, {"detailed", "measurement.flows"}}) {
      const auto* const found = root_.find(theirs);
      if (found == nullptr) continue;
      const auto wanted = as_boolean(found->value);
      if (!wanted) fail(place(theirs), fmt::format("{}: expected true or false", theirs));
      if (*wanted) out_.set(ours, "true", from(theirs));
    }
  }

  const ConfigNode& root_;
  ImportedConfiguration out_;
  bool square_ = false;  ///< a mesh of equal sides
  bool graph_ = false;   ///< a network that is to be written
  bool delta_ = false;
};

}  // namespace

ImportedConfiguration import_noxim(std::string_view text, const std::string& name) {
  Faults faults;
  const ConfigNode root = parse_yaml(std::string(text), std::make_shared<const std::string>(name), faults);
  if (!faults.empty())
    throw ConfigError({Diagnostic{"import noxim", faults.front().message, faults.front().place.text()}});
  return NoximImport(root, name).make();
}

}  // namespace noctule
