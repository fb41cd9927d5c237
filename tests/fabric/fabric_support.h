#pragma once
// Shared by the tests of the engine: fabrics from short descriptions, packets from lists, records of what
// happened.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "blocks/observer.h"
#include "core/json.h"
#include "fabric/fabric.h"
#include "nodes/node_description.h"
#include "routing/relation.h"
#include "support/cube_network.h"
#include "support/networks.h"
#include "support/nodes.h"
#include "traffic/source.h"

namespace noctule::fabric_test {

inline std::shared_ptr<const CubeNetwork> cube(std::vector<unsigned> radix, bool wrap) {
  const std::vector<bool> wraps(radix.size(), wrap);
  return std::make_shared<const CubeNetwork>(std::move(radix), wraps);
}
inline std::shared_ptr<const CubeNetwork> torus(std::vector<unsigned> radix) {
  return cube(std::move(radix), true);
}
inline std::shared_ptr<const CubeNetwork> mesh(std::vector<unsigned> radix) {
  return cube(std::move(radix), false);
}

/// A relation with the node that it is made for.
struct Model {
  std::string algorithm;
  std::string node_model;
  Json set = Json::object();
};
/// Every shipped relation, dimension order by both of its rules.
inline std::vector<Model> shipped_models() {
  return {{"dimension_order", "generic", Json{{"vc_rule", "dateline"}}},
          {"dimension_order", "generic", Json{{"vc_rule", "wrapped_bit"}}},
          {"oblivious", "oblivious"},
          {"star_channels", "star_channels"},
          {"four_classes", "four_classes"},
          {"linder_harden", "linder_harden"}};
}
inline FabricPlan plan_of(const Model& model, std::shared_ptr<const Topology> topology,
                          const Json& node_set = Json::object()) {
  return plan_fabric(
      {topology, relation_on(topology, model.algorithm, model.set), node_of(model.node_model, node_set)});
}

/// Node keys, and the credit delay that goes with them, that make a different router of any model.
struct Variant {
  std::string name;
  Json set;
  Cycle credit_delay = 1;
};
/// One of every way in which the blocks of a router work together.
inline std::vector<Variant> variants() {
  const Json textbook = {{"output_depth", 0},
                         {"input_depth", 4},
                         {"lanes", 2},
                         {"parallel_links", 1},
                         {"vc_allocator", "separable_input_first"},
                         {"switch_allocator", "separable_input_first"},
                         {"connections_per_cycle", "all"},
                         {"routing_delay", 1},
                         {"vc_allocation_delay", 1},
                         {"switch_allocation_delay", 1},
                         {"injection_vcs", 2},
                         {"consumption_vcs", 2}};
  const auto with = [](Json set, const Json& more) {
    set.update(more);
    return set;
  };
  const Json slots = {{"output_depth", 0}, {"link_sharing", "fixed_slot"}, {"release", "next_buffer_empty"}};
  return {
      {"unit", Json::object()},
      {"deep", {{"input_depth", 4}, {"output_depth", 2}, {"consumption_depth", 2}}},
      {"deep_pipeline", {{"input_depth", 3}, {"routing_delay", 2}, {"vc_allocation_delay", 1}}},
      {"deep_slots", {{"output_depth", 2}, {"link_sharing", "fixed_slot"}, {"injection_delay", 0}}},
      {"demand", {{"output_depth", 0}, {"input_depth", 2}, {"traversal_delay", 0}}, 2},
      {"blind",
       {{"output_depth", 0},
        {"input_depth", 2},
        {"traversal_delay", 0},
        {"injection_refill", "same_cycle"},
        {"consumption_delay", 2},
        {"consumption_depth", 2},
        {"vc_busy_when_full", true},
        {"scan", "random_start"},
        {"selection", "blind"}}},
      {"stored", {{"output_depth", 0}, {"input_depth", 40}, {"forwarding", "store_and_forward"}}},
      {"slots", with(slots, {{"input_depth", 3}, {"consumption_channels", 2}})},
      {"slots_immediate",
       with(slots, {{"traversal_delay", 0},
                    {"injection_delay", 0},
                    {"injection_channels", 3},
                    {"consumption_channels", "unlimited"}}),
       0},
      {"slots_immediate_deep", with(slots, {{"input_depth", 3}, {"release", "tail_crossed"}}), 0},
      {"textbook", textbook},
      {"textbook_speculative",
       with(textbook, {{"speculative", true}, {"lookahead", true}, {"release", "next_buffer_empty"}})},
      {"textbook_islip", with(textbook, {{"switch_allocator", "islip"},
                                         {"vc_allocator", "separable_output_first"},
                                         {"allocator_iterations", 2}})},
      {"textbook_wavefront",
       with(textbook,
            {{"switch_allocator", "wavefront"}, {"vc_allocator", "wavefront"}, {"arbiter", "matrix"}})},
      {"textbook_maximum", with(textbook, {{"switch_allocator", "maximum"}, {"vc_allocator", "maximum"}})}};
}

/// Several fabrics live in one process: each has a name of its own.
inline std::string unique(const char* stem = "fabric") {
  return sc_core::sc_gen_unique_name(stem);
}
/// Options of a fabric, and delays of its links where these are alike.
struct LinkedOptions : FabricOptions {
  LinkedOptions() = default;
  LinkedOptions(const FabricOptions& options)  // NOLINT(google-explicit-constructor): links of one cycle
      : FabricOptions(options) {}
  Cycle flit_delay = 1;
  Cycle credit_delay = 1;
};
inline std::unique_ptr<Fabric> make_fabric(FabricPlan plan, const LinkedOptions& options = {}) {
  const LinkDescription link{static_cast<unsigned>(options.flit_delay),
                             static_cast<unsigned>(options.credit_delay)};
  if (link != LinkDescription{}) plan.links = link;
  return std::make_unique<Fabric>(unique().c_str(), std::move(plan), options);
}

/// Packets from lists, by terminal, in the order of their births.
class ListSource : public TrafficSource {
 public:
  void add(std::size_t source, const GeneratedPacket& packet) { lists_[source].push_back(packet); }
  void add(std::size_t source, std::size_t destination, std::uint32_t length, Cycle birth) {
    add(source, {birth, TerminalId(destination), length, 0, nullptr});
  }
  /// Packets that were added in another order; those of one birth keep theirs.
  void sort() {
    for (auto& [source, list] : lists_) std::ranges::stable_sort(list, {}, &GeneratedPacket::birth);
  }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    const auto list = lists_.find(index(source));
    if (list == lists_.end() || number >= list->second.size()) return std::nullopt;
    return list->second[number];
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>&) override {
    deliveries.push_back(delivery);
  }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] const std::map<std::size_t, std::vector<GeneratedPacket>>& lists() const { return lists_; }

  std::vector<Delivery> deliveries;

 private:
  std::map<std::size_t, std::vector<GeneratedPacket>> lists_;
};

/// A registered source over a registered pattern. `load`: flits per terminal and cycle, in 1/1000.
inline std::shared_ptr<TrafficSource> traffic(std::shared_ptr<const Topology> topology,
                                              const std::string& source, unsigned load, std::uint32_t length,
                                              std::uint64_t seed = 1, const std::string& pattern = "uniform",
                                              const Json& set = Json::object()) {
  SourceContext context;
  context.topology = topology;
  const auto& with = PatternRegistry::instance().at(pattern);
  context.pattern = with.make(topology, Parameters::defaults(with.parameters), seed);
  context.packet_rate = ~std::uint64_t{0} / 1000 / length * std::min(load, 1000U);
  context.lengths = {{length, std::uint64_t{1} << 32}};
  context.seed = seed;
  const auto& entry = SourceRegistry::instance().at(source);
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  return entry.make(context, parameters);
}

/// Performs exactly n cycles of a fabric with its own period.
inline void run_cycles(const Fabric& fabric, Cycle n) {
  sc_core::sc_start(sc_core::sc_time::from_value(fabric.options().period.value() * n));
}
/// Runs until the fabric has drained; false if it has not within `limit` cycles.
inline bool drain(const Fabric& fabric, Cycle limit) {
  for (Cycle n = 0; n < limit && !fabric.drained(); n += 500) run_cycles(fabric, 500);
  return fabric.drained();
}

/// One flit event.
struct Event {
  Cycle t = 0;
  RouterId router{};
  FlitEvent event{};
  std::uint16_t place = 0;
  std::uint16_t input = 0;
  std::uint32_t flit = 0;
  bool tail = false;
  TerminalId source{};
  std::uint64_t number = 0;  ///< of the packet
};

/// Keeps all events.
class Recorder final : public FlitObserver {
 public:
  void on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input, Flit flit,
               const Packet& packet) override {
    events.push_back(
        {t, router, event, place, input, flit.number(), flit.tail(), packet.source, packet.number});
  }
  void on_cycle_end(Cycle) override {}

  template <class F>
  [[nodiscard]] std::vector<Event> where(F&& f) const {
    std::vector<Event> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found), f);
    return found;
  }
  /// Events of one kind at one router, of one source's packets.
  [[nodiscard]] std::vector<Event> of(FlitEvent kind, std::size_t router, std::size_t source) const {
    return where([&](const Event& e) {
      return e.event == kind && index(e.router) == router && index(e.source) == source;
    });
  }
  [[nodiscard]] std::vector<Event> of(FlitEvent kind, std::size_t router) const {
    return where([&](const Event& e) { return e.event == kind && index(e.router) == router; });
  }

  std::vector<Event> events;
};

/// Cycles of the events.
inline std::vector<Cycle> times(const std::vector<Event>& events) {
  std::vector<Cycle> list;
  for (const auto& e : events) list.push_back(e.t);
  return list;
}

/// An observed fabric with packets from a list, to be run from cycle 0.
struct Bench {
  explicit Bench(FabricPlan plan, LinkedOptions options = {}) {
    options.observed = true;
    fabric = make_fabric(std::move(plan), options);
    fabric->attach(source);
    fabric->observe(recorder);
  }
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  Recorder recorder;
  std::unique_ptr<Fabric> fabric;
};

/// Every minimal direction, or those of the lowest dimension; one VC class, no precaution
/// whatsoever.
class Reckless final : public RoutingRelation {
 public:
  Reckless(std::shared_ptr<const CubeNetwork> cube, bool adaptive)
      : cube_(std::move(cube)), adaptive_(adaptive) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    for (unsigned d = 0; d < cube_->dimensions(); ++d) {
      const auto way = cube_->minimal(d, cube_->coordinate(here, d), cube_->coordinate(destination, d));
      if (way.plus) list.add(CubeNetwork::plus(d), VcClass{0});
      if (way.minus) list.add(CubeNetwork::minus(d), VcClass{0});
      if (!adaptive_ && !list.empty()) return;
    }
  }
  [[nodiscard]] unsigned hops(RouterId from, RouterId to) const override { return cube_->distance(from, to); }

 private:
  std::shared_ptr<const CubeNetwork> cube_;
  bool adaptive_;
};

}  // namespace noctule::fabric_test
