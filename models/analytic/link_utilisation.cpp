#include "analytic/link_utilisation.h"

#include <algorithm>
#include <cmath>

#include "analytic/queueing.h"

namespace noctule {
namespace {

constexpr double kFullest = 0.95;  // a queue that is busier has no mean

}  // namespace

void LinkUtilisation::Record::turn_to(Cycle number) {
  if (number <= window) return;  // a client that is behind others counts to their window
  before = number == window + 1 ? now : Sums{};
  now = {};
  window = number;
}

std::uint64_t LinkUtilisation::pass(const PacketRoute& route, std::uint32_t client, Cycle born,
                                    std::uint64_t flits) {
  double wait = 0;
  busiest_ = 0;
  for (const RouteStop& stop : route.stops) {
    const Cycle window = (born + stop.offset) / window_;
    const std::uint64_t cycles = flits * stop.slot;
    Record& all = all_[stop.first];
    Record& own = of_client_[std::uint64_t{stop.first} << 32 | client];
    for (Record* const record : {&all, &own}) {
      record->turn_to(window);
      record->now.busy += cycles;
      record->now.square += cycles * cycles;
    }
    // A record that has turned further than the other one says nothing of the same window.
    const Sums mine = own.window == all.window ? own.before : Sums{};
    const double busy = static_cast<double>(all.before.busy - std::min(all.before.busy, mine.busy));
    if (busy <= 0) continue;
    const double square = static_cast<double>(all.before.square - std::min(all.before.square, mine.square));
    const double share = std::min(1.0, busy / static_cast<double>(window_ * stop.replicas));
    busiest_ = std::max(busiest_, share);
    wait += md1_wait(std::min(share, kFullest)) * square / busy / stop.replicas;
  }
  rest_ += wait;
  const double whole = std::floor(rest_);
  rest_ -= whole;
  return static_cast<std::uint64_t>(whole);
}

void LinkUtilisation::clear() {
  std::ranges::fill(all_, Record{});
  of_client_.clear();
  rest_ = 0;
}

}  // namespace noctule
