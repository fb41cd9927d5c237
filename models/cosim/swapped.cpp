#include "cosim/swapped.h"

#include <algorithm>

namespace noctule {

struct SwappedRouters::Twin {
  Twin(const FabricPlan& plan, RouterId id, const Dut* of)
      : dut(of),
        reference(of->pins(), plan, id),
        lockstep(of->pins(), id, plan.topology->router_name(id)),
        rest(of->pins()->at_rest(id)),
        expected(of->pins()->outputs().size()) {}

  const Dut* dut;
  const VerilatedRouter* rtl = nullptr;  ///< known from the first cycle on
  ReferenceRouter reference;
  Lockstep lockstep;
  std::vector<std::uint64_t> rest;
  std::vector<std::uint64_t> expected;
};

SwappedRouters::SwappedRouters(const FabricPlan& plan, const std::vector<std::shared_ptr<const Dut>>& duts) {
  for (std::size_t r = 0; r < duts.size(); ++r)
    twins_.push_back(duts[r] ? std::make_unique<Twin>(plan, RouterId(r), duts[r].get()) : nullptr);
}

SwappedRouters::~SwappedRouters() = default;

bool SwappedRouters::stepped(RouterId router, Cycle t, const std::uint64_t* in, const std::uint64_t* out,
                             VerilatedRouter& rtl) {
  if (divergence_) return false;
  Twin& twin = *twins_[index(router)];
  twin.rtl = &rtl;
  if (covered_) rtl.cover();
  if (in == nullptr) {
    twin.reference.reset(twin.rest.data(), twin.expected.data());
    in = twin.rest.data();
  } else {
    twin.lockstep.inputs_of_last(in);
    twin.reference.step(in, twin.expected.data());
  }
  if (rtl.finding() != nullptr) [[unlikely]] {
    twin.lockstep.found(in == twin.rest.data() ? t : t - 1, rtl.finding()->place, rtl.finding()->text);
    divergence_ = twin.lockstep.divergence();
    return false;
  }
  const bool alike = twin.lockstep.compare(t, twin.rest.data(), twin.expected.data(), out);
  if (recorder_ != nullptr && router == recorded_) recorder_->record(t, in, twin.expected.data(), out, rtl);
  if (!alike) divergence_ = twin.lockstep.divergence();
  return alike;
}

LockstepCount SwappedRouters::count() const {
  LockstepCount sum;
  for (const auto& twin : twins_)
    if (twin) sum += twin->lockstep.count();
  return sum;
}

void SwappedRouters::cover() {
  covered_ = true;
  for (const auto& twin : twins_)
    if (twin) twin->lockstep.cover();
}

void SwappedRouters::tell_toggles(const Dut& dut, Toggles& pins, Toggles& inside) const {
  for (const auto& twin : twins_) {
    if (!twin || twin->dut != &dut) continue;
    twin->lockstep.tell_toggles(pins);
    if (twin->rtl != nullptr) twin->rtl->tell_toggles(inside);
  }
}

void SwappedRouters::record(RouterId router, PinWaveform& recorder) {
  recorded_ = router;
  recorder_ = &recorder;
}

}  // namespace noctule
