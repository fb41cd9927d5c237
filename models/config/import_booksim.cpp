#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>

#include "config/booksim_text.h"
#include "config/imported.h"

namespace noctule {
namespace {

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
    for (const auto& [key, given] : text_.given())
      if (const auto remark = remark_on_booksim(key, given.value)) out_.remark(*remark);
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
    else if (cube && two_phase(function))
      taken = function.starts_with("valiant") ? "valiant" : "romm";
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
    if (function == "dim_order_bal" && kind_ == "torus")
      out_.set("routing.vc_rule", "dateline_balanced", from("routing_function"));
    classes_ = (kind_ == "torus" ? 2 : 1) * (taken == "valiant" || taken == "romm" ? 2 : 1);
  }
  static bool two_phase(const std::string& function) {
    return function == "valiant" || function == "valiant_ni" || function == "romm" || function == "romm_ni";
  }

  void router() {
    out_.set("node.model", "input_queued", from("router"));
    if (value("router") != "iq") no_counterpart("router", "the input-queued router is taken");
    const long vcs = whole("num_vcs", 1, 64);
    if (vcs % classes_ != 0 || vcs < classes_)
      out_.remark(
          fmt::format("num_vcs = {}: VCs are dealt out evenly to the {} classes of the dateline and of "
                      "the legs of valiant and romm",
                      vcs, classes_));
    out_.set("node.lanes", std::to_string(std::max(1L, vcs / classes_)),
             from("num_vcs") + (classes_ > 1 ? fmt::format("; of each of {} classes", classes_) : ""));
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

  const BooksimText& text_;
  ImportedConfiguration out_;
  std::string kind_;
  long classes_ = 1;  ///< of VCs, on each link
};

}  // namespace

ImportedConfiguration import_booksim(std::string_view text, const std::string& name) {
  const BooksimText read(text, name);
  return BooksimImport(read).make();
}

}  // namespace noctule
