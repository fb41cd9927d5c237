#pragma once
// A fabric: routers of a plan, wired along the links of its topology, with one process that runs the cycle.
//
//   sc_main:  noctule::FabricPlan plan = noctule::plan_fabric({topology, relation, node});
//             noctule::Fabric fabric("fabric", plan, {.seed = 1});
//             fabric.attach(source);                 // traffic made inside, and / or
//             my_module.network.bind(fabric.injection);    // packets from the user's own processes
//             fabric.consumption.bind(my_module);          // told of every delivery
//             sc_core::sc_start(...);

#include <exception>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "blocks/refusals.h"
#include "blocks/router_state.h"
#include "core/hierarchy.h"
#include "fabric/bands.h"
#include "fabric/router_arena.h"
#include "fabric/router_base.h"
#include "fabric/rtl_router.h"
#include "fabric/timing.h"
#include "kernel/calendar.h"
#include "kernel/interfaces.h"
#include "kernel/systemc.h"
#include "kernel/timing_wheel.h"
#include "nodes/router_plan.h"
#include "stats/counters.h"
#include "stats/flow_table.h"
#include "traffic/source.h"

namespace noctule {

struct CreditOrder;

struct FabricOptions {
  sc_core::sc_time period{1, sc_core::SC_NS};  ///< of one routing cycle; ignored if clk_i is bound
  bool discard = false;  ///< packets generated while the injection channel is busy are discarded
  std::uint64_t seed = 1;
  double stall = 0;  ///< share of the cycles in which a terminal takes no flit, 0 to below 1; drawn per cycle
  /// What the terminals take besides, class by class; null: all that comes. A module of the user's that is a
  /// TerminalSink: std::shared_ptr<TerminalSink>(std::shared_ptr<void>(), this); it outlives the fabric.
  std::shared_ptr<TerminalSink> sink = nullptr;
  std::uint32_t queue_packets = kUnlimited;  ///< a source queue holds so many; what is born while it is full
                                             ///< is discarded
  std::shared_ptr<const RtlNodes> rtl = nullptr;  ///< routers that are RTL; null: none
  Cycle occupancy_interval = 64;                  ///< cycles between occupancy samples, 0: none
  bool flows = false;                             ///< count each flow: Fabric::flows
  bool observed = false;                          ///< compile observers in; needed for `observe`
  std::uint64_t order_seed = 0;                   ///< not 0: shuffles the order of evaluation (tests)
  std::uint64_t construction_seed = 0;            ///< not 0: shuffles the order of construction (tests)
  std::size_t bands_from = Bands::kLeastBytes;    ///< bytes of state records for cycles in bands (tests)
  std::optional<Hierarchy> hierarchy = {};        ///< absent: by the number of routers
  std::vector<RouterId> with_blocks = {};         ///< whatever the hierarchy: routers that are traced
};

/// Bytes of the state records of all routers of a plan; nothing is built.
[[nodiscard]] std::size_t state_bytes(const FabricPlan& plan);

/// A link that was built: one of the parallel links of a direction. FabricCounters::link_flits has one entry
/// for each, in the order of Fabric::physical_links().
struct PhysicalLink {
  LinkId link;
  std::uint16_t replica = 0;
  RouterId from;
  std::uint16_t channel = 0;  ///< outbound channel of `from`
};

class Fabric final : public sc_core::sc_module, public injection_if, private DeliverySink {
 public:
  /// Packets in, from other modules. Several may bind.
  sc_core::sc_export<injection_if> injection{"injection"};
  /// Deliveries out, to any number of receivers.
  sc_core::sc_port<consumption_if, 0, sc_core::SC_ZERO_OR_MORE_BOUND> consumption{"consumption"};
  /// Optional clock, rising edge; without it the fabric keeps its own time and jumps over idle cycles.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk_i{"clk_i"};
  /// Optional reset, active low, sampled at the start of every cycle: drops everything in the network.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst_ni{"rst_ni"};

  SC_HAS_PROCESS(Fabric);
  /// Throws ConfigError where plan or options cannot be built.
  Fabric(sc_core::sc_module_name name, FabricPlan plan, const FabricOptions& options);
  ~Fabric() override;

  /// Traffic from within; before the simulation starts. At most one source; it lives as long as the fabric.
  void attach(std::shared_ptr<TrafficSource> source);
  /// Reports every flit event; options.observed must be set. The observer outlives the simulation.
  void observe(FlitObserver& observer);

  // injection_if
  [[nodiscard]] bool can_accept(TerminalId source, std::uint8_t message_class = 0) const override;
  bool inject(TerminalId source, const GeneratedPacket& packet) override;

  [[nodiscard]] const FabricPlan& plan() const { return plan_; }
  [[nodiscard]] const FabricOptions& options() const { return options_; }
  /// Simulates so many cycles more: sc_start, from sc_main. What the fabric throws comes out as it was
  /// thrown, not as the kernel's report of it. Cycles before which nobody else has anything to do are
  /// performed at once: the kernel's time stands still meanwhile, and a source that calls sc_stop is heard
  /// after them. Not where the fabric is observed, its `consumption` bound, or a terminal may refuse flits.
  void advance(Cycle cycles);
  /// Cycles performed or jumped over so far: the next one is cycle `cycles()`.
  [[nodiscard]] Cycle cycles() const;
  /// As it is now: to be asked for again in a later cycle, but where the fabric is observed.
  [[nodiscard]] const RouterView& router(RouterId id) const {
    routers_[index(id)]->settle(cycles());
    return *routers_[index(id)];
  }
  [[nodiscard]] const PacketTable& packets() const { return context_.packets; }
  /// Sums since the start. A reset counts what was in the network as dropped, what was queued as discarded.
  [[nodiscard]] FabricCounters counters() const;
  /// Starts a measuring window: maxima of latency histograms and flows start anew. Sums go on.
  void begin_window();
  /// Of this window, by source and destination; empty without FabricOptions::flows.
  [[nodiscard]] std::vector<FlowCounters> flows() const {
    return flows_ ? flows_->flows() : std::vector<FlowCounters>{};
  }
  [[nodiscard]] const std::vector<PhysicalLink>& physical_links() const { return physical_links_; }
  /// Planned worms and messages with several destinations that are alive (FabricPlan::multicast).
  [[nodiscard]] const Pool<Worm>& worms() const { return context_.worms; }
  /// Messages that a terminal has absorbed and cannot send on yet, in their order.
  [[nodiscard]] std::span<const Absorbed> absorbed(TerminalId terminal) const {
    if (context_.absorbed.empty()) return {};
    return context_.absorbed[index(terminal)];
  }
  /// Packets waiting in source queues.
  [[nodiscard]] std::uint64_t queued() const;
  /// The longest source queue, in packets that are ready (of a multicast, its copies).
  [[nodiscard]] std::uint64_t longest_queue() const;
  /// Packets waiting in source queues, and packets under way, summed over all cycles so far (FabricCounters).
  [[nodiscard]] std::uint64_t queued_packet_cycles() const;
  [[nodiscard]] std::uint64_t under_way_packet_cycles() const;
  /// Nothing enters the network any more: the source is not asked again, unicasts that wait in source queues
  /// are discarded, and nothing is told to an observer. For what can be checked only once the network is
  /// empty; between cycles.
  void close();
  /// Nothing is under way or queued, and the source, if it is finite, has nothing more.
  [[nodiscard]] bool drained() const;
  /// Flits and headers that have moved so far: in and out, over links and through crossbars.
  [[nodiscard]] std::uint64_t moves() const;
  /// Nothing will come from outside or with time: if nothing moves, nothing ever will. Where headers choose
  /// blindly, chance may still help; then this is not said.
  [[nodiscard]] bool waits_for_itself() const;
  /// A terminal that takes no more packets of a message class.
  struct RefusingEnd {
    TerminalId terminal{};
    std::uint8_t message_class = 0;
  };
  /// Asks the sink of every terminal; between cycles.
  [[nodiscard]] std::vector<RefusingEnd> refusing_ends() const;
  /// Cycle in which the last packet was delivered; 0 if none was.
  [[nodiscard]] Cycle last_delivery() const { return last_delivery_; }
  /// Sum over all deliveries of a hash of (source, destination, number, cycle of consumption).
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  /// Counts every flit in every buffer and compares with what went in and came out; throws InternalError, and
  /// RtlFault where a router in hardware keeps credits.
  void check_conservation() const;
  /// Once nothing moves any more: throws RtlFault where a router in hardware has lost flits, or sends none.
  /// Says nothing where terminals may refuse, or prepare messages.
  void check_left() const;
  struct SilentRouter {
    RouterId router{};
    Cycle since = 0;  ///< it has sent nothing
  };
  /// Routers in hardware that hold flits and have sent none for so many cycles, the longest first; none where
  /// terminals may refuse.
  [[nodiscard]] std::vector<SilentRouter> silent_routers(Cycle cycles) const;
  /// What a packet takes that meets no other.
  [[nodiscard]] const ZeroLoad& zero_load() const { return timing_.zero_load(); }
  /// The order in which `advance` performs cycles where nobody looks on.
  [[nodiscard]] const Bands& bands() const { return bands_; }
  /// Bytes of all router state records.
  [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }
  /// Bytes of unlimited injection channels: they follow what enters and waits.
  [[nodiscard]] std::size_t injection_bytes() const { return arenas_->injection_bytes(); }

 private:
  /// Copies of a message that its sender is still preparing.
  struct Prepared {
    Cycle due = 0;
    std::uint64_t order = 0;
    TerminalId source{};
    std::vector<PacketHandle> copies;
    friend bool operator>(const Prepared& a, const Prepared& b) {
      return std::tie(a.due, a.order) > std::tie(b.due, b.order);
    }
  };
  struct PendingCall {
    TerminalId source;
    GeneratedPacket packet;
    sc_core::sc_time at;
  };

  void check_nodes() const;
  void build();
  void wire();
  void order_routers(const CreditOrder& credits);
  [[nodiscard]] std::size_t band_of(TerminalId terminal) const {
    return bands_.count == 1
               ? 0
               : bands_.of_position(context_.interfaces[context_.interface(terminal, 0)].position);
  }
  void start_of_simulation() override;
  void tick();
  void note_tick();
  void perform_due();
  void cycle(Cycle t);
  [[nodiscard]] Cycle next_due() const;
  [[nodiscard]] bool undisturbed_until(Cycle next) const;
  void schedule(Cycle next);
  [[nodiscard]] Cycle cycles_together(Cycle t) const;
  void skewed_cycles(Cycle t, Cycle cycles);
  void visit_routers(Cycle t, std::size_t from, std::size_t to);
  void generate(Cycle t, std::size_t band);
  void accept_calls(Cycle t);
  [[nodiscard]] std::size_t calls_of(std::size_t interface) const;
  [[nodiscard]] bool full(const NetworkInterface& interface, std::size_t coming) const;
  void create(TerminalId source, const GeneratedPacket& packet, Cycle t, bool own);
  void create_message(const Packet& packet, const GeneratedPacket& generated, Cycle t, bool own);
  void count_flows(TerminalId source, const GeneratedPacket& generated);
  void enqueue(TerminalId source, std::span<const PacketHandle> packets, Cycle t, bool own);
  void report(FlitEvent event, PacketHandle handle, const Packet& packet, Cycle t);
  void send_prepared(Cycle t);
  void check_destinations(const char* key, TerminalId source, const GeneratedPacket& packet) const;
  [[nodiscard]] RouteState start_state(const RoutingRelation& relation, const Packet& packet,
                                       std::uint64_t copy = 0);
  [[nodiscard]] RouteState state_of_class(const RoutingRelation& relation, const Packet& packet,
                                          RouterId start, std::uint64_t copy) const;
  [[nodiscard]] RouteState prescribed_state(const Packet& packet, RouterId source, std::uint32_t route) const;
  void ask_source(TerminalId source);
  void add_occupancy(FabricCounters& counters, Cycle t, std::uint64_t samples) const;
  /// Occupancy samples that fall into the idle cycles next_cycle_ .. t-1.
  [[nodiscard]] std::uint64_t idle_samples(Cycle t) const {
    return next_sample_ >= t ? 0 : (t - 1 - next_sample_) / options_.occupancy_interval + 1;
  }
  /// The occupancy of cycle t, before routers are visited, where it is its turn.
  void sample_occupancy(Cycle t) {
    if (t != next_sample_) return;
    add_occupancy(totals_, t, 1);
    next_sample_ += options_.occupancy_interval;
  }
  [[nodiscard]] std::uint64_t flits_injected() const;
  /// Throws ConfigError of `key` where the fabric does not carry this packet.
  void check_carried(const char* key, TerminalId source, const GeneratedPacket& packet) const;
  void check_called_route(TerminalId source, const GeneratedPacket& packet) const;
  void check_generated(TerminalId source, const GeneratedPacket& packet) const;
  void check_ends(TerminalId source, const GeneratedPacket& packet) const;
  void tell_deliveries();
  void tell_injections(Cycle t);
  void ask_woken();
  void restart_source(Cycle t);
  void reset(Cycle t);
  [[nodiscard]] std::uint64_t zero_load_of(PacketHandle handle) const;
  void packet_delivered(PacketHandle handle, Cycle t) override;
  void stop_served(PacketHandle handle, TerminalId terminal, Cycle t) override;
  [[nodiscard]] static Delivery delivery_of(const Packet& packet, TerminalId destination,
                                            std::uint32_t remaining, Cycle t);
  void tell(const Packet& packet, TerminalId destination, std::uint32_t remaining, Cycle t);

  FabricPlan plan_;
  bool relation_sees_classes_;  ///< RoutingRelation::sees_message_classes
  Carried carried_;
  std::uint32_t carried_unasked_;  ///< flits of a packet up to which there is nothing to check_carried
  FabricOptions options_;
  FabricTiming timing_;
  std::unique_ptr<TerminalSink> drawn_;  ///< FabricOptions::stall
  std::optional<Refusals> refusals_;     ///< absent: terminals take all that comes
  FabricContext context_;
  std::vector<std::vector<LinkId>>
      paths_;  ///< that headers took, by handle of the packet; empty where links are alike
  std::unique_ptr<RouterArenas> arenas_;
  std::size_t state_bytes_ = 0;                       ///< of all arenas
  std::vector<std::unique_ptr<RouterBase>> routers_;  ///< by RouterId
  std::vector<RouterBase::Entry> by_position_;
  RouterBase::Visited visited_;          ///< of one router: most others are like it
  std::vector<std::uint32_t> position_;  ///< by RouterId
  std::vector<RouterId> router_at_;      ///< by position
  std::vector<std::uint32_t> clocked_;   ///< positions of the routers that have work in every cycle
  std::vector<PhysicalLink> physical_links_;
  Calendar calendar_;
  Bands bands_;
  TimingWheel wheel_;
  std::shared_ptr<TrafficSource> source_;
  std::optional<TrafficSource::Ends> named_ends_;  ///< that the source says it has
  bool closed_ = false;
  struct Sending {
    GeneratedPacket next;         ///< what the wheel will fire
    std::uint64_t asked = 0;      ///< packets asked of the source
    std::uint64_t generated = 0;  ///< packets generated
  };
  std::vector<Sending> sending_;  ///< by terminal
  std::vector<PendingCall> calls_;
  std::vector<TerminalId> woken_;
  std::vector<bool> asked_;           ///< by terminal: in this round of woken_
  std::vector<PlannedWorm> planned_;  ///< scratch
  std::priority_queue<Prepared, std::vector<Prepared>, std::greater<>> preparing_;
  std::uint64_t prepared_ = 0;        ///< messages that needed preparation
  std::vector<Delivery> deliveries_;  ///< of this cycle, for receivers outside
  std::vector<PacketHandle> begun_;   ///< packets whose injection began in this cycle
  sc_core::sc_event call_event_;
  Cycle next_cycle_ = 0;
  Cycle next_sample_ = 0;         ///< of occupancy, at next_cycle_ or later; kNever: none is taken
  sc_core::sc_time advanced_to_;  ///< the end of `advance` under way; else 0
  sc_core::sc_time last_tick_;
  bool ticked_ = false;
  bool started_ = false;
  std::exception_ptr thrown_;  ///< out of a cycle
  bool in_reset_ = false;
  std::uint64_t digest_ = 0;
  Cycle last_delivery_ = 0;
  // Sums of cycles modulo 2^64, over packets that were not discarded at their birth:
  std::uint64_t births_ = 0;
  std::uint64_t ends_ = 0;            ///< delivered, or dropped by a reset
  std::uint64_t queues_dropped_ = 0;  ///< dropped by a reset from a source queue
  FabricCounters totals_;
  std::optional<FlowTable> flows_;
};

}  // namespace noctule
