#include "tlm/flow_latency.h"

#include <algorithm>
#include <cmath>

#include "core/json.h"

namespace noctule::tlm {

std::uint64_t picoseconds(const sc_time& time) {
  return static_cast<std::uint64_t>(std::llround(time.to_seconds() * 1e12));
}

void FlowLatency::add(std::uint64_t of_bytes, std::uint64_t ps, std::uint64_t in_cycles) {
  ++transactions;
  bytes += of_bytes;
  sum_ps += ps;
  cycles.record(in_cycles);
}

void FlowLatencies::ended(const TransactionRecord& record) {
  const std::uint64_t begin = picoseconds(record.begin);
  const std::uint64_t end = picoseconds(record.response);
  first_ps_ = std::min(first_ps_, begin);
  last_ps_ = std::max(last_ps_, end);
  if (record.status != ::tlm::TLM_OK_RESPONSE) ++not_ok_;
  if (!record.complete()) {
    ++without_packets_;
    return;
  }
  const auto cycles =
      static_cast<std::uint64_t>(std::ceil(static_cast<double>(end - begin) / (settings_.period_ns * 1000)));
  const std::size_t initiator = index(record.initiator);
  const std::size_t target = index(record.pieces.front().target);
  for (FlowLatency* const one : {&flows_[{initiator, target}], &initiators_[initiator], &targets_[target]})
    one->add(record.burst.length, end - begin, cycles);
}

Json FlowLatencies::json_of(const FlowLatency& one) const {
  return {{"transactions", one.transactions},
          {"bytes", one.bytes},
          {"bytes_per_ns", static_cast<double>(one.bytes) * 1000 /
                               static_cast<double>(std::max<std::uint64_t>(1, last_ps_ - first_ps_))},
          {"latency_ns", one.mean_ps() / 1000},
          {"latency_cycles",
           {{"p50", one.cycles.percentile(50)},
            {"p95", one.cycles.percentile(95)},
            {"p99", one.cycles.percentile(99)},
            {"max", one.cycles.max()}}}};
}

Json FlowLatencies::json() const {
  Json flows = Json::array();
  Json initiators = Json::object();
  Json targets = Json::object();
  std::uint64_t complete = 0;
  for (const auto& [sockets, one] : flows_) {
    Json flow{{"initiator", settings_.initiators[sockets.first].name},
              {"target", settings_.targets[sockets.second].name}};
    flow.update(json_of(one));
    flows.push_back(std::move(flow));
    complete += one.transactions;
  }
  for (const auto& [number, one] : initiators_) initiators[settings_.initiators[number].name] = json_of(one);
  for (const auto& [number, one] : targets_) targets[settings_.targets[number].name] = json_of(one);
  return {{"level", kLevels[static_cast<std::size_t>(settings_.level)]},
          {"transactions", complete + without_packets_},
          {"without_packets", without_packets_},
          {"not_ok", not_ok_},
          {"begin_ns", complete + without_packets_ == 0 ? 0.0 : static_cast<double>(first_ps_) / 1000},
          {"end_ns", end_ns()},
          {"flows", flows},
          {"initiators", initiators},
          {"targets", targets}};
}

}  // namespace noctule::tlm
