#include "verify/report/drawn_worm.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {
namespace {

std::string held_name(const Certificate& c, const WitnessWorm::Hop& hop) {
  if (c.channels->is_consumption(hop.channel)) return c.channels->name(hop.channel);
  // The arcs of a cycle are between classes: their lanes mean nothing.
  return c.witness.worms.empty() ? c.channels->hop_name(hop.channel)
                                 : c.channels->hop_name(hop.channel, hop.lane);
}

void replace(std::string& text, const std::string& what, const char* by) {
  if (const auto at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
}

}  // namespace

std::vector<DrawnWorm> drawn_worms(const Certificate& certificate) {
  const auto& witness = certificate.witness;
  std::vector<DrawnWorm> list;
  for (const auto& worm : witness.worms) {
    list.push_back({worm.source, {worm.destination}, worm.path, worm.waits_for});
    // It has committed itself to the last channel of its path, but another worm is in there.
    auto& holds = list.back().holds;
    if (witness.committed && !holds.empty() && worm.waits_for == std::vector{holds.back().channel})
      holds.pop_back();
  }
  if (!list.empty()) return list;
  const auto& topology = *certificate.plan->topology;
  for (const auto& arc : witness.cycle) {
    list.push_back({arc.source, {}, {}, {arc.to}, arc.cause});
    DrawnWorm& worm = list.back();
    for (const TerminalId d : arc.destinations) worm.destinations.push_back(topology.consumption_router(d));
    if (worm.destinations.empty()) worm.destinations.push_back(arc.destination);
    for (const ChannelId c : arc.path)
      if (c != arc.to) worm.holds.push_back({c, 0});
    const auto& holds = worm.holds;
    if (std::none_of(holds.begin(), holds.end(), [&](const auto& hop) { return hop.channel == arc.from; }))
      worm.holds.push_back({arc.from, 0});
  }
  return list;
}

bool makes_dependency(const Certificate& certificate, const DrawnWorm& worm, ChannelId to) {
  const auto& channels = *certificate.channels;
  const auto& holds = worm.holds;
  const auto last = std::find_if(holds.rbegin(), holds.rend(),
                                 [&](const auto& hop) { return !channels.is_consumption(hop.channel); });
  return std::any_of(certificate.witness.cycle.begin(), certificate.witness.cycle.end(),
                     [&](const Dependency& arc) {
                       if (arc.to != to) return false;
                       return (last != holds.rend() && last->channel == arc.from) ||
                              (channels.is_consumption(arc.from) &&
                               std::any_of(holds.begin(), holds.end(),
                                           [&](const auto& hop) { return hop.channel == arc.from; }));
                     });
}

std::string describe_worm(const Certificate& certificate, const DrawnWorm& worm) {
  const auto& topology = *certificate.plan->topology;
  std::string text = worm.cause;
  if (text.empty()) {
    text = topology.router_name(worm.source) + " -> ";
    for (std::size_t i = 0; i < worm.destinations.size(); ++i)
      text += (i > 0 ? ", " : "") + topology.router_name(worm.destinations[i]);
  }
  text += ", holds ";
  if (worm.holds.empty()) text += "nothing";
  for (std::size_t i = 0; i < worm.holds.size();) {
    const auto name = held_name(certificate, worm.holds[i]);
    std::size_t end = i + 1;
    while (end < worm.holds.size() && held_name(certificate, worm.holds[end]) == name) ++end;
    text += (i > 0 ? ", " : "") + name + (end - i > 1 ? fmt::format(" ({} times)", end - i) : "");
    i = end;
  }
  text += ", waits for ";
  if (worm.waits.empty()) text += "nothing";
  for (std::size_t i = 0; i < worm.waits.size(); ++i)
    text += (i > 0 ? " or " : "") + certificate.channels->hop_name(worm.waits[i]);
  return text;
}

std::string short_consumption_name(const ChannelIndex& channels, ChannelId channel) {
  std::string name = channels.hop_name(channel);
  if (channels.by_message_class()) {
    const auto of_class = name.find('_');
    return fmt::format("{} {}", name.substr(0, 1), name.substr(of_class + 1, 3));
  }
  replace(name, "consumption", "c");
  replace(name, "retransmission", "r");
  replace(name, "_shared", "s");
  if (const auto at = name.find('_'); at != std::string::npos)
    name.replace(at, 1, name[at - 1] == 'c' ? "" : ".");  // "c1", but "c0.1" beside terminal 0
  return name;
}

}  // namespace noctule
