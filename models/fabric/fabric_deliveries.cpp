// Fabric: packets out, and what the source is told.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/error.h"
#include "core/foreign_code.h"
#include "fabric/fabric.h"

namespace noctule {

std::uint64_t Fabric::zero_load_of(PacketHandle handle) const {
  const Packet& packet = context_.packets[handle];
  const ZeroLoad& zero_load = timing_.zero_load();
  if (zero_load.by_hops()) return zero_load.latency(packet.hops, packet.length);
  return zero_load.latency(plan_.injection_router(packet.source, packet.message_class),
                           packet.hops == 0 ? std::span<const LinkId>{} : paths_[index(handle)],
                           packet.length);
}

void Fabric::packet_delivered(PacketHandle handle, Cycle t) {
  const Packet& packet = context_.packets[handle];
  ++totals_.packets_delivered;
  ends_ += t;
  last_delivery_ = std::max(last_delivery_, t);
  totals_.hops += packet.hops;
  totals_.header_wait += packet.waited;
  totals_.zero_load += zero_load_of(handle);
  totals_.record_latency(packet.birth, packet.injected, t,
                         [&] { return delivery_of(packet, packet.destination, 0, t); });
  if (!totals_.classes.empty()) {
    ClassCounters& of_class = totals_.classes[packet.message_class];
    ++of_class.packets_delivered;
    of_class.total_latency.record(t - packet.birth);
    of_class.network_latency.record(t - packet.injected);
  }
  ++totals_.copies;
  ++totals_.destinations;
  totals_.message_flits += packet.length;
  tell(packet, packet.destination, 0, t);
  context_.packets.remove(handle);
}

Delivery Fabric::delivery_of(const Packet& packet, TerminalId destination, std::uint32_t remaining, Cycle t) {
  return {packet.source,   destination, packet.number, packet.length,        packet.hops, packet.birth,
          packet.injected, t,           remaining,     packet.message_class, packet.user};
}

void Fabric::tell(const Packet& packet, TerminalId destination, std::uint32_t remaining, Cycle t) {
  const std::uint64_t pair = static_cast<std::uint64_t>(index(packet.source)) << 32 | index(destination);
  digest_ += mix64(mix64(pair + 0x9e3779b97f4a7c15ULL) ^ mix64(packet.number + (t << 24) + (t >> 40)));
  if (flows_) [[unlikely]]
    flows_->delivered(packet, destination, t);
  if (consumption.size() > 0 || (source_ && source_->listens()))
    deliveries_.push_back(delivery_of(packet, destination, remaining, t));
}

/// Told in the order of terminals, then of sources, whatever the order of evaluation was.
void Fabric::tell_deliveries() {
  std::sort(deliveries_.begin(), deliveries_.end(), [](const Delivery& a, const Delivery& b) {
    return std::tie(a.destination, a.source, a.number) < std::tie(b.destination, b.source, b.number);
  });
  for (const Delivery& delivery : deliveries_) {
    for (int i = 0; i < consumption.size(); ++i) consumption[i]->delivered(delivery);
    if (!source_ || !source_->listens()) continue;
    woken_.clear();
    ask_part("traffic.source", "the source", [&] { source_->delivered(delivery, woken_); });
    ask_woken();
  }
  deliveries_.clear();
}

/// The source is asked anew for the terminals that it woke, of each once, however often it woke it. What it
/// gave before, and is not born yet, it is asked for again: an earlier packet may come first now.
void Fabric::ask_woken() {
  for (const TerminalId terminal : woken_) {
    if (index(terminal) >= sending_.size())
      throw ConfigError("traffic.source", fmt::format("the source wakes terminal {}; there are 0 to {}",
                                                      index(terminal), sending_.size() - 1));
    if (asked_[index(terminal)]) continue;
    asked_[index(terminal)] = true;
    auto& sending = sending_[index(terminal)];
    if (sending.next.birth != kNever) {
      wheel_.remove(static_cast<std::uint32_t>(terminal), band_of(terminal));
      --sending.asked;
    }
    ask_source(terminal);
  }
  for (const TerminalId terminal : woken_) asked_[index(terminal)] = false;
}

/// After a reset.
void Fabric::restart_source(Cycle t) {
  if (!ask_part("traffic.source", "the source", [&] { return source_->restart(t); })) return;
  woken_.clear();
  for (std::uint32_t n = 0; n < sending_.size(); ++n) woken_.push_back(TerminalId{n});
  ask_woken();
}

/// Told in the order of terminals, then of packets.
void Fabric::tell_injections(Cycle t) {
  const PacketTable& packets = context_.packets;
  std::ranges::sort(begun_, {}, [&](PacketHandle handle) {
    return std::tuple(packets[handle].source, packets[handle].number);
  });
  woken_.clear();
  for (const PacketHandle handle : begun_)
    ask_part("traffic.source", "the source",
             [&] { source_->injected(packets[handle].source, packets[handle].user, t, woken_); });
  begun_.clear();
  ask_woken();
}

}  // namespace noctule
