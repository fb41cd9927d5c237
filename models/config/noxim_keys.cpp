#include "config/noxim_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "config/given.h"
#include "config/spelling.h"

namespace noctule {
namespace {

struct NoCounterpart {
  const char* key;
  const char* neutral;  ///< value that needs no remark
  const char* instead;
};
constexpr std::array kWithoutCounterpart{
    NoCounterpart{"flit_size", nullptr, "results are in flits; widths are those of RTL routers"},
    NoCounterpart{"r2h_link_length", nullptr, "wires have cycles (link.flit_delay), not millimetres"},
    NoCounterpart{"r2r_link_length", nullptr, "wires have cycles (link.flit_delay), not millimetres"},
    NoCounterpart{"clock_period_ps", nullptr,
                  "results are in cycles; `noctule cost` gives the clock of a router"},
    NoCounterpart{"routing_table_filename", "",
                  "routing.algorithm table reads routes in a format of its own"},
    NoCounterpart{"dyad_threshold", nullptr, "DyAD has no counterpart"},
    NoCounterpart{"traffic_table_filename", nullptr, "write the rates as a file for traffic.source flows"},
    NoCounterpart{"locality", nullptr, "write the rates as a file for traffic.source flows"},
    NoCounterpart{"trace_filename", "", "waveforms are named after the configuration"},
    NoCounterpart{"trace_scope", "basic", "trace.scope names the parts of the network that a waveform shows"},
    NoCounterpart{"show_buffer_stats", "false", "results give the occupancy of buffers in every run"},
    NoCounterpart{"max_volume_to_be_drained", "0",
                  "traffic.source static and workload run until all is delivered"},
    NoCounterpart{"verbose_mode", "VERBOSE_OFF", "`noctule run FILE --events flits.csv` logs every flit"},
    NoCounterpart{"log_level", "OFF", "`noctule run FILE --events flits.csv` logs every flit"},
    NoCounterpart{"log_file", "", "`noctule run FILE --events flits.csv` logs every flit"},
    NoCounterpart{"log_to_stderr", "true", "`noctule run FILE --events flits.csv` logs every flit"},
    NoCounterpart{"log_components", "", "`noctule run FILE --events flits.csv` logs every flit"},
    NoCounterpart{"stats_format", "text", "every run writes results.json, links.csv and terminals.csv"},
    NoCounterpart{"stats_file", "", "`noctule run FILE --out DIR` says where results are written"},
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
    NoCounterpart{"dnn_layer", nullptr, "layers are tasks of traffic.source workload"},
    NoCounterpart{"pe_rx_buffer_size", nullptr, "message_classes.NAME.buffer bounds what a terminal holds"},
    NoCounterpart{"processing_frequency", nullptr,
                  "terminals that compute are tasks of traffic.source workload"},
    NoCounterpart{"processing_size", nullptr, "terminals that compute are tasks of traffic.source workload"},
    NoCounterpart{"hotspots", "", "traffic.pattern hotspot takes the terminals and a probability"},
};
/// All keys that begin so are about one topology.
constexpr std::string_view kDeft = "deft_";
constexpr NoCounterpart kOfDeft{"", "0", "there are no chiplets; write the network as a graph file"};

/// Sections that stand in Noxim's files whether or not they are in use.
constexpr std::array<std::string_view, 4> kWireless{"Hubs", "Channels", "RxChannels", "RadioChannels"};

/// A key whose value is one of a list of words.
struct NoximWords {
  std::string_view key;
  std::vector<std::string> words;
  /// Words that begin so may be those of another version; nothing: there are no others.
  std::optional<std::string> others;
};
const std::vector<NoximWords>& noxim_words() {
  // Whoever changes Noxim adds algorithms first of all: each is a file of its own. No network can stand for
  // another one.
  static const std::vector<NoximWords> kLists{
      {"topology", {"MESH", "BUTTERFLY", "BASELINE", "OMEGA", "DEFT_2_5D"}, std::nullopt},
      {"routing_algorithm",
       {"XY", "DELTA", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST", "ODD_EVEN", "DYAD", "TABLE_BASED",
        "FULLY_ADAPTIVE", "DEFT"},
       ""},
      {"selection_strategy", {"RANDOM", "BUFFER_LEVEL", "NOP"}, ""},
      {"traffic_distribution",
       {"TRAFFIC_RANDOM", "TRAFFIC_TRANSPOSE1", "TRAFFIC_TRANSPOSE2", "TRAFFIC_HOTSPOT",
        "TRAFFIC_TABLE_BASED", "TRAFFIC_BIT_REVERSAL", "TRAFFIC_SHUFFLE", "TRAFFIC_BUTTERFLY",
        "TRAFFIC_LOCAL", "TRAFFIC_ULOCAL", "TRAFFIC_HARDCODED", "TRAFFIC_DNN_LAYER"},
       "TRAFFIC_"}};
  return kLists;
}

const NoximWords* words_of_noxim(const std::string& key) {
  const auto& lists = noxim_words();
  const auto found = std::ranges::find(lists, key, &NoximWords::key);
  return found == lists.end() ? nullptr : &*found;
}

std::string letters_of(const std::string& word) {
  std::string letters;
  for (const char c : word)
    if (c != '_' && c != '-' && c != ' ')
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

/// The word among these that is probably meant; empty: none.
std::string probable_word(const std::string& word, const std::vector<std::string>& words) {
  if (word.size() > 64) return "";
  const std::string wanted = letters_of(word);
  std::string best;
  std::size_t least = 3;
  for (const std::string& candidate : words) {
    const std::string other = letters_of(candidate);
    const std::size_t distance = edit_distance(wanted, other);
    if (distance >= least || (distance == 2 && std::max(wanted.size(), other.size()) < 6)) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

const NoCounterpart* without_counterpart(const std::string& key) {
  const auto* const found = std::ranges::find(kWithoutCounterpart, key, &NoCounterpart::key);
  if (found != kWithoutCounterpart.end()) return found;
  return key.starts_with(kDeft) ? &kOfDeft : nullptr;
}

/// Nothing, or what is the case here.
bool is_neutral(const ConfigNode& given, const char* neutral) {
  if (given.kind != ConfigNode::Kind::kScalar) return given.items.empty() && given.entries.empty();
  if (neutral == nullptr) return false;
  if (given.scalar == neutral) return true;
  const auto truth = as_boolean(given);
  return truth && std::string_view(*truth ? "true" : "false") == neutral;
}

}  // namespace

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
                                                            {"rnd_generator_seed", "0"},
                                                            {"trace_mode", "false"},
                                                            {"detailed", "false"}};
  return kDefaults;
}

bool is_noxim_key(const std::string& key) {
  return noxim_keys().contains(key) || without_counterpart(key) != nullptr;
}

std::string probable_noxim_key(const std::string& key) {
  std::vector<std::string> names;
  for (const auto& [name, value] : noxim_keys()) names.push_back(name);
  for (const NoCounterpart& without : kWithoutCounterpart) names.emplace_back(without.key);
  return probable_word(key, names);
}

bool is_noxim_word(const std::string& key, const std::string& word) {
  const NoximWords* const known = words_of_noxim(key);
  return known == nullptr || std::ranges::find(known->words, word) != known->words.end();
}

std::string wrong_noxim_word(const std::string& key, const ConfigNode& value) {
  const NoximWords* const known = words_of_noxim(key);
  if (known == nullptr) return "";
  if (value.kind != ConfigNode::Kind::kScalar)
    return fmt::format("{}: expected a word, not {}", key, describe_given(value));
  const std::string& word = value.scalar;
  if (is_noxim_word(key, word)) return "";
  std::string meant = probable_word(word, known->words);
  if (known->others) {
    // On Noxim's command line patterns have no such beginning.
    if (meant.empty()) meant = probable_word(*known->others + word, known->words);
    // Old versions have numbers.
    const bool number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    const bool another = !word.empty() && word.starts_with(*known->others);
    if (meant.empty() && (number || another)) return "";
  }
  return fmt::format(
      "{}: Noxim has no '{}'{}", key, shown(word),
      meant.empty() ? fmt::format("; it has {}", fmt::join(known->words, ", ")) : with_hint(meant));
}

std::optional<std::string> remark_on_noxim(const ConfigNode::Entry& entry, bool wireless) {
  const NoCounterpart* const without = without_counterpart(entry.key);
  if (without == nullptr || is_neutral(entry.value, without->neutral)) return std::nullopt;
  const bool scalar = entry.value.kind == ConfigNode::Kind::kScalar;
  if (!scalar && !wireless && std::ranges::find(kWireless, entry.key) != kWireless.end()) return std::nullopt;
  return fmt::format("{}{} has no counterpart; {}", shown(entry.key),
                     scalar ? ": " + shown(entry.value.scalar) : std::string(), without->instead);
}

}  // namespace noctule
