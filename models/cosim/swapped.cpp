#include "cosim/swapped.h"

#include <algorithm>

namespace noctule {

struct SwappedRouters::Twin {
  Twin(const FabricPlan& plan, const std::shared_ptr<const PinMap>& map, RouterId id)
      : reference(map, plan, id),
        lockstep(map, id, plan.topology->router_name(id)),
        rest(map->at_rest(id)),
        expected(map->outputs().size()) {}

  ReferenceRouter reference;
  Lockstep lockstep;
  std::vector<std::uint64_t> rest;
  std::vector<std::uint64_t> expected;
};

SwappedRouters::SwappedRouters(const FabricPlan& plan, std::shared_ptr<const PinMap> map,
                               const std::vector<std::shared_ptr<const Dut>>& duts)
    : map_(std::move(map)) {
  for (std::size_t r = 0; r < duts.size(); ++r)
    twins_.push_back(duts[r] ? std::make_unique<Twin>(plan, map_, RouterId(r)) : nullptr);
}

SwappedRouters::~SwappedRouters() = default;

bool SwappedRouters::stepped(RouterId router, Cycle t, const std::uint64_t* in, const std::uint64_t* out,
                             VerilatedRouter& rtl) {
  if (divergence_) return false;
  Twin& twin = *twins_[index(router)];
  if (in == nullptr) {
    twin.reference.reset(twin.rest.data(), twin.expected.data());
    in = twin.rest.data();
  } else {
    twin.lockstep.inputs_of_last(in);
    twin.reference.step(in, twin.expected.data());
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

void SwappedRouters::record(RouterId router, PinRecorder& recorder) {
  recorded_ = router;
  recorder_ = &recorder;
}

}  // namespace noctule
