#include "fabric/router_arena.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/packet_name.h"
#include "fabric/arena.h"

namespace noctule {
namespace {

/// The least that does what the node and the links of a router ask for.
Build build_of(const FabricPlan& plan, RouterId router, bool serialises) {
  const NodeDescription& node = plan.nodes[router];
  const auto& outbound = plan.routers[index(router)]->outbound;
  const bool units_behind = std::all_of(outbound.begin(), outbound.end(),
                                        [](const ChannelPlan& channel) { return channel.depth == 1; });
  const bool on_demand = std::all_of(outbound.begin(), outbound.end(), [](const ChannelPlan& channel) {
    return channel.sharing == LinkSharing::kDemand;
  });
  if (plan.multicast && !multicast_obstacle(node)) return Build::kMulticast;
  if (node.direct()) return Build::kDirect;
  const bool unit = node.input_depth == 1 && node.output_depth == 1 && node.consumption_depth == 1 &&
                    on_demand && node.injection_delay == 1 && node.injection_channels == 1 &&
                    node.injection_vcs == 1 && node.scan != Scan::kFirstCome &&
                    node.scan != Scan::kFarthestFirst && node.vc_allocator == "scan" &&
                    node.pipeline.before_vc_allocation() == 0 && node.pipeline.vc_allocation == 0 &&
                    units_behind && !serialises;
  return unit ? Build::kUnit : Build::kDeep;
}

/// Words of the masks.
int words_of(const RouterPlan& router) {
  const std::size_t places = std::max(router.inputs.size(), router.outputs.size());
  if (places > 1024)
    throw ConfigError("node.lanes",
                      fmt::format("a router would have {} inputs or outputs; at most 1024 are supported: "
                                  "use fewer lanes or VC classes",
                                  places));
  return places <= 64 ? 1 : places <= 256 ? 4 : 16;
}

std::unique_ptr<RouterArena> make_arena_of(Build build, const ArenaRequest& request) {
  switch (build) {
    case Build::kUnit:
      return make_arena<Build::kUnit>(request);
    case Build::kDeep:
      return make_arena<Build::kDeep>(request);
    case Build::kMulticast:
      return make_arena<Build::kMulticast>(request);
    case Build::kDirect:
      break;
  }
  return make_arena<Build::kDirect>(request);
}

}  // namespace

RouterArenas::RouterArenas(const FabricPlan& plan, const FabricTiming& timing, FabricContext& context,
                           bool observed) {
  const std::size_t n = plan.routers.size();
  // In a train credits are given to a router of the same kind.
  const bool alike = context.trains;
  int most_words = 1;
  for (const auto& router : plan.routers) most_words = std::max(most_words, words_of(*router));
  std::vector<std::pair<Build, int>> kinds;
  which_.resize(n);
  for (std::uint32_t r = 0; r < n; ++r) {
    const std::pair kind(build_of(plan, RouterId{r}, timing.serialises(RouterId{r})),
                         alike ? most_words : words_of(*plan.routers[r]));
    const auto known = std::find(kinds.begin(), kinds.end(), kind);
    which_[r] = static_cast<std::uint8_t>(known - kinds.begin());
    if (known == kinds.end()) kinds.push_back(kind);
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto holds = [this, k](RouterId router) { return which_[index(router)] == k; };
    arenas_.push_back(
        make_arena_of(kinds[k].first, {plan, timing, context, holds, kinds[k].second, observed}));
  }
}

std::size_t RouterArenas::bytes() const {
  std::size_t sum = 0;
  for (const auto& arena : arenas_) sum += arena->bytes();
  return sum;
}

std::size_t RouterArenas::injection_bytes() const {
  std::size_t sum = 0;
  for (const auto& arena : arenas_) sum += arena->injection_bytes();
  return sum;
}

void worm_error(RouterId router, const std::string& input, Flit flit, Flit previous) {
  throw InternalError(fmt::format(
      "router {}: flit {} of packet handle {} entered {} behind flit {} of packet "
      "handle {}: worms are interleaved or out of order",
      index(router), flit.number(), index(flit.packet), input, previous.number(), index(previous.packet)));
}

void other_kind_error(const Topology& topology, RouterId router, const char* port, std::size_t number) {
  throw ConfigError(
      "link.credit_delay",
      fmt::format("{}.{}{} is bound to a router of another kind: immediate credits need routers "
                  "of one kind at both ends; use link.credit_delay 1",
                  topology.router_name(router), port, number));
}

void no_route_error(const RouterPlan& plan, const Topology& topology, RouterId router, std::size_t input,
                    const Packet& packet) {
  throw ConfigError("node.crossbars",
                    fmt::format("{}: the header of packet {} to terminal {} waits on "
                                "input {} but the crossbar of that input holds none of the outputs that the "
                                "routing relation offers it",
                                topology.router_name(router), packet_name(packet), index(packet.destination),
                                plan.inputs[input].name));
}

void delivery_error(TerminalId id, Flit flit, const Packet& packet, PacketHandle due,
                    std::uint32_t expected) {
  throw InternalError(fmt::format(
      "terminal {} consumed flit {} of packet {} to terminal {} ({} flits) where flit {} of packet "
      "handle {} was due",
      index(id), flit.number(), packet_name(packet), index(packet.destination), packet.length, expected,
      index(due)));
}

}  // namespace noctule
