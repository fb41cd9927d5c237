#include <algorithm>

#include "core/rng.h"
#include "verify/naive_dependencies.h"

namespace noctule::multicast_test {

void NaiveDependencies::send_everything(unsigned random) {
  const std::size_t n = plan_.topology->terminals();
  for (std::size_t s = 0; s < n; ++s)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a; b < n; ++b)
        for (std::size_t c = b; c < n; ++c) {
          std::set<std::size_t> set{a, b, c};
          if (set.count(s) > 0) continue;
          std::vector<TerminalId> list;
          for (const auto t : set) list.push_back(TerminalId(t));
          if (list.size() > 1 || plan_.multicast->plans_unicasts) send(TerminalId(s), list);
        }
  Rng rng(1998);
  for (unsigned i = 0; i < random; ++i) {
    const auto source = rng.below(n);
    std::vector<TerminalId> list;
    const auto in_16 = 1 + rng.below(16);
    for (std::size_t t = 0; t < n; ++t)
      if (t != source && rng.below(16) < in_16) list.push_back(TerminalId(t));
    if (list.size() > 3) send(TerminalId(source), list);
  }
}

void NaiveDependencies::send(TerminalId source, const std::vector<TerminalId>& destinations) {
  std::vector<PlannedWorm> worms;
  plan_.multicast->planner->plan(source, destinations, worms);
  for (const auto& worm : worms) {
    several_ = std::count_if(worm.stops.begin(), worm.stops.end(),
                             [](const Stop& stop) { return stop.terminal != kNoTerminal; }) > 1;
    known_.clear();
    walk(worm, {plan_.topology->injection_router(source), 0, kNoChannel, rule_.no_port()});
  }
}

std::vector<Candidate> NaiveDependencies::offered(RouterId here, RouterId to) const {
  CandidateList list;
  plan_.multicast->relation->candidates(here, to, RouteState{0}, list);
  return {list.begin(), list.end()};
}

void NaiveDependencies::walk(const PlannedWorm& worm, const Walk& at) {
  if (!known_.insert(at).second) return;
  const bool absorbs = plan_.common_node().retransmission_buffers > 0;
  std::size_t end = at.stop;
  bool served = false;
  while (end < worm.stops.size() && worm.stops[end].router == at.here) {
    served = served || worm.stops[end].terminal != kNoTerminal;
    ++end;
    if (absorbs && served) break;
  }
  const bool more = end < worm.stops.size();
  const bool absorbed = absorbs && served && more;
  std::vector<Candidate> link;
  if (more && !absorbed) link = offered(at.here, worm.stops[end].router);
  unsigned of_class = 0;
  if (served)
    of_class =
        rule_.class_of({worm.group, at.port,
                        link.empty() ? rule_.no_port() : static_cast<std::uint16_t>(link[0].port), several_});
  if (plan_.common_node().acquisition == Acquisition::kOutputFirst && served && !link.empty()) {
    for (const Candidate candidate : link)
      consume(worm, take(at, candidate), end, of_class,
              [&](const Walk& then) { ride(worm, across(then, candidate)); });
    return;
  }
  consume(worm, at, end, of_class, [&](Walk then) {
    if (absorbed) {
      then = take(then, channels_.retransmission(worm.stops[end - 1].terminal));
      then.port = rule_.no_port();
      walk(worm, then);
    }
    for (const Candidate candidate : link) ride(worm, across(take(then, candidate), candidate));
  });
}

/// Serves the stops up to `end`.
void NaiveDependencies::consume(const PlannedWorm& worm, Walk at, std::size_t end, unsigned of_class,
                                const Then& then) {
  if (at.stop == end) return then(at);
  const TerminalId terminal = worm.stops[at.stop++].terminal;
  if (terminal == kNoTerminal) return consume(worm, at, end, of_class, then);
  const ChannelId own = channels_.consumption(terminal, of_class);
  for (unsigned j = 0; j < plan_.common_node().consumption_channels; ++j) {
    if ((rule_.channels(of_class, several_).allowed >> j & 1) == 0) continue;
    const ChannelId c = channels_.consumption(terminal, j);
    if (rule_.waits_committed() || c == own) {
      consume(worm, take(at, c), end, of_class, then);
      continue;
    }
    // It took one for which it did not have to wait; what it held before, it still holds.
    consume(worm, at, end, of_class, then);
    Walk other = at;
    other.held = c;
    consume(worm, other, end, of_class, then);
  }
}

/// On the way to the next stop.
void NaiveDependencies::ride(const PlannedWorm& worm, const Walk& at) {
  const RouterId to = worm.stops[at.stop].router;
  if (at.here == to) return walk(worm, at);
  for (const Candidate candidate : offered(at.here, to)) ride(worm, across(take(at, candidate), candidate));
}

}  // namespace noctule::multicast_test
