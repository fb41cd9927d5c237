#pragma once
// Two routers side by side: are their output pins alike in every cycle? And if not, what is there to look at.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "rtl/pin_map.h"
#include "rtl/toggles.h"

namespace noctule {

struct PinDifference {
  std::string pin;
  std::uint64_t expected = 0;
  std::uint64_t actual = 0;
};

/// The first cycle in which two routers differ.
struct Divergence {
  /// The pins of one cycle, in the order of the PinMap. Before the divergence both routers show `expected`.
  struct Snapshot {
    Cycle cycle = 0;
    std::vector<std::uint64_t> inputs;
    std::vector<std::uint64_t> expected;
  };
  /// The port in one cycle.
  struct PortValue {
    Cycle cycle = 0;
    std::uint64_t expected = 0;
    std::uint64_t actual = 0;
  };

  RouterId router{};
  std::string router_name;
  std::string port;  ///< name of the first pin that differs, in the order of the PinMap
  Cycle cycle = 0;
  std::uint64_t expected = 0;
  std::uint64_t actual = 0;
  std::vector<PinDifference> differences;  ///< all pins that differ in that cycle, the first included
  std::vector<PortValue> history;          ///< of the port, oldest first, that cycle included
  std::vector<Snapshot> cycles;            ///< all pins of the same cycles
  /// Not empty: what the code of the RTL has found itself, and where it says so (file:line). Then no pin
  /// differs, and `port` is "assertion".
  std::string text;
  std::string place;
};

/// Clear text: what differs, with flits decoded, the port over time, and what the routers were given lately.
[[nodiscard]] std::string describe(const Divergence& divergence, const PinMap& map);

/// What was compared.
struct LockstepCount {
  std::uint64_t router_cycles = 0;
  std::uint64_t moving = 0;  ///< router-cycles with a flit moving: on a link, injected or consumed
  std::uint64_t values = 0;  ///< of output pins
  LockstepCount& operator+=(const LockstepCount& other) {
    router_cycles += other.router_cycles;
    moving += other.moving;
    values += other.values;
    return *this;
  }
};

/// Compares the output pins of one router cycle by cycle. Nothing is compared behind the first difference:
/// routers that have gone different ways differ ever after.
class Lockstep {
 public:
  /// Cycles that are kept to show how it came to a difference.
  static constexpr std::size_t kHistory = 64;

  Lockstep(std::shared_ptr<const PinMap> map, RouterId router, std::string router_name);

  /// Output pins in a cycle, and the input pins in the same one. True: no difference so far.
  bool compare(Cycle cycle, const std::uint64_t* inputs, const std::uint64_t* expected,
               const std::uint64_t* actual);
  /// The input pins in the cycle compared last, where they were not known then.
  void inputs_of_last(const std::uint64_t* inputs);
  /// The RTL itself has found something at the clock edge that ends `cycle`. Counts as a difference.
  void found(Cycle cycle, const std::string& place, const std::string& text);
  /// From now on notes which bits of the pins toggle.
  void cover();
  void tell_toggles(Toggles& pins) const;
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  /// So far.
  [[nodiscard]] LockstepCount count() const;
  /// Forgets everything but the routers.
  void reset();

 private:
  [[nodiscard]] bool flit_moves_in_last() const;
  void diverge(Cycle cycle, const std::uint64_t* expected, const std::uint64_t* actual);
  void note(const std::uint64_t* values, std::size_t first, std::size_t count);
  [[nodiscard]] Divergence divergence_at(Cycle cycle, std::size_t port) const;

  std::shared_ptr<const PinMap> map_;
  RouterId router_;
  std::string router_name_;
  std::vector<Cycle> at_;            ///< [place of the ring]
  std::vector<std::uint64_t> pins_;  ///< [place * pins]: inputs, then expected outputs
  std::uint64_t cycles_ = 0;         ///< the next one goes to place cycles_ mod kHistory
  std::uint64_t moving_ = 0;         ///< cycles with a flit moving, without the last one
  std::optional<Divergence> divergence_;
  std::vector<std::uint64_t> ones_;  ///< [pin: inputs, then outputs]: bits that have been 1; empty: not noted
  std::vector<std::uint64_t> zeros_;  ///< and 0
};

}  // namespace noctule
