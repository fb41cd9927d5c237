#include "patterns/loop_ends.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace noctule {
namespace {

/// Where the messages of these terminals go.
std::vector<bool> asked_by(const std::vector<bool>& senders, const TrafficPattern& pattern) {
  std::vector<bool> asked(senders.size());
  std::size_t missing = asked.size();
  for (std::uint32_t t = 0; t < senders.size() && missing > 0; ++t) {
    if (!senders[t]) continue;
    for (const auto& [to, probability] : pattern.distribution(TerminalId{t}))
      if (probability > 0 && !asked[index(to)]) {
        asked[index(to)] = true;
        --missing;
      }
  }
  return asked;
}

void add(std::vector<bool>& all, const std::vector<bool>& more) {
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = all[t] || more[t];
}

}  // namespace

LoopEnds ends_of_loop(const ClosedLoop& loop, const TrafficPattern& pattern) {
  std::vector<bool> origins = loop.requesters;
  for (std::uint32_t t = 0; t < origins.size(); ++t)
    origins[t] = origins[t] && pattern.injects(TerminalId{t});
  LoopEnds ends{std::vector<bool>(origins.size()), std::vector<bool>(origins.size())};
  std::vector<bool> senders = origins;
  for (std::size_t step = 0; step < loop.chain.size(); ++step) {
    add(ends.injecting, senders);
    const bool back = step > 0 && step + 1 == loop.chain.size();
    senders = back ? origins : asked_by(senders, pattern);
    add(ends.addressed, senders);
  }
  return ends;
}

}  // namespace noctule
