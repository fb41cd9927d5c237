#pragma once
// Runs the worms with which the verifier answers "deadlock possible".

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fabric_support.h"
#include "routing/prescribed_routes.h"
#include "verify/verifier.h"

namespace noctule::fabric_test {

/// The worms of a witness, each with its path for a route.
class WitnessSource final : public TrafficSource {
 public:
  explicit WitnessSource(std::vector<WitnessWorm> worms) : worms_(std::move(worms)) {}
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    for (std::uint32_t w = 0; w < worms_.size(); ++w) {
      if (index(worms_[w].source) != index(source) || number-- != 0) continue;
      GeneratedPacket packet{worms_[w].start, TerminalId(index(worms_[w].destination)), worms_[w].length};
      packet.route = w + 1;
      return packet;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool listens() const override { return false; }
  [[nodiscard]] bool finite() const override { return true; }

 private:
  std::vector<WitnessWorm> worms_;
};

/// Fabric of the plan with these worms and no others. One terminal per router, of the same number.
inline std::unique_ptr<Fabric> replay(const Certificate& certificate, std::vector<WitnessWorm> worms) {
  std::ranges::stable_sort(worms, {}, &WitnessWorm::start);
  FabricPlan plan = *certificate.plan;
  const auto& channels = *certificate.channels;
  std::vector<PrescribedRoutes::Route> routes;
  for (const auto& worm : worms) {
    routes.push_back({worm.source, worm.destination, {}, ""});
    auto hops = worm.path;
    if (worm.asks_for) hops.push_back(*worm.asks_for);
    for (const auto& hop : hops) {
      const Link& link = plan.topology->links()[index(channels.link(hop.channel))];
      const auto lane = channels.groups() > 1 ? channels.group(hop.channel) : hop.lane;
      routes.back().hops.push_back(
          {link.out, channels.vc_class(hop.channel), static_cast<std::uint16_t>(lane)});
    }
  }
  plan.relation = std::make_shared<PrescribedRoutes>(plan.topology, plan.relation, routes);
  auto fabric = make_fabric(std::move(plan));
  fabric->attach(std::make_shared<WitnessSource>(worms));
  return fabric;
}

/// Until every worm that still can has closed up.
inline Cycle long_enough(const Certificate& certificate) {
  Cycle last = 0;
  for (const auto& worm : certificate.witness.worms)
    last = std::max<Cycle>(last, worm.start + 4 * worm.length);
  return last + 500;
}

}  // namespace noctule::fabric_test
