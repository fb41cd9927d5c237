#include "config/booksim_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "config/given.h"
#include "config/spelling.h"
#include "core/error.h"

namespace noctule {
namespace {

/// Keys that only say what is printed or written. Results do not depend on them.
constexpr std::array kOutput{
    "print_activity",     "print_csv_results",  "print_vc_stats",    "viewer_trace",
    "watch_file",         "watch_flits",        "watch_packets",     "watch_transactions",
    "watch_out",          "stats_out",          "flow_out",          "sent_packets_out",
    "active_packets_out", "injected_flits_out", "ejected_flits_out", "received_flits_out",
    "sent_flits_out",     "stored_flits_out",   "pair_stats",        "power_output_file",
    "tech_file",          "channel_width",      "channel_sweep",     "deadlock_warn_timeout"};

/// Keys with one value that means what routers and runs are here; others have no counterpart.
struct Fixed {
  const char* key;
  const char* value;
  const char* otherwise;
};
constexpr std::array kFixed{
    Fixed{"subnets", "1", "there is one network"},
    Fixed{"classes", "1",
          "see message_classes in configs/reference.yaml, and the source flows for rates of each"},
    Fixed{"class_priority", "0", "see message_classes.NAME.priority in configs/reference.yaml"},
    Fixed{"limit", "0", "topology.terminals_at says which routers have terminals"},
    Fixed{"link_failures", "0", "the section without removes links"},
    Fixed{"fail_seed", "0", "the section without removes links"},
    Fixed{"express_channels", "0", "write a network with express links as a graph file"},
    Fixed{"internal_speedup", "1", "crossbars run at the clock of the links"},
    Fixed{"input_speedup", "1", "a switch has one input for each port"},
    Fixed{"output_speedup", "1", "a switch has one output for each port"},
    Fixed{"hold_switch_for_packet", "0", "switches are matched flit by flit"},
    Fixed{"spec_use_prio", "1", "flits that have a VC go before speculative ones"},
    Fixed{"spec_check_elig", "0", "speculative bids are not held back by credits"},
    Fixed{"spec_mask_by_reqs", "0", "speculative grants are masked by grants"},
    Fixed{"shared_buf_size", "0", "every VC has a buffer of its own"},
    Fixed{"buf_size", "-1", "every VC has a buffer of its own"},
    Fixed{"buffer_policy", "private", "every VC has a buffer of its own"},
    Fixed{"private_bufs", "-1", "every VC has a buffer of its own"},
    Fixed{"private_buf_size", "1", "every VC has a buffer of its own"},
    Fixed{"private_buf_start_vc", "-1", "every VC has a buffer of its own"},
    Fixed{"private_buf_end_vc", "-1", "every VC has a buffer of its own"},
    Fixed{"output_buffer_size", "-1", "input-queued routers have no output buffers"},
    Fixed{"vc_prioritize_empty", "0", "VCs are served in turn"},
    Fixed{"vc_priority_donation", "0", "packets have no priorities of their own; classes have"},
    Fixed{"replies_inherit_priority", "0", "packets have no priorities of their own; classes have"},
    Fixed{"priority", "none",
          "packets have no priorities of their own; classes have: message_classes.NAME.priority"},
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
    Fixed{"use_noc_latency", "1", "the section links gives latencies of links"},
};

/// Of a closed loop with reads and writes; told in one remark.
constexpr std::array kReadWrite{"read_request_begin_vc",   "read_request_end_vc",  "write_request_begin_vc",
                                "write_request_end_vc",    "read_reply_begin_vc",  "read_reply_end_vc",
                                "write_reply_begin_vc",    "write_reply_end_vc",   "read_request_subnet",
                                "read_reply_subnet",       "write_request_subnet", "write_reply_subnet",
                                "read_request_size",       "write_request_size",   "read_reply_size",
                                "write_reply_size",        "batch_size",           "batch_count",
                                "max_outstanding_requests"};

/// When a run has warmed up or converged: here intervals of confidence tell.
constexpr std::array kConvergence{"latency_thres",  "warmup_thres",       "acc_warmup_thres",
                                  "stopping_thres", "acc_stopping_thres", "sim_type"};

template <class List>
bool is_one_of(const std::string& word, const List& list) {
  return std::ranges::find(list, word) != std::end(list);
}

template <class F>
void each_known(F&& f) {
  for (const auto& [key, value] : booksim_keys()) f(key);
  for (const char* key : kOutput) f(key);
  for (const Fixed& fixed : kFixed) f(fixed.key);
  for (const char* key : kReadWrite) f(key);
  for (const char* key : kConvergence) f(key);
}
bool known(const std::string& key) {
  bool found = false;
  each_known([&](const std::string& name) { found = found || name == key; });
  return found;
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
                                                            {"use_read_write", "0"},
                                                            {"warmup_periods", "0"},
                                                            {"sample_period", "1000"},
                                                            {"max_samples", "10"},
                                                            {"seed", "0"}};
  return kDefaults;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

BooksimText::BooksimText(std::string_view text, std::string name) : name_(std::move(name)) {
  std::string statement;
  int begun = 1;
  int line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80 || (byte < 0x20 && text.find_first_of("\t\r\n", i) != i))
      fail(line, "is no text; BookSim2's files are ASCII");
    if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
    const char c = i < text.size() ? text[i] : '\n';
    if (c == ';') {
      take(statement, begun);
      statement.clear();
    } else {
      if (trimmed(statement).empty()) begun = line;
      statement += c;
    }
    if (c == '\n') ++line;
  }
  if (const auto rest = trimmed(statement); !rest.empty())
    fail(begun, fmt::format("'{}' is not ended; write 'key = value;'", rest.substr(0, 40)));
}

void BooksimText::fail(int line, const std::string& text) const {
  throw ConfigError(
      {Diagnostic{"import booksim", text, line == 0 ? name_ : fmt::format("{}:{}", name_, line)}});
}

void BooksimText::take(const std::string& statement, int line) {
  const auto equals = statement.find('=');
  const std::string key = trimmed(statement.substr(0, equals));
  if (equals == std::string::npos || key.empty())
    fail(line, fmt::format("'{}' is no 'key = value;'", trimmed(statement).substr(0, 40)));
  std::string value = trimmed(statement.substr(equals + 1));
  if (value.size() > 1 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  if (!known(key)) {
    std::vector<std::string> names;
    each_known([&](const std::string& name) { names.push_back(name); });
    fail(line, fmt::format("BookSim2 has no key '{}'{}", key, with_hint(nearest_spelling(key, names))));
  }
  given_[key] = {value, line};
}

std::optional<std::string> remark_on_booksim(const std::string& key, const std::string& value) {
  if (is_one_of(key, kConvergence))
    return fmt::format("{} = {} is not needed: each point has a status and intervals (measurement.precision)",
                       key, value);
  if (is_one_of(key, kReadWrite))
    return fmt::format("{} = {} counts in closed loops only: see traffic.source request_reply", key, value);
  const auto* const fixed = std::ranges::find_if(kFixed, [&](const Fixed& f) { return f.key == key; });
  if (fixed == kFixed.end() || value == fixed->value || value == std::string(fixed->value) + ".0")
    return std::nullopt;
  return fmt::format("{} = {} has no counterpart; {}", key, value, fixed->otherwise);
}

}  // namespace noctule
