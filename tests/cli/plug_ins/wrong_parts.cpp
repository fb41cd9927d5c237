// Parts that break their contract in the way that their key `fault` says.

#include <csignal>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "multicast/planner.h"
#include "routing/cube_relation.h"
#include "traffic/source.h"

namespace {

using namespace noctule;

std::vector<Parameter> faults(std::vector<std::string> all) {
  all.insert(all.begin(), {"none", "exception", "number", "nothing_made", "crash", "abort", "exit"});
  return {Parameter::choice("fault", "none", all, "what is wrong")};
}

std::string fault_of(const Parameters& keys) {
  return keys.get<std::string>("fault");
}

void throw_if_asked(const std::string& fault) {
  if (fault == "exception") throw std::runtime_error("out of ideas");
  if (fault == "number") throw 42;
  if (fault == "crash") std::raise(SIGSEGV);
  if (fault == "abort") std::abort();
  if (fault == "exit") std::exit(0);
}

/// x before y on a mesh; around a ring always in the same direction.
class WrongRelation final : public RoutingRelation {
 public:
  WrongRelation(std::shared_ptr<const Topology> topology, std::string fault)
      : topology_(std::move(topology)), cube_(require_cube(*topology_, "wrong")), fault_(std::move(fault)) {}

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link&) const override { return fault_ == "classes" ? 5'000'000 : 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override {
    if (fault_ == "label") return {};
    return {static_cast<std::uint8_t>(fault_ == "label_value" ? 3 : 0)};
  }
  [[nodiscard]] std::uint64_t initial_states(RouterId, RouterId) const override {
    if (fault_ == "initial_states") return std::uint64_t{1} << 62;
    return fault_ == "initial_state" ? 0 : 1;
  }
  [[nodiscard]] RouteState initial_state(RouterId, RouterId, std::uint64_t n) const override { return n; }
  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    throw_if_asked(fault_);
    if (fault_ == "candidates") return;
    for (unsigned d = 0; d < cube_.dimensions(); ++d) {
      const auto way = cube_.minimal(d, cube_.coordinate(here, d), cube_.coordinate(destination, d));
      if (way.hops == 0) continue;
      Candidate hop{way.plus || fault_ == "minimal" || fault_ == "acyclic" ? CubeGeometry::plus(d)
                                                                           : CubeGeometry::minus(d),
                    VcClass{0}};
      if (fault_ == "port") hop.port = PortId{99};
      if (fault_ == "edge") hop.port = CubeGeometry::minus(d);
      if (fault_ == "class") hop.vc_class = VcClass{7};
      if (fault_ == "lane") hop.lane = 0;
      for (int n = 0; n < (fault_ == "repeats" ? 100'000 : 1); ++n) list.add(hop);
      return;
    }
  }
  [[nodiscard]] RouteState next_state(RouterId, RouterId, RouteState, Candidate) const override {
    return fault_ == "state" ? 1 : 0;
  }
  [[nodiscard]] bool serves(RouterId source, RouterId destination) const override {
    if (fault_ == "serves") throw std::runtime_error("nobody served");
    return fault_ != "serves_all" || index(source) != 5 || index(destination) != 3;
  }
  [[nodiscard]] RoutingClaims claims() const override {
    return {fault_ != "acyclic", fault_ == "fully_adaptive", fault_ == "word" ? "cyclic" : "acyclic"};
  }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return cube_.hops(source, destination) + (fault_ == "hops" ? 1 : 0);
  }

 private:
  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& cube_;
  std::string fault_;
  std::vector<VcField> fields_{{"kind", {"a", "b"}}};
};

class WrongPattern final : public TrafficPattern {
 public:
  WrongPattern(std::size_t terminals, std::string fault) : terminals_(terminals), fault_(std::move(fault)) {}

  [[nodiscard]] bool injects(TerminalId) const override { return fault_ != "silent"; }
  [[nodiscard]] TerminalId destination(TerminalId source, Rng&) const override {
    throw_if_asked(fault_);
    if (fault_ == "draw") return TerminalId{999};
    return next(source, fault_ == "other_draw" ? 2 : 1);
  }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    if (fault_ == "terminal") return {{TerminalId{999}, 1.0}};
    if (fault_ == "sum") return {{next(source, 1), 0.5}};
    if (fault_ == "negative") return {{next(source, 1), 2.0}, {next(source, 2), -1.0}};
    if (fault_ == "nan") return {{next(source, 1), std::numeric_limits<double>::quiet_NaN()}};
    return {{next(source, 1), 1.0}};
  }

 private:
  [[nodiscard]] TerminalId next(TerminalId source, std::size_t by) const {
    return TerminalId{static_cast<std::uint32_t>((index(source) + by) % terminals_)};
  }
  std::size_t terminals_;
  std::string fault_;
};

class WrongSource final : public TrafficSource {
 public:
  WrongSource(std::size_t terminals, std::string fault) : terminals_(terminals), fault_(std::move(fault)) {}

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    throw_if_asked(fault_);
    GeneratedPacket packet;
    packet.birth = fault_ == "endless" ? 0 : 100 * number;
    if (fault_ == "past" && number == 2) packet.birth = 1;
    packet.destination = TerminalId{index(source) == 0 ? 1U : 0U};
    if (fault_ == "destination") packet.destination = TerminalId{999};
    packet.length = fault_ == "length" ? 0 : 2;
    packet.route = fault_ == "route" ? 3 : 0;
    if (fault_ == "multicast") packet.destinations = {TerminalId{1}, TerminalId{2}};
    return packet;
  }
  void delivered(const Delivery&, std::vector<TerminalId>& wake) override {
    if (fault_ == "delivered") throw std::runtime_error("unexpected");
    if (fault_ == "wake") wake.push_back(TerminalId{999});
    if (fault_ == "wakes_all")
      for (std::uint32_t t = 0; t < terminals_; ++t) wake.push_back(TerminalId{t});
  }
  [[nodiscard]] std::optional<Ends> ends() const override {
    if (fault_ == "ends") return Ends{std::vector<bool>(3), std::vector<bool>(terminals_)};
    if (fault_ != "ends_silent" && fault_ != "ends_shunned") return std::nullopt;
    Ends ends{std::vector<bool>(terminals_, true), std::vector<bool>(terminals_, true)};
    (fault_ == "ends_silent" ? ends.injecting[2] : ends.addressed[0]) = false;
    return ends;
  }
  [[nodiscard]] std::optional<Offered> offered() const override {
    if (fault_ == "offered_throws") throw std::runtime_error("no offer");
    if (fault_ != "offered") return std::nullopt;
    return Offered{-1, 2};
  }
  [[nodiscard]] LengthShares lengths() const override {
    if (fault_ != "lengths") return {};
    return {{2, 0.1}};
  }
  [[nodiscard]] std::vector<RegulatedFlow> regulated() const override {
    if (fault_ != "regulated") return {};
    return {RegulatedFlow{TerminalId{0}, TerminalId{500}}};
  }
  [[nodiscard]] std::vector<ClassDemand> demand() const override {
    ClassDemand demand;
    demand.sent.resize(fault_ == "demand_size" ? 2 : terminals_);
    if (fault_ == "demand_class") demand.message_class = 50;
    if (fault_ == "demand_terminal") demand.sent[0].rest.emplace_back(TerminalId{700}, 0.1);
    if (fault_ == "demand_rate") demand.sent[0].uniform = std::numeric_limits<double>::quiet_NaN();
    return fault_.starts_with("demand") ? std::vector{demand} : std::vector<ClassDemand>();
  }
  [[nodiscard]] std::optional<ClosedLoop> loop() const override {
    if (fault_ != "loop") return std::nullopt;
    return ClosedLoop{{{0, {{1, 1.0}}, {}}, {77, {{1, 1.0}}, {}}}, std::vector<bool>(terminals_, true)};
  }

 private:
  std::size_t terminals_;
  std::string fault_;
};

class WrongPlanner final : public MulticastPlanner {
 public:
  WrongPlanner(std::shared_ptr<const Topology> topology, std::string fault)
      : topology_(std::move(topology)), fault_(std::move(fault)) {}

  [[nodiscard]] std::span<const std::string> groups() const override { return groups_; }
  [[nodiscard]] bool several_destinations() const override { return false; }
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    throw_if_asked(fault_);
    for (const TerminalId t : destinations) {
      PlannedWorm worm{{{topology_->consumption_router(t), t}}, 0};
      if (fault_ == "unserved") continue;
      if (fault_ == "router") worm.stops[0].router = RouterId{999};
      if (fault_ == "place") worm.stops[0].router = topology_->injection_router(source);
      if (fault_ == "other") worm.stops[0].terminal = TerminalId{999};
      if (fault_ == "group") worm.group = 7;
      if (fault_ == "no_stop") worm.stops.clear();
      if (fault_ == "no_end") worm.stops.push_back({topology_->injection_router(source)});
      worms.push_back(worm);
      if (fault_ == "twice") worms.push_back(worm);
    }
  }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override {
    if (fault_ == "rules") throw std::runtime_error("no rules");
    return {ConsumptionClassRule{}};
  }

 private:
  std::shared_ptr<const Topology> topology_;
  std::string fault_;
  std::vector<std::string> groups_{"copy"};
};

const Registration<RoutingRegistry> kRelation{
    {{"wrong", "breaks its contract",
      faults({"port", "edge", "class", "lane", "candidates", "initial_state", "state", "label", "label_value",
              "classes", "minimal", "fully_adaptive", "hops", "acyclic", "word", "serves_all", "serves",
              "repeats", "initial_states"})},
     [](std::shared_ptr<const Topology> topology,
        const Parameters& keys) -> std::unique_ptr<RoutingRelation> {
       if (fault_of(keys) == "nothing_made") return nullptr;
       return std::make_unique<WrongRelation>(std::move(topology), fault_of(keys));
     }}};

const Registration<PatternRegistry> kPattern{
    {{"wrong", "breaks its contract",
      faults({"silent", "draw", "other_draw", "terminal", "sum", "negative", "nan"})},
     [](std::shared_ptr<const Topology> topology, const Parameters& keys,
        std::uint64_t) -> std::unique_ptr<TrafficPattern> {
       if (fault_of(keys) == "nothing_made") return nullptr;
       return std::make_unique<WrongPattern>(topology->terminals(), fault_of(keys));
     }}};

const Registration<SourceRegistry> kSource{
    {{"wrong", "breaks its contract",
      faults({"destination",     "length",         "past",      "endless",   "route",       "multicast",
              "delivered",       "wake",           "wakes_all", "ends",      "ends_silent", "ends_shunned",
              "offered",         "offered_throws", "lengths",   "regulated", "demand_size", "demand_class",
              "demand_terminal", "demand_rate",    "loop"})},
     [](const SourceContext& context, const Parameters& keys) -> std::unique_ptr<TrafficSource> {
       if (fault_of(keys) == "nothing_made") return nullptr;
       return std::make_unique<WrongSource>(context.topology->terminals(), fault_of(keys));
     }}};

const Registration<PlannerRegistry> kPlanner{
    {{"wrong", "breaks its contract",
      faults({"unserved", "twice", "other", "router", "place", "group", "no_stop", "no_end", "rules"})},
     [](std::shared_ptr<const Topology> topology,
        const Parameters& keys) -> std::shared_ptr<const MulticastPlanner> {
       return std::make_shared<WrongPlanner>(std::move(topology), fault_of(keys));
     }}};

}  // namespace
