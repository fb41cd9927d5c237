#include "analytic/link_bookings.h"

#include <algorithm>

namespace noctule {

Cycle ChannelCalendar::gap(Cycle at, std::uint64_t length) const {
  for (const Interval& one : taken_) {
    if (one.end <= at) continue;
    if (one.from >= at + length) break;
    at = one.end;
  }
  return at;
}

void ChannelCalendar::take(Cycle from, Cycle end) {
  const auto first = std::ranges::find_if(taken_, [&](const Interval& one) { return one.end >= from; });
  auto last = first;
  for (; last != taken_.end() && last->from <= end; ++last) {
    from = std::min(from, last->from);
    end = std::max(end, last->end);
  }
  if (first == last) {
    taken_.insert(first, {from, end});
    return;
  }
  *first = {from, end};
  taken_.erase(first + 1, last);
}

void ChannelCalendar::forget(Cycle now) {
  if (taken_.empty() || taken_.front().end > now) return;
  taken_.erase(taken_.begin(),
               std::ranges::find_if(taken_, [&](const Interval& one) { return one.end > now; }));
}

/// The channel and the VC that are free first.
LinkBookings::Held LinkBookings::find(const RouteStop& stop, Cycle at, std::uint64_t length, Cycle now) {
  Held best{nullptr, nullptr, kNever};
  for (std::uint32_t c = 0; c < stop.replicas; ++c) {
    ChannelCalendar& channel = channels_[stop.first + c];
    channel.forget(now);
    if (stop.vcs == 0) {
      if (const Cycle from = channel.gap(at, length); from < best.from) best = {&channel, nullptr, from};
      continue;
    }
    for (std::uint32_t v = 0; v < stop.vcs; ++v) {
      ChannelCalendar& vc = vcs_[stop.vc + v];
      vc.forget(now);
      Cycle from = at;
      for (Cycle before = kNever; before != from;) {
        before = from;
        from = vc.gap(channel.gap(from, length), length);
      }
      if (from < best.from) best = {&channel, &vc, from};
      if (from == at) return best;
    }
  }
  return best;
}

LinkBookings::Waits LinkBookings::book(const PacketRoute& route, Cycle born, std::uint64_t flits, Cycle now) {
  Waits waits;
  held_.clear();
  for (const RouteStop& stop : route.stops) {
    const Cycle at = born + stop.offset + waits.all;
    held_.push_back(find(stop, at, flits * stop.slot, now));
    waits.all += held_.back().from - at;
    if (held_.size() == 1 && stop.offset == 0) waits.injection = waits.all;
  }
  Cycle tail = 0;  // when the tail has passed the stop ahead
  for (std::size_t n = held_.size(); n-- > 0;) {
    const RouteStop& stop = route.stops[n];
    const Held& held = held_[n];
    const Cycle passed = held.from + flits * stop.slot;
    Cycle until = passed;
    Cycle mine = passed;
    if (n + 1 < held_.size()) {
      const RouteStop& ahead = route.stops[n + 1];
      const std::uint64_t way = ahead.offset - stop.offset;
      until = std::max(passed, tail - std::min(tail, way));
      if (flits > stop.places) mine = std::max(passed, tail - std::min(tail, stop.places * ahead.slot));
    }
    until = std::max(until, passed + stop.turn);
    held.channel->take(held.from, held.vc == nullptr ? until : passed);
    if (held.vc != nullptr) held.vc->take(held.from, until);
    tail = mine;
  }
  return waits;
}

void LinkBookings::clear() {
  for (ChannelCalendar& one : channels_) one.clear();
  for (ChannelCalendar& one : vcs_) one.clear();
}

}  // namespace noctule
