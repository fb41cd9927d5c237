#include "patterns/loop_ends.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace noctule {
namespace {

void add(std::vector<bool>& all, const std::vector<bool>& more) {
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = all[t] || more[t];
}

}  // namespace

void add_destinations(const std::vector<bool>& senders, const TrafficPattern& pattern,
                      std::vector<bool>& addressed) {
  std::size_t missing = static_cast<std::size_t>(std::ranges::count(addressed, false));
  for (std::uint32_t t = 0; t < senders.size() && missing > 0; ++t) {
    if (!senders[t]) continue;
    for (const auto& [to, probability] : pattern.distribution(TerminalId{t}))
      if (probability > 0 && !addressed[index(to)]) {
        addressed[index(to)] = true;
        --missing;
      }
  }
}

LoopEnds ends_of_loop(const ClosedLoop& loop, const TrafficPattern& pattern) {
  std::vector<bool> origins = loop.requesters;
  for (std::uint32_t t = 0; t < origins.size(); ++t)
    origins[t] = origins[t] && pattern.injects(TerminalId{t});
  LoopEnds ends{std::vector<bool>(origins.size()), std::vector<bool>(origins.size())};
  std::vector<bool> senders = origins;
  for (std::size_t step = 0; step < loop.chain.size(); ++step) {
    add(ends.injecting, senders);
    const bool back = step > 0 && step + 1 == loop.chain.size();
    std::vector<bool> asked(origins.size());
    if (back)
      asked = origins;
    else
      add_destinations(senders, pattern, asked);
    add(ends.addressed, asked);
    senders = std::move(asked);
  }
  return ends;
}

}  // namespace noctule
