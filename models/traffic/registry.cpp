#include "core/json.h"
#include "core/key_effect.h"
#include "traffic/source.h"

namespace noctule {

template <>
SourceRegistry& SourceRegistry::instance() {
  static SourceRegistry registry;
  return registry;
}

SourceKind::Traffic traffic_of(const Json& resolved) {
  const auto* entry = SourceRegistry::instance().find(
      resolved.at("traffic").at("source").at("kind").get_ref<const std::string&>());
  return entry == nullptr ? SourceKind::Traffic::kDrawn : entry->make.traffic;
}

namespace {

using Traffic = SourceKind::Traffic;

const EffectOf kDraws{
    {{"traffic.pattern", "traffic.packet_length", "traffic.packet_lengths", "traffic.multicast.fraction"},
     "",
     "packets are drawn: with traffic.source trace_file, workload or flows the file says who sends "
     "what and to whom",
     [](const Json& resolved) { return traffic_of(resolved) < Traffic::kRates; }}};
const EffectOf kLoad{{{"traffic.offered_load", "traffic.load_unit"},
                      "",
                      "packets are generated over time: with traffic.source static all are there at cycle 0, "
                      "and with trace_file, workload or flows the file says when each is sent or how "
                      "often",
                      [](const Json& resolved) { return traffic_of(resolved) == Traffic::kDrawn; }}};

}  // namespace

}  // namespace noctule
