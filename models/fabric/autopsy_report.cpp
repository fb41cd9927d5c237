// The findings of an autopsy, for people and for programs.

#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"
#include "core/packet_name.h"
#include "fabric/autopsy.h"

namespace noctule {
namespace {

std::string name_of(const StuckWorm& worm) {
  return "packet " + packet_name(worm.source, worm.number);
}

std::string line_of(const Autopsy& autopsy, const StuckWorm& worm) {
  std::vector<std::string> waits;
  for (const auto& wait : worm.waits_for) {
    std::vector<std::string> owners;
    for (const std::size_t owner : wait.owners) owners.push_back(name_of(autopsy.worms[owner]));
    waits.push_back(fmt::format("{} ({})", wait.channel, fmt::join(owners, ", ")));
  }
  std::vector<std::size_t> destinations;
  for (const TerminalId terminal : worm.destinations) destinations.push_back(index(terminal));
  return fmt::format(
      "  {} to terminal{} {}, {} flits: header in {} of {}; holds {}; waits for {}\n", name_of(worm),
      destinations.size() == 1 ? "" : "s", fmt::join(destinations, ", "), worm.length, worm.buffer,
      worm.router_name, worm.holds.empty() ? "nothing else" : fmt::format("{}", fmt::join(worm.holds, ", ")),
      waits.empty() ? "its terminal, which takes no more" : fmt::format("{}", fmt::join(waits, " or ")));
}

Json json_of(const Autopsy& autopsy, const StuckWorm& worm) {
  Json waits = Json::array();
  for (const auto& wait : worm.waits_for) {
    Json owners = Json::array();
    for (const std::size_t owner : wait.owners)
      owners.push_back({{"packet", packet_name(autopsy.worms[owner].source, autopsy.worms[owner].number)},
                        {"source", index(autopsy.worms[owner].source)},
                        {"number", autopsy.worms[owner].number}});
    waits.push_back({{"channel", wait.channel}, {"owners", owners}});
  }
  Json destinations = Json::array();
  for (const TerminalId terminal : worm.destinations) destinations.push_back(index(terminal));
  Json json{{"source", index(worm.source)}, {"number", worm.number},       {"length_flits", worm.length},
            {"router", worm.router_name},   {"buffer", worm.buffer},       {"holds", worm.holds},
            {"waits_for", waits},           {"destinations", destinations}};
  json["packet"] = packet_name(worm.source, worm.number);
  if (destinations.size() == 1) json["destination"] = destinations.front();
  return json;
}

/// Worms outside the circle, in their order.
std::vector<std::size_t> others(const Autopsy& autopsy) {
  std::vector<bool> circle(autopsy.worms.size());
  for (const std::size_t w : autopsy.circle) circle[w] = true;
  std::vector<std::size_t> rest;
  for (std::size_t w = 0; w < autopsy.worms.size(); ++w)
    if (!circle[w]) rest.push_back(w);
  return rest;
}

/// Terminals that refuse, and worms outside the circle.
std::string rest_text(const Autopsy& autopsy, std::size_t limit) {
  std::string text;
  for (std::size_t n = 0; n < std::min(limit, autopsy.ends.size()); ++n)
    text += "  " + autopsy.ends[n] + "\n";
  if (autopsy.ends.size() > limit) text += fmt::format("  and {} more\n", autopsy.ends.size() - limit);
  const auto rest = others(autopsy);
  if (rest.empty()) return text;
  text += "Also waiting for ever:\n";
  for (std::size_t n = 0; n < std::min(limit, rest.size()); ++n)
    text += line_of(autopsy, autopsy.worms[rest[n]]);
  if (rest.size() > limit) text += fmt::format("  and {} more\n", rest.size() - limit);
  return text;
}

}  // namespace

std::string to_text(const Autopsy& autopsy, std::size_t limit) {
  if (!autopsy.deadlocked)
    return fmt::format("cycle {}: no deadlock, every worm can still move.\n", autopsy.cycle);
  if (autopsy.circle.empty()) {
    std::string text =
        fmt::format("cycle {}: deadlock, nothing moves any more; {} worms wait in the network.\n",
                    autopsy.cycle, autopsy.worms.size());
    return text + rest_text(autopsy, limit);
  }
  std::string text = fmt::format(
      "cycle {}: deadlock, {} worm{} can never move again.\nA shortest cycle, {} worm{}, each waits for the "
      "next and the last for the first:\n",
      autopsy.cycle, autopsy.worms.size(), autopsy.worms.size() == 1 ? "" : "s", autopsy.circle.size(),
      autopsy.circle.size() == 1 ? "" : "s");
  for (const std::size_t w : autopsy.circle) text += line_of(autopsy, autopsy.worms[w]);
  return text + rest_text(autopsy, limit);
}

Json to_json(const Autopsy& autopsy, std::size_t limit) {
  Json circle = Json::array();
  for (const std::size_t w : autopsy.circle) circle.push_back(json_of(autopsy, autopsy.worms[w]));
  const auto rest = others(autopsy);
  Json waiting = Json::array();
  for (std::size_t n = 0; n < std::min(limit, rest.size()); ++n)
    waiting.push_back(json_of(autopsy, autopsy.worms[rest[n]]));
  const std::size_t not_listed = rest.size() - waiting.size();
  Json json{{"cycle", autopsy.cycle},
            {"worms", autopsy.worms.size()},
            {"circle", std::move(circle)},
            {"waiting", std::move(waiting)},
            {"not_listed", not_listed}};
  if (!autopsy.ends.empty()) json["ends"] = autopsy.ends;
  return json;
}

}  // namespace noctule
