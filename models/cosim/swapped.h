#pragma once
// Lockstep the other way round: RTL routers drive the fabric, and a router of the model at each of their
// places gets what they get.

#include <memory>
#include <optional>
#include <vector>

#include "cosim/shadow.h"
#include "fabric/rtl_router.h"
#include "rtl/reference_router.h"

namespace noctule {

class SwappedRouters final : public PinTap {
 public:
  /// `duts`: by RouterId; null: not RTL. Throws ConfigError where those that are cannot be.
  SwappedRouters(const FabricPlan& plan, const std::vector<std::shared_ptr<const Dut>>& duts);
  ~SwappedRouters() override;

  bool stepped(RouterId router, Cycle t, const std::uint64_t* in, const std::uint64_t* out,
               VerilatedRouter& rtl) override;
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  [[nodiscard]] LockstepCount count() const;
  void record(RouterId router, PinWaveform& recorder);
  /// As those of ShadowRouters.
  void cover();
  void tell_toggles(const Dut& dut, Toggles& pins, Toggles& inside) const;

 private:
  struct Twin;

  std::vector<std::unique_ptr<Twin>> twins_;  ///< by RouterId
  std::optional<Divergence> divergence_;
  bool covered_ = false;
  PinWaveform* recorder_ = nullptr;
  RouterId recorded_{};
};

}  // namespace noctule
