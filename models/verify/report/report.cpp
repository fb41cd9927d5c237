#include "verify/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/json.h"
#include "topology/link_groups.h"
#include "verify/planned/planned_survey.h"
#include "verify/unicast/factored.h"
#include "verify/unicast/false_claims.h"

namespace noctule {
namespace {

class RangeOf {
 public:
  void add(unsigned value) {
    range_.least = any_ ? std::min(range_.least, value) : value;
    range_.most = std::max(range_.most, value);
    any_ = true;
  }
  [[nodiscard]] Range get() const { return range_; }

 private:
  Range range_;
  bool any_ = false;
};

std::string text_of(Range range) {
  return range.least == range.most ? fmt::format("{}", range.most)
                                   : fmt::format("{} to {}", range.least, range.most);
}
Json json_of(Range range) {
  return {{"min", range.least}, {"max", range.most}};
}
/// "dimension_0" of "dimension 0".
std::string key_of(std::string group) {
  std::replace(group.begin(), group.end(), ' ', '_');
  return group;
}

std::string method_text(const Certificate& c) {
  if (c.verdict == Verdict::kUnknown) return c.limit.empty() ? "" : fmt::format(" ({} reached)", c.limit);
  if (c.method == "acyclic") {
    const bool rings = c.followed == Certificate::Followed::kRings;
    const bool legs = c.followed == Certificate::Followed::kLegs;
    return fmt::format(" (acyclic dependency graph{})", rings  ? ", ring by ring"
                                                        : legs ? ", leg by leg"
                                                               : "");
  }
  if (c.method == "escape_network") return " (escape network)";
  if (c.method == "no_deadlocked_set") return " (no set of worms can block itself)";
  return "";
}

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProved:
      return "proved free of deadlock";
    case Verdict::kDeadlockPossible:
      return "deadlock possible";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

std::string graph_text(const Certificate& c) {
  const auto& facts = c.facts;
  std::string text = fmt::format("{} header states followed; {} virtual channels used, {} dependencies, ",
                                 facts.header_states, facts.direct.channels, facts.direct.dependencies);
  const auto cycles = [&](const DependencyCount& count) {
    return count.acyclic() ? std::string(c.surveyed ? "no cycle" : "no cycle up to there")
                           : fmt::format("{} channels in cycles", count.channels_in_cycles);
  };
  text += cycles(facts.direct);
  if (c.plan->multicast)
    text += fmt::format("; {} consumption channels per terminal, classes of worms that use them: {}",
                        c.plan->common_node().consumption_slots(), c.plan->multicast->consumption->classes());
  if (facts.escape)
    text += fmt::format("\n  escape channels: {}, {} dependencies, indirect ones included, {}",
                        facts.escape->channels, facts.escape->dependencies, cycles(*facts.escape));
  return text;
}

std::string paths_text(const Certificate& c) {
  const auto& facts = c.facts;
  std::string text = facts.minimal ? "minimal" : "not minimal";
  text += facts.fully_adaptive ? ", every shortest path on offer at every hop (fully adaptive)"
          : facts.fully_adaptive_at_injection
              ? ", every shortest path on offer at injection (fully adaptive but for what is drawn there)"
              : ", not every shortest path on offer";
  text += facts.always_arrives ? fmt::format(", longest path {} links", facts.longest_path)
                               : ", a worm may come back to where it was (no bound on its path)";
  return text + fmt::format(", mean distance {:.4g}", c.plan->topology->mean_distance());
}

Json names(const Certificate& c, const std::vector<ChannelId>& list) {
  Json json = Json::array();
  for (const ChannelId channel : list) json.push_back(c.channels->name(channel));
  return json;
}

std::string worm_text(const Certificate& c, const WitnessWorm& worm) {
  const auto& topology = *c.plan->topology;
  std::string text = fmt::format("{} -> {}, {} flits from cycle {}:", topology.router_name(worm.source),
                                 topology.router_name(worm.destination), worm.length, worm.start);
  for (const auto& hop : worm.path) text += " " + c.channels->hop_name(hop.channel, hop.lane);
  std::string waits;
  for (const ChannelId channel : worm.waits_for)
    waits += (waits.empty() ? "" : ", ") + c.channels->name(channel);
  return text + (c.witness.committed ? "; committed to " : "; waits for ") + waits;
}

std::string maker_text(const Certificate& c, const Dependency& arc) {
  if (!arc.cause.empty()) return arc.cause;
  if (!arc.destinations.empty()) return "message " + message_text(arc.sender, arc.destinations);
  return fmt::format("a worm {} -> {}", c.plan->topology->router_name(arc.source),
                     c.plan->topology->router_name(arc.destination));
}

std::string witness_text(const Certificate& c) {
  std::string text;
  if (!c.witness.cycle.empty())
    text += fmt::format("\n  a shortest cycle of channels, with a {} for each dependency",
                        c.witness.cycle.front().destinations.empty() ? "worm" : "message");
  for (const auto& arc : c.witness.cycle) {
    text += fmt::format("\n    {} -> {}   by {}", c.channels->name(arc.from), c.channels->name(arc.to),
                        maker_text(c, arc));
    if (c.channels->is_consumption(arc.from) && !arc.cause.empty()) continue;  // a terminal
    text += ":";
    for (const ChannelId channel : arc.path) text += " " + c.channels->hop_name(channel);
  }
  if (!c.witness.worms.empty())
    text +=
        c.verdict == Verdict::kDeadlockPossible ? "\n  worms that deadlock" : "\n  worms that may deadlock";
  for (const auto& worm : c.witness.worms) text += "\n    " + worm_text(c, worm);
  return text;
}

Json cycle_json(const Certificate& c) {
  const auto& topology = *c.plan->topology;
  Json list = Json::array();
  for (const auto& arc : c.witness.cycle) {
    list.push_back({{"from", c.channels->name(arc.from)},
                    {"to", c.channels->name(arc.to)},
                    {"source", topology.router_name(arc.source)},
                    {"destination", topology.router_name(arc.destination)},
                    {"path", names(c, arc.path)}});
    if (!arc.cause.empty()) list.back()["cause"] = arc.cause;
    for (const TerminalId d : arc.destinations)
      list.back()["destinations"].push_back(topology.router_name(topology.consumption_router(d)));
  }
  return list;
}

Json worms_json(const Certificate& c) {
  Json list = Json::array();
  for (const auto& worm : c.witness.worms) {
    Json path = Json::array();
    for (const auto& hop : worm.path)
      path.push_back(c.plan->topology->router_name(
                         c.plan->topology->links()[index(c.channels->link(hop.channel))].from) +
                     "." + c.channels->hop_name(hop.channel, hop.lane));
    list.push_back({{"source", c.plan->topology->router_name(worm.source)},
                    {"destination", c.plan->topology->router_name(worm.destination)},
                    {"start_cycle", worm.start},
                    {"length_flits", worm.length},
                    {"path", path},
                    {c.witness.committed ? "committed_to" : "waits_for", names(c, worm.waits_for)}});
  }
  return list;
}

}  // namespace

ChannelUse channel_use(const Certificate& certificate) {
  const auto& topology = *certificate.plan->topology;
  const auto& facts = certificate.facts;
  const auto& channels = *certificate.channels;
  ChannelUse use;
  use.total = facts.direct.channels;
  const LinkGroups groups(topology);
  std::vector<RangeOf> links(groups.size());
  for (const Link& link : topology.links()) {
    links[groups.of(link)].add(facts.used_on_bidirectional(channels, topology, link));
    use.both_ways = use.both_ways && topology.back(link) != nullptr;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) use.per_link.emplace_back(groups.name(g), links[g].get());
  RangeOf driven;
  RangeOf both;
  for (std::size_t r = 0; r < topology.routers(); ++r) {
    driven.add(facts.used_driven_by(channels, topology, RouterId(r)));
    both.add(facts.used_at(channels, topology, RouterId(r)));
  }
  use.driven = driven.get();
  use.both_ends = both.get();
  return use;
}

std::string cycle_text(const Certificate& certificate, std::size_t most) {
  const auto& cycle = certificate.witness.cycle;
  if (cycle.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, cycle.size()); ++i)
    text += certificate.channels->name(cycle[i].from) + " -> ";
  return cycle.size() > most ? text + fmt::format("... ({} channels in all)", cycle.size())
                             : text + certificate.channels->name(cycle.front().from);
}

std::string to_text(const Certificate& c, const std::string& label) {
  std::string text =
      fmt::format("{}: {}{}\n  {}\n", label, verdict_text(c.verdict), method_text(c), c.reason);
  if (!c.missing.empty()) text += fmt::format("  missing: {}\n", c.missing);
  text += "  " + graph_text(c);
  if (c.proved()) {
    text += "\n  what the proof asks of the node";
    for (const auto& condition : c.conditions)
      text += fmt::format("\n    {}  {} ({}){}", condition.holds ? "holds:" : "BROKEN:", condition.demand,
                          condition.given,
                          condition.for_deadlock_freedom ? "" : "; for progress of every single worm");
  }
  if (!c.limit.empty() || !c.surveyed) return text + witness_text(c) + "\n";
  if (c.rank_breach)
    text +=
        "\n  rank condition (Boppana and Chalasani 1993, lemma 1): " +
        (c.rank_breach->empty() ? "holds, (class, label) rises with every hop" : "broken, " + *c.rank_breach);
  const ChannelUse use = channel_use(c);
  text += fmt::format("\n  virtual channels used per {}link: ", use.both_ways ? "bidirectional " : "");
  const char* before = "";
  for (const auto& [group, range] : use.per_link) {
    text += before + (use.per_link.size() > 1 ? group + ": " : std::string()) + text_of(range);
    before = ", ";
  }
  text += fmt::format("; per node: {} driven, {} counted at both ends", text_of(use.driven),
                      text_of(use.both_ends));
  text += "\n  paths: " + paths_text(c);
  for (const auto& claim : false_claims(c)) text += "\n  FALSE CLAIM: " + claim;
  return text + witness_text(c) + "\n";
}

Json to_json(const Certificate& c, const std::string& label) {
  const auto& facts = c.facts;
  Json json{{"label", label}, {"verdict", to_string(c.verdict)}, {"method", c.method}, {"reason", c.reason}};
  if (!c.missing.empty()) json["missing"] = c.missing;
  if (!c.limit.empty()) json["limit"] = c.limit;
  json["conditions"] = Json::array();
  for (const auto& condition : c.conditions)
    json["conditions"].push_back({{"demand", condition.demand},
                                  {"key", condition.key},
                                  {"given", condition.given},
                                  {"holds", condition.holds},
                                  {"for", condition.for_deadlock_freedom ? "deadlock freedom" : "progress"}});
  if (c.rank_breach) {
    json["rank_condition"]["holds"] = c.rank_breach->empty();
    if (!c.rank_breach->empty()) json["rank_condition"]["breach"] = *c.rank_breach;
  }
  json["routers"] = c.plan->topology->routers();
  json["header_states"] = facts.header_states;
  json["channels"] = facts.direct.channels;
  json["consumption_channels"] = c.plan->topology->terminals();
  if (c.plan->multicast) json["consumption_classes"] = c.plan->multicast->consumption->classes();
  json["dependencies"] = facts.direct.dependencies;
  json["channels_in_cycles"] = facts.direct.channels_in_cycles;
  if (facts.escape)
    json["escape"] = {{"channels", facts.escape->channels},
                      {"dependencies", facts.escape->dependencies},
                      {"channels_in_cycles", facts.escape->channels_in_cycles},
                      {"always_offered", facts.escape_always_offered}};
  json["mean_distance"] = c.plan->topology->mean_distance();
  json["witness"] = cycle_json(c);
  json["worms"] = worms_json(c);
  if (!c.surveyed) return json;
  const ChannelUse use = channel_use(c);
  Json used{{"total", use.total}, {"per_bidirectional_link", Json::object()}};
  for (const auto& [group, range] : use.per_link)
    used["per_bidirectional_link"][use.per_link.size() > 1 ? key_of(group) : "all"] = json_of(range);
  used["per_node_driven"] = json_of(use.driven);
  used["per_node_both_ends"] = json_of(use.both_ends);
  json["virtual_channels_used"] = used;
  json["fully_adaptive"] = facts.fully_adaptive;
  json["fully_adaptive_at_injection"] = facts.fully_adaptive_at_injection;
  json["minimal"] = facts.minimal;
  json["false_claims"] = false_claims(c);
  json["longest_path"] = facts.always_arrives ? Json(facts.longest_path) : Json();
  return json;
}

Json certificate_document(const Certificate& c, const std::string& label) {
  Json json = to_json(c, label);
  if (c.numbering.empty()) return json;
  const auto& topology = *c.plan->topology;
  const bool rings = c.followed == Certificate::Followed::kRings;
  Json numbers = Json::object();
  for (ChannelId channel = 0; channel < c.numbering.size(); ++channel) {
    if (c.numbering[channel] == Certificate::kUnnumbered) continue;
    if (!c.channels->is_consumption(channel)) {
      if (c.facts.used[channel] == 0) continue;
      if (rings && !in_first_row(topology, topology.links()[index(c.channels->link(channel))])) continue;
    } else if (rings) {
      continue;
    }
    numbers[c.channels->name(channel)] = c.numbering[channel];
  }
  json["numbering"] = {
      {"rule",
       c.method == "acyclic"
           ? "a worm asks only for channels with higher numbers than all it holds"
           : "a worm asks for escape channels only with higher numbers than all escape channels it holds"},
      {"rows", rings ? "the first of each dimension; all are alike" : "all"},
      {"number", numbers}};
  return json;
}

}  // namespace noctule
