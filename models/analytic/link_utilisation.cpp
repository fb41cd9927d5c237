#include "analytic/link_utilisation.h"

#include <algorithm>
#include <cmath>

#include "analytic/queueing.h"

namespace noctule {
namespace {

constexpr double kFullest = 0.95;  // a queue that is busier has no mean
constexpr double kSteepest = 0.9;  // no more of steep x busy

/// Both directions.
template <class Sums>
Sums together(const Sums& a, const Sums& b) {
  return {a.busy + b.busy, a.square + b.square};
}

}  // namespace

double WaitWeights::growth(double busy) const {
  return 1 / (1 - std::min(kSteepest, steep * busy));
}

double WaitWeights::wait(const WaitShares& shares) const {
  double sum = 0;
  for (std::size_t n = 0; n < of.size(); ++n) sum += of[n] * shares.of[n];
  return shares.own + sum * growth(shares.busy);
}

LinkUtilisation::LinkUtilisation(const PacketRoutes& routes, Cycle window, std::optional<WaitWeights> weights)
    : window_(window), weights_(weights), all_(routes.channels()) {}

void LinkUtilisation::Record::turn_to(Cycle number) {
  if (number <= window) return;  // a client that is behind others counts to their window
  before = number == window + 1 ? now : Sums{};
  now = {};
  window = number;
}

LinkUtilisation::Records& LinkUtilisation::count(const RouteStop& stop, bool request, std::uint32_t client,
                                                 Cycle born, std::uint64_t flits) {
  const Cycle window = (born + stop.offset) / window_;
  const std::uint64_t cycles = flits * stop.slot;
  Records& own = of_client_[std::uint64_t{stop.first} << 32 | client];
  for (Records* const records : {&all_[stop.first], &own}) {
    for (Record& one : records->of) one.turn_to(window);
    Sums& now = records->of[request ? 0 : 1].now;
    now.busy += cycles;
    now.square += cycles * cycles;
  }
  return own;
}

/// Of the window before, in one direction.
LinkUtilisation::Sums LinkUtilisation::others(const Records& all, const Records& own, bool request) const {
  const Record& a = all.of[request ? 0 : 1];
  const Record& b = own.of[request ? 0 : 1];
  // A record that has turned further than the other one says nothing of the same window.
  const Sums mine = b.window == a.window ? b.before : Sums{};
  return {a.before.busy - std::min(a.before.busy, mine.busy),
          a.before.square - std::min(a.before.square, mine.square)};
}

double LinkUtilisation::queued(const PacketRoute& route, bool request, std::uint32_t client, Cycle born,
                               std::uint64_t flits) {
  double wait = 0;
  busiest_ = 0;
  for (const RouteStop& stop : route.stops) {
    const Records& own = count(stop, request, client, born, flits);
    const Records& all = all_[stop.first];
    const Sums sums = together(others(all, own, true), others(all, own, false));
    if (sums.busy == 0) continue;
    const auto busy = static_cast<double>(sums.busy);
    const double share = std::min(1.0, busy / static_cast<double>(window_ * stop.replicas));
    busiest_ = std::max(busiest_, share);
    wait += md1_wait(std::min(share, kFullest)) * static_cast<double>(sums.square) / busy / stop.replicas;
  }
  return wait;
}

WaitShares LinkUtilisation::shares(const PacketRoute& route, bool request, std::uint32_t client, Cycle born,
                                   std::uint64_t flits) {
  WaitShares shares;
  Cycle line = 0;  // waits for the client's own packets
  const std::size_t first_link = route.stops.empty() || route.stops.front().offset != 0 ? 0 : 1;
  for (std::size_t n = 0; n < route.stops.size(); ++n) {
    const RouteStop& stop = route.stops[n];
    Records& own = count(stop, request, client, born, flits);
    const Records& all = all_[stop.first];
    const Sums same = others(all, own, request);
    const auto window = static_cast<double>(window_ * stop.replicas);
    const double rest = static_cast<double>(same.square) / 2 / window;
    const double other = static_cast<double>(others(all, own, !request).busy) / window;
    const double share = std::min(1.0, static_cast<double>(same.busy) / window + other);
    shares.busy += share / static_cast<double>(route.stops.size());
    shares.busiest = std::max(shares.busiest, share);
    const auto to = [&](WaitPart part) -> double& { return shares.of[static_cast<std::size_t>(part)]; };
    if (n >= first_link && n < first_link + route.links.size()) {
      to(WaitPart::kLinks) += rest;
      to(WaitPart::kShared) += static_cast<double>(flits * stop.slot) * other;
      continue;
    }
    to(n < first_link ? WaitPart::kEnter : WaitPart::kLeave) += rest;
    // The client's own packets pass one behind the other.
    const Cycle at = born + stop.offset + line;
    const Cycle from = std::max(at, own.passed);
    line += from - at;
    const Cycle ahead = n + 1 < route.stops.size() ? route.stops[n + 1].offset - stop.offset : stop.flight;
    own.passed = from + flits * stop.slot + stop.turn + (ahead - std::min(ahead, stop.flight));
  }
  shares.own = static_cast<double>(line);
  busiest_ = shares.busiest;
  return shares;
}

std::uint64_t LinkUtilisation::pass(const PacketRoute& route, bool request, std::uint32_t client, Cycle born,
                                    std::uint64_t flits) {
  rest_ += weights_ ? weights_->wait(shares(route, request, client, born, flits))
                    : queued(route, request, client, born, flits);
  const double whole = std::floor(rest_);
  rest_ -= whole;
  return static_cast<std::uint64_t>(whole);
}

void LinkUtilisation::clear() {
  std::ranges::fill(all_, Records{});
  of_client_.clear();
  rest_ = 0;
}

}  // namespace noctule
