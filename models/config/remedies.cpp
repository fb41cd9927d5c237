// What to do instead of a key that has no counterpart of one word.

#include <algorithm>
#include <array>
#include <string_view>

#include "config/spelling.h"

namespace noctule {
namespace {

/// In a section of this name, at any depth: these words, separated by blanks, and what to do instead. A word
/// with
/// "[]" is a key to which a list was given.
struct Remedy {
  std::string_view section;
  std::string_view words;
  const char* sentence;
};

constexpr std::array<Remedy, 20> kRemedies{{
    {"node", "speedup input_speedup output_speedup internal_speedup crossbar_speedup",
     "a crossbar runs at the speed of the links; one crossbar for each lane is 'crossbar_per: [lane]'"},
    {"node", "pipeline pipeline_depth pipeline_stages router_stages stages num_stages",
     "stages are given one by one: 'routing_delay', 'vc_allocation_delay', 'switch_allocation_delay', "
     "'traversal_delay'; 'lookahead' and 'speculative' make them fewer"},
    {"node", "classes n_classes num_classes vc_classes",
     "the classes of VCs are those of the routing relation ('routing.classes', where it takes them); "
     "'lanes' is the number of VCs in each"},
    {"routing", "vcs num_vcs vc lanes virtual_channels",
     "a relation has classes of VCs ('classes', where it takes them); 'node.lanes' is the number of VCs in "
     "each"},
    {"routing", "file table_file routes",
     "'algorithm: table' takes a file; turns are listed in 'forbid' of 'algorithm: turn_table'"},
    {"trace", "packet packets watch watch_packet watch_packets flit flits",
     "a waveform takes routers and times: 'scope', 'from', 'cycles'; `noctule run FILE --events EVENTS.csv` "
     "writes the way of every packet"},
    {"trace", "to end stop until start begin first last window", "the window is 'from' and 'cycles'"},
    {"message_classes", "vc vnet vnets lane lanes classes virtual_network virtual_channels",
     "'vcs' chooses the VCs of a class, by the fields of the relation or by lane: {lane: 0}"},
    {"rtl", "module name entity", "the module is 'top'"},
    {"", "rtl verilog systemverilog", "routers that are RTL: 'nodes: [{routers: [\"*\"], rtl: {}}]'"},
    {"node", "rtl verilog systemverilog", "routers that are RTL: 'nodes: [{routers: [\"*\"], rtl: {}}]'"},
    {"set", "rtl verilog systemverilog",
     "'rtl' stands beside 'set': 'nodes: [{routers: [\"*\"], set: {...}, rtl: {}}]'"},
    {"rtl", "file source sources verilog systemverilog path rtl", "the sources are 'files', a list"},
    {"traffic", "destination destinations dest dst",
     "'pattern' says where packets go; 'source: {kind: flows, file: FILE}' lists pairs with rates of their "
     "own"},
    {"measurement", "confidence confidence_level level",
     "intervals are of 95 %, always; 'precision' is the relative half width that is wanted"},
    {"measurement", "replications repetitions replicas runs num_runs",
     "independent runs are an axis of seeds: `--axis seed=1:10:1`, or 'sweep: {seed: {from: 1, to: 10, step: "
     "1}}'"},
    {"measurement", "latency_thres latency_threshold max_latency saturation_threshold",
     "a point is saturated by its queues (configs/results.md); no latency is a threshold"},
    {"measurement", "drain drain_time drain_cycles drain_limit",
     "there is no phase behind the measurement: packets count that arrive in it, and those under way at its "
     "end do not (configs/results.md)"},
    {"traffic", "packet_length[]",
     "several lengths in one run are 'packet_lengths: [{length: 1}, {length: 5}]'"},
    {"traffic", "classes class message_class message_classes",
     "classes are 'message_classes' of the whole file; a source names those that it sends"},
}};

/// Is `word` one of those that the text lists?
bool lists(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

/// Is `section` one of the names in "a.b[3].c"? None: is the path that of the whole file?
bool leads_through(std::string_view path, std::string_view section) {
  if (section.empty()) return path.empty();
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (path.substr(at, end - at) == section) return true;
    at = path.find_first_not_of("[]0123456789.", end);
    if (at == std::string_view::npos) break;
  }
  return false;
}

}  // namespace

std::string remedy_for(const std::string& section, const std::string& word) {
  const auto found = std::find_if(kRemedies.begin(), kRemedies.end(), [&](const Remedy& r) {
    return leads_through(section, r.section) && lists(r.words, word);
  });
  return found == kRemedies.end() ? std::string() : found->sentence;
}

}  // namespace noctule
