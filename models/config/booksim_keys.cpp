// What BookSim2's keys are, and what those without a counterpart mean here.

#include "config/booksim_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "config/booksim_text.h"
#include "config/given.h"
#include "config/spelling.h"

namespace noctule {
namespace {

/// Keys that only say what is printed or written. Results do not depend on them.
constexpr std::array kOutput{"print_activity",
                             "print_csv_results",
                             "print_vc_stats",
                             "viewer_trace",
                             "watch_file",
                             "watch_flits",
                             "watch_packets",
                             "watch_transactions",
                             "watch_out",
                             "stats_out",
                             "flow_out",
                             "sent_packets_out",
                             "active_packets_out",
                             "injected_flits_out",
                             "ejected_flits_out",
                             "received_flits_out",
                             "sent_flits_out",
                             "stored_flits_out",
                             "power_output_file",
                             "outstanding_credits_out",
                             "used_credits_out",
                             "free_credits_out",
                             "max_credits_out",
                             "tech_file",
                             "channel_width",
                             "channel_sweep",
                             "deadlock_warn_timeout"};

/// Keys with one value that means what routers and runs are here; others have no counterpart.
struct Fixed {
  const char* key;
  const char* value;
  const char* otherwise;
};
constexpr std::array kFixed{
    Fixed{"subnets", "1",
          "the section planes has networks side by side, each for message classes of its own "
          "(configs/ends.md); BookSim2 draws one for each packet"},
    Fixed{"classes", "1",
          "see message_classes in configs/reference.yaml, and the source flows for rates of each"},
    Fixed{"class_priority", "0", "see message_classes.NAME.priority in configs/reference.yaml"},
    Fixed{"limit", "0", "topology.terminals_at says which routers have terminals"},
    Fixed{"link_failures", "0", "the section without removes links"},
    Fixed{"fail_seed", "0", "the section without removes links"},
    Fixed{"express_channels", "0", "write a network with express links as a graph file"},
    Fixed{"internal_speedup", "1", "crossbars run at the clock of the links"},
    Fixed{"input_speedup", "1",
          "a switch has one input for each port: less is accepted near saturation than with a speedup"},
    Fixed{"output_speedup", "1",
          "a switch has one output for each port: less is accepted near saturation than with a speedup"},
    Fixed{"hold_switch_for_packet", "0", "switches are matched flit by flit"},
    Fixed{"spec_use_prio", "1", "flits that have a VC go before speculative ones"},
    Fixed{"spec_check_elig", "0", "speculative bids are not held back by credits"},
    Fixed{"spec_check_cred", "0", "speculative bids are not held back by credits"},
    Fixed{"spec_sw_allocator", "prio",
          "node.switch_allocator serves speculative bids, too, after all others"},
    Fixed{"spec_mask_by_reqs", "0", "speculative grants are masked by grants"},
    Fixed{"shared_buf_size", "0", "every VC has a buffer of its own"},
    Fixed{"buf_size", "-1", "every VC has a buffer of its own"},
    Fixed{"buffer_policy", "private", "every VC has a buffer of its own"},
    Fixed{"private_bufs", "-1", "every VC has a buffer of its own"},
    Fixed{"private_buf_size", "1", "every VC has a buffer of its own"},
    Fixed{"private_buf_start_vc", "-1", "every VC has a buffer of its own"},
    Fixed{"private_buf_end_vc", "-1", "every VC has a buffer of its own"},
    Fixed{"max_held_slots", "-1", "every VC has a buffer of its own"},
    Fixed{"feedback_aging_scale", "1", "every VC has a buffer of its own"},
    Fixed{"feedback_offset", "0", "every VC has a buffer of its own"},
    Fixed{"output_buffer_size", "-1",
          "a crossbar without speedup does not fill it; node.output_depth is a buffer behind the crossbar, "
          "with node.switch_allocation_delay 0"},
    Fixed{"vc_shuffle_requests", "0", "requests for VCs are not shuffled"},
    Fixed{"vc_prioritize_empty", "0", "VCs are served in turn"},
    Fixed{"vc_priority_donation", "0", "packets have no priorities of their own; classes have"},
    Fixed{"replies_inherit_priority", "0", "packets have no priorities of their own; classes have"},
    Fixed{"vct", "0", "node.forwarding and buffers of a packet's length come near"},
    Fixed{"noq", "0", "node.lookahead computes routes one router ahead, without queues for each output"},
    Fixed{"channel_file", "", "the section links says what links are like"},
    Fixed{"background_excludes", "", "write the rates of each pair as a file for the source flows"},
    Fixed{"combined_patterns", "", "write the rates of each pair as a file for the source flows"},
    Fixed{"combined_rates", "", "write the rates of each pair as a file for the source flows"},
    Fixed{"include_queuing", "1", "results give latencies with and without the source queue"},
    Fixed{"measure_stats", "1", "all packets are measured"},
    Fixed{"sim_count", "1", "`noctule sweep FILE --axis seed=1,2,3` repeats a run"},
    Fixed{"sim_power", "0", "there is no model of power; `noctule cost` gives area and clock"},
    Fixed{"drain_measured_only", "0", "a run is not drained"},
    Fixed{"in_ports", "5", "ports are those of the network"},
    Fixed{"out_ports", "5", "ports are those of the network"},
};

/// Of a closed loop with reads and writes; told in one remark.
constexpr std::array kReadWrite{"read_request_begin_vc",    "read_request_end_vc",  "write_request_begin_vc",
                                "write_request_end_vc",     "read_reply_begin_vc",  "read_reply_end_vc",
                                "write_reply_begin_vc",     "write_reply_end_vc",   "read_request_subnet",
                                "read_reply_subnet",        "write_request_subnet", "write_reply_subnet",
                                "read_request_size",        "write_request_size",   "read_reply_size",
                                "write_reply_size",         "batch_size",           "batch_count",
                                "max_outstanding_requests", "write_fraction"};

/// When a run has warmed up or converged: here intervals of confidence tell.
constexpr std::array kConvergence{"latency_thres", "warmup_thres", "acc_warmup_thres", "stopping_thres",
                                  "acc_stopping_thres"};

/// Keys whose value is one of a list of words.
struct Words {
  const char* key;
  std::string_view words;  ///< separated by blanks
};
constexpr std::string_view kAllocators =
    "fair_wavefront islip loa max max_size maxsize pim prio prio_wavefront rr_wavefront select "
    "separable_input_first separable_output_first wavefront";
constexpr std::string_view kArbiters = "large_round_robin matrix prio round_robin tree";
constexpr std::array kWords{
    Words{"topology", "anynet cmesh dragonflynew fattree flatfly fly mesh qtree torus tree4"},
    Words{"router", "chaos event iq"},
    // Without the name of the network behind it.
    Words{
        "routing_function",
        "adaptive_xy_yx adaptive_xyyx anca chaos dest_tag dim_order dim_order_bal dim_order_ni dim_order_pni "
        "dor dor_no_express limited_adapt min min_adapt nca none planar_adapt ran_min romm romm_ni ugal "
        "ugal_pni ugal_xyyx valiant valiant_ni xy_yx xy_yx_no_express xyyx"},
    Words{"traffic",
          "asymmetric background bad_dragon badperm_yarc bitcomp bitrev diagonal hotspot neighbor randperm "
          "shuffle taper64 tornado transpose uniform"},
    Words{"injection_process", "bernoulli on_off"},
    Words{"priority", "age class hop_count local_age network_age none queue_length sequence"},
    Words{"sim_type", "batch latency throughput"},
    Words{"buffer_policy", "dynamic feedback limited private shared shifting simplefeedback"},
    Words{"vc_allocator", kAllocators},
    Words{"sw_allocator", kAllocators},
    Words{"spec_sw_allocator", kAllocators},
    Words{"arb_type", kArbiters},
    Words{"vc_alloc_arb_type", kArbiters},
    Words{"sw_alloc_arb_type", kArbiters},
};

template <class List>
bool is_one_of(const std::string& word, const List& list) {
  return std::ranges::find(list, word) != std::end(list);
}

}  // namespace

const std::map<std::string, std::string>& booksim_keys() {
  static const std::map<std::string, std::string> kDefaults{{"topology", "torus"},
                                                            {"k", "8"},
                                                            {"n", "2"},
                                                            {"c", "1"},
                                                            {"x", "8"},
                                                            {"y", "8"},
                                                            {"xr", "1"},
                                                            {"yr", "1"},
                                                            {"routing_function", "none"},
                                                            {"network_file", ""},
                                                            {"router", "iq"},
                                                            {"output_delay", "0"},
                                                            {"credit_delay", "0"},
                                                            {"speculative", "0"},
                                                            {"num_vcs", "16"},
                                                            {"vc_buf_size", "8"},
                                                            {"wait_for_tail_credit", "0"},
                                                            {"vc_busy_when_full", "0"},
                                                            {"routing_delay", "1"},
                                                            {"vc_alloc_delay", "1"},
                                                            {"sw_alloc_delay", "1"},
                                                            {"st_prepare_delay", "0"},
                                                            {"st_final_delay", "1"},
                                                            {"vc_allocator", "islip"},
                                                            {"sw_allocator", "islip"},
                                                            {"vc_alloc_arb_type", "round_robin"},
                                                            {"sw_alloc_arb_type", "round_robin"},
                                                            {"arb_type", ""},
                                                            {"alloc_iters", "1"},
                                                            {"vc_alloc_iters", "0"},
                                                            {"sw_alloc_iters", "0"},
                                                            {"traffic", "uniform"},
                                                            {"hotspot_nodes", ""},
                                                            {"hotspot_rates", ""},
                                                            {"perm_seed", "0"},
                                                            {"injection_rate", "0.1"},
                                                            {"injection_rate_uses_flits", "0"},
                                                            {"const_flits_per_packet", ""},
                                                            {"packet_size", "1"},
                                                            {"injection_process", "bernoulli"},
                                                            {"burst_alpha", "0.5"},
                                                            {"burst_beta", "0.5"},
                                                            {"burst_r1", ""},
                                                            {"packet_size_rate", "1"},
                                                            {"priority", "none"},
                                                            {"sim_type", "latency"},
                                                            {"use_noc_latency", "1"},
                                                            {"use_read_write", "0"},
                                                            {"warmup_periods", "0"},
                                                            {"sample_period", "1000"},
                                                            {"max_samples", "10"},
                                                            {"pair_stats", "0"},
                                                            {"seed", "0"}};
  return kDefaults;
}

std::vector<std::string> booksim_key_names() {
  std::vector<std::string> names;
  for (const auto& [key, value] : booksim_keys()) names.push_back(key);
  for (const char* key : kOutput) names.emplace_back(key);
  for (const Fixed& fixed : kFixed) names.emplace_back(fixed.key);
  for (const char* key : kReadWrite) names.emplace_back(key);
  for (const char* key : kConvergence) names.emplace_back(key);
  return names;
}

std::string routing_without_network(std::string function) {
  for (const std::string_view ending : {"_mesh", "_torus", "_cmesh", "_fly", "_anynet", "_fattree", "_qtree",
                                        "_tree4", "_flatfly", "_dragonflynew"})
    if (function.ends_with(ending)) {
      function.resize(function.size() - ending.size());
      break;
    }
  return function;
}

std::string wrong_booksim_word(const std::string& key, const std::string& value) {
  const auto* const known = std::ranges::find_if(kWords, [&](const Words& w) { return w.key == key; });
  if (known == kWords.end()) return "";
  std::string word = name_in(value);
  if (key == "routing_function") word = routing_without_network(word);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < known->words.size();) {
    const std::size_t end = std::min(known->words.find(' ', at), known->words.size());
    words.emplace_back(known->words.substr(at, end - at));
    at = end + 1;
  }
  if (word.empty() || is_one_of(word, words)) return "";
  const auto nearest = nearest_spelling(word, words);
  return fmt::format(
      "{}: BookSim2 has no '{}'{}", key, value,
      nearest.empty() ? fmt::format("; it has {}", fmt::join(words, ", ")) : with_hint(nearest));
}

std::optional<std::string> remark_on_booksim(const std::string& key, const std::string& value) {
  if (is_one_of(key, kConvergence))
    return fmt::format("{} = {} is not needed: each point has a status and intervals (measurement.precision)",
                       key, value);
  if (is_one_of(key, kReadWrite))
    return fmt::format("{} = {} counts in closed loops only: see traffic.source request_reply", key, value);
  // A list gives a value for each class.
  const std::string first = of_first_class(value);
  const auto* const fixed = std::ranges::find_if(kFixed, [&](const Fixed& f) { return f.key == key; });
  if (fixed == kFixed.end() || first == fixed->value || first == std::string(fixed->value) + ".0")
    return std::nullopt;
  return fmt::format("{} = {} has no counterpart; {}", key, value, fixed->otherwise);
}

}  // namespace noctule
