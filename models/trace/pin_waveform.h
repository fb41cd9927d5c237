#pragma once
// The pins and the insides of one router in hardware, as a waveform.

#include <string>
#include <vector>

#include "rtl/dut.h"
#include "rtl/pin_map.h"
#include "trace/vcd_writer.h"

namespace noctule {

/// Scopes "pins.inputs" and "pins.rtl" (outputs), from cycle `from` on; in lockstep also "pins.model"
/// (outputs as expected) and the bit "pins.differs". Opens a waveform of what is inside the RTL beside its
/// own.
class PinWaveform {
 public:
  /// `lockstep`: a model is there, too.
  PinWaveform(std::string path, std::string inside_path, const PinMap& map, Cycle from, bool lockstep);
  /// Once a cycle, in order. `expected`: of the model; null without one.
  void record(Cycle t, const std::uint64_t* in, const std::uint64_t* expected, const std::uint64_t* actual,
              VerilatedRouter& rtl);
  /// While the router is still there. Does nothing the second time.
  void close();

 private:
  VcdWriter vcd_;
  std::string inside_path_;
  Cycle from_;
  Cycle last_ = 0;
  VerilatedRouter* inside_ = nullptr;  ///< whose insides are open
  bool closed_ = false;
  std::vector<VcdWriter::Variable> inputs_;
  std::vector<VcdWriter::Variable> expected_;  ///< none without a model
  std::vector<VcdWriter::Variable> actual_;
  VcdWriter::Variable differs_;
};

}  // namespace noctule
