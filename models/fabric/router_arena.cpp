#include "fabric/router_arena.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/packet_name.h"
#include "fabric/arena.h"

namespace noctule {
namespace {

/// The least that does what the node asks for.
Build build_of(const FabricPlan& plan) {
  const NodeDescription& node = plan.node;
  if (plan.multicast && !multicast_obstacle(node)) return Build::kMulticast;
  if (node.direct()) return Build::kDirect;
  const bool unit = node.input_depth == 1 && node.output_depth == 1 && node.consumption_depth == 1 &&
                    node.link_sharing == LinkSharing::kDemand && node.injection_delay == 1 &&
                    node.injection_channels == 1 && node.injection_vcs == 1 &&
                    node.scan != Scan::kFirstCome && node.vc_allocator == "scan" &&
                    node.pipeline.before_vc_allocation() == 0 && node.pipeline.vc_allocation == 0;
  return unit ? Build::kUnit : Build::kDeep;
}

}  // namespace

std::unique_ptr<RouterArena> make_router_arena(const FabricPlan& plan, FabricContext& context,
                                               bool observed) {
  std::size_t places = 0;
  for (const auto& router : plan.routers)
    places = std::max({places, router->inputs.size(), router->outputs.size()});
  const Build kind = build_of(plan);
  if (places > 1024)
    throw ConfigError("node.lanes",
                      fmt::format("a router would have {} inputs or outputs; at most 1024 are supported: "
                                  "use fewer lanes or VC classes",
                                  places));
  const int words = places <= 64 ? 1 : places <= 256 ? 4 : 16;
  switch (kind) {
    case Build::kUnit:
      return make_arena<Build::kUnit>(plan, context, words, observed);
    case Build::kDeep:
      return make_arena<Build::kDeep>(plan, context, words, observed);
    case Build::kMulticast:
      return make_arena<Build::kMulticast>(plan, context, words, observed);
    case Build::kDirect:
      break;
  }
  return make_arena<Build::kDirect>(plan, context, words, observed);
}

void worm_error(RouterId router, const std::string& input, Flit flit, Flit previous) {
  throw InternalError(fmt::format(
      "router {}: flit {} of packet handle {} entered {} behind flit {} of packet "
      "handle {}: worms are interleaved or out of order",
      index(router), flit.number(), index(flit.packet), input, previous.number(), index(previous.packet)));
}

void no_route_error(const RouterPlan& plan, RouterId router, std::size_t input, const Packet& packet) {
  throw ConfigError(
      "node.crossbars",
      fmt::format("router {}: the header of packet {} to terminal {} waits on "
                  "input {} but the crossbar of that input holds none of the outputs that the "
                  "routing relation offers it",
                  index(router), packet_name(packet), index(packet.destination), plan.inputs[input].name));
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
