#include "tlm/transit.h"

#include <algorithm>

#include "routing/initial_states.h"

namespace noctule::tlm {

Transit::Transit(const FabricPlan& plan, const ZeroLoad& zero_load, const TlmSettings& settings,
                 std::uint8_t request_class, std::uint8_t response_class, std::uint64_t seed,
                 const std::optional<WaitWeights>& calibration)
    : settings_(settings),
      request_class_(request_class),
      response_class_(response_class),
      routes_(plan, zero_load),
      seed_(seed),
      sent_(plan.topology->terminals()),
      pairs_(settings.initiators.size() * settings.targets.size() * 2) {
  if (settings.level == Level::kApproximate) bookings_.emplace(routes_);
  if (settings.contention == Contention::kUtilisation)
    utilisation_.emplace(routes_, settings.utilisation_window, calibration);
}

void Transit::begin(Pair& pair, InitiatorId initiator, TargetId target, bool request) {
  const TerminalId near = settings_.initiators[index(initiator)].terminal;
  const TerminalId far = settings_.targets[index(target)].terminal;
  const std::uint8_t message_class = request ? request_class_ : response_class_;
  pair.from = request ? near : far;
  pair.to = request ? far : near;
  pair.route = &routes_.route(pair.from, pair.to, message_class);
  pair.states = routes_.states(pair.from, pair.to, message_class);
}

PacketRoute& Transit::drawn_way(const Pair& pair, std::uint64_t number) {
  return routes_.drawn(pair.from, pair.to, pair.route->message_class,
                       drawn_state(seed_, pair.from, number, 0, pair.states));
}

Transit::Times Transit::carry(const Load& load, Cycle born, Cycle now, bool final) {
  Pair& pair = pair_of(load.initiator, load.target, load.request);
  PacketRoute& way = way_of(pair);
  const std::uint64_t zero = routes_.zero_load(way, pair.from, load.flits);
  Times times{born, born + zero, 0, 0, 0, false};
  if (bookings_) {
    const std::uint64_t body = zero - routes_.zero_load(way, pair.from, 1) + 1;
    const LinkBookings::Waits waits = bookings_->book({&way, born, load.flits, body, final}, now);
    times.injected += waits.injection;
    times.arrived += waits.all;
    times.number = waits.number;
  } else if (utilisation_) {
    times.arrived += utilisation_->pass(way, load.request, static_cast<std::uint32_t>(index(load.initiator)),
                                        born, load.flits);
    times.outside = utilisation_->outside();
  }
  times.alone = times.arrived;
  return times;
}

Transit::Times Transit::carry_until_due(const Load& load, bool in_order, Cycle born, Cycle earliest,
                                        Cycle now) {
  Times times = carry(load, born, now, false);
  times.arrived = std::max(times.arrived, earliest);
  if (!in_order) return times;
  Pair& pair = pair_of(load.initiator, load.target, load.request);
  times.turn = pair.carried++;
  times.arrived = pair.last = std::max(times.arrived, pair.last);
  return times;
}

Cycle Transit::settle(const Times& times) {
  if (times.number == 0) return times.arrived;
  bookings_->settle(times.number);
  return times.arrived + bookings_->put_off(times.number);
}

std::optional<Cycle> Transit::put_off(const Load& load, bool in_order, Times& times) {
  if (times.number == 0) return std::nullopt;
  Cycle due = std::max(times.arrived, times.alone + bookings_->put_off(times.number));
  Pair& pair = pair_of(load.initiator, load.target, load.request);
  if (in_order) due = pair.put_off = std::max(due, pair.put_off);
  // What was put off to the instant at which the next one is due anyway comes first all the same.
  if (due > times.arrived || (in_order && times.turn != pair.arrived)) return times.arrived = due;
  ++pair.arrived;
  return std::nullopt;
}

void Transit::reset() {
  if (bookings_) bookings_->clear();
  if (utilisation_) utilisation_->clear();
  for (Pair& pair : pairs_) pair.last = pair.put_off = pair.carried = pair.arrived = 0;
}

}  // namespace noctule::tlm
