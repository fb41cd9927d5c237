#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/booksim_keys.h"
#include "config/booksim_text.h"
#include "config/booksim_values.h"
#include "config/imported.h"

namespace noctule {
namespace {

class BooksimImport : private BooksimValues {
 public:
  using BooksimValues::BooksimValues;

  void write() {
    topology();
    routing();
    router();
    allocators();
    write_booksim_traffic(text_, out_);
    measurement();
    for (const auto& [key, given] : text_.given())
      if (const auto remark = remark_on_booksim(key, given.value)) out_.remark(*remark);
    if (value("sim_type") == "batch")
      out_.replaced(
          "sim_type = batch: a run at the rate is taken; `traffic.source: {kind: static, messages: N}` sends "
          "N "
          "packets from each terminal and ends, request_reply keeps max_outstanding_requests under way");
  }

 private:
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
      if (kind_ == "cmesh" && c > 1) out_.set("topology.terminals_per_router", std::to_string(c), from("c"));
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
    if (c > 1 && (kind_ == "mesh" || kind_ == "torus" || kind_ == "fly"))
      out_.remark(fmt::format(
          "c = {}: routers of {} have one terminal in BookSim2, and so it is here; cmesh has c", c, kind_));
  }

  void routing() {
    const std::string function = routing_without_network(value("routing_function"));
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
    if (speculative && value("priority") == "age")
      out_.replaced(
          "speculative = 1, with priority = age: headers do not speculate, since one that does comes after "
          "all "
          "flits, however old it is");
    else if (speculative)
      out_.set("node.speculative", "true", from("speculative"));
    if (whole("wait_for_tail_credit", 0, 1) != 0)
      out_.set("node.release", "next_buffer_empty", from("wait_for_tail_credit"));
    if (whole("vc_busy_when_full", 0, 1) != 0)
      out_.set("node.vc_busy_when_full", "true", from("vc_busy_when_full"));
    links();
  }

  /// With the latencies of a network on a chip, links of a torus, which is folded, and those between routers
  /// with several terminals cross two tiles; a graph file has latencies of its own.
  void links() {
    const bool far = (kind_ == "torus" || kind_ == "cmesh") && whole("use_noc_latency", 0, 1) != 0;
    const long wires = far ? 2 : 1;
    const std::string why = far ? fmt::format("; and two cycles of wires: {}", from("use_noc_latency"))
                                : "; and one cycle of wires";
    if (const long delay = whole("output_delay", 0, 62); wires + delay > 1)
      out_.set("link.flit_delay", std::to_string(wires + delay), from("output_delay") + why);
    out_.set("link.credit_delay", std::to_string(wires + whole("credit_delay", 0, 62)),
             from("credit_delay") + why);
  }

  void allocators() {
    const std::map<std::string, std::string> names{{"islip", "islip"},
                                                   {"wavefront", "wavefront"},
                                                   {"max", "maximum"},
                                                   {"max_size", "maximum"},
                                                   {"maxsize", "maximum"},
                                                   {"separable_input_first", "separable_input_first"},
                                                   {"separable_output_first", "separable_output_first"}};
    const bool oldest = value("priority") == "age";
    bool rounds = false;
    for (const auto& [theirs, ours] :
         {std::pair<std::string, std::string>{"vc_allocator", "node.vc_allocator"},
          {"sw_allocator", "node.switch_allocator"}}) {
      const std::string name = name_in(value(theirs));
      const auto found = names.find(name);
      std::string taken = found == names.end() ? "islip" : found->second;
      if (oldest && !taken.starts_with("separable")) {
        taken = "separable_input_first";
        out_.replaced(fmt::format(
            "{} = {}, with priority = age: separable_input_first is taken, whose arbiters can go by age",
            theirs, value(theirs)));
      } else if (found == names.end()) {
        no_counterpart(theirs, "islip is taken");
      }
      rounds = rounds || taken == "islip" || taken.starts_with("separable");
      out_.set(ours, taken, from(theirs));
      islip_ = islip_ || taken == "islip";
    }
    if (oldest && whole("alloc_iters", 1, 64) > 1)
      out_.replaced(fmt::format(
          "alloc_iters = {}, with priority = age: allocators match all that can be matched in one round",
          value("alloc_iters")));
    if (rounds && !oldest) iterations();
    if (oldest) {
      out_.set("node.arbiter", "age", from("priority"));
      return;
    }
    if (value("priority") != "none")
      no_counterpart(
          "priority",
          "priorities are those of classes (message_classes.NAME.priority), or node.arbiter is age");
    arbiters();
  }

  /// One number counts for both allocators: that of the first which has rounds of its own, or alloc_iters.
  void iterations() {
    std::vector<std::pair<long, std::string>> asked;  // and why
    for (const auto& [allocator, own] :
         {std::pair<const char*, const char*>{"vc_allocator", "vc_alloc_iters"},
          {"sw_allocator", "sw_alloc_iters"}}) {
      const std::string name = name_in(value(allocator));
      const std::string parameter = name == "islip" ? parameters_in(value(allocator)).value_or("") : "";
      if (!parameter.empty())
        asked.emplace_back(whole_in(allocator, parameter, 1, 64), from(allocator));
      else if (whole(own, 0, 64) != 0)
        asked.emplace_back(whole(own, 0, 64), from(own));
      else if (name == "islip" || name.starts_with("separable"))
        asked.emplace_back(whole("alloc_iters", 1, 64), from("alloc_iters"));
    }
    if (asked.empty()) asked.emplace_back(whole("alloc_iters", 1, 64), from("alloc_iters"));
    out_.set("node.allocator_iterations", std::to_string(asked.front().first), asked.front().second);
    for (const auto& [number, why] : asked)
      if (number != asked.front().first)
        out_.replaced(fmt::format("{}: both allocators work in node.allocator_iterations rounds, {}", why,
                                  asked.front().first));
  }

  /// One kind counts for both allocators: matrix arbiters where a separable allocator has them, and none is
  /// iSLIP.
  void arbiters() {
    std::vector<std::pair<std::string, std::string>> asked;  // kind, and the key that says it
    for (const auto& [allocator, own] :
         {std::pair<const char*, const char*>{"vc_allocator", "vc_alloc_arb_type"},
          {"sw_allocator", "sw_alloc_arb_type"}}) {
      if (!value(allocator).starts_with("separable")) continue;
      const std::string parameter = parameters_in(value(allocator)).value_or("");
      const std::string key = !parameter.empty() ? allocator : is_given("arb_type") ? "arb_type" : own;
      asked.emplace_back(parameter.empty() ? value(key) : parameter, key);
    }
    const bool matrix = !asked.empty() && asked.front().first == "matrix" && !islip_;
    if (matrix) out_.set("node.arbiter", "matrix", from(asked.front().second));
    for (std::size_t n = 0; n < asked.size(); ++n) {
      const auto& [kind, key] = asked[n];
      if (kind == (matrix ? "matrix" : "round_robin") || (n == 1 && asked[0] == asked[1])) continue;
      out_.replaced(
          fmt::format("{}: arbiters are {}; node.arbiter counts for both allocators, and iSLIP has "
                      "round_robin",
                      from(key), matrix ? "matrix" : "round_robin"));
    }
    for (const char* key : {"arb_type", "vc_alloc_arb_type", "sw_alloc_arb_type"})
      if (is_given(key) && value(key) != "round_robin" &&
          std::ranges::none_of(asked, [&](const auto& one) { return one.second == key; }))
        no_counterpart(key, "arbiters take turns, or are matrix arbiters of separable allocators");
  }

  void measurement() {
    const long period = whole("sample_period", 1, 1'000'000'000);
    if (const long periods = whole("warmup_periods", 0, 1'000'000); periods > 0)
      out_.set("measurement.warm_up", std::to_string(periods * period),
               from("warmup_periods") + "; " + from("sample_period"));
    // A default of ten samples would end most runs before their intervals are narrow.
    if (is_given("max_samples"))
      out_.set("measurement.limit", std::to_string(whole("max_samples", 1, 1'000'000) * period),
               from("max_samples") + "; " + from("sample_period"));
    if (whole("pair_stats", 0, 1) == 1) out_.set("measurement.flows", "true", from("pair_stats"));
    std::string seed = value("seed");
    if (seed == "time") {
      no_counterpart("seed", "runs can be repeated: 0 is taken");
      seed = "0";
    } else if (is_given("seed")) {
      seed = std::to_string(whole("seed", 0, 1'000'000'000'000));
    }
    out_.set("seed", seed, from("seed"));
  }

  std::string kind_;
  long classes_ = 1;    ///< of VCs, on each link
  bool islip_ = false;  ///< one of the allocators here is
};

}  // namespace

ImportedConfiguration import_booksim(std::string_view text, const std::string& name,
                                     const std::vector<std::string>& overrides) {
  const BooksimText read(text, name, overrides);
  ImportedConfiguration out;
  BooksimImport(read, out).write();
  return out;
}

}  // namespace noctule
