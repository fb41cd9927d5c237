// Routes between a host and its slaves on a mesh or hypercube: Symons and Narasimhan 1997, section 2.3. A
// packet to the host, the router at the origin, goes by one of the paper's rules; one from the host takes the
// same path reversed. Or all packets go by the rule.
//
// The rule `step` has two readings: at (x, y), y - x even means a hop in x, odd one in y, decided at every
// router (a staircase), or once at the source, for a whole row or column. On an axis packets go straight.
// For any pair of routers both are cyclic, already on a 2x2 mesh; for packets to and from the host they are
// not. With more dimensions, not in the paper: lowest dimension first where the sum of the coordinates is
// even, else highest first.

#include <fmt/format.h>

#include "routing/cube_relation.h"

namespace noctule {
namespace {

constexpr const char* kName = "host_paths";

enum class Rule : std::uint8_t { kX, kY, kStep, kStepAtSource };
const std::vector<std::string>& rule_names() {
  static const std::vector<std::string> names{"x", "y", "step", "step_at_source"};
  return names;
}
const std::vector<std::string>& pair_names() {
  static const std::vector<std::string> names{"all", "host"};
  return names;
}

class HostPaths final : public CubeRelation {
 public:
  HostPaths(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        rule_(static_cast<Rule>(choice_index(parameters, "rule", rule_names()))),
        host_only_(choice_index(parameters, "pairs", pair_names()) == 1) {
    require_both_ways(kName);
    for (unsigned d = 0; d < cube().dimensions(); ++d)
      if (cube().wraps(d))
        throw ConfigError("topology.kind", fmt::format("{} is for networks without wrap links: topology.kind "
                                                       "mesh or hypercube",
                                                       kName));
    if (host_only_) find_links();
  }

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "class0"; }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return vc_class == VcClass{0} && (!host_only_ || used_[index(link.id)]);
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }

  [[nodiscard]] bool serves(RouterId source, RouterId destination) const override {
    return !host_only_ || source == kHost || destination == kHost;
  }
  [[nodiscard]] bool serves_all() const override { return !host_only_; }
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId, std::uint64_t) const override {
    if (host_only_ && source == kHost) return kFromHost;
    return rule_ == Rule::kStepAtSource && turns_y(source) ? kColumnFirst : 0;
  }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    list.add(state == kFromHost ? away_from_host(here, destination) : towards(here, destination, state),
             VcClass{0});
  }
  /// The state never changes, but means something: planners, whose worms carry none, are refused by it.
  [[nodiscard]] bool has_state() const override { return header_bits() > 0; }
  [[nodiscard]] unsigned header_bits() const override {
    return rule_ == Rule::kStepAtSource ? 2 : host_only_ ? 1 : 0;
  }

  [[nodiscard]] RoutingClaims claims() const override {
    const bool proved = !steps() || (host_only_ && cube().dimensions() <= 2);
    return {true, false, proved ? "acyclic" : "none"};
  }

 private:
  static constexpr RouterId kHost{0};
  static constexpr RouteState kFromHost = 1;     ///< takes the path of its destination to the host, reversed
  static constexpr RouteState kColumnFirst = 2;  ///< kStepAtSource: y, then x

  [[nodiscard]] bool steps() const { return rule_ == Rule::kStep || rule_ == Rule::kStepAtSource; }
  /// y - x is odd; where there are other dimensions, the sum of all coordinates.
  [[nodiscard]] bool turns_y(RouterId at) const {
    unsigned sum = 0;
    for (unsigned d = 0; d < cube().dimensions(); ++d) sum += cube().coordinate(at, d);
    return steps() && (sum & 1U) != 0;
  }
  /// The links of all ways to the host, and the same reversed.
  void find_links() {
    used_.resize(topology().links().size());
    for (std::uint32_t slave = 1; slave < topology().routers(); ++slave) {
      const RouteState state = initial_state(RouterId{slave}, kHost, 0);
      for (RouterId at{slave}; at != kHost;) {
        const PortId out = towards(at, kHost, state);
        const Link& link = *topology().outgoing(at, out);
        used_[index(link.id)] = true;
        used_[index(topology().outgoing(link.to, reversed(out))->id)] = true;
        at = link.to;
      }
    }
  }
  static PortId reversed(PortId out) {
    return port_of(CubeGeometry::dimension_of(out), CubeGeometry::is_plus(out));
  }
  /// The dimension of the next hop; `state` is that of a packet on its way to `to`.
  [[nodiscard]] unsigned dimension(RouterId at, RouterId to, RouteState state) const {
    const unsigned last = cube().dimensions() - 1;
    const bool down =  // from the last dimension that is not right yet
        rule_ == Rule::kY || (rule_ == Rule::kStep ? turns_y(at) : state == kColumnFirst);
    for (unsigned n = 0; n <= last; ++n)
      if (const unsigned d = down ? last - n : n; cube().coordinate(at, d) != cube().coordinate(to, d))
        return d;
    throw InternalError("a packet that is there asks for its way");
  }
  [[nodiscard]] PortId towards(RouterId at, RouterId to, RouteState state) const {
    const unsigned d = dimension(at, to, state);
    return port_of(d, cube().coordinate(to, d) < cube().coordinate(at, d));
  }
  /// The port by which a packet from `slave` to the host would come in.
  [[nodiscard]] PortId away_from_host(RouterId here, RouterId slave) const {
    const RouteState state = initial_state(slave, kHost, 0);
    for (RouterId at = slave; at != kHost;) {
      const PortId out = towards(at, kHost, state);
      const RouterId next = topology().outgoing(at, out)->to;
      if (next == here) return reversed(out);
      at = next;
    }
    return towards(here, slave, 0);  // off the path: no packet from the host comes here
  }

  Rule rule_;
  bool host_only_;
  std::vector<bool> used_;  ///< by link, with host_only_: some packet goes there
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "on a mesh or hypercube, by a rule: between all, or between a host, the router at the origin, and its "
      "slaves, with the same path reversed from the host (Symons and Narasimhan 1997)",
      {Parameter::choice("rule", "x", rule_names(),
                         "next hop towards the destination: x = lowest dimension first (e-cube on a "
                         "hypercube); y = highest dimension first; step = where y - x is even in x, else in "
                         "y, decided at every router; step_at_source = decided at the source, then x or y "
                         "first"),
       Parameter::choice("pairs", "all", pair_names(),
                         "packets that the relation is for, of which deadlock freedom is proved: all, each "
                         "by the rule; or those to and from the host, others being refused")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<HostPaths>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
