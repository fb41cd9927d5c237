#include "analytic/link_bookings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace noctule {
namespace {

constexpr std::size_t kEntriesPerChannel = 8;
constexpr double kNone = 1e-9;  // cycles that are none

}  // namespace

LinkBookings::LinkBookings(const PacketRoutes& routes)
    : channels_(routes.channels()),
      entries_(std::bit_ceil(std::max<std::size_t>(64, kEntriesPerChannel * routes.channels()))) {}

/// When the header that arrives at `at` may pass in this VC. Forgets worms that have passed.
Cycle LinkBookings::free_vc(Channel& channel, std::uint32_t vc, Cycle at, Cycle now) {
  Cycle from = at;
  for (std::size_t n = 0; n < channel.size();) {
    const Worm& other = channel[n];
    if (std::max(other.free, other.until) <= now) {
      channel[n] = channel.back();
      channel.pop_back();
      continue;
    }
    ++n;
    if (other.vc == vc && other.arrived <= at) from = std::max(from, other.free);
  }
  return from;
}

/// Takes the VC that is free first.
inline void LinkBookings::choose_vc(const RouteStop& stop, Cycle at, Cycle now, Stop& taken, Worm& worm) {
  Channel* const first = &channels_[stop.first];
  Channel* channel = first;
  Cycle best = kNever;
  for (std::uint32_t v = 0; v < stop.vcs && best != at; ++v) {
    if (const Cycle from = channel->empty() ? at : free_vc(*channel, stop.vc + v, at, now); from < best) {
      best = from;
      worm.vc = stop.vc + v;
      taken.channel = channel;
    }
    if (++channel == first + stop.replicas) channel = first;
  }
  taken.places = stop.places;
  worm.packet = packets_;
  worm.arrived = at;
  worm.from = best;
}

/// Cycles by which it flows more slowly. Sharers are put off; `instead`: what it waits instead of them.
std::uint64_t LinkBookings::share(const Packet& packet, const Entry& me, Cycle start,
                                  std::uint64_t& instead) {
  sharers_.clear();
  for (std::size_t n = 0; n < me.stops.size(); ++n) {
    const RouteStop& stop = packet.route->stops[n];
    if (stop.alone || me.stops[n].channel->empty()) continue;
    const Cycle here = start + stop.offset;
    const double mine = static_cast<double>(packet.flits * stop.slot) / static_cast<double>(packet.body);
    for (const Worm& other : *me.stops[n].channel) {
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
  const std::uint64_t body = packet.body + slowed;
  Cycle ahead = 0;           // when the tail has passed the stop ahead
  std::uint64_t places = 0;  // from here to the last stop
  std::uint64_t lead = 0;    // likewise
  Cycle latest = 0;          // of the stops ahead: when a tail not held up passes, and the lead from there
  for (std::size_t n = mine_.size(); n-- > 0;) {
    const RouteStop& stop = stops[n];
    Worm& worm = mine_[n];
    worm.flows = std::max(worm.from, start + stop.offset);
    if (n + 1 == mine_.size()) {
      worm.until = worm.from + body;
    } else {
      places += stop.places;
      lead += stop.lead;
      worm.until = worm.from + packet.flits * stop.slot;
      if (places < packet.flits)
        worm.until = std::max(worm.until, latest - std::min(latest, lead));
      else
        worm.until = std::max(worm.until, freed(stops, n, packet.flits, body));
    }
    latest = std::max(latest, worm.from + body + lead);
    worm.free = worm.until + stop.turn;
    if (n + 1 < mine_.size()) worm.free = std::max(worm.free, ahead - std::min(ahead, stop.flight));
    ahead = worm.until;
    worm.until = std::max(worm.until, worm.flows + 1);
    const auto cycles = static_cast<std::int64_t>(worm.until - worm.flows);
    worm.share = std::min(1.0F, static_cast<float>(static_cast<std::int64_t>(packet.flits * stop.slot)) /
                                    static_cast<float>(cycles));
  }
}

/// When the places behind stop n come free for the tail, as far as the worm reaches.
Cycle LinkBookings::freed(const std::vector<RouteStop>& stops, std::size_t n, std::uint64_t flits,
                          std::uint64_t body) const {
  Cycle latest = 0;
  std::uint64_t places = stops[n].places;
  std::uint64_t lead = stops[n].lead;
  for (std::size_t m = n + 1; m < mine_.size() && places < flits; ++m) {
    const Cycle passed = mine_[m].from + body;
    latest = std::max(latest, passed - std::min(passed, lead));
    places += stops[m].places;
    lead += stops[m].lead;
  }
  return latest;
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
  const std::vector<RouteStop>& stops = packet.route->stops;
  Waits waits;
  waits.number = ++packets_;
  Entry& me = entry(waits.number);
  me.number = waits.number;
  me.flits = packet.flits;
  me.put_off = 0;
  me.final = packet.final;
  me.stops.resize(stops.size());
  mine_.resize(stops.size());
  Cycle start = packet.born;  // of a header that has waited nowhere, and would be where it is
  for (std::size_t n = 0; n < stops.size(); ++n) {
    choose_vc(stops[n], start + stops[n].offset, now, me.stops[n], mine_[n]);
    start = mine_[n].from - stops[n].offset;
    if (n == 0 && stops[n].offset == 0) waits.injection = start - packet.born;
  }
  std::uint64_t instead = 0;
  const std::uint64_t slowed = share(packet, me, start, instead);
  hold(packet, start, slowed);
  for (std::size_t n = 0; n < stops.size(); ++n) {
    Channel& channel = *me.stops[n].channel;
    if (!channel.empty()) instead += go_first(channel, mine_[n]);
    channel.push_back(mine_[n]);
  }
  waits.all = start - packet.born + slowed + instead;
  return waits;
}

std::uint64_t LinkBookings::put_off(std::uint64_t number) const {
  const Entry& one = entry(number);
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
