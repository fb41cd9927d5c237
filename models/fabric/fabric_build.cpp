// Fabric: how it is built, from plan to ports.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "fabric/carried_by.h"
#include "fabric/fabric.h"
#include "fabric/router_order.h"
#include "nodes/credit_order.h"
#include "rtl/hardware_rules.h"
#include "traffic/drawn_sink.h"

namespace noctule {
std::size_t state_bytes(const FabricPlan& plan) {
  const FabricTiming timing(plan);
  FabricContext context;
  context.trains = credit_order(*plan.topology, plan.nodes, plan.links).trains;
  return RouterArenas(plan, timing, context, false).bytes();
}

Fabric::Fabric(sc_core::sc_module_name name, FabricPlan plan, const FabricOptions& options)
    : sc_module(name),
      plan_(std::move(plan)),
      relation_sees_classes_(plan_.relation->sees_message_classes()),
      carried_(carried_by(plan_.topology, plan_.relation, plan_.nodes, plan_.message_classes,
                          plan_.multicast.has_value())),
      carried_unasked_(carried_.serves ? 0 : carried_.longest),
      options_(options),
      timing_(plan_),
      calendar_(plan_.topology->routers(), timing_.horizon() + 1),
      wheel_(plan_.topology->terminals()) {
  if (plan_.multicast && (options.discard || options.queue_packets != kUnlimited))
    throw ConfigError("traffic.source_queue",
                      "the copies of a message wait for each other: multicasts need "
                      "source_queue infinite");
  check_nodes();
  if (options.period == sc_core::SC_ZERO_TIME)
    throw ConfigError("period", "the clock period must be above 0");
  build();
  wire();
  injection.bind(*this);
  SC_METHOD(tick);
}

Fabric::~Fabric() = default;

/// Is stall a share, can routers be RTL, are there those that shall have blocks?
void Fabric::check_nodes() const {
  if (options_.stall < 0 || options_.stall >= 1)
    throw ConfigError("traffic.stall", fmt::format("stall must be in [0, 1); {} is given", options_.stall));
  for (const RouterId router : options_.with_blocks)
    if (index(router) >= plan_.routers.size())
      throw ConfigError(
          "with_blocks",
          fmt::format("FabricOptions::with_blocks names router {}; the fabric has routers 0 to {}",
                      index(router), plan_.routers.size() - 1));
  if (!options_.rtl) return;
  const auto rtl = routers_with(options_.rtl->duts);
  require_hardware(plan_, rtl);
  if (options_.stall > 0) require_refusals(plan_, rtl, "traffic.stall");
  if (options_.sink) require_sinks(plan_, rtl, "traffic.sink");
}

void Fabric::build() {
  const std::size_t terminals = plan_.topology->terminals();
  context_.topology = plan_.topology.get();
  context_.relation = plan_.relation.get();
  context_.relation_has_state =
      plan_.relation->has_state() || (plan_.multicast && plan_.multicast->relation->has_state());
  context_.relation_has_tables = plan_.relation->has_tables();
  context_.known_routes = KnownRoutes(plan_.topology->routers());
  context_.multicast = plan_.multicast ? &*plan_.multicast : nullptr;
  if (plan_.common_node().retransmission_buffers > 0) context_.absorbed.resize(terminals);
  const CreditOrder credits = credit_order(*plan_.topology, plan_.nodes, plan_.links);
  context_.trains = credits.trains;
  context_.flight = timing_.usual_flight();
  context_.horizon = timing_.horizon();
  if (!timing_.zero_load().by_hops()) context_.paths = &paths_;
  if (options_.discard) context_.births.resize(plan_.routers.size());
  if (options_.flows) flows_.emplace();
  if (options_.occupancy_interval == 0) next_sample_ = kNever;
  if (options_.stall > 0) drawn_ = drawn_sink(options_.stall, options_.seed, options_.sink);
  context_.calendar = &calendar_;
  context_.sink = this;
  const MessageClasses& classes = plan_.message_classes;
  context_.interfaces_per_terminal = classes.interfaces();
  context_.interface_of_class.clear();
  for (const MessageClass& c : classes) context_.interface_of_class.push_back(c.interface);
  context_.interfaces.resize(terminals * classes.interfaces());
  for (const auto& router : plan_.routers)
    context_.consumption_places =
        std::max<std::uint32_t>(context_.consumption_places, router->consumption_vcs);
  if (TerminalSink* const sink = drawn_ ? drawn_.get() : options_.sink.get(); sink != nullptr) {
    refusals_.emplace(*sink, terminals, classes.size(),
                      context_.interfaces.size() * context_.consumption_places);
    context_.refusals = &*refusals_;
  }
  if (classes.named()) {
    totals_.classes.resize(classes.size());
    context_.class_flits.resize(classes.size());
  }
  context_.terminal_flits.resize(terminals);
  sending_.resize(terminals);
  asked_.resize(terminals);

  const std::size_t n = plan_.topology->routers();
  for (std::size_t r = 0; r < n; ++r) {
    const auto each_interface = [&](const std::vector<TerminalEnd>& ends, auto&& f) {
      std::uint16_t slot = 0;
      for (const TerminalEnd& end : ends)
        f(context_.interfaces[index(end.terminal) * classes.interfaces() + end.interface], slot++);
    };
    each_interface(plan_.injecting[r], [&](NetworkInterface& interface, std::uint16_t slot) {
      interface.router = RouterId(r);
      interface.slot = slot;
    });
    each_interface(plan_.consuming[r], [&](NetworkInterface& interface, std::uint16_t slot) {
      interface.consumption_router = RouterId(r);
      interface.consumption_slot = slot;
    });
  }
  arenas_ = std::make_unique<RouterArenas>(plan_, timing_, context_, options_.observed);
  state_bytes_ = arenas_->bytes();
  routers_.resize(n);
  context_.held.assign((n + 63) / 64, 0);
  by_position_.resize(n);
  router_at_.resize(n);
  order_routers(credits);
  std::vector<bool> with_blocks(n, hierarchy_of(options_.hierarchy, n) == Hierarchy::kBlocks);
  for (const RouterId router : options_.with_blocks) with_blocks[index(router)] = true;
  for (const auto r : numbers_to(n, options_.construction_seed)) {
    const RouterId id{r};
    const std::string name = plan_.topology->router_name(id);
    if (options_.rtl && options_.rtl->duts[r]) {
      routers_[r] = std::make_unique<RtlRouter>(name.c_str(), plan_, context_, id, *options_.rtl);
      clocked_.push_back(position_[r]);
      calendar_.wake(position_[r], 0);
    } else {
      routers_[r] = arenas_->of(id).build(id, name.c_str(), position_[r], options_.seed, with_blocks[r]);
    }
    by_position_[position_[r]] = routers_[r]->entry();
    router_at_[position_[r]] = id;
    context_.held[position_[r] / 64] |= 1ULL << position_[r] % 64;
  }
  for (NetworkInterface& interface : context_.interfaces) {
    interface.position = position_[index(interface.router)];
    interface.pending_word = routers_[index(interface.router)]->pending_word();
  }
  if (n > 0) visited_ = routers_[n / 2]->visited();
}

/// The one loop that binds any node to any graph: every link of the topology, every physical link that the
/// node makes of it.
void Fabric::wire() {
  const auto find = [](const std::vector<ChannelPlan>& channels, PortId port, std::uint16_t replica) {
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].port == port && channels[c].replica == replica) return c;
    throw InternalError("the two ends of a link were planned differently");
  };
  for (const Link& link : plan_.topology->links()) {
    RouterBase& sender = *routers_[index(link.from)];
    RouterBase& receiver = *routers_[index(link.to)];
    const auto& outbound = sender.plan().outbound;
    for (std::size_t out = 0; out < outbound.size(); ++out) {
      if (outbound[out].port != link.out) continue;
      const std::size_t in = find(receiver.plan().inbound, link.in, outbound[out].replica);
      sender.bind_link(out, receiver.link_receiver(in));
      receiver.bind_credits(in, sender.credit_receiver(out));
      physical_links_.push_back({link.id, outbound[out].replica, link.from, static_cast<std::uint16_t>(out)});
    }
  }
}

}  // namespace noctule
