#include "tlm/transaction_waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tlm/flow_latency.h"

namespace noctule::tlm {

/// What ends at an instant comes before what begins at it.
struct TransactionWaveform::Change {
  std::uint64_t at;
  bool begins;
  VcdWriter::Variable variable;
  std::uint64_t value;
};

TransactionWaveform::TransactionWaveform(const TlmSettings& settings, std::string path)
    : period_ps_(settings.period_ns * 1000), path_(std::move(path)), spans_(settings.initiators.size()) {
  std::set<std::string> taken;
  for (std::size_t n = 0; n < settings.initiators.size(); ++n) {
    std::string name = vcd_name(settings.initiators[n].name);
    if (!taken.insert(name).second) taken.insert(name += fmt::format("_{}", n));
    scopes_.push_back("transactions." + name);
  }
}

void TransactionWaveform::add(const TransactionRecord& record) {
  constexpr std::uint64_t kAddress = (std::uint64_t{1} << VcdWriter::kMostBits) - 1;
  const auto instant = [this](Cycle cycle) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycle) * period_ps_));
  };
  Span span{};
  span.begin = picoseconds(record.begin);
  span.response = std::max(span.begin, picoseconds(record.response));
  span.accepted = std::clamp(picoseconds(record.accepted), span.begin, span.response);
  // The tail is there at the end of its cycle; without packets nothing was under way.
  span.reached =
      record.complete() ? std::clamp(instant(record.reached()), span.accepted, span.response) : span.accepted;
  span.answered =
      record.complete() ? std::clamp(instant(record.answered()), span.reached, span.response) : span.response;
  span.address = record.burst.address & kAddress;
  span.length = record.burst.length;
  span.command = static_cast<std::uint8_t>(record.burst.access);
  spans_[index(record.initiator)].push_back(span);
}

/// Of one initiator: a transaction takes the first scope that is free.
std::vector<TransactionWaveform::Change> TransactionWaveform::changes_of(VcdWriter& vcd,
                                                                         const std::string& scope,
                                                                         std::vector<Span>& spans) const {
  struct Lane {
    VcdWriter::Variable valid, address, length, command, phase;
    std::uint64_t until;
  };
  std::vector<Change> changes;
  std::vector<Lane> lanes;
  const auto lane_of = [&](const std::string& name) -> Lane& {
    const auto add = [&](const char* variable, unsigned bits) {
      return vcd.add(name, variable, bits, VcdWriter::Kind::kWire);
    };
    Lane lane{add("valid", 1),   add("address", VcdWriter::kMostBits),
              add("length", 32), add("command", 2),
              add("phase", 3),   0};
    changes.push_back({0, false, lane.valid, 0});
    changes.push_back({0, false, lane.phase, 0});
    return lanes.emplace_back(lane);
  };
  (void)lane_of(scope);
  std::ranges::stable_sort(spans, {}, &Span::begin);
  for (const Span& span : spans) {
    auto lane = std::ranges::find_if(lanes, [&](const Lane& one) { return one.until <= span.begin; });
    if (lane == lanes.end()) {
      (void)lane_of(fmt::format("{}.also_{}", scope, lanes.size()));
      lane = lanes.end() - 1;
    }
    lane->until = span.response;
    changes.push_back({span.begin, true, lane->valid, 1});
    changes.push_back({span.begin, true, lane->address, span.address});
    changes.push_back({span.begin, true, lane->length, span.length});
    changes.push_back({span.begin, true, lane->command, span.command});
    std::uint64_t phase = 1;
    for (const std::uint64_t at : {span.begin, span.accepted, span.reached, span.answered})
      changes.push_back({at, true, lane->phase, phase++});
    changes.push_back({span.response, span.response == span.begin, lane->valid, 0});
    changes.push_back({span.response, span.response == span.begin, lane->phase, 0});
  }
  return changes;
}

void TransactionWaveform::write() {
  VcdWriter vcd(path_, "1 ps", 1);
  std::vector<Change> changes;
  for (std::size_t n = 0; n < scopes_.size(); ++n) {
    const auto some = changes_of(vcd, scopes_[n], spans_[n]);
    changes.insert(changes.end(), some.begin(), some.end());
  }
  vcd.end_definitions();
  std::ranges::stable_sort(changes, {}, [](const Change& one) { return std::pair(one.at, one.begins); });
  for (const Change& one : changes) {
    vcd.begin(one.at);
    vcd.set(one.variable, one.value);
  }
  if (!changes.empty()) vcd.finish(changes.back().at);
  vcd.close();
}

}  // namespace noctule::tlm
