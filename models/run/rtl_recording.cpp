#include "run/rtl_recording.h"

#include "trace/vcd_merge.h"

namespace noctule {

void RtlRecorder::open(const PinMap& pins) {
  waveform_.emplace(part("pins"), part("rtl"), pins, from_, false);
  rest_ = pins.at_rest(router_);
}

bool RtlRecorder::stepped(RouterId router, Cycle t, const std::uint64_t* in, const std::uint64_t* out,
                          VerilatedRouter& rtl) {
  if (router == router_ && t <= to_)
    waveform_->record(t, in != nullptr ? in : rest_.data(), nullptr, out, rtl);
  return true;
}

void RtlRecorder::close() {
  if (!waveform_) return;
  waveform_->close();
  join_vcds(file_, {{"", part("pins")}, {"inside", part("rtl")}});
}

}  // namespace noctule
