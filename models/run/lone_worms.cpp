#include "run/lone_worms.h"

#include <algorithm>

#include "blocks/observer.h"

namespace noctule {
namespace {

/// The worms of a list, one at a time.
class OneByOne final : public TrafficSource, public FlitObserver {
 public:
  /// `apart`: cycles from the end of one to the birth of the next, and a few more.
  OneByOne(std::span<const LoneWorm> worms, Cycle apart) : worms_(worms), apart_(apart) {}

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t /*number*/) override {
    if (out_ || done() || worms_[runs_.size()].source != source) return std::nullopt;
    out_ = true;
    GeneratedPacket packet;
    packet.birth = birth_;
    packet.destination = worms_[runs_.size()].destination;
    packet.length = worms_[runs_.size()].length;
    packet.message_class = worms_[runs_.size()].message_class;
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    runs_.push_back({delivery.consumed - delivery.birth, delivery.hops, std::move(path_)});
    path_.clear();
    out_ = false;
    // Not always in step with what goes round in the routers.
    birth_ = delivery.consumed + apart_ + runs_.size() % kSteps;
    if (!done()) wake.push_back(worms_[runs_.size()].source);
  }
  [[nodiscard]] bool finite() const override { return true; }

  void on_flit(Cycle /*t*/, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t /*input*/,
               Flit flit, const Packet& /*packet*/) override {
    if (event != FlitEvent::kLink || flit.number() != 0) return;
    const PortId port = plan_->routers[index(router)]->outputs[place].port;
    path_.push_back(plan_->topology->outgoing(router, port)->id);
  }
  void on_cycle_end(Cycle /*t*/) override {}

  void watch(Fabric& fabric) {
    plan_ = &fabric.plan();
    fabric.observe(*this);
  }
  [[nodiscard]] bool done() const { return runs_.size() == worms_.size(); }
  [[nodiscard]] std::size_t arrived() const { return runs_.size(); }
  [[nodiscard]] Cycle birth() const { return birth_; }
  [[nodiscard]] std::vector<LoneWormRun> take() { return std::move(runs_); }

 private:
  static constexpr std::size_t kSteps = 7;
  std::span<const LoneWorm> worms_;
  Cycle apart_;
  Cycle birth_ = 1;
  bool out_ = false;
  const FabricPlan* plan_ = nullptr;
  std::vector<LinkId> path_;
  std::vector<LoneWormRun> runs_;
};

/// Cycles after which nothing of a worm is left: what its tail sets free has come back over every link.
Cycle quiet_cycles(const FabricPlan& plan) {
  Cycle credit = 0;
  for (const LinkDescription& link : plan.links.kinds()) credit = std::max<Cycle>(credit, link.credit_delay);
  return 2 * FabricTiming(plan).horizon() + credit + 4;
}

}  // namespace

std::vector<LoneWormRun> run_lone_worms(const PointSpec& spec, std::span<const LoneWorm> worms,
                                        Cycle most_cycles, const std::function<void(double)>& progress,
                                        const std::function<bool()>& interrupted) {
  if (worms.empty()) return {};
  const FabricPlan plan = plan_of(spec);
  const auto source = std::make_shared<OneByOne>(worms, quiet_cycles(plan));
  FabricOptions options = fabric_options(spec);
  options.discard = false;
  options.queue_packets = kUnlimited;
  options.stall = 0;
  options.sink = nullptr;
  // Worms of relations that go round about may cross a link twice: then too their ways are asked for.
  options.observed = !ZeroLoad(plan).by_hops() || !plan.relation->claims().minimal;
  // Never deleted, as in run_point: the process that runs it is about to end.
  Fabric& fabric = *new Fabric("fabric", plan, options);
  fabric.attach(source);
  if (options.observed) source->watch(fabric);
  constexpr Cycle kPiece = 4096;
  while (!source->done()) {
    if (fabric.cycles() > source->birth() + most_cycles) break;
    fabric.advance(kPiece);
    if (progress) progress(static_cast<double>(source->arrived()) / static_cast<double>(worms.size()));
    if (interrupted && interrupted()) break;
  }
  if (source->done()) fabric.check_conservation();
  return source->take();
}

}  // namespace noctule
