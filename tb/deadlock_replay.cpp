#include "tb/deadlock_replay.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/rng.h"
#include "run/configured_point.h"
#include "run/process_pool.h"
#include "stats/tables.h"
#include "tb/elaboration.h"
#include "tb/jobs.h"
#include "verify/report.h"

namespace noctule {
namespace {

constexpr Cycle kStressCycles = 20'000;

/// The packets of worms, with their routes.
std::string trace_text(const Certificate& certificate, const std::vector<WitnessWorm>& worms) {
  std::string text = "# cycle source destination length hops...\n";
  const auto& plan = *certificate.plan;
  for (const auto& worm : worms) {
    const auto terminal = [&](RouterId router) { return index(plan.terminals[index(router)].front()); };
    text += fmt::format("{} {} {} {}", worm.start, terminal(worm.source), terminal(worm.destination),
                        worm.length);
    auto hops = worm.path;
    if (worm.asks_for) hops.push_back(*worm.asks_for);
    for (const auto& hop : hops) text += " " + certificate.channels->hop_name(hop.channel, hop.lane);
    text += '\n';
  }
  return text;
}

/// A small configuration: the fabric of `point`, other traffic. Sections are written in YAML's flow style.
std::string configuration_text(const PointConfig& point, const std::string& comment, Json traffic,
                               Json measurement) {
  std::string text = comment;
  const auto section = [&](const std::string& key, const Json& value) {
    text += fmt::format("{}: {}\n", key, value.dump());
  };
  section("name", "deadlock-" + point.label);
  section("seed", point.seed);
  for (const char* key : {"topology", "node", "routing", "multicast", "link"})
    section(key, point.resolved.at(key));
  section("traffic", traffic);
  section("measurement", measurement);
  section("allow_deadlock", true);
  section("implied", Json::array());  // sections of a resolved configuration have every key
  section("expect", "deadlocked");
  return text;
}

Json measurement_section(Cycle limit, Cycle interval) {
  return {
      {"warm_up", 0}, {"cycles", limit}, {"limit", limit}, {"batches", 4}, {"deadlock_interval", interval}};
}

/// Simulates the only point of a configuration; the cycle of its deadlock, or nothing.
std::optional<Cycle> cycle_of_deadlock(const std::string& file) {
  const auto points = expand(decode_file(file));
  std::optional<Cycle> found;
  const Job job{"replay of " + file,
                [&](const ReportProgress&) {
                  std::string record;
                  run_in_sc_main([&] {
                    const PointSpec spec = configured_point(points.front(), {});
                    record = run_point(spec, 0, {}, [] { return stop_requested(); }).point.dump();
                  });
                  return record;
                },
                1};
  PoolCallbacks callbacks;
  callbacks.finished = [&](const Outcome& outcome) {
    throw_failure(outcome);
    if (outcome.kind != Outcome::kDone) return;
    const Json point = Json::parse(outcome.record);
    if (point.contains("deadlock")) found = point.at("deadlock").at("cycle").get<Cycle>();
  };
  if (ProcessPool(PoolOptions{}).run({job}, callbacks).interrupted) throw Interrupted();
  return found;
}

void write_worms(const Certificate& certificate, const std::vector<WitnessWorm>& worms,
                 const PointConfig& point, const std::string& stem) {
  Cycle last = 0;
  for (const auto& worm : worms) last = std::max<Cycle>(last, worm.start + 4 * worm.length);
  const std::string trace = stem + ".trace";
  const std::string beside = std::filesystem::path(trace).filename().string();
  write_file_atomically(trace, trace_text(certificate, worms));
  write_file_atomically(
      stem + ".yaml",
      configuration_text(point,
                         fmt::format("# Worms that deadlock, with the first hops of each in {}.\n"
                                     "# A cycle of the channels that they hold and ask for:\n#   {}\n",
                                     beside, cycle_text(certificate)),
                         {{"source", {{"kind", "trace_file"}, {"file", beside}}}},
                         measurement_section(last + 2000, 100)));
}

/// The worms as constructed, then with starts a few cycles apart, should other delays than those of the links
/// part them. `worms` is left as it deadlocked.
std::optional<Cycle> replay_worms(const Certificate& certificate, std::vector<WitnessWorm>& worms,
                                  const PointConfig& point, const std::string& stem) {
  constexpr unsigned kTries = 20;
  const auto constructed = worms;
  Rng rng(hash_name("replay"));
  for (unsigned n = 0; n < kTries; ++n) {
    worms = constructed;
    if (n > 0)
      for (auto& worm : worms) worm.start += rng.below(2 + n / 10);
    write_worms(certificate, worms, point, stem);
    if (const auto cycle = cycle_of_deadlock(stem + ".yaml")) return cycle;
  }
  worms = constructed;
  return std::nullopt;
}

/// The messages that make the dependencies of a witness's cycle, each once.
std::vector<const Dependency*> messages_of(const DeadlockWitness& witness) {
  std::vector<const Dependency*> messages;
  for (const Dependency& arc : witness.cycle)
    if (!arc.destinations.empty() &&
        std::none_of(messages.begin(), messages.end(), [&](const Dependency* known) {
          return known->sender == arc.sender && known->destinations == arc.destinations;
        }))
      messages.push_back(&arc);
  return messages;
}

/// Messages with several destinations, in worms that do not fit behind their headers: born together, then
/// some cycles apart.
std::optional<DeadlockReplay> replay_messages(const Certificate& certificate, const PointConfig& point,
                                              const std::string& stem) {
  constexpr unsigned kTries = 30;
  const auto messages = messages_of(certificate.witness);
  if (messages.size() < 2) return std::nullopt;
  const auto& plan = *certificate.plan;
  const std::string trace = stem + ".trace";
  const std::string beside = std::filesystem::path(trace).filename().string();
  const unsigned shortest = 4 * (plan.node.input_depth + 1);
  Rng rng(hash_name("messages"));
  for (unsigned n = 0; n < kTries; ++n) {
    const unsigned length = shortest << (n % 3 * 2);
    std::string text = "# cycle source destinations length\n";
    for (const Dependency* message : messages) {
      std::vector<std::size_t> destinations;
      for (const TerminalId terminal : message->destinations) destinations.push_back(index(terminal));
      text += fmt::format("{} {} {} {}\n", n < 3 ? 0 : rng.below(4 + n), index(message->sender),
                          fmt::join(destinations, ","), length);
    }
    write_file_atomically(trace, text);
    write_file_atomically(
        stem + ".yaml",
        configuration_text(
            point,
            fmt::format("# Messages that deadlock, in {}.\n# A cycle of the channels that they hold and "
                        "ask for:\n#   {}\n",
                        beside, cycle_text(certificate)),
            {{"source", {{"kind", "trace_file"}, {"file", beside}}}},
            measurement_section(40 * Cycle{length} + 2000, 100)));
    if (const auto cycle = cycle_of_deadlock(stem + ".yaml"))
      return DeadlockReplay{stem + ".yaml", true, *cycle, "the messages of the cycle"};
  }
  return std::nullopt;
}

/// Traffic that overloads a fabric with a multicast planner.
Json multicast_overload(const FabricPlan& plan, unsigned length) {
  const auto most = std::min<std::size_t>(plan.topology->terminals() - 1, 10);
  return {{"pattern", "uniform"},
          {"offered_load", 1.0},
          {"packet_length", length},
          {"multicast", {{"fraction", 0.5}, {"least", 1}, {"most", most}}}};
}

/// More load than the network can take, in packets that fit into few buffers, and in longer ones.
std::optional<DeadlockReplay> replay_overload(const Certificate& certificate, const PointConfig& point,
                                              const std::string& stem) {
  const unsigned vc = certificate.plan->node.input_depth + certificate.plan->node.output_depth;
  for (const unsigned length : {vc, 2 * vc, 8 * vc, vc - 1}) {
    if (length == 0) continue;
    const Json traffic = certificate.plan->multicast
                             ? multicast_overload(*certificate.plan, length)
                             : Json{{"pattern", "uniform"},
                                    {"offered_load", std::min(1.0, static_cast<double>(length))},
                                    {"packet_length", length},
                                    {"source_queue", "discard"}};
    const std::string how = fmt::format("overload with packets of {} flit{}", length, length == 1 ? "" : "s");
    write_file_atomically(stem + ".yaml", configuration_text(point, fmt::format("# {}.\n", how), traffic,
                                                             measurement_section(kStressCycles, 500)));
    if (const auto cycle = cycle_of_deadlock(stem + ".yaml"))
      return DeadlockReplay{stem + ".yaml", true, *cycle, how};
  }
  std::error_code ignored;
  std::filesystem::remove(stem + ".yaml", ignored);
  return std::nullopt;
}

}  // namespace

std::optional<DeadlockReplay> replay_deadlock(Certificate& certificate, const PointConfig& point,
                                              const std::string& stem) {
  auto& worms = certificate.witness.worms;
  if (!worms.empty())
    if (const auto cycle = replay_worms(certificate, worms, point, stem))
      return DeadlockReplay{stem + ".yaml", true, *cycle, "the worms of the witness"};
  if (auto messages = replay_messages(certificate, point, stem)) return messages;
  if (auto overload = replay_overload(certificate, point, stem)) {
    std::error_code ignored;
    std::filesystem::remove(stem + ".trace", ignored);
    return overload;
  }
  if (worms.empty()) return std::nullopt;
  write_worms(certificate, worms, point, stem);
  return DeadlockReplay{stem + ".yaml", false, 0, "the worms of the witness"};
}

}  // namespace noctule
