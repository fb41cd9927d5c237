#pragma once
// Lockstep by shadows: the model drives the fabric, RTL routers get the same inputs, and all that they answer
// is compared in every cycle.

#include <memory>
#include <optional>
#include <vector>

#include "blocks/observer.h"
#include "fabric/fabric.h"
#include "rtl/dut.h"
#include "rtl/lockstep.h"
#include "trace/pin_waveform.h"

namespace noctule {

/// Observes a fabric of the model (FabricOptions::observed) in which every router is one of the model. What
/// its routers without a shadow are like does not matter: of them only their links to those with one are
/// looked at.
class ShadowRouters final : public FlitObserver {
 public:
  /// `duts`: by RouterId; null: no shadow. The fabric outlives this. `resets`: cycles, ascending, in which
  /// the fabric is reset; the RTL starts at random, by `seed`, and is reset with it.
  ShadowRouters(const Fabric& fabric, const std::vector<std::shared_ptr<const Dut>>& duts, std::uint64_t seed,
                std::vector<Cycle> resets = {});
  ~ShadowRouters() override;

  void on_cycle_start(Cycle t) override;
  void on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input, Flit flit,
               const Packet& packet) override;
  void on_cycle_end(Cycle t) override;

  /// The first divergence; of several in one cycle, that of the lowest router. Nothing is compared after it.
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  [[nodiscard]] LockstepCount count() const;
  /// Shows every compared cycle of one router.
  void record(RouterId router, PinWaveform& recorder);
  /// From now on notes which bits toggle; `tell_toggles`: of the routers made from this one.
  void cover();
  void tell_toggles(const Dut& dut, Toggles& pins, Toggles& inside) const;

 private:
  struct Shadow;
  /// To the pins at the other end of a link.
  struct Way {
    Shadow* shadow = nullptr;  ///< null: nobody looks there
    const LinkPins* pins = nullptr;
    std::uint8_t bit = 0;
    Cycle after =
        0;  ///< cycles from the event to when it is on the pins: of a flit kLink, of a credit kCross
  };

  [[nodiscard]] std::size_t at(Cycle t) const { return t & (ring_ - 1); }
  void join(const FabricPlan& plan, const Link& link, Cycle flight);
  void compare(Cycle t);
  void step(Cycle t);
  void reset(Cycle t);
  void look_for_findings(Cycle t);

  std::size_t ring_ = 2;
  std::vector<std::unique_ptr<Shadow>> shadows_;  ///< in the order of the routers
  std::vector<Shadow*> at_;                       ///< by RouterId; null: none
  /// [router][link output]: the input that it leads to; no outputs: to no shadow.
  std::vector<std::vector<Way>> ahead_;
  /// [router][link input]: the output that leads to it, likewise.
  std::vector<std::vector<Way>> behind_;
  std::optional<Divergence> divergence_;
  std::vector<Cycle> resets_;
  std::size_t next_reset_ = 0;
  bool covered_ = false;
  Cycle next_ = 0;
  PinWaveform* recorder_ = nullptr;
  RouterId recorded_{};
};

}  // namespace noctule
