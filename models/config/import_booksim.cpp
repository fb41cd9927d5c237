// Keys, values and defaults as the sources of BookSim2 have them (src/booksim_config.cpp, June 2017).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "config/given.h"
#include "config/imported.h"
#include "config/spelling.h"
#include "core/error.h"

namespace noctule {
namespace {

constexpr const char* kCommand = "import booksim";

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

/// Keys that are translated, with BookSim2's defaults.
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

template <class List>
bool is_one_of(const std::string& word, const List& list) {
  return std::ranges::find(list, word) != std::end(list);
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

struct Given {
  std::string value;
  int line = 0;
};

/// `key = value;`, comments from // to the end of the line; the last one of a key counts.
class BooksimText {
 public:
  BooksimText(std::string_view text, const std::string& name) : name_(name) {
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
  [[nodiscard]] const std::map<std::string, Given>& given() const { return given_; }
  [[noreturn]] void fail(int line, const std::string& text) const {
    throw ConfigError({Diagnostic{kCommand, text, line == 0 ? name_ : fmt::format("{}:{}", name_, line)}});
  }

 private:
  void take(const std::string& statement, int line) {
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
  template <class F>
  static void each_known(F&& f) {
    for (const auto& [key, value] : booksim_keys()) f(key);
    for (const char* key : kOutput) f(key);
    for (const Fixed& fixed : kFixed) f(fixed.key);
    for (const char* key : kReadWrite) f(key);
    for (const char* key : kConvergence) f(key);
  }
  static bool known(const std::string& key) {
    bool found = false;
    each_known([&](const std::string& name) { found = found || name == key; });
    return found;
  }

  std::string name_;
  std::map<std::string, Given> given_;
};

class BooksimImport {
 public:
  explicit BooksimImport(const BooksimText& text) : text_(text) {}

  ImportedConfiguration make() {
    topology();
    routing();
    router();
    allocators();
    traffic();
    measurement();
    for (const auto& [key, given] : text_.given()) without_counterpart(key, given.value);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string value(const std::string& key) const {
    const auto found = text_.given().find(key);
    return found == text_.given().end() ? booksim_keys().at(key) : found->second.value;
  }
  [[nodiscard]] bool is_given(const std::string& key) const { return text_.given().contains(key); }
  [[nodiscard]] std::string from(const std::string& key) const {
    return fmt::format("{} = {}{}", key, value(key), is_given(key) ? "" : ", BookSim2's default");
  }
  [[nodiscard]] double number(const std::string& key) const {
    const std::string text = value(key);
    double x = 0;
    const auto end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, x);
    if (error != std::errc() || stop != end || !std::isfinite(x))
      text_.fail(is_given(key) ? text_.given().at(key).line : 0,
                 fmt::format("{}: expected a number, not '{}'", key, text));
    return x;
  }
  [[nodiscard]] long whole(const std::string& key, long least, long most) const {
    const double x = number(key);
    if (x != std::floor(x) || x < static_cast<double>(least) || x > static_cast<double>(most))
      text_.fail(is_given(key) ? text_.given().at(key).line : 0,
                 fmt::format("{}: expected an integer, {} to {}, not '{}'", key, least, most, value(key)));
    return static_cast<long>(x);
  }
  void no_counterpart(const std::string& key, const std::string& instead) {
    out_.remark(fmt::format("{} = {} has no counterpart; {}", key, value(key), instead));
  }

  void topology() {
    kind_ = value("topology");
    const long k = whole("k", 2, 65535);
    const long n = whole("n", 1, 16);
    const long c = whole("c", 1, 64);
    std::string radix =
        fmt::format("[{}]", fmt::join(std::vector<long>(static_cast<std::size_t>(n), k), ", "));
    std::string shape = from("k") + "; " + from("n");
    if (kind_ == "mesh" || kind_ == "torus" || kind_ == "cmesh") {
      out_.set("topology.kind", kind_ == "torus" ? "torus" : "mesh", from("topology"));
      if (kind_ == "cmesh" && (is_given("x") || is_given("y"))) {
        radix = fmt::format("[{}, {}]", whole("x", 2, 65535), whole("y", 2, 65535));
        shape = from("x") + "; " + from("y");
      }
      out_.set("topology.radix", radix, shape);
      if (c > 1) out_.set("topology.terminals_per_router", std::to_string(c), from("c"));
      if (kind_ == "cmesh")
        out_.remark(
            "topology = cmesh: terminals of a router are numbered one after the other here, in BookSim2 by "
            "their place in the plane; patterns that depend on numbers differ");
      if (is_given("xr") || is_given("yr")) no_counterpart("xr", "c is the number of terminals of a router");
    } else if (kind_ == "fly") {
      out_.set("topology.kind", "butterfly", from("topology"));
      out_.set("topology.arity", std::to_string(k), from("k"));
      out_.set("topology.stages", std::to_string(n), from("n"));
    } else if (kind_ == "anynet") {
      out_.set("topology.kind", "graph", from("topology"));
      out_.set("topology.file", value("network_file").empty() ? "network.txt" : value("network_file"),
               from("network_file") + "; its format is read here, too");
    } else {
      out_.set("topology.kind", "graph", from("topology"));
      out_.set("topology.file", "network.yaml", "to be written: see configs/networks/README.md");
      no_counterpart("topology",
                     "write the network as a graph file; or take butterfly_fat_tree, butterfly, mesh, torus");
    }
  }

  void routing() {
    std::string function = value("routing_function");
    for (const char* ending : {"_mesh", "_torus", "_fly", "_anynet"})
      if (function.ends_with(ending)) function.resize(function.size() - std::string(ending).size());
    const bool cube = kind_ == "mesh" || kind_ == "torus" || kind_ == "cmesh";
    std::string taken = cube ? "dimension_order" : kind_ == "fly" ? "destination_tag" : "up_down";
    const bool in_order =
        function == "dor" || function == "dor_no_express" || function.starts_with("dim_order");
    if (function == "dim_order_ni" || function == "dim_order_pni")
      out_.remark(fmt::format(
          "routing_function = {}: VCs are not chosen by destination here; a header takes any lane",
          value("routing_function")));
    else if (function == "dim_order_bal")
      out_.remark(
          "routing_function = dim_order_bal: the dateline is at the wrap links here, and not balanced");
    else if (function == "min" && kind_ == "anynet")
      out_.remark(
          "routing_function = min: shortest paths of any graph can deadlock, so up_down is taken; "
          "turn_table with a detour, or a table of routes, is nearer");
    else if (!(cube && in_order) && !(kind_ == "fly" && function == "dest_tag"))
      no_counterpart(
          "routing_function",
          fmt::format("{} is taken; `noctule list routing` shows the others, and configs/verify holds "
                      "adaptive ones as tables of turns",
                      taken));
    out_.set("routing.algorithm", taken, from("routing_function"));
  }

  void router() {
    out_.set("node.model", "input_queued", from("router"));
    if (value("router") != "iq") no_counterpart("router", "the input-queued router is taken");
    const long vcs = whole("num_vcs", 1, 64);
    const long classes = kind_ == "torus" ? 2 : 1;
    if (vcs % classes != 0 || vcs < classes)
      out_.remark(
          fmt::format("num_vcs = {}: VCs are dealt out evenly to the 2 classes of the dateline", vcs));
    out_.set("node.lanes", std::to_string(std::max(1L, vcs / classes)),
             from("num_vcs") + (classes == 2 ? "; of each of 2 classes" : ""));
    out_.set("node.injection_vcs", std::to_string(vcs), from("num_vcs"));
    out_.set("node.consumption_vcs", std::to_string(vcs), from("num_vcs"));
    out_.set("node.input_depth", std::to_string(whole("vc_buf_size", 1, 4096)), from("vc_buf_size"));
    out_.set("node.routing_delay", std::to_string(whole("routing_delay", 0, 16)), from("routing_delay"));
    const bool speculative = whole("speculative", 0, 1) != 0;
    out_.set("node.vc_allocation_delay", std::to_string(whole("vc_alloc_delay", speculative ? 1 : 0, 16)),
             from("vc_alloc_delay"));
    out_.set("node.switch_allocation_delay", std::to_string(whole("sw_alloc_delay", 0, 16)),
             from("sw_alloc_delay"));
    out_.set("node.traversal_delay",
             std::to_string(whole("st_prepare_delay", 0, 8) + whole("st_final_delay", 0, 8)),
             from("st_prepare_delay") + "; " + from("st_final_delay"));
    if (speculative) out_.set("node.speculative", "true", from("speculative"));
    if (whole("wait_for_tail_credit", 0, 1) != 0)
      out_.set("node.release", "next_buffer_empty", from("wait_for_tail_credit"));
    if (whole("vc_busy_when_full", 0, 1) != 0)
      out_.set("node.vc_busy_when_full", "true", from("vc_busy_when_full"));
    if (const long delay = whole("output_delay", 0, 63); delay > 0)
      out_.set("link.flit_delay", std::to_string(1 + delay),
               from("output_delay") + "; and one cycle of wires");
    out_.set("link.credit_delay", std::to_string(1 + whole("credit_delay", 0, 63)),
             from("credit_delay") + "; and one cycle of wires");
  }

  void allocators() {
    const std::map<std::string, std::string> names{{"islip", "islip"},
                                                   {"wavefront", "wavefront"},
                                                   {"max", "maximum"},
                                                   {"max_size", "maximum"},
                                                   {"maxsize", "maximum"},
                                                   {"separable_input_first", "separable_input_first"},
                                                   {"separable_output_first", "separable_output_first"}};
    bool rounds = false;
    for (const auto& [theirs, ours] :
         {std::pair<std::string, std::string>{"vc_allocator", "node.vc_allocator"},
          {"sw_allocator", "node.switch_allocator"}}) {
      std::string name = value(theirs);
      name = name.substr(0, name.find('('));
      const auto found = names.find(name);
      const std::string taken = found == names.end() ? "islip" : found->second;
      if (found == names.end()) no_counterpart(theirs, "islip is taken");
      rounds = rounds || taken == "islip" || taken.starts_with("separable");
      out_.set(ours, taken, from(theirs));
    }
    if (rounds) {
      out_.set("node.allocator_iterations", std::to_string(whole("alloc_iters", 1, 64)), from("alloc_iters"));
      for (const char* key : {"vc_alloc_iters", "sw_alloc_iters"})
        if (const long own = whole(key, 0, 64); own != 0 && own != whole("alloc_iters", 1, 64))
          no_counterpart(key, "both allocators work in node.allocator_iterations rounds");
    }
    const bool separable =
        value("vc_allocator").starts_with("separable") || value("sw_allocator").starts_with("separable");
    std::string arbiter = is_given("arb_type") ? value("arb_type") : value("vc_alloc_arb_type");
    if (arbiter == "matrix" && separable) out_.set("node.arbiter", "matrix", "arbiters of the allocators");
    for (const char* key : {"arb_type", "vc_alloc_arb_type", "sw_alloc_arb_type"})
      if (is_given(key) && value(key) != "round_robin" && !(value(key) == "matrix" && separable))
        no_counterpart(key, "arbiters take turns, or are matrix arbiters of separable allocators");
    if (separable && value("vc_alloc_arb_type") != value("sw_alloc_arb_type") && !is_given("arb_type"))
      out_.remark("vc_alloc_arb_type and sw_alloc_arb_type differ; node.arbiter counts for both");
  }

  void traffic() {
    pattern();
    const std::string length_key =
        is_given("const_flits_per_packet") ? "const_flits_per_packet" : "packet_size";
    const long length = whole(length_key, 1, 65535);
    out_.set("traffic.packet_length", std::to_string(length), from(length_key));
    const bool flits = whole("injection_rate_uses_flits", 0, 1) != 0;
    const double rate = number("injection_rate");
    const double load = flits ? rate : rate * static_cast<double>(length);
    if (rate <= 0 || rate > 65535)
      text_.fail(is_given("injection_rate") ? text_.given().at("injection_rate").line : 0,
                 "injection_rate: expected a number above 0; batch mode has no counterpart");
    out_.set("traffic.offered_load", fmt::format("{:.10g}", load),
             fmt::format("{} {} per node and cycle; here in flits", from("injection_rate"),
                         flits ? "flits" : "packets"));
    const std::string process = value("injection_process");
    if (process.starts_with("on_off")) {
      const double alpha = number("burst_alpha");
      const double beta = number("burst_beta");
      if (alpha <= 0 || beta <= 0 || alpha > 1 || beta > 1)
        text_.fail(0, "burst_alpha, burst_beta: expected probabilities above 0, at most 1");
      out_.set("traffic.source",
               fmt::format("{{kind: on_off, on_share: {:.10g}, on_cycles: {:.10g}}}", alpha / (alpha + beta),
                           1 / beta),
               from("injection_process") + "; " + from("burst_alpha") + "; " + from("burst_beta"));
      if (is_given("burst_r1")) no_counterpart("burst_r1", "the rate while on follows from the offered load");
    } else {
      out_.set("traffic.source", "bernoulli", from("injection_process"));
      if (process != "bernoulli") no_counterpart("injection_process", "bernoulli is taken");
    }
    if (whole("use_read_write", 0, 1) != 0)
      no_counterpart(
          "use_read_write",
          "traffic.source request_reply is a closed loop, message_classes gives it VCs, and configs/ends.md "
          "shows both; read_* and write_* keys say what to write there");
  }

  void pattern() {
    const std::string text = value("traffic");
    const std::string name = text.substr(0, text.find('('));
    const std::map<std::string, std::string> names{{"uniform", "uniform"},     {"bitcomp", "bit_complement"},
                                                   {"bitrev", "bit_reversal"}, {"shuffle", "shuffle"},
                                                   {"transpose", "transpose"}, {"tornado", "tornado"},
                                                   {"neighbor", "neighbor"}};
    if (const auto found = names.find(name); found != names.end()) {
      out_.set("traffic.pattern", found->second, from("traffic"));
      if (name == "uniform")
        out_.remark("traffic = uniform: a terminal sends to all others here; in BookSim2 also to itself");
      if (name == "bitcomp" || name == "bitrev" || name == "shuffle" || name == "transpose" ||
          name == "tornado")
        out_.remark(
            fmt::format("traffic = {}: terminals that are their own destination are silent here; write "
                        "traffic.pattern.fixed_points: inject to let them send, as BookSim2 does",
                        name));
    } else if (name == "hotspot") {
      hot_spots(text);
    } else if (name == "randperm") {
      std::string seed = value("perm_seed");
      if (const auto open = text.find('('); open != std::string::npos)
        seed = trimmed(text.substr(open + 1, text.find(')') - open - 1));
      seed.erase(std::remove_if(seed.begin(), seed.end(), [](char c) { return c == '{' || c == '}'; }),
                 seed.end());
      out_.set("traffic.pattern", fmt::format("{{kind: permutation_random, permutation_seed: {}}}", seed),
               from("traffic") + "; another permutation than BookSim2 draws");
    } else {
      out_.set("traffic.pattern", "uniform", from("traffic"));
      no_counterpart("traffic",
                     "uniform is taken; write the pairs as a file for permutation_file, or rates for flows");
    }
  }
  void hot_spots(const std::string& text) {
    std::string nodes = value("hotspot_nodes");
    std::string rates = value("hotspot_rates");
    if (const auto open = text.find('{'); open != std::string::npos) {
      nodes = text.substr(open, text.find('}') - open + 1);
      const auto second = text.find('{', open + 1);
      rates = second == std::string::npos ? "" : text.substr(second, text.find('}', second) - second + 1);
    }
    for (std::string* list : {&nodes, &rates})
      list->erase(std::remove_if(list->begin(), list->end(), [](char c) { return c == '{' || c == '}'; }),
                  list->end());
    if (nodes.empty()) nodes = "0";
    out_.set("traffic.pattern", fmt::format("{{kind: hotspot, nodes: [{}], fraction: 1}}", nodes),
             from("traffic") + "; all packets go to hot terminals");
    if (!rates.empty() && rates.find_first_not_of("1, ") != std::string::npos)
      out_.remark(fmt::format(
          "traffic = {}: hot terminals have equal shares here; write rates for the source flows", text));
  }

  void measurement() {
    const long period = whole("sample_period", 1, 1'000'000'000);
    if (const long periods = whole("warmup_periods", 0, 1'000'000); periods > 0)
      out_.set("measurement.warm_up", std::to_string(periods * period),
               from("warmup_periods") + "; " + from("sample_period"));
    if (is_given("max_samples") || is_given("sample_period"))
      out_.set("measurement.limit", std::to_string(whole("max_samples", 1, 1'000'000) * period),
               from("max_samples") + "; " + from("sample_period"));
    std::string seed = value("seed");
    if (seed == "time") {
      no_counterpart("seed", "runs can be repeated: 0 is taken");
      seed = "0";
    } else if (is_given("seed")) {
      seed = std::to_string(whole("seed", 0, 1'000'000'000'000));
    }
    out_.set("seed", seed, from("seed"));
  }

  void without_counterpart(const std::string& key, const std::string& given) {
    if (is_one_of(key, kOutput)) return;
    if (is_one_of(key, kConvergence)) {
      out_.remark(
          fmt::format("{} = {} is not needed: each point has a status and intervals (measurement.precision)",
                      key, given));
      return;
    }
    if (is_one_of(key, kReadWrite)) {
      out_.remark(
          fmt::format("{} = {} counts in closed loops only: see traffic.source request_reply", key, given));
      return;
    }
    const auto fixed = std::ranges::find_if(kFixed, [&](const Fixed& f) { return f.key == key; });
    if (fixed == kFixed.end()) return;
    if (given == fixed->value || (given + ".0" == fixed->value) || given == std::string(fixed->value) + ".0")
      return;
    out_.remark(fmt::format("{} = {} has no counterpart; {}", key, given, fixed->otherwise));
  }

  const BooksimText& text_;
  ImportedConfiguration out_;
  std::string kind_;
};

}  // namespace

ImportedConfiguration import_booksim(std::string_view text, const std::string& name) {
  const BooksimText read(text, name);
  return BooksimImport(read).make();
}

}  // namespace noctule
