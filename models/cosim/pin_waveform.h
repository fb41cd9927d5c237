#pragma once
// The pins of one router, of the model and of the RTL, as a waveform.

#include <string>
#include <vector>

#include "cosim/shadow.h"
#include "trace/vcd_writer.h"

namespace noctule {

/// Scopes "inputs", "model" (outputs as expected) and "rtl" (outputs as they are), from cycle `from` on.
/// Opens a waveform of what is inside the RTL beside its own.
class PinWaveform final : public PinRecorder {
 public:
  PinWaveform(std::string path, std::string inside_path, const PinMap& map, Cycle from);
  void record(Cycle t, const std::uint64_t* in, const std::uint64_t* expected, const std::uint64_t* actual,
              VerilatedRouter& rtl) override;
  void close();

 private:
  VcdWriter vcd_;
  std::string inside_path_;
  Cycle from_;
  Cycle last_ = 0;
  bool inside_open_ = false;
  std::vector<VcdWriter::Variable> inputs_;
  std::vector<VcdWriter::Variable> expected_;
  std::vector<VcdWriter::Variable> actual_;
  VcdWriter::Variable differs_;
};

}  // namespace noctule
