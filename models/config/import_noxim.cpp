// Keys, values and defaults as Noxim's default configuration and its sources have them (October 2025).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/given.h"
#include "config/imported.h"
#include "config/spelling.h"
#include "core/error.h"

namespace noctule {
namespace {

/// Keys that are translated, with Noxim's defaults.
const std::map<std::string, std::string>& noxim_keys() {
  static const std::map<std::string, std::string> kDefaults{{"topology", "MESH"},
                                                            {"mesh_dim_x", "4"},
                                                            {"mesh_dim_y", "4"},
                                                            {"n_delta_tiles", "16"},
                                                            {"buffer_depth", "4"},
                                                            {"n_virtual_channels", "1"},
                                                            {"routing_algorithm", "XY"},
                                                            {"selection_strategy", "RANDOM"},
                                                            {"min_packet_size", "8"},
                                                            {"max_packet_size", "8"},
                                                            {"packet_injection_rate", "0.01"},
                                                            {"probability_of_retransmission", "0.01"},
                                                            {"traffic_distribution", "TRAFFIC_RANDOM"},
                                                            {"reset_time", "1000"},
                                                            {"simulation_time", "10000"},
                                                            {"stats_warm_up_time", "1000"},
                                                            {"rnd_generator_seed", "0"}};
  return kDefaults;
}

struct NoCounterpart {
  const char* key;
  const char* neutral;  ///< value that needs no remark
  const char* instead;
};
constexpr std::array kWithout{
    NoCounterpart{"flit_size", nullptr, "results are in flits; widths are those of RTL routers"},
    NoCounterpart{"r2h_link_length", nullptr, "wires have cycles (link.flit_delay), not millimetres"},
    NoCounterpart{"r2r_link_length", nullptr, "wires have cycles (link.flit_delay), not millimetres"},
    NoCounterpart{"clock_period_ps", nullptr,
                  "results are in cycles; `noctule cost` gives the clock of a router"},
    NoCounterpart{"routing_table_filename", "",
                  "routing.algorithm table reads routes in a format of its own"},
    NoCounterpart{"dyad_threshold", nullptr, "DyAD has no counterpart"},
    NoCounterpart{"traffic_table_filename", nullptr, "write the rates as a file for traffic.source flows"},
    NoCounterpart{"trace_filename", "", "waveforms are named after the configuration"},
    NoCounterpart{"detailed", "false", "links.csv and terminals.csv have the details of every run"},
    NoCounterpart{"show_buffer_stats", "false", "results give the occupancy of buffers in every run"},
    NoCounterpart{"max_volume_to_be_drained", "0",
                  "traffic.source static and workload run until all is delivered"},
    NoCounterpart{"verbose_mode", "VERBOSE_OFF", "`noctule run FILE --events flits.csv` logs every flit"},
    NoCounterpart{"use_winoc", "false", "there are no wireless links; write them as links of a graph file"},
    NoCounterpart{"use_wirxsleep", "false", "there are no wireless links"},
    NoCounterpart{"use_powermanager", "false",
                  "there is no model of power; `noctule cost` gives area and clock"},
    NoCounterpart{"Hubs", "", "there are no wireless hubs; write them as routers of a graph file"},
    NoCounterpart{"Channels", "", "there are no wireless channels"},
    NoCounterpart{"RxChannels", "", "there are no wireless channels"},
    NoCounterpart{"RadioChannels", "", "there are no wireless channels"},
    NoCounterpart{"winoc_dst_hops", nullptr, "there are no wireless links"},
    NoCounterpart{"traffic_hardcoded_filename", nullptr,
                  "write the packets as a file for traffic.source trace_file"},
    NoCounterpart{"pe_rx_buffer_size", nullptr, "message_classes.NAME.buffer bounds what a terminal holds"},
    NoCounterpart{"processing_frequency", nullptr,
                  "terminals that compute are tasks of traffic.source workload"},
    NoCounterpart{"processing_size", nullptr, "terminals that compute are tasks of traffic.source workload"},
    NoCounterpart{"hotspots", "", "traffic.pattern hotspot takes the terminals and a probability"},
};

class NoximImport {
 public:
  NoximImport(const ConfigNode& root, const std::string& name) : root_(root) {
    if (root.kind != ConfigNode::Kind::kMap) fail(root.place, name + ": expected keys and values of Noxim");
    std::vector<std::string> names;
    for (const auto& [key, value] : noxim_keys()) names.push_back(key);
    names.emplace_back("trace_mode");
    for (const NoCounterpart& without : kWithout) names.emplace_back(without.key);
    for (const auto& entry : root.entries) {
      if (std::ranges::find(names, entry.key) != names.end()) continue;
      if (const auto near = nearest_spelling(entry.key, names); !near.empty())
        fail(entry.place, fmt::format("Noxim has no key '{}'{}", entry.key, with_hint(near)));
      out_.remark(
          fmt::format("{}: no key of Noxim that is known here, perhaps of another version; it is left "
                      "out",
                      entry.key));
    }
  }

  ImportedConfiguration make() {
    topology();
    routing();
    router();
    traffic();
    measurement();
    for (const auto& entry : root_.entries) without_counterpart(entry);
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
  [[nodiscard]] Place place(const std::string& key) const {
    const auto* entry = root_.find(key);
    return entry == nullptr ? root_.place : entry->value.place;
  }
  [[nodiscard]] std::string from(const std::string& key) const {
    return fmt::format("{}: {}{}", key, value(key), root_.find(key) == nullptr ? ", Noxim's default" : "");
  }
  [[nodiscard]] double number(const std::string& key) const {
    const std::string text = value(key);
    double x = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, x);
    if (error != std::errc() || stop != end || !std::isfinite(x))
      fail(place(key), fmt::format("{}: expected a number, not '{}'", key, shown(text)));
    return x;
  }
  [[nodiscard]] long whole(const std::string& key, long least, long most) const {
    const double x = number(key);
    if (x != std::floor(x) || x < static_cast<double>(least) || x > static_cast<double>(most))
      fail(place(key),
           fmt::format("{}: expected an integer, {} to {}, not '{}'", key, least, most, value(key)));
    return static_cast<long>(x);
  }
  void no_counterpart(const std::string& key, const std::string& instead) {
    out_.replaced(fmt::format("{}: {} has no counterpart; {}", key, value(key), instead));
  }

  void topology() {
    const std::string kind = value("topology");
    if (kind == "MESH") {
      out_.set("topology.kind", "mesh", from("topology"));
      out_.set("topology.radix",
               fmt::format("[{}, {}]", whole("mesh_dim_x", 2, 65535), whole("mesh_dim_y", 2, 65535)),
               from("mesh_dim_x") + "; " + from("mesh_dim_y"));
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
      if (name != "TRAFFIC_RANDOM")
        out_.remark(name +
                    ": here it permutes the bits of terminal numbers, which takes a power of two of "
                    "terminals; of other meshes write the pairs as a file for permutation_file");
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
    if (const auto* const trace = root_.find("trace_mode")) {
      const auto traced = as_boolean(trace->value);
      if (!traced) fail(place("trace_mode"), "trace_mode: expected true or false");
      if (*traced) out_.set("trace.vcd", "true", from("trace_mode"));
    }
  }

  void without_counterpart(const ConfigNode::Entry& entry) {
    const auto* const without =
        std::ranges::find_if(kWithout, [&](const NoCounterpart& w) { return w.key == entry.key; });
    if (without == kWithout.end()) return;
    const bool scalar = entry.value.kind == ConfigNode::Kind::kScalar;
    if (scalar && without->neutral != nullptr && is_neutral(entry.value, without->neutral)) return;
    const auto* const winoc = root_.find("use_winoc");
    const bool wireless = winoc != nullptr && as_boolean(winoc->value).value_or(false);
    if (!scalar && !wireless) return;  // hubs and channels that are switched off
    out_.remark(fmt::format("{}{} has no counterpart; {}", entry.key,
                            scalar ? ": " + shown(entry.value.scalar) : std::string(), without->instead));
  }
  static bool is_neutral(const ConfigNode& given, const std::string& neutral) {
    if (given.scalar == neutral) return true;
    const auto truth = as_boolean(given);
    return truth && (*truth ? "true" : "false") == neutral;
  }

  const ConfigNode& root_;
  ImportedConfiguration out_;
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
