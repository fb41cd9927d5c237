#pragma once
// Co-simulation of a configured fabric: RTL against model, every output pin of every router in every cycle.

#include <functional>
#include <optional>
#include <string>

#include "config/model.h"
#include "cosim/shadow.h"
#include "run/point.h"

namespace noctule {

struct CosimSpec {
  PointSpec point;
  CosimConfig cosim;
  /// By RouterId: what is held against the model. Routers without: in shadow mode not looked at, in swapped
  /// mode of the model.
  std::vector<std::optional<RtlSource>> rtl;
  /// Not empty: records this router from `from` on into a waveform file, with the insides of both sides.
  std::string waveform;
  RouterId recorded{};
  std::vector<Cycle> resets;  ///< cycles, ascending, in which everything is reset, in mid-run
  Cycle from = 0;
};

/// Which bits of the routers made from one module have been both 0 and 1.
struct ToggleRecord {
  std::string module;
  Toggles pins;
  Toggles inside;
};

struct CosimRecord {
  LockstepCount count;
  std::optional<Divergence> divergence;
  std::string text;  ///< the divergence, described
  std::uint64_t digest = 0;
  std::uint64_t delivered = 0;  ///< packets
  double user_s = 0;
  std::vector<ToggleRecord> toggles;  ///< where CosimConfig::coverage asks for it
};

/// Runs the bench. Elaborates SystemC, except in plain mode: a process can do this once. Throws ConfigError
/// where the RTL cannot be compiled or has not the pins, or where these routers cannot be in hardware.
CosimRecord run_cosim(const CosimSpec& spec, const std::function<void(double)>& progress = {},
                      const std::function<bool()>& interrupted = {});

/// All routers, if the configuration names none.
[[nodiscard]] std::vector<std::optional<RtlSource>> all_or(std::vector<std::optional<RtlSource>> some,
                                                           const Topology& topology);

}  // namespace noctule
