#pragma once
// A RouterPlan compiled for the cycle: masks and tables that all routers built alike share.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arbitration/port_allocator.h"
#include "arbitration/separable_input_first.h"
#include "blocks/record_places.h"
#include "blocks/visit_kinds.h"
#include "core/lead_table.h"
#include "core/mask.h"
#include "core/mask_counters.h"
#include "nodes/router_plan.h"

namespace noctule {

template <int W>
struct RouterLayout {
  using M = Mask<W>;
  struct LinkVc {
    std::uint16_t channel;  ///< physical link it rides on; injection or consumption channel of the router
    std::uint16_t vc;       ///< number within that channel
  };
  struct CrossbarMasks {
    M inputs;   ///< injection included
    M outputs;  ///< consumption included
  };

  struct Service {
    M outputs;
    std::uint32_t peers;  ///< groups of its level, as bits
    std::int32_t weight;
    std::uint8_t level;
  };

  explicit RouterLayout(std::shared_ptr<const RouterPlan> router_plan, const NodeDescription& node)
      : plan(std::move(router_plan)),
        inputs(static_cast<std::uint16_t>(plan->inputs.size())),
        outputs(static_cast<std::uint16_t>(plan->outputs.size())),
        link_inputs(static_cast<std::uint16_t>(plan->link_inputs())),
        link_outputs(static_cast<std::uint16_t>(plan->link_outputs())),
        entry_vcs(static_cast<std::uint16_t>(node.injection_interleaved ? 1 : node.injection_vcs)),
        injection_channels(static_cast<std::uint16_t>(node.injection_channels)),
        channel_entries(static_cast<std::uint16_t>(node.injection_interleaved ? node.injection_vcs : 1)),
        retransmission_buffers(static_cast<std::uint16_t>(node.retransmission_buffers)),
        tie_span(static_cast<std::uint16_t>(
            node.injection_channels == kUnlimited ? link_inputs + 64U * plan->injecting : inputs)),
        classes(plan->classes),
        input_depth(static_cast<std::uint16_t>(node.input_depth)),
        in_shift(static_cast<std::uint16_t>(std::bit_width(
            node.consumption_channels == kUnlimited ? node.input_depth : node.input_depth - 1))),
        in_mask(static_cast<std::uint16_t>((1U << in_shift) - 1)),
        output_depth(static_cast<std::uint16_t>(node.output_depth)),
        consumption_depth(static_cast<std::uint16_t>(node.consumption_buffered()
                                                         ? node.consumption_depth
                                                         : node.pipeline.behind_switch_allocation() + 1)),
        output_stride(std::max(output_depth, consumption_depth)),
        by_age(node.arbiter == ArbiterKind::kAge),
        connections(node.connections_per_cycle == 0 ? ~0U : node.connections_per_cycle),
        scan(node.scan),
        ties(node.ties),
        in_port_order(node.scan == Scan::kFirstCome && node.ties == Ties::kPort),
        selection(node.selection),
        release(node.release),
        refill_same_cycle(node.refill_same_cycle),
        fixed_slots(has_sharing(LinkSharing::kFixedSlot)),
        mixed_sharing(fixed_slots && has_sharing(LinkSharing::kDemand)),
        ordered_arrivals(fixed_slots || node.scan == Scan::kFirstCome || node.stores()),
        switched(node.switch_allocator != "none"),
        matched_vcs(node.vc_allocator != "scan"),
        input_first_vcs(node.vc_allocator == SeparableInputFirst<W>::kName && node.allocator_iterations == 1),
        lone_headers(W == 1 && input_first_vcs && node.arbiter == ArbiterKind::kRoundRobin &&
                     plan->service.empty()),
        on_demand(!fixed_slots && node.consumption_channels != kUnlimited),
        transit_first(node.transit_first),
        unlimited_injection(node.injection_channels == kUnlimited),
        lone_channel(injection_channels == 1 && channel_entries == 1 && retransmission_buffers == 0),
        single_entry(plan->injection_vcs == 1 && !unlimited_injection),
        unlimited_consumption(node.consumption_channels == kUnlimited),
        consumed_on_arrival(unlimited_consumption &&
                            (input_depth == 1 || node.release == VcRelease::kNextBufferEmpty)),
        at_once(node.injection_delay == 0),
        consumption_credits(node.direct() && node.consumption_buffered()),
        to_consumption(
            static_cast<std::uint16_t>(node.pipeline.behind_switch_allocation() + node.consumption_delay)),
        busy_when_full(node.busy_when_full),
        shared_consumption(node.consumption_vcs > 1),
        output_first(node.acquisition == Acquisition::kOutputFirst),
        stores(node.stores()),
        pipeline(node.pipeline),
        follower_delay(static_cast<std::uint16_t>(stores ? kNoSlot
                                                  : pipeline.early_routing
                                                      ? 0
                                                      : pipeline.before_vc_allocation())) {
    for (std::size_t i = 0; i < inputs; ++i)
      in.push_back(
          {i < link_inputs ? plan->inputs[i].channel : static_cast<std::uint16_t>(plan->inbound.size()),
           plan->inputs[i].vc});
    for (const auto& vc : plan->outputs) {
      out.push_back({vc.channel, vc.vc});
      candidates.push_back({vc.port, vc.vc_class});
    }
    for (std::size_t o = 0; o < outputs; ++o) (o < link_outputs ? link_mask : consumption_mask).set(o);
    home = consumption_credits ? link_mask | consumption_mask : link_mask;
    for (const auto& list : plan->outputs_of) outputs_of.push_back(mask_of(list));
    for (std::size_t o = 0; o < link_outputs; ++o) {
      const std::size_t lane = plan->outputs[o].lane;
      if (lanes.size() <= lane) lanes.resize(lane + 1);
      lanes[lane].set(o);
    }
    for (const auto& list : plan->preferred) preferred.push_back(mask_of(list));
    for (const auto& list : plan->of_message_class) of_message_class.push_back(mask_of(list));
    restricted = !of_message_class.empty();
    add_service();
    for (const auto& channel : plan->outbound) {
      M m;
      for (std::size_t v = 0; v < channel.count; ++v) m.set(channel.first + v);
      channel_mask.push_back(m);
      lone_vcs = lone_vcs && channel.count == 1;
      if (channel.sharing == LinkSharing::kFixedSlot) slot_outputs |= m;
      if (directions.size() <= index(channel.port)) directions.resize(index(channel.port) + 1);
      directions[index(channel.port)] |= m;
    }
    for (std::size_t i = 0; i < inputs; ++i)
      in_port.push_back(
          static_cast<std::uint16_t>(plan->inputs[i].channel + (i < link_inputs ? 0 : plan->inbound.size())));
    for (std::size_t o = 0; o < outputs; ++o)
      out_port.push_back(
          static_cast<std::uint16_t>(out[o].channel + (o < link_outputs ? 0 : plan->outbound.size())));
    for (std::size_t i = 0; i < inputs; ++i) {
      if (in_port_mask.size() <= in_port[i]) in_port_mask.resize(std::size_t{in_port[i]} + 1);
      in_port_mask[in_port[i]].set(i);
    }
    field_of_output.resize(outputs);
    out_ports = plan->outbound.size() + std::size_t{plan->consuming} * node.consumption_channels;
    if (W == 1 && node.switch_allocator == SeparableInputFirst<W>::kName && node.allocator_iterations == 1 &&
        node.arbiter == ArbiterKind::kRoundRobin)
      add_port_allocator();
    for (std::size_t slot = 0; slot < plan->consuming; ++slot) {
      M m;
      for (std::size_t v = 0; v < plan->consumption_vcs; ++v) m.set(plan->consumption(slot) + v);
      consumption_of.push_back(m);
    }
    set_depths();
    allowed.resize(inputs);
    wants.resize(inputs);
    crossbars.resize(plan->crossbars);
    for (std::size_t x = 0; x < crossbars.size(); ++x) add_crossbar(x);
    if (W == 1 && inputs <= LeadTable::kMost && outputs <= LeadTable::kMost && shallow && lone_vcs &&
        !switched && service.empty() && consumption_credits && seldom() == Seldom::kTerminals)
      shape = Shape::kFew;
  }

  /// Places of a terminal where one worm enters at a time: those of its injection channels, then its
  /// retransmission buffers.
  [[nodiscard]] std::size_t injection_entries() const {
    return std::size_t{injection_channels} * channel_entries;
  }
  [[nodiscard]] std::size_t entries() const { return injection_entries() + retransmission_buffers; }
  /// Where those that consume are among RouterState::interface, and how many entries it has.
  [[nodiscard]] std::size_t consumers() const { return plan->same_terminals ? 0 : plan->injecting; }
  [[nodiscard]] std::size_t interface_entries() const {
    return plan->injecting + std::size_t{plan->same_terminals ? 0U : plan->consuming};
  }
  /// First input of entry n of a terminal.
  [[nodiscard]] std::size_t entry(std::size_t slot, std::size_t n) const {
    const std::size_t again = n < injection_entries() ? 0 : n - injection_entries();
    return plan->injection(slot) + (n - again) * entry_vcs + again;
  }
  /// Flits in the buffer behind an output with credits.
  [[nodiscard]] std::uint16_t depth_behind(std::size_t o) const {
    return o < link_outputs ? plan->outbound[out[o].channel].depth : consumption_depth;
  }
  /// The node asks for allocators that are objects.
  [[nodiscard]] bool has_allocators() const {
    return (matched_vcs && !lone_headers) || (switched && !port_allocator) || pipeline.speculative;
  }
  /// Is Shape::kPlain4 or kPlain8 for it, if its headers wait, terminals never refuse and sources do not
  /// discard?
  [[nodiscard]] bool plain() const {
    return seldom() == Seldom::kNone && service.empty() && port_allocator && port_allocator->one_word() &&
           lone_headers && preferred.empty() && half_words() && release != VcRelease::kNextBufferEmpty &&
           follower_delay == pipeline.before_vc_allocation() && !busy_when_full && !refill_same_cycle &&
           to_consumption > 0 && !far_planes &&
           (in_shift == plain_shift(Shape::kPlain4) || in_shift == plain_shift(Shape::kPlain8));
  }
  /// in_shift and in_mask, of routers of that shape.
  template <Shape kShape>
  [[nodiscard]] unsigned shift() const {
    return is_plain(kShape) ? plain_shift(kShape) : in_shift;
  }
  template <Shape kShape>
  [[nodiscard]] unsigned mask() const {
    return is_plain(kShape) ? (1U << plain_shift(kShape)) - 1 : in_mask;
  }
  /// Cycles before a header bids for a VC that comes over a link.
  template <Shape kShape>
  [[nodiscard]] unsigned header_delay() const {
    return is_plain(kShape) ? follower_delay : pipeline.before_vc_allocation();
  }
  /// Masks of outputs fit into 32 bits.
  [[nodiscard]] bool half_words() const { return W == 1 && outputs <= 32; }
  /// Headers are served in an order that has to be found or remembered.
  [[nodiscard]] bool keeps_order() const { return scan == Scan::kFirstCome || scan == Scan::kFarthestFirst; }
  /// Without output buffers only consumption outputs have one: the stages behind the switch.
  [[nodiscard]] std::size_t output_buffers() const {
    return output_depth == 0 ? outputs - link_outputs : outputs;
  }

  std::shared_ptr<const RouterPlan> plan;
  RecordPlaces places = {};  ///< in the record of a build, which says where
  std::uint16_t inputs;
  std::uint16_t outputs;
  std::uint16_t link_inputs;   ///< inputs below this ride on links; the others are injection channels
  std::uint16_t link_outputs;  ///< outputs below this ride on links; the others are consumption channels
  std::uint16_t entry_vcs;     ///< inputs per entry (see entries)
  std::uint16_t injection_channels;      ///< per terminal
  std::uint16_t channel_entries;         ///< entries that share an injection channel
  std::uint16_t retransmission_buffers;  ///< per terminal, each an injection channel of its own
  std::uint16_t tie_span;  ///< Ties::kPort: inputs that the start moves over; unlimited channels: as with 64
  std::uint16_t classes;
  std::uint16_t input_depth;
  std::uint16_t in_shift;  ///< an input buffer has 2^in_shift slots in the record, at least input_depth
  std::uint16_t in_mask;
  std::uint16_t output_depth;
  std::uint16_t consumption_depth;
  std::uint16_t output_stride;  ///< slots per output in the record
  bool by_age;                  ///< the oldest packet goes first: there is `service`, be it of one group
  unsigned connections;         ///< new ones per crossbar and cycle
  Scan scan;
  Ties ties;
  bool in_port_order;  ///< first come, first served; ties by the number of the input
  Selection selection;
  VcRelease release;
  bool refill_same_cycle;
  bool fixed_slots;       ///< every VC of some link has its own share of it
  bool mixed_sharing;     ///< and other links are shared on demand
  bool ordered_arrivals;  ///< the order of what comes in one cycle, or its slot, matters; or `stores`
  bool switched;          ///< a switch allocator gives ports to flits
  bool matched_vcs;       ///< an allocator matches headers and output VCs; else they are scanned
  bool input_first_vcs;   ///< the VC allocator is a SeparableInputFirst of one round: it can be asked as such
  bool lone_headers;  ///< and its arbiters are in the record (RouterState::vc_turns): there is no object for
                      ///< it
  bool lone_vcs = true;  ///< no link has two
  bool on_demand;        ///< no fixed slots, no unlimited consumption
  bool transit_first;
  bool unlimited_injection;
  bool lone_channel;  ///< a terminal has one injection channel, of one worm at a time, and no other way in
  bool single_entry;  ///< a terminal has one injection buffer
  bool unlimited_consumption;  ///< there are no consumption outputs
  bool consumed_on_arrival;    ///< besides, no buffer holds flits of two worms
  bool restricted = false;     ///< message classes have VCs of their own (of_message_class)
  bool refusing = false;       ///< terminals may refuse flits (FabricContext::refusals)
  bool headers_wait = false;  ///< those that come bid for a VC in a later cycle, and are not looked at before
  bool stalls = false;        ///< it sleeps while nothing that it holds can move (Stall)
  /// Besides, it may be `refusing`.
  [[nodiscard]] Seldom seldom() const {
    if (stores || pipeline.speculative || mixed_sharing || fixed_slots || unlimited_injection ||
        unlimited_consumption || ordered_arrivals)
      return Seldom::kAll;
    return consumption_credits || at_once ? Seldom::kTerminals : Seldom::kNone;
  }
  bool at_once;                  ///< packets enter injection buffers at the start of the cycle
  bool consumption_credits;      ///< no output buffers, but consumption buffers that may be full
  std::uint16_t to_consumption;  ///< cycles from the crossbar to them, without output buffers
  bool busy_when_full;           ///< an output without room behind is given to no header
  bool shared_consumption;       ///< several consumption outputs share a consumption channel
  bool output_first;             ///< multicast: a worm acquires the output VC before the consumption channel
  bool stores;                   ///< packets that go on from link to link are stored: NodeDescription::stores
  Pipeline pipeline;
  /// Cycles before a header bids for a VC that has waited behind another worm; kNoSlot: `stores`.
  std::uint16_t follower_delay;
  std::vector<LinkVc> in;  ///< all injection channels share the number behind those of the links
  std::vector<LinkVc> out;
  std::vector<std::uint16_t> in_port;   ///< [input]: inbound channels, then injection channels
  std::vector<std::uint16_t> out_port;  ///< [output]: outbound channels, then consumption channels
  std::vector<M> in_port_mask;          ///< [input port]: its inputs
  std::size_t out_ports = 0;
  std::vector<M> consumption_of;      ///< [slot]: consumption outputs of a terminal
  std::vector<Candidate> candidates;  ///< [output]: the relation's name for it
  std::vector<M> outputs_of;          ///< [port * classes + class]
  std::vector<M> lanes;               ///< [lane]: link outputs of that lane
  std::vector<M> allowed;             ///< [input]: outputs of its crossbar
  std::vector<M> channel_mask;        ///< [outbound channel]: its VCs
  std::vector<M> directions;          ///< [port]: its VCs
  std::vector<M> preferred;
  std::vector<M> of_message_class;      ///< link outputs that its packets may take; empty: all may take all
  std::vector<Service> service;         ///< service groups by falling priority; empty: all alike
  std::vector<std::uint8_t> served_by;  ///< [output]: its service group; empty as well
  std::vector<CrossbarMasks> crossbars;
  /// The switch allocator where it is separable_input_first of one round with round-robin arbiters, and fits.
  /// Then routers have no object for it.
  std::optional<PortAllocator> port_allocator;
  std::vector<std::uint8_t> field_of_output;  ///< [output]: field of its port
  bool far_planes;                            ///< the counters of this router need far planes
  bool shallow;                               ///< none gets above MaskCounters::kMostShallow
  Shape shape = Shape::kAny;                  ///< if no link has a serialiser
  /// Flits of each input while it has no room for one more of its own source, and credits of each output
  /// while the buffer behind is empty.
  MaskCounters<W> most;
  mutable std::vector<M> wants;  ///< [input]: scratch of allocation, of one router at a time
  M slot_outputs;                ///< with their own share of a link
  M home;                        ///< outputs with credits
  M link_mask;
  M consumption_mask;

 private:
  std::vector<typename MaskCounters<W>::Plane> far;  ///< planes of `most`
  [[nodiscard]] bool has_sharing(LinkSharing sharing) const {
    return std::ranges::any_of(plan->outbound, [&](const auto& c) { return c.sharing == sharing; });
  }
  void add_port_allocator() {
    if (inputs == 0) return;  // a router that no worm comes through
    const std::size_t ports = in_port_mask.size();
    const std::size_t vcs = in_port_mask.front().count();
    if (ports * vcs != inputs) return;
    for (std::size_t i = 0; i < inputs; ++i)
      if (in_port[i] != i / vcs) return;
    if (!PortAllocator::holds(ports, vcs, out_ports)) return;
    port_allocator.emplace(ports, vcs, out_ports);
    for (std::size_t o = 0; o < outputs; ++o)
      field_of_output[o] = static_cast<std::uint8_t>(port_allocator->field(out_port[o]));
  }
  void set_depths() {
    std::size_t deepest = input_depth;
    for (std::size_t o = 0; o < outputs; ++o) deepest = std::max<std::size_t>(deepest, depth_behind(o));
    shallow = deepest <= MaskCounters<W>::kMostShallow;
    far_planes = MaskCounters<W>::needs_far(std::max<std::size_t>(in_mask + 1U, deepest));
    if (far_planes) {
      far.resize(MaskCounters<W>::kFar);
      most.set_far(far.data());
    }
    for (std::size_t o = 0; o < outputs; ++o)
      most.set_output(o, home.test(o) ? depth_behind(o) : input_depth);
    for (std::size_t i = 0; i < inputs; ++i) most.set_input(i, input_depth);
  }
  void add_service() {
    if (plan->service.empty() && !by_age) return;
    served_by.resize(outputs);
    if (plan->service.empty()) service.push_back({link_mask | consumption_mask, 1, 1, 0});
    for (const ServicePlan& group : plan->service) {
      std::uint32_t peers = 0;
      for (std::size_t g = 0; g < plan->service.size(); ++g)
        if (plan->service[g].level == group.level) peers |= 1U << g;
      for (const std::uint16_t o : group.outputs) served_by[o] = static_cast<std::uint8_t>(service.size());
      service.push_back(
          {mask_of(group.outputs), peers, static_cast<std::int32_t>(group.weight), group.level});
    }
  }
  static M mask_of(const std::vector<std::uint16_t>& places) {
    M m;
    for (const auto p : places) m.set(p);
    return m;
  }
  void add_crossbar(std::size_t x) {
    auto& masks = crossbars[x];
    const auto belongs = [x](const VcPlan& vc) {
      return vc.crossbar < 0 || vc.crossbar == static_cast<int>(x);
    };
    for (std::size_t i = 0; i < inputs; ++i)
      if (belongs(plan->inputs[i])) masks.inputs.set(i);
    for (std::size_t o = 0; o < outputs; ++o)
      if (belongs(plan->outputs[o])) masks.outputs.set(o);
    masks.inputs.each([&](std::size_t i) { allowed[i] |= masks.outputs; });
  }
};

}  // namespace noctule
