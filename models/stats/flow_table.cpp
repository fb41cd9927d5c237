#include "stats/flow_table.h"

#include <algorithm>
#include <tuple>

#include "core/rng.h"

namespace noctule {

std::size_t FlowTable::Hash::operator()(const Key& key) const noexcept {
  return static_cast<std::size_t>(mix64(key.ends ^ std::uint64_t{key.message_class} << 56U));
}

FlowCounters& FlowTable::of(TerminalId source, TerminalId destination, std::uint8_t message_class) {
  const Key key{std::uint64_t{index(source)} << 32U | index(destination), message_class};
  const auto [flow, fresh] = flows_.try_emplace(key);
  if (fresh) {
    flow->second.source = source;
    flow->second.destination = destination;
    flow->second.message_class = message_class;
  }
  return flow->second;
}

void FlowTable::delivered(const Packet& packet, TerminalId destination, Cycle t) {
  FlowCounters& flow = of(packet.source, destination, packet.message_class);
  ++flow.packets_delivered;
  flow.flits_delivered += packet.length;
  flow.total_latency += t - packet.birth;
  flow.network_latency += t - packet.injected;
  flow.longest_total = std::max(flow.longest_total, t - packet.birth);
}

std::vector<FlowCounters> FlowTable::flows() const {
  std::vector<FlowCounters> list;
  list.reserve(flows_.size());
  for (const auto& [key, flow] : flows_) list.push_back(flow);
  std::ranges::sort(
      list, {}, [](const FlowCounters& f) { return std::tuple(f.source, f.destination, f.message_class); });
  return list;
}

}  // namespace noctule
