#include "core/json.h"
#include "core/key_effect.h"
#include "traffic/source.h"

namespace noctule {

template <>
SourceRegistry& SourceRegistry::instance() {
  static SourceRegistry registry;
  return registry;
}

namespace {

/// Null: there is none of that name.
const SourceKind* source_of(const Json& resolved) {
  const auto* entry = SourceRegistry::instance().find(
      resolved.at("traffic").at("source").at("kind").get_ref<const std::string&>());
  return entry == nullptr ? nullptr : &entry->make;
}

}  // namespace

SourceKind::Traffic traffic_of(const Json& resolved) {
  const SourceKind* const source = source_of(resolved);
  return source == nullptr ? SourceKind::Traffic::kDrawn : source->traffic;
}

namespace {

using Traffic = SourceKind::Traffic;

bool sends_unicasts_at_once(const Json& resolved) {
  const SourceKind* const source = source_of(resolved);
  return source != nullptr && source->sends == SourceKind::Sends::kUnicastsAtOnce;
}

const EffectOf kMulticasts{
    {{"traffic.multicast.fraction"},
     "",
     "messages are drawn: with traffic.source trace_file, workload, flows or host_slave "
     "the file or the source says who sends to whom, and request_reply sends to one at "
     "a time",
     [](const Json& resolved) {
       return traffic_of(resolved) < Traffic::kRates && !sends_unicasts_at_once(resolved);
     }}};
const EffectOf kPreparation{
    {{"traffic.multicast.preparation_delay", "traffic.multicast.unicast_preparation_delay"},
     "",
     "messages are prepared before they are sent: with traffic.source flows, request_reply and host_slave "
     "they are not",
     [](const Json& resolved) { return !sends_unicasts_at_once(resolved); }}};
const EffectOf kDraws{
    {{"traffic.pattern", "traffic.packet_length", "traffic.packet_lengths"},
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
