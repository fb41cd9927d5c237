#include "fabric/autopsy.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/waits.h"

namespace noctule {
namespace {

/// f(other) for every stuck worm that `w` waits for.
template <class F>
void each_wait(const Waits& waits, std::uint32_t w, F&& f) {
  for (const Waits::Way& way : waits.ways(waits.worms()[w])) waits.each_blocker(way, f);
}

/// Breadth first from each worm, no deeper than the best circle so far.
std::vector<std::uint32_t> shortest_circle(const Waits& waits, const std::vector<std::uint32_t>& stuck) {
  std::vector<std::uint32_t> best;
  std::vector<std::uint32_t> seen(waits.worms().size(), Waits::kNone);
  std::vector<std::uint32_t> parent(waits.worms().size(), Waits::kNone);
  std::vector<std::uint32_t> level;
  std::vector<std::uint32_t> next;
  for (const std::uint32_t root : stuck) {
    level.assign(1, root);
    bool found = false;
    for (std::size_t depth = 1; !level.empty() && !found && (best.empty() || depth < best.size()); ++depth) {
      next.clear();
      for (const std::uint32_t from : level)
        each_wait(waits, from, [&](std::uint32_t to) {
          if (found) return;
          if (to == root) {
            found = true;
            best.clear();
            for (std::uint32_t at = from; at != root; at = parent[at]) best.push_back(at);
            best.push_back(root);
            std::reverse(best.begin(), best.end());
          } else if (seen[to] != root) {
            seen[to] = root;
            parent[to] = from;
            next.push_back(to);
          }
        });
      level.swap(next);
    }
    if (best.size() == 1) break;
  }
  return best;
}

StuckWorm describe(const Waits& waits, std::uint32_t w, const std::vector<std::size_t>& number) {
  const Fabric& fabric = waits.fabric();
  const BufferSnapshot& snapshot = waits.snapshot();
  const Waits::Worm& worm = waits.worms()[w];
  const Packet& packet = fabric.packets()[worm.packet];
  StuckWorm stuck;
  stuck.source = packet.source;
  if (packet.worm == kNoWorm) {
    stuck.destinations.push_back(packet.destination);
  } else {
    const auto& planned = fabric.worms()[packet.worm];
    for (std::size_t n = 0; n < planned.stops.size(); ++n)
      if (planned.stops[n].serves() && !planned.served[n])
        stuck.destinations.push_back(planned.stops[n].terminal);
  }
  stuck.number = packet.number;
  stuck.length = packet.length;
  stuck.router = snapshot.router(worm.buffer);
  stuck.router_name = fabric.plan().topology->router_name(stuck.router);
  stuck.buffer = snapshot.buffer_name(worm.buffer);
  const auto holds = [&](std::uint32_t b) {
    auto name = snapshot.channel_name(b);
    if (stuck.holds.empty() || stuck.holds.back() != name) stuck.holds.push_back(std::move(name));
  };
  if (snapshot.is_input(worm.buffer) && worm.position == 0) waits.each_link(worm.buffer, holds);
  if (worm.absorbed)
    holds(worm.buffer);
  else
    waits.walk(w, [&](std::uint32_t b) {
      if (snapshot.is_input(b)) waits.each_consumption(b, holds);
      holds(b);
    });
  for (const Waits::Way& way : waits.ways(worm)) {
    StuckWorm::Wait wait{snapshot.channel_name(way.channel), {}};
    waits.each_blocker(way, [&](std::uint32_t other) { wait.owners.push_back(number[other]); });
    stuck.waits_for.push_back(std::move(wait));
  }
  return stuck;
}

Autopsy told(const Waits& waits) {
  Autopsy autopsy;
  autopsy.cycle = waits.fabric().cycles();
  std::vector<std::uint32_t> stuck;
  std::vector<std::size_t> number(waits.worms().size());
  for (std::uint32_t w = 0; w < waits.worms().size(); ++w) {
    if (waits.worms()[w].moves) continue;
    number[w] = stuck.size();
    stuck.push_back(w);
  }
  autopsy.deadlocked = !stuck.empty();
  for (const std::uint32_t w : stuck) autopsy.worms.push_back(describe(waits, w, number));
  for (const std::uint32_t w : shortest_circle(waits, stuck)) autopsy.circle.push_back(number[w]);
  return autopsy;
}

}  // namespace

Autopsy autopsy(const Fabric& fabric) {
  const bool outside = fabric.plan().nodes.any(
      [](const NodeDescription& node) { return node.injection_channels == kUnlimited; });
  if (outside && Waits(fabric, false, false).none_stuck()) {
    Autopsy none;
    none.cycle = fabric.cycles();
    return none;
  }
  return told(Waits(fabric, false));
}

Autopsy standstill(const Fabric& fabric) {
  Autopsy all = told(Waits(fabric, true));
  const auto& classes = fabric.plan().message_classes;
  for (const auto& end : fabric.refusing_ends())
    all.ends.push_back(
        fmt::format("terminal {} takes no more {}", index(end.terminal),
                    classes.named() ? classes[end.message_class].name + " packets" : "packets"));
  return all;
}

}  // namespace noctule
