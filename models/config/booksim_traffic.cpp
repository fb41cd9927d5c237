#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "config/booksim_values.h"

namespace noctule {
namespace {

class BooksimTraffic : private BooksimValues {
 public:
  using BooksimValues::BooksimValues;

  void write() {
    pattern();
    const double length = lengths();
    const bool flits = whole("injection_rate_uses_flits", 0, 1) != 0;
    const double rate = number("injection_rate");
    if (rate <= 0 || rate > 65535)
      fail("injection_rate",
           "expected a number above 0; without a rate, `traffic.source: static` sends a number of packets");
    out_.set("traffic.offered_load", fmt::format("{:.10g}", flits ? rate : rate * length),
             from("injection_rate", fmt::format("{} per node and cycle", flits ? "flits" : "packets")) +
                 "; here in flits");
    const std::string process = value("injection_process");
    if (process.starts_with("on_off")) {
      on_off(process);
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

 private:
  /// on_off(ALPHA), on_off({ALPHA, BETA, R1}): what is not there is said by a key.
  void on_off(const std::string& process) {
    std::vector<std::string> parameters;
    if (const auto given = parameters_in(process)) parameters = elements_of(*given);
    std::string why = from("injection_process");
    const auto probability = [&](std::size_t n, const char* key) {
      if (n < parameters.size()) return number_in("injection_process", parameters[n]);
      why += "; " + from(key);
      return number(key);
    };
    const double alpha = probability(0, "burst_alpha");
    const double beta = probability(1, "burst_beta");
    if (alpha <= 0 || beta <= 0 || alpha > 1 || beta > 1)
      fail(parameters.empty() ? "burst_alpha" : "injection_process",
           "alpha and beta: expected probabilities above 0, at most 1");
    out_.set("traffic.source",
             fmt::format("{{kind: on_off, on_share: {:.10g}, on_cycles: {:.10g}}}", alpha / (alpha + beta),
                         1 / beta),
             why);
    if (parameters.size() > 2 || is_given("burst_r1"))
      no_counterpart(parameters.size() > 2 ? "injection_process" : "burst_r1",
                     "the rate while on follows from the offered load");
  }
  /// Of packets. Gives their mean, in flits.
  double lengths() {
    const bool old = is_given("const_flits_per_packet");
    const std::string key = old ? "const_flits_per_packet" : "packet_size";
    const auto sizes = elements_of(value(key));
    const std::string more = elements_of(whole_value(key)).size() > 1
                                 ? "; a list gives a length for each class: {{1, 5}} has two for the first"
                                 : "";
    auto rates = elements_of(value("packet_size_rate"));
    if (rates.size() > sizes.size())
      out_.remark(fmt::format(
          "packet_size_rate = {}: {} rates for {} length{} of {}; BookSim2 takes the first, "
          "and so it is here",
          whole_value("packet_size_rate"), rates.size(), sizes.size(), sizes.size() == 1 ? "" : "s", key));
    if (sizes.size() == 1) {
      const long length = whole_in(key, sizes.front(), 1, 65535);
      out_.set("traffic.packet_length", std::to_string(length), from(key) + more);
      return static_cast<double>(length);
    }
    if (sizes.size() > 64) fail(key, "64 lengths are possible at most");
    rates.resize(sizes.size(), rates.back());
    std::vector<std::string> parts;
    double flits = 0;
    double weights = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const long length = whole_in(key, sizes[i], 1, 65535);
      const double weight = number_in("packet_size_rate", rates[i]);
      if (weight < 0 || weight > 1e9)
        fail("packet_size_rate", fmt::format("expected numbers, 0 to 1000000000, not '{}'", rates[i]));
      flits += static_cast<double>(length) * weight;
      weights += weight;
      if (weight > 0) parts.push_back(fmt::format("{{length: {}, weight: {:.10g}}}", length, weight));
    }
    if (weights == 0) fail("packet_size_rate", "expected a number above 0 for one of the lengths");
    out_.set("traffic.packet_lengths", fmt::format("[{}]", fmt::join(parts, ", ")),
             from(key) + "; " + from("packet_size_rate"));
    return flits / weights;
  }

  void pattern() {
    const std::string text = value("traffic");
    const std::string name = name_in(text);
    const std::map<std::string, std::string> names{{"uniform", "uniform"},     {"bitcomp", "bit_complement"},
                                                   {"bitrev", "bit_reversal"}, {"shuffle", "shuffle"},
                                                   {"transpose", "transpose"}, {"tornado", "tornado"},
                                                   {"neighbor", "neighbor"}};
    if (const auto found = names.find(name); found != names.end()) {
      out_.set("traffic.pattern", found->second, from("traffic"));
      if (name == "uniform")
        out_.remark("traffic = uniform: a terminal sends to all others here; in BookSim2 also to itself");
      if (name == "bitrev" || name == "shuffle" || name == "transpose")
        out_.remark(
            fmt::format("traffic = {}: terminals that are their own destination are silent here; write "
                        "traffic.pattern.fixed_points: inject to let them send, as BookSim2 does",
                        name));
    } else if (name == "hotspot") {
      hot_spots(text);
    } else if (name == "randperm") {
      std::string seed = value("perm_seed");
      if (auto given = parameters_in(text)) seed = *std::move(given);
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
  /// hotspot(TERMINAL), hotspot({TERMINAL, RATE}), hotspot({{TERMINALS}, {RATES}}): the parameters are a
  /// list, of which the first is one terminal or a list of them, and the second their rates.
  void hot_spots(const std::string& text) {
    std::vector<std::string> nodes{"-1"};
    std::vector<std::string> rates{"1"};
    if (const auto given = parameters_in(text)) {
      const auto parameters = elements_of(*given);
      if (!parameters.empty()) nodes = elements_of(parameters[0]);
      if (parameters.size() > 1) rates = elements_of(parameters[1]);
    } else if (is_given("hotspot_nodes")) {
      nodes = elements_of(value("hotspot_nodes"));
      if (is_given("hotspot_rates")) rates = elements_of(value("hotspot_rates"));
    }
    if (nodes.empty() || rates.empty()) fail("traffic", "hotspot needs a terminal; write hotspot(12)");
    std::vector<std::string> numbers;
    bool random = false;
    for (const std::string& node : nodes) {
      const long number = whole_in("traffic", node, -1, 1'000'000'000);
      random = random || number < 0;
      numbers.push_back(std::to_string(std::max(number, 0L)));
    }
    out_.set("traffic.pattern",
             fmt::format("{{kind: hotspot, nodes: [{}], fraction: 1}}", fmt::join(numbers, ", ")),
             from("traffic") + "; all packets but those of hot terminals go to hot ones");
    if (random)
      out_.remark(fmt::format("traffic = {}: BookSim2 draws the hot terminal; terminal 0 is taken", text));
    if (rates.size() > nodes.size())
      out_.remark(
          fmt::format("traffic = {}: {} rates for {} hot terminal{}; BookSim2 takes the first, and so it "
                      "is here",
                      text, rates.size(), nodes.size(), nodes.size() == 1 ? "" : "s"));
    rates.resize(nodes.size(), rates.back());
    if (std::ranges::any_of(rates, [&](const std::string& rate) { return rate != rates.front(); }))
      out_.remark(fmt::format(
          "traffic = {}: hot terminals have equal shares here; write rates for the source flows", text));
  }
};

}  // namespace

void write_booksim_traffic(const BooksimText& text, ImportedConfiguration& out) {
  BooksimTraffic(text, out).write();
}

}  // namespace noctule
