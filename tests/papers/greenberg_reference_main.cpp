// Runs the bare loop of greenberg_reference.h:
//
//   greenberg_reference N ALGORITHM PATTERN [RUNS] [SEED] [READING | L=n | q=n | R=n]...
//   greenberg_reference check      wiring, lone packets and many-to-1 against what is known exactly
//
// ALGORITHM: STORE, WORM or SPLIT, and if wanted -FP, -RP or -GP, then -RR, -FO or -FF (STORE-GP-FO).
// PATTERN: random, complement or many-to-1. Runs use the seeds SEED, SEED+1, ... A READING is a rejected one.
// Times are CPU time of the simulations alone; the tree is built once.
//
//   g++ -std=c++20 -O2 -I tests tests/papers/greenberg_reference*.cpp -o greenberg_reference

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string>
#include <string_view>

#include "papers/greenberg_reference.h"

namespace noctule::greenberg {
namespace {

template <class Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

const Names<Unit> kUnits{{"STORE", Unit::kStore}, {"WORM", Unit::kWorm}, {"SPLIT", Unit::kSplit}};
const Names<Up> kUps{{"FP", Up::kFixed}, {"RP", Up::kRandom}, {"GP", Up::kGreedy}};
const Names<Order> kOrders{{"RR", Order::kRoundRobin}, {"FO", Order::kFixed}, {"FF", Order::kFarthest}};
const Names<Pattern> kPatterns{
    {"random", Pattern::kRandom}, {"complement", Pattern::kComplement}, {"many-to-1", Pattern::kManyToOne}};
const Names<unsigned> kReadings{{"two-phase", kTwoPhase},
                                {"bottom-up", kBottomUp},
                                {"random-nodes", kRandomNodes},
                                {"consumer-first", kConsumerFirst},
                                {"sink-at-once", kSinkAtOnce},
                                {"sink-first", kSinkFirst},
                                {"count-from-one", kCountFromOne},
                                {"among-free", kAmongFree},
                                {"one-in", kOneIn},
                                {"one-out", kOneOut},
                                {"shared-pair", kSharedPair},
                                {"empty-queue", kEmptyQueue},
                                {"far-release", kFarRelease},
                                {"separate-starts", kSeparateStarts},
                                {"fixed-start", kFixedStart},
                                {"interleaved", kInterleaved}};

template <class Value>
Value named(const Names<Value>& names, std::string_view name) {
  for (const auto& [known, value] : names)
    if (known == name) return value;
  throw std::invalid_argument("unknown name: " + std::string(name));
}

Options parse_algorithm(std::string_view text) {
  std::array<std::string_view, 3> parts{"", "RP", "RR"};
  for (auto& part : parts) {
    if (text.empty()) break;
    const std::size_t end = std::min(text.find('-'), text.size());
    part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return options_of(named(kUnits, parts[0]), named(kUps, parts[1]), named(kOrders, parts[2]));
}

void parse_more(Options& options, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    options.readings |= named(kReadings, text);
    return;
  }
  const auto value = static_cast<unsigned>(std::stoul(std::string(text.substr(equals + 1))));
  *named<unsigned*>({{"L", &options.flits}, {"q", &options.queue}, {"R", &options.delay_range}},
                    text.substr(0, equals)) = value;
}

/// Of a mean over runs, with the half width of its 99 % confidence interval.
struct Mean {
  unsigned runs = 0;
  double mean = 0, squares = 0;

  void add(double x) {
    const double before = x - mean;
    mean += before / ++runs;
    squares += before * (x - mean);
  }
  double half_width() const {
    if (runs < 2) return 0;
    // Student's t from the normal quantile, by powers of one over the degrees of freedom: 2.756 for 30 runs.
    const double z = 2.575829, f = runs - 1;
    const double t = z + (std::pow(z, 3) + z) / (4 * f) +
                     (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * f * f);
    return t * std::sqrt(squares / f / runs);
  }
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int measure(unsigned processors, const Options& options, Pattern pattern, unsigned runs, std::uint64_t seed) {
  const Tree tree(processors);
  Mean latency, congestion, ratio;
  std::uint64_t packets = 0, hops = 0;
  const double start = cpu_seconds();
  for (unsigned run = 0; run < runs; ++run) {
    const Result result = simulate(tree, options, pattern, seed + run);
    latency.add(result.latency);
    congestion.add(result.congestion);
    ratio.add(static_cast<double>(result.latency) / result.congestion);
    packets += result.packets;
    hops += result.unit_hops;
  }
  const double seconds = cpu_seconds() - start;
  const std::uint64_t flit_hops = hops * (options.unit == Unit::kStore ? options.flits : 1);
  std::printf("latency %.1f +- %.1f  c %.2f +- %.2f  latency/c %.2f +- %.2f\n", latency.mean,
              latency.half_width(), congestion.mean, congestion.half_width(), ratio.mean, ratio.half_width());
  std::printf("runs %u  packets %llu  flit-hops %llu  seconds %.3f  ns per %s-hop %.2f\n", runs,
              static_cast<unsigned long long>(packets), static_cast<unsigned long long>(flit_hops), seconds,
              options.unit == Unit::kStore ? "packet" : "flit", 1e9 * seconds / static_cast<double>(hops));
  return 0;
}

struct Checks {
  unsigned done = 0, failed = 0;

  void equal(const std::string& what, std::uint64_t expected, std::uint64_t found) {
    ++done;
    if (expected == found) return;
    ++failed;
    std::printf("%s: expected %llu, found %llu\n", what.c_str(), static_cast<unsigned long long>(expected),
                static_cast<unsigned long long>(found));
  }
};

/// Every switch: four children, one in each quarter of its leaves, and two parents; every leaf is reached by
/// digits.
void check_wiring(Checks& checks, unsigned processors) {
  const std::string name = "wiring, N = " + std::to_string(processors);
  const Tree tree(processors);
  unsigned links = 0;
  for (Link link = 0; link < tree.link_numbers(); ++link) links += tree.opposite(link) != kNone;
  unsigned expected = 2 * processors;
  for (unsigned level = 1; level < tree.height(); ++level) expected += 4 * tree.switches_at(level);
  checks.equal(name + ": directed links", expected, links);

  for (Switch s = 0; s < tree.switches(); ++s) {
    const Node at = tree.node(s);
    std::set<unsigned> ends;
    for (unsigned port = 0; port < tree.ports(s); ++port) {
      const Link out = tree.out_of(s, port);
      ends.insert(tree.end(out));
      if (tree.ends_in_processor(out)) continue;
      checks.equal(name + ": level", port < Tree::kChildren ? at.level - 1 : at.level + 1,
                   tree.node(out / 8).level);
    }
    checks.equal(name + ": distinct neighbours", tree.ports(s), ends.size());
    const unsigned leaves = 1U << (2 * at.level), block = at.index >> (at.level - 1);
    for (unsigned leaf = block * leaves;
         leaf<(block + 1) * leaves; leaf += leaves> 64 ? leaves / 64 + 1 : 1) {
      Link out = tree.out_of(s, tree.child_port(s, leaf));
      while (!tree.ends_in_processor(out)) {
        checks.equal(name + ": leaf is below", 1, tree.is_below(out / 8, leaf));
        out = tree.out_of(out / 8, tree.child_port(out / 8, leaf));
      }
      checks.equal(name + ": leaf", leaf, out - tree.into_processor(0));
    }
  }
}

/// The parents of all switches of a level, worked by hand.
void check_parents(Checks& checks, unsigned level,
                   const std::vector<std::pair<unsigned, unsigned>>& parents) {
  for (unsigned index = 0; index < parents.size(); ++index) {
    const std::string name = "parents of (" + std::to_string(level) + ", " + std::to_string(index) + ")";
    checks.equal(name, parents[index].first, Tree::parent({level, index}, 0).index);
    checks.equal(name, parents[index].second, Tree::parent({level, index}, 1).index);
  }
}

/// A lone packet over `links` links, and c packets to one destination.
void check_latencies(Checks& checks, unsigned processors) {
  const Tree tree(processors);
  const unsigned d = 2 * tree.height(), c = processors / 2;
  for (const Unit unit : {Unit::kStore, Unit::kWorm, Unit::kSplit}) {
    for (const Up up : {Up::kFixed, Up::kRandom, Up::kGreedy}) {
      for (const Order order : {Order::kRoundRobin, Order::kFixed, Order::kFarthest}) {
        const Options options = options_of(unit, up, order);
        const unsigned length = options.flits;
        const std::string name = "N = " + std::to_string(processors) + ", unit " + std::to_string(int(unit)) +
                                 ", up " + std::to_string(int(up)) + ", order " + std::to_string(int(order));
        if (unit != Unit::kSplit) {
          for (const auto& [destination, links] :
               {std::pair{processors - 1, d}, {0U, 2U}, {1U, 2U}, {4U, 4U}}) {
            std::vector<unsigned> destinations(processors, kNone);
            destinations[0] = destination;
            const Result lone = simulate(tree, options, destinations, SplitMixDraws(1));
            checks.equal(name + ", lone packet",
                         unit == Unit::kStore ? (links - 1) * length : length + links - 2, lone.latency);
            checks.equal(name + ", hops", links * (unit == Unit::kStore ? 1 : length), lone.unit_hops);
          }
        }
        if (up != Up::kRandom || order != Order::kRoundRobin || unit == Unit::kSplit) continue;
        const Result many = simulate(tree, options, Pattern::kManyToOne, 1);
        checks.equal(name + ", many-to-1",
                     unit == Unit::kStore ? (2 * c + d - 3) * length : c * length + d - 2, many.latency);
        checks.equal(name + ", c", c, many.congestion);
      }
    }
  }
}

/// To pass over switches in which nothing can move changes nothing: with readings no switch that holds units
/// is passed over, and without any the rules are the same.
void check_passed_over(Checks& checks, unsigned processors) {
  const Tree tree(processors);
  for (const Unit unit : {Unit::kStore, Unit::kWorm, Unit::kSplit}) {
    for (const Up up : {Up::kFixed, Up::kRandom, Up::kGreedy}) {
      for (const Order order : {Order::kRoundRobin, Order::kFixed, Order::kFarthest}) {
        for (const unsigned delay_range : {1U, 3U}) {
          Options options = options_of(unit, up, order);
          options.delay_range = delay_range;
          const SplitMixDraws draws(processors);
          const std::vector<unsigned> destinations = destinations_of(Pattern::kRandom, processors, draws);
          const Result one = Simulation<SplitMixDraws>(tree, options, destinations, draws).run();
          const Result other = Simulation<SplitMixDraws, false>(tree, options, destinations, draws).run();
          checks.equal("all switches visited: steps", other.steps, one.steps);
          checks.equal("all switches visited: deliveries", 1, one.delivered == other.delivered);
        }
      }
    }
  }
}

int check() {
  Checks checks;
  for (const unsigned processors : {16U, 64U, 256U}) check_passed_over(checks, processors);
  check_parents(checks, 1, {{0, 1}, {1, 0}, {0, 1}, {1, 0}, {2, 3}, {3, 2}, {2, 3}, {3, 2}});
  check_parents(checks, 2, {{0, 2}, {1, 3}, {2, 0}, {3, 1}, {0, 2}, {1, 3}, {2, 0}, {3, 1}});
  for (const unsigned processors : {16U, 64U, 256U, 1024U, 4096U, 16384U}) check_wiring(checks, processors);
  for (const unsigned processors : {16U, 64U, 256U, 1024U, 4096U}) check_latencies(checks, processors);
  std::printf("%u checks, %u failed\n", checks.done, checks.failed);
  return checks.failed == 0 ? 0 : 1;
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.size() == 1 && arguments[0] == "check") return check();
  if (arguments.size() < 3)
    throw std::invalid_argument("usage: greenberg_reference N ALGORITHM PATTERN [RUNS] [SEED]");
  Options options = parse_algorithm(arguments[1]);
  std::array<std::uint64_t, 2> runs_and_seed{30, 1};
  std::size_t next = 3;
  for (auto& number : runs_and_seed)
    if (next < arguments.size() && std::isdigit(static_cast<unsigned char>(arguments[next][0])))
      number = std::stoull(arguments[next++]);
  for (; next < arguments.size(); ++next) parse_more(options, arguments[next]);
  return measure(static_cast<unsigned>(std::stoul(arguments[0])), options, named(kPatterns, arguments[2]),
                 static_cast<unsigned>(runs_and_seed[0]), runs_and_seed[1]);
}

}  // namespace
}  // namespace noctule::greenberg

int main(int argc, char** argv) {
  try {
    return noctule::greenberg::main_of({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "greenberg_reference: %s\n", problem.what());
    return 2;
  }
}
