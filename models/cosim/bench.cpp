#include "cosim/bench.h"

#include <algorithm>

#include "core/user_time.h"
#include "cosim/reset_line.h"
#include "cosim/swapped.h"
#include "rtl/hardware_rules.h"
#include "rtl/pin_traffic.h"
#include "trace/vcd_merge.h"

namespace noctule {
namespace {

constexpr Cycle kPiece = 1000;

/// What all modes share: the RTL, the pins, the recording, the record.
class Bench {
 public:
  Bench(const CosimSpec& spec, const std::function<void(double)>& progress,
        const std::function<bool()>& interrupted)
      : spec_(spec), progress_(progress), interrupted_(interrupted), plan_(plan_of(spec.point)) {
    require_hardware(plan_, routers_with(spec.rtl));
    nodes_ =
        build_rtl_nodes(plan_, spec.rtl, recording() ? std::optional<RouterId>{spec.recorded} : std::nullopt,
                        spec.point.compiling);
    nodes_->seed = spec.point.fabric.seed;
    if (recording()) recorder_.emplace(file("pins"), file("rtl"), pins_of(spec.recorded), spec.from, true);
    start_ = user_seconds();
  }

  CosimRecord run() {
    switch (spec_.cosim.mode) {
      case CosimMode::kShadow:
        shadow();
        break;
      case CosimMode::kSwapped:
        swapped();
        break;
      case CosimMode::kPlain:
        plain();
        break;
    }
    if (record_.divergence) {
      const Divergence& d = *record_.divergence;
      record_.text = describe(d, pins_of(d.router));
    }
    record_.user_s = user_seconds() - start_;
    if (recording()) finish_recording();
    return record_;
  }

 private:
  [[nodiscard]] bool recording() const { return !spec_.waveform.empty(); }
  [[nodiscard]] const PinMap& pins_of(RouterId router) const { return *nodes_->duts[index(router)]->pins(); }
  [[nodiscard]] std::string file(const char* what) const { return spec_.waveform + "." + what; }

  void shadow() {
    FabricOptions options = spec_.point.fabric;
    options.observed = true;
    if (recording()) options.with_blocks = {spec_.recorded};
    auto& fabric = *new Fabric("fabric", plan_, options);  // never deleted: see PointRunner
    fabric.attach(spec_.point.source);
    ShadowRouters shadows(fabric, nodes_->duts, nodes_->seed, spec_.resets);
    if (spec_.cosim.coverage) shadows.cover();
    std::optional<TraceSession> trace;
    if (recording()) {
      shadows.record(spec_.recorded, *recorder_);
      TraceOptions inside;
      inside.vcd = file("model");
      inside.scope = {plan_.topology->router_name(spec_.recorded)};
      inside.window.from = spec_.from;
      trace.emplace(inside, fabric);
      trace->add(shadows);
    } else {
      fabric.observe(shadows);
    }
    simulate(fabric, [&] { return shadows.divergence().has_value(); });
    record_.divergence = shadows.divergence();
    record_.count = shadows.count();
    if (trace) trace->close();
    if (recording()) recorder_->close();
    if (spec_.cosim.coverage) collect_toggles(shadows);
  }

  void swapped() {
    FabricOptions options = spec_.point.fabric;
    SwappedRouters twins(plan_, nodes_->duts);
    nodes_->tap = &twins;
    options.rtl = nodes_;
    if (spec_.cosim.coverage) twins.cover();
    if (recording()) twins.record(spec_.recorded, *recorder_);
    auto& fabric = *new Fabric("fabric", plan_, options);
    fabric.attach(spec_.point.source);
    simulate(fabric, [&] { return twins.divergence().has_value(); });
    record_.divergence = twins.divergence();
    record_.count = twins.count();
    if (spec_.cosim.coverage) collect_toggles(twins);
  }

  /// One record per module, in the order of the routers.
  template <class Routers>
  void collect_toggles(const Routers& routers) {
    for (const auto& dut : nodes_->duts) {
      if (!dut || std::ranges::find(covered_, dut.get()) != covered_.end()) continue;
      covered_.push_back(dut.get());
      ToggleRecord& record = record_.toggles.emplace_back();
      record.module = dut->source().top;
      routers.tell_toggles(*dut, record.pins, record.inside);
    }
  }

  template <class Stop>
  void simulate(Fabric& fabric, Stop&& stop) {
    if (!spec_.resets.empty())
      fabric.rst_ni.bind(reset_line_.emplace(spec_.resets, spec_.point.fabric.period));
    while (fabric.cycles() < spec_.cosim.cycles && !stop() && !(interrupted_ && interrupted_())) {
      const Cycle piece = std::min(kPiece, spec_.cosim.cycles - fabric.cycles());
      fabric.advance(piece);
      if (progress_)
        progress_(static_cast<double>(fabric.cycles()) / static_cast<double>(spec_.cosim.cycles));
      if (fabric.drained()) break;
    }
    if (!stop()) fabric.check_conservation();
    record_.digest = fabric.digest();
    record_.delivered = fabric.counters().packets_delivered;
  }

  void plain() {
    const auto routers = routers_with(nodes_->duts);
    std::size_t done = 0;
    for (const RouterId router : routers) {
      if (record_.divergence) return;
      plain(router);
      if (interrupted_ && interrupted_()) return;
      if (progress_) progress_(static_cast<double>(++done) / static_cast<double>(routers.size()));
    }
  }

  void plain(RouterId router) {
    const auto& dut = nodes_->duts[index(router)];
    const PinMap& map = *dut->pins();
    PinTrafficOptions traffic;
    traffic.seed = spec_.point.fabric.seed + index(router);
    PinTraffic around(dut->pins(), plan_, router, traffic);
    ReferenceRouter reference(dut->pins(), plan_, router);
    const auto name = plan_.topology->router_name(router);
    const auto rtl = dut->create(name, nodes_->seed);
    Lockstep lockstep(dut->pins(), router, name);
    if (spec_.cosim.coverage) lockstep.cover();
    std::vector<std::uint64_t> in = map.at_rest(router);
    std::vector<std::uint64_t> expected(map.outputs().size());
    std::vector<std::uint64_t> actual(map.outputs().size());
    auto before = expected;
    around.reset(in.data());
    reference.reset(in.data(), expected.data());
    rtl->reset(in.data(), actual.data());
    auto next_reset = spec_.resets.begin();
    for (Cycle t = 0; t < spec_.cosim.cycles; ++t) {
      if (next_reset != spec_.resets.end() && *next_reset == t) {
        ++next_reset;
        around.restart(in.data());
        reference.reset(in.data(), expected.data());
        rtl->reset(in.data(), actual.data());
      }
      if (spec_.cosim.coverage) rtl->cover();
      const bool alike = lockstep.compare(t, in.data(), expected.data(), actual.data());
      if (recording() && router == spec_.recorded)
        recorder_->record(t, in.data(), expected.data(), actual.data(), *rtl);
      if (!alike) break;
      before = expected;
      reference.step(in.data(), expected.data());
      rtl->step(in.data(), actual.data());
      if (const RtlFinding* found = rtl->finding()) {
        lockstep.found(t, found->place, found->text);
        break;
      }
      around.step(before.data(), in.data());
    }
    if (recording() && router == spec_.recorded) recorder_->close();
    record_.divergence = lockstep.divergence();
    record_.count += lockstep.count();
    if (spec_.cosim.coverage) collect_toggles(*dut, lockstep, *rtl);
  }

  void collect_toggles(const Dut& dut, const Lockstep& lockstep, const VerilatedRouter& rtl) {
    const auto known = std::ranges::find(covered_, &dut);
    const auto at = static_cast<std::size_t>(known - covered_.begin());
    if (known == covered_.end()) {
      covered_.push_back(&dut);
      record_.toggles.emplace_back().module = dut.source().top;
    }
    lockstep.tell_toggles(record_.toggles[at].pins);
    rtl.tell_toggles(record_.toggles[at].inside);
  }

  void finish_recording() {
    recorder_->close();
    join_vcds(spec_.waveform,
              {{"", file("pins")}, {"inside.model", file("model")}, {"inside.rtl", file("rtl")}});
  }

  const CosimSpec& spec_;
  const std::function<void(double)>& progress_;
  const std::function<bool()>& interrupted_;
  FabricPlan plan_;
  std::shared_ptr<RtlNodes> nodes_;
  std::optional<PinWaveform> recorder_;
  std::optional<ResetLine> reset_line_;
  std::vector<const Dut*> covered_;  ///< the modules of record_.toggles
  CosimRecord record_;
  double start_ = 0;
};

}  // namespace

CosimRecord run_cosim(const CosimSpec& spec, const std::function<void(double)>& progress,
                      const std::function<bool()>& interrupted) {
  return Bench(spec, progress, interrupted).run();
}

std::vector<std::optional<RtlSource>> all_or(std::vector<std::optional<RtlSource>> some,
                                             const Topology& topology) {
  if (some.empty()) some.assign(topology.routers(), RtlSource{});
  return some;
}

}  // namespace noctule
