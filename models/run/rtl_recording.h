#pragma once
// What a router in hardware did before it broke a rule: its pins and its insides, as a waveform.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/rtl_router.h"
#include "trace/pin_waveform.h"

namespace noctule {

/// Records one router of a fabric.
class RtlRecorder final : public PinTap {
 public:
  /// From cycle `from` to `to`, at most, into this file (VCD).
  RtlRecorder(RouterId router, Cycle from, Cycle to, std::string file)
      : router_(router), from_(from), to_(to), file_(std::move(file)) {}

  [[nodiscard]] RouterId router() const { return router_; }
  /// Before the first cycle; the router was compiled for waveforms (build_rtl_nodes).
  void open(const PinMap& pins);
  bool stepped(RouterId router, Cycle t, const std::uint64_t* in, const std::uint64_t* out,
               VerilatedRouter& rtl) override;
  /// Throws ConfigError where the file cannot be written.
  void close();

 private:
  [[nodiscard]] std::string part(const char* what) const { return file_ + "." + what; }

  RouterId router_;
  Cycle from_;
  Cycle to_;
  std::string file_;
  std::optional<PinWaveform> waveform_;
  std::vector<std::uint64_t> rest_;  ///< input pins before the first cycle
};

}  // namespace noctule
