#pragma once
// The second statement of the rules in the place of RTL: what is tested with it needs no Verilator.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rtl/dut.h"
#include "rtl/reference_router.h"

namespace noctule::cosim_test {

/// A fault in one router: from this cycle on its first credit on a link is lost.
struct LostCredit {
  RouterId router{};
  Cycle from = 0;
};

class ReferenceDut final : public Dut {
 public:
  /// For routers like this one.
  ReferenceDut(const FabricPlan& plan, RouterId router, const LostCredit* fault = nullptr)
      : plan_(plan), pins_(std::make_shared<const PinMap>(plan, router)), fault_(fault) {}

  [[nodiscard]] std::unique_ptr<VerilatedRouter> create(const std::string& instance,
                                                        std::uint64_t) const override {
    for (std::size_t r = 0; r < plan_.routers.size(); ++r)
      if (plan_.topology->router_name(RouterId(r)) == instance)
        return std::make_unique<Instance>(
            pins_, plan_, RouterId(r),
            fault_ != nullptr && fault_->router == RouterId(r) ? fault_->from : kNever);
    throw InternalError("no router is called " + instance);
  }
  [[nodiscard]] const RtlSource& source() const override { return source_; }
  [[nodiscard]] const std::shared_ptr<const PinMap>& pins() const override { return pins_; }
  [[nodiscard]] const std::vector<std::string>& absent() const override { return absent_; }

 private:
  class Instance final : public VerilatedRouter {
   public:
    Instance(const std::shared_ptr<const PinMap>& pins, const FabricPlan& plan, RouterId id, Cycle faulty)
        : pins_(pins), router_(pins, plan, id), faulty_(faulty) {}
    void reset(const std::uint64_t* in, std::uint64_t* out) override { router_.reset(in, out); }
    void step(const std::uint64_t* in, std::uint64_t* out) override {
      router_.step(in, out);
      if (++cycle_ < faulty_) return;
      for (const LinkPins& link : pins_->inbound())
        if (std::uint64_t& credits = out[link.credit]; credits != 0) {
          credits &= credits - 1;
          faulty_ = kNever;
          return;
        }
    }
    [[nodiscard]] const RtlFinding* finding() const override { return nullptr; }
    void cover() override {}
    void tell_toggles(Toggles&) const override {}
    void settle(const std::uint64_t*, std::uint64_t*) override { throw InternalError("it is registered"); }
    void open_trace(const std::filesystem::path&) override { throw InternalError("nothing is inside"); }
    void dump(std::uint64_t) override {}
    void close_trace() override {}

   private:
    std::shared_ptr<const PinMap> pins_;
    ReferenceRouter router_;
    Cycle cycle_ = 0;
    Cycle faulty_;
  };

  const FabricPlan& plan_;
  std::shared_ptr<const PinMap> pins_;
  const LostCredit* fault_;
  RtlSource source_;
  std::vector<std::string> absent_;
};

/// By RouterId, one for the routers of each node; null where `routers` does not name the router. The plan and
/// the fault outlive them.
inline std::vector<std::shared_ptr<const Dut>> reference_duts(const FabricPlan& plan,
                                                              const std::vector<RouterId>& routers,
                                                              const LostCredit* fault = nullptr) {
  std::vector<std::shared_ptr<const Dut>> duts(plan.routers.size());
  std::map<std::size_t, std::shared_ptr<const Dut>> of_kind;
  for (const RouterId router : routers) {
    auto& dut = of_kind[plan.nodes.kind(router)];
    if (!dut) dut = std::make_shared<ReferenceDut>(plan, router, fault);
    duts[index(router)] = dut;
  }
  return duts;
}

}  // namespace noctule::cosim_test
