#include "analytic/link_bookings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace noctule {
namespace {

constexpr std::size_t kEntriesPerChannel = 8;
constexpr double kNone = 1e-9;  // cycles that are none

}  // namespace

LinkBookings::LinkBookings(const PacketRoutes& routes)
    : channels_(routes.channels()),
      entries_(std::max<std::size_t>(64, kEntriesPerChannel * routes.channels())) {}

/// Of the VC that is free first. Its channel and the worm go to `held_` and `mine_`.
std::uint64_t LinkBookings::wait_for_vc(const RouteStop& stop, Cycle at, Cycle now) {
  Cycle best = kNever;
  std::uint32_t best_vc = 0;
  for (std::uint32_t v = 0; v < stop.vcs && best != at; ++v) {
    Channel& channel = channels_[stop.first + v % stop.replicas];
    Cycle from = at;
    for (std::size_t n = 0; n < channel.size();) {
      if (std::max(channel[n].free, channel[n].until) <= now) {
        channel[n] = channel.back();
        channel.pop_back();
        continue;
      }
      const Worm& other = channel[n++];
      if (other.vc == stop.vc + v && other.arrived <= at) from = std::max(from, other.free);
    }
    if (from >= best) continue;
    best = from;
    best_vc = v;
  }
  held_.push_back(&channels_[stop.first + best_vc % stop.replicas]);
  mine_.push_back({packets_, at, best, best, best, best, 1, stop.vc + best_vc});
  return best - at;
}

/// Cycles by which it flows more slowly. Sharers are put off; `instead`: what it waits instead of them.
std::uint64_t LinkBookings::share(const Packet& packet, Cycle start, std::uint64_t& instead) {
  sharers_.clear();
  for (std::size_t n = 0; n < held_.size(); ++n) {
    const RouteStop& stop = packet.route->stops[n];
    if (stop.alone) continue;
    const Cycle here = start + stop.offset;
    const double mine = static_cast<double>(packet.flits * stop.slot) / static_cast<double>(packet.body);
    for (const Worm& other : *held_[n]) {
      if (other.vc == mine_[n].vc || other.until <= here || other.share + mine <= 1) continue;
      const double from = other.flows <= here ? 0 : static_cast<double>(other.flows - here);
      const double end = static_cast<double>(other.until - here);
      const auto known = std::ranges::find(sharers_, other.packet, &Sharer::packet);
      if (known == sharers_.end()) {
        sharers_.push_back({other.packet, from, end, other.share, 0});
      } else {
        known->from = std::min(known->from, from);
        known->end = std::max(known->end, end);
      }
    }
  }
  if (sharers_.empty()) return 0;
  const auto body = static_cast<double>(packet.body);
  const double taken = flow(body);
  for (const Sharer& other : sharers_)
    if (const auto by = std::llround(other.slowed); by > 0)
      instead += delay(other.packet, nullptr, static_cast<std::uint64_t>(by));
  return static_cast<std::uint64_t>(std::llround(taken - body));
}

/// Cycles that a body takes which takes so many alone: from one instant to the next one at which somebody
/// begins or ends.
double LinkBookings::flow(double body) {
  double left = body;
  double t = 0;
  while (left > kNone) {
    double next = std::numeric_limits<double>::infinity();
    unsigned active = 0;
    double shares = 0;
    for (const Sharer& one : sharers_)
      if (one.from > t) {
        next = std::min(next, one.from);
      } else if (one.end > t) {
        ++active;
        shares += one.share;
      }
    const double rate = active == 0 ? 1 : std::max(1.0 / (active + 1), 1 - shares);
    const double slow = shares > 1 - rate ? (1 - rate) / shares : 1;  // speed of the others
    double step = std::min(next - t, left / rate);
    for (const Sharer& one : sharers_)
      if (one.from <= t && one.end > t) step = std::min(step, (one.end - t) / slow);
    for (Sharer& one : sharers_)
      if (one.from <= t && one.end > t) {
        one.end += step * (1 - slow);
        one.slowed += step * (1 - slow);
        if (one.end - t - step < kNone) one.end = t + step;
      }
    left -= step * rate;
    t += step;
  }
  return t;
}

/// Until when it holds each stop. Its tail passes once the flit that frees its place in the next buffer has
/// gone on, for which the one before had to free a place further on, and so on.
void LinkBookings::hold(const Packet& packet, Cycle start, std::uint64_t slowed) {
  const std::vector<RouteStop>& stops = packet.route->stops;
  Cycle ahead = 0;  // when the tail has passed the stop ahead
  for (std::size_t n = held_.size(); n-- > 0;) {
    const RouteStop& stop = stops[n];
    Worm& worm = mine_[n];
    worm.flows = std::max(worm.from, start + stop.offset);
    worm.until = worm.from + packet.flits * stop.slot;
    if (n + 1 == held_.size()) worm.until = worm.from + packet.body + slowed;
    std::uint64_t places = stop.places;
    std::uint64_t lead = stop.lead;
    for (std::size_t m = n + 1; m < held_.size() && places < packet.flits; ++m) {
      const Cycle passed = mine_[m].from + packet.body + slowed;
      worm.until = std::max(worm.until, passed - std::min(passed, lead));
      places += stops[m].places;
      lead += stops[m].lead;
    }
    worm.free = worm.until + stop.turn;
    if (n + 1 < held_.size()) worm.free = std::max(worm.free, ahead - std::min(ahead, stop.flight));
    ahead = worm.until;
    worm.until = std::max(worm.until, worm.flows + 1);
    worm.share = std::min(
        1.0F, static_cast<float>(packet.flits * stop.slot) / static_cast<float>(worm.until - worm.flows));
  }
}

/// Before those that arrive later, but booked earlier. Returns what it has to wait for those that cannot be
/// put off.
std::uint64_t LinkBookings::go_first(Channel& channel, const Worm& worm) {
  std::uint64_t wait = 0;
  for (const Worm& other : channel)
    if (other.vc == worm.vc && other.arrived > worm.arrived && other.from < worm.free &&
        other.free > worm.from)
      wait += delay(other.packet, &channel, worm.free - other.from);
  return wait;
}

/// From this channel on; null: it flows more slowly, everywhere. Returns what somebody else has to wait
/// instead.
std::uint64_t LinkBookings::delay(std::uint64_t number, const Channel* at, std::uint64_t by) {
  Entry& one = entry(number);
  if (one.number != number) return by;
  bool there = false;
  for (std::size_t n = 0; n < one.stops.size(); ++n) {
    Channel& channel = *one.stops[n].channel;
    const auto worm = std::ranges::find(channel, number, &Worm::packet);
    const bool here = &channel == at;
    if (worm != channel.end()) {
      if (there || here) {
        if (!here) worm->arrived += by;
        for (Cycle* const instant : {&worm->from, &worm->flows, &worm->until, &worm->free}) *instant += by;
      } else if (one.flits > one.stops[n].places) {
        if (at == nullptr)
          worm->share *= static_cast<float>(worm->until - worm->flows) /
                         static_cast<float>(worm->until + by - worm->flows);
        else
          worm->flows += by;
        worm->until += by;
        worm->free += by;
      } else if (n + 1 < one.stops.size() && one.stops[n + 1].channel == at) {
        worm->free += by;
      }
    }
    there = there || here;
  }
  if (one.final) return by;
  one.put_off += by;
  return 0;
}

LinkBookings::Waits LinkBookings::book(const Packet& packet, Cycle now) {
  Waits waits;
  waits.number = ++packets_;
  held_.clear();
  mine_.clear();
  for (const RouteStop& stop : packet.route->stops) {
    waits.all += wait_for_vc(stop, packet.born + stop.offset + waits.all, now);
    if (held_.size() == 1 && stop.offset == 0) waits.injection = waits.all;
  }
  const Cycle start = packet.born + waits.all;
  std::uint64_t instead = 0;
  const std::uint64_t slowed = share(packet, start, instead);
  hold(packet, start, slowed);

  Entry& me = entry(waits.number);
  me.number = waits.number;
  me.flits = packet.flits;
  me.put_off = 0;
  me.final = packet.final;
  me.stops.clear();
  for (std::size_t n = 0; n < held_.size(); ++n) {
    instead += go_first(*held_[n], mine_[n]);
    held_[n]->push_back(mine_[n]);
    me.stops.push_back({held_[n], packet.route->stops[n].places});
  }
  waits.all += slowed + instead;
  return waits;
}

std::uint64_t LinkBookings::put_off(std::uint64_t number) const {
  const Entry& one = entries_[number % entries_.size()];
  return one.number == number ? one.put_off : 0;
}

void LinkBookings::settle(std::uint64_t number) {
  if (Entry& one = entry(number); one.number == number) one.final = true;
}

void LinkBookings::clear() {
  for (Channel& one : channels_) one.clear();
  for (Entry& one : entries_) one.number = 0;
}

}  // namespace noctule
