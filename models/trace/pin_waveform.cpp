#include "trace/pin_waveform.h"

#include <algorithm>
#include <utility>

namespace noctule {

PinWaveform::PinWaveform(std::string path, std::string inside_path, const PinMap& map, Cycle from,
                         bool lockstep)
    : vcd_(std::move(path), "1 ns", 1), inside_path_(std::move(inside_path)), from_(from) {
  const auto declare = [&](const std::vector<Pin>& pins, const char* scope) {
    std::vector<VcdWriter::Variable> variables;
    variables.reserve(pins.size());
    for (const Pin& pin : pins)
      variables.push_back(vcd_.add(scope, pin.name, pin.width, VcdWriter::Kind::kWire));
    return variables;
  };
  if (lockstep) differs_ = vcd_.add("pins", "differs", 1, VcdWriter::Kind::kWire);
  inputs_ = declare(map.inputs(), "pins.inputs");
  if (lockstep) expected_ = declare(map.outputs(), "pins.model");
  actual_ = declare(map.outputs(), "pins.rtl");
  vcd_.end_definitions();
}

void PinWaveform::record(Cycle t, const std::uint64_t* in, const std::uint64_t* expected,
                         const std::uint64_t* actual, VerilatedRouter& rtl) {
  if (t < from_ || t < last_) return;
  vcd_.begin(t);
  last_ = t + 1;
  for (std::size_t i = 0; i < inputs_.size(); ++i) vcd_.set(inputs_[i], in[i]);
  for (std::size_t o = 0; o < actual_.size(); ++o) vcd_.set(actual_[o], actual[o]);
  for (std::size_t o = 0; o < expected_.size(); ++o) vcd_.set(expected_[o], expected[o]);
  if (!expected_.empty())
    vcd_.set(differs_, std::equal(expected, expected + expected_.size(), actual) ? 0 : 1);
  if (inside_ == nullptr) rtl.open_trace(inside_path_);
  inside_ = &rtl;
  rtl.dump(t);
}

void PinWaveform::close() {
  if (std::exchange(closed_, true)) return;
  if (inside_ != nullptr) inside_->close_trace();
  vcd_.finish(last_);
  vcd_.close();
}

}  // namespace noctule
