#include "run/deadlock_workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/json.h"
#include "core/rng.h"

namespace noctule {
namespace {

constexpr std::size_t kAtOnce = 4;
constexpr unsigned kWitnessTries = 20;
constexpr unsigned kMessageTries = 32;
constexpr unsigned kStorms = 8;
constexpr std::size_t kStormPackets = 4000;
constexpr Cycle kAfterWorms = 2000;  ///< that worms get to close up
/// Cycles of the overloads, round by round: other draws find more than longer runs.
constexpr Cycle kRounds[] = {1000, 1000, 1000, 4000, 20'000, 100'000};
constexpr std::uint64_t kBeforeStorms = 3;
constexpr Cycle kLeastLoop = 6000;  ///< nothing moves for a while before that is called a deadlock

/// The packets of worms, with their routes.
std::string trace_of(const Certificate& certificate, const std::vector<WitnessWorm>& worms) {
  std::string text = "# cycle source destination length hops...\n";
  const auto& plan = *certificate.plan;
  for (const auto& worm : worms) {
    text += fmt::format("{} {} {} {}", worm.start, index(plan.injecting[index(worm.source)].front().terminal),
                        index(plan.consuming[index(worm.destination)].front().terminal), worm.length);
    auto hops = worm.path;
    if (worm.asks_for) hops.push_back(*worm.asks_for);
    for (const auto& hop : hops) text += " " + certificate.channels->hop_name(hop.channel, hop.lane);
    text += '\n';
  }
  return text;
}

/// Who sends to whom.
struct Sending {
  std::size_t source;
  std::vector<std::size_t> destinations;
  friend bool operator==(const Sending&, const Sending&) = default;
};

/// The messages or worms that make the dependencies of the witness's cycle, each once.
std::vector<Sending> sendings_of(const Certificate& certificate) {
  const auto& plan = *certificate.plan;
  std::vector<Sending> list;
  for (const Dependency& arc : certificate.witness.cycle) {
    Sending sending;
    if (arc.destinations.empty()) {
      sending.source = index(plan.injecting[index(arc.source)].front().terminal);
      sending.destinations = {index(plan.consuming[index(arc.destination)].front().terminal)};
    } else {
      sending.source = index(arc.sender);
      for (const TerminalId terminal : arc.destinations) sending.destinations.push_back(index(terminal));
    }
    if (std::find(list.begin(), list.end(), sending) == list.end()) list.push_back(std::move(sending));
  }
  return list;
}

std::string line_of(Cycle cycle, const Sending& sending, unsigned length) {
  return fmt::format("{} {} {} {}\n", cycle, sending.source, fmt::join(sending.destinations, ","), length);
}

/// Chains of classes as they cause each other; with classes that cause none, one of all.
std::vector<Json> chains_of(const MessageClasses& classes) {
  std::vector<bool> caused(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c)
    for (const std::uint8_t then : classes.causes(c)) caused[then] = true;
  std::vector<Json> chains;
  Json rest = Json::array();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (caused[c]) continue;
    if (classes.causes(c).empty()) {
      rest.push_back(classes[c].name);
      continue;
    }
    Json chain = Json::array({classes[c].name});
    for (std::size_t at = c; !classes.causes(at).empty(); at = classes.causes(at).front())
      chain.push_back(classes[classes.causes(at).front()].name);
    chains.push_back(std::move(chain));
  }
  if (rest.size() == 1) rest.push_back(rest.front());
  if (!rest.empty()) chains.push_back(std::move(rest));
  return chains;
}

/// Flits of which a worm fills the buffers of one hop.
unsigned hop_flits(const FabricPlan& plan) {
  return std::max(1U, plan.most([](const auto& node) { return node.input_depth + node.output_depth; }));
}

}  // namespace

DeadlockWorkloads::DeadlockWorkloads(const Certificate& certificate) : certificate_(certificate) {
  if (certificate.plan->message_classes.named()) {
    for (std::uint64_t round = 0; round < std::size(kRounds); ++round)
      add_closed_loops(round, std::max<Cycle>(kRounds[round], kLeastLoop));
    return;
  }
  if (!certificate.witness.worms.empty()) add_witness();
  add_messages(0, kMessageTries);
  for (std::uint64_t round = 0; round < std::size(kRounds); ++round) {
    if (round == kBeforeStorms) add_messages(kMessageTries, kMessageTries + kStorms);
    add_overload(round, kRounds[round]);
  }
}

std::vector<DeadlockWorkload> DeadlockWorkloads::next() {
  return at_ < rounds_.size() ? rounds_[at_++] : std::vector<DeadlockWorkload>{};
}

/// As constructed, then with starts a few cycles apart, should other delays than those of the links part
/// them.
void DeadlockWorkloads::add_witness() {
  Rng rng(hash_name("replay"));
  for (unsigned n = 0; n < kWitnessTries; ++n) {
    DeadlockWorkload attempt;
    attempt.how = "the worms of the witness";
    attempt.worms = certificate_.witness.worms;
    if (n > 0)
      for (auto& worm : attempt.worms) worm.start += rng.below(2 + n / 10);
    attempt.trace = trace_of(certificate_, attempt.worms);
    for (const auto& worm : attempt.worms)
      attempt.cycles = std::max<Cycle>(attempt.cycles, worm.start + 4 * worm.length);
    attempt.cycles += kAfterWorms;
    attempt.interval = 100;
    // The first alone: it mostly does.
    if (n < 2 || rounds_.back().size() == kAtOnce) rounds_.emplace_back();
    rounds_.back().push_back(std::move(attempt));
  }
}

/// The messages of the cycle, once each, in worms that do not fit behind their headers; from kMessageTries on
/// again and again.
void DeadlockWorkloads::add_messages(unsigned first, unsigned end) {
  const auto sendings = sendings_of(certificate_);
  if (sendings.size() < 2) return;
  const unsigned hop = hop_flits(*certificate_.plan);
  Rng rng(hash_name("messages"));
  for (unsigned n = first; n < end; ++n) {
    const bool storm = n >= kMessageTries;
    const unsigned length = storm ? hop * (1 + n % 4 * 2) : (4 * hop) << (n % 3 * 2);
    DeadlockWorkload attempt;
    attempt.how = storm ? fmt::format("the messages of the cycle, again and again, with {} flits", length)
                        : fmt::format("the messages of the cycle, with {} flits", length);
    attempt.trace = "# cycle source destinations length\n";
    if (!storm)
      for (const Sending& sending : sendings)
        attempt.trace += line_of(n < 3 ? 0 : rng.below(4 + n), sending, length);
    for (std::size_t k = 0; storm && k < kStormPackets; ++k)
      attempt.trace += line_of(k * length / sendings.size() / 2 + rng.below(2 * length),
                               sendings[rng.below(sendings.size())], length);
    attempt.cycles = (storm ? kStormPackets * length : 40 * Cycle{length}) + kAfterWorms;
    attempt.interval = storm ? 500 : 100;
    if (n % kAtOnce == 0) rounds_.emplace_back();
    rounds_.back().push_back(std::move(attempt));
  }
}

/// More load than the network can take, in packets that fit into few buffers and in longer ones.
void DeadlockWorkloads::add_overload(std::uint64_t round, Cycle cycles) {
  const auto& plan = *certificate_.plan;
  const unsigned hop = hop_flits(plan);
  std::vector<DeadlockWorkload> all;
  const auto add = [&](std::string how, Json traffic) {
    DeadlockWorkload attempt;
    attempt.how = std::move(how);
    attempt.traffic = std::move(traffic);
    attempt.cycles = cycles;
    attempt.interval = 500;
    attempt.seed = round;
    all.push_back(std::move(attempt));
  };
  const auto flits = [](unsigned length) { return fmt::format("{} flit{}", length, length == 1 ? "" : "s"); };
  const auto most = static_cast<unsigned>(std::min<std::size_t>(plan.topology->terminals() - 1, 10));
  for (const unsigned length : {hop, 2 * hop, 8 * hop, hop - 1, 32 * hop}) {
    if (length == 0) continue;
    for (const unsigned destinations : {most, std::min(most, 2U)})
      if (plan.multicast)
        add(fmt::format("overload with multicasts to 1 to {} destinations, {} each", destinations,
                        flits(length)),
            {{"pattern", "uniform"},
             {"offered_load", 1.0},
             {"packet_length", length},
             {"multicast", {{"fraction", 0.5}, {"least", 1}, {"most", destinations}}}});
    for (const char* pattern : {"uniform", "tornado", "bit_complement"}) {
      Json traffic{{"pattern", pattern},
                   {"offered_load", std::min(1.0, static_cast<double>(length))},
                   {"packet_length", length}};
      // The copies of a message wait for each other.
      if (!plan.multicast) traffic["source_queue"] = "discard";
      add(fmt::format("{} overload with packets of {}", pattern, flits(length)), std::move(traffic));
    }
  }
  add_all(std::move(all));
}

void DeadlockWorkloads::add_all(std::vector<DeadlockWorkload> all) {
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n % kAtOnce == 0) rounds_.emplace_back();
    rounds_.back().push_back(std::move(all[n]));
  }
}

/// Messages of all classes that cause each other, many of them open, in packets of several lengths.
void DeadlockWorkloads::add_closed_loops(std::uint64_t round, Cycle cycles) {
  const auto& plan = *certificate_.plan;
  const unsigned hop = hop_flits(plan);
  std::vector<DeadlockWorkload> all;
  for (const Json& chain : chains_of(plan.message_classes))
    for (const unsigned outstanding : {16U, 2U, 128U})
      for (const unsigned length : {2 * hop, hop, 8 * hop})
        for (const char* pattern : {"uniform", "bit_complement", "tornado"}) {
          DeadlockWorkload attempt;
          attempt.how =
              fmt::format("{} transactions {} open at each terminal, {} traffic, packets of {} flits",
                          outstanding, chain.dump(), pattern, length);
          attempt.traffic = {
              {"pattern", pattern},
              {"packet_length", length},
              {"source", {{"kind", "request_reply"}, {"outstanding", outstanding}, {"chain", chain}}}};
          attempt.cycles = cycles;
          attempt.interval = 500;
          attempt.seed = round;
          all.push_back(std::move(attempt));
        }
  add_all(std::move(all));
}

}  // namespace noctule
