#pragma once
// Waveform of a fabric, or of any part of it, in a window of cycles.
//
// Cycle N is at #N (with a period of one time unit). There one sees the registers (buffers, connections,
// states, credits) as they are at the start of cycle N, what arrives over the links then included, and the
// wires (grants, transfers through crossbars, flits on links, injection, consumption) of cycle N. So a
// transfer at #N shows in the output buffer at #N+1, a flit on a link at #N in the next input buffer at #N +
// flit delay.

#include <cstdint>
#include <string>
#include <vector>

#include "blocks/observer.h"
#include "fabric/fabric.h"
#include "trace/vcd_writer.h"
#include "trace/waveform_signals.h"
#include "trace/window.h"

namespace noctule {

class Waveform final : public FlitObserver {
 public:
  /// `globs` choose signals by their name ("router_3_4.link_0.valid"), with or without the fabric's in front;
  /// choosing a block or router chooses what is in it. Throws ConfigError (key "trace.scope") for a glob that
  /// chooses nothing. The fabric outlives the waveform.
  Waveform(std::string path, const Fabric& fabric, const std::vector<std::string>& globs, CycleWindow window);

  void on_cycle_start(Cycle t) override;
  void on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input, Flit flit,
               const Packet& packet) override;
  void on_cycle_end(Cycle t) override;
  /// Ends the file at the last cycle performed or at the end of the window. Throws ConfigError if it could
  /// not be written. May be called again.
  void close();

  /// All signals, in the order of the file.
  [[nodiscard]] const std::vector<SignalInfo>& signals() const { return declared_; }
  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const std::string& path() const { return vcd_.path(); }
  [[nodiscard]] const CycleWindow& window() const { return window_; }
  /// Time units of the file per cycle.
  [[nodiscard]] std::uint64_t units_per_cycle() const { return vcd_.step(); }

 private:
  static constexpr std::uint32_t kNotChosen = 0xffff'ffffU;

  void declare(const std::vector<std::string>& globs);
  void show_quiet(Cycle t);
  void sample(bool arrivals, Cycle t);
  void sample_inputs(const RouterSignals& router, bool arrivals, Cycle t);
  void sample_outputs(const RouterSignals& router, bool arrivals, Cycle t);
  void sample_crossbars(const RouterSignals& router);
  void set_unknown(const FlitSignals& signals);
  void set_flit(const FlitSignals& signals, const Flit* flit);
  void pulse(VcdWriter::Variable variable, std::uint64_t value, std::uint64_t rest);
  void pulse_flit(const FlitSignals& signals, Flit flit, const Packet& packet, TerminalId destination);
  void pulse_grant(const RouterSignals& router, std::size_t input, std::size_t output);
  void pulse_transfer(const RouterSignals& router, std::size_t input, std::size_t output);
  void drive_wires();
  void finish(Cycle end);

  struct Wire {
    VcdWriter::Variable variable;
    std::uint64_t rest;
  };
  struct Driven {
    std::uint64_t value = 0;
    std::uint64_t round = 0;  ///< in which it was driven
  };

  const Fabric& fabric_;
  CycleWindow window_;
  VcdWriter vcd_;
  std::vector<SignalInfo> declared_;
  std::vector<RouterSignals> routers_;
  std::vector<std::uint32_t> chosen_;           ///< by RouterId: index into routers_
  std::vector<Driven> driven_;                  ///< by variable
  std::vector<Wire> now_;                       ///< wires that are driven in this cycle
  std::vector<Wire> before_;                    ///< and were in the last one that was shown
  std::uint64_t round_ = 1;                     ///< counts the cycles that were shown
  std::vector<std::vector<unsigned>> granted_;  ///< [router][crossbar]: grants of this cycle
  std::vector<Flit> flits_;
  Cycle next_ = 0;  ///< first cycle that is still to be shown
  bool in_cycle_ = false;
  bool finished_ = false;
};

}  // namespace noctule
