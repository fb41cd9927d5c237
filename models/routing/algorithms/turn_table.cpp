// A relation of the user's own, as a table of turns: shortest paths on any topology in any VC class, but
// for the turns that are forbidden, and but for the hops after which the forbidden turns would leave no way
// to the destination. Turn models (Glass and Ni 1992), datelines (Dally and Seitz 1987) and escape channels
// (Duato 1993) can be written so. The grammar is in routing/turn_rule.h. Nothing is claimed of deadlocks
// unless escape channels are named: whether the table is sound is for the verifier to find out.

#include <algorithm>
#include <array>
#include <bit>

#include "core/json.h"
#include "routing/relation.h"
#include "routing/turn_paths.h"

namespace noctule {
namespace {

constexpr const char* kName = "turn_table";
constexpr std::size_t kMostRules = 4096;

struct Rules {
  Rules(const Topology& topology, unsigned classes, const Parameters& parameters) {
    TurnPaths::check_size(topology, classes);
    const auto list = [&](const char* key) { return parameters.get<std::vector<std::string>>(key); };
    TurnParser parser(topology, classes);
    forbid = parser.rules("routing.forbid", list("forbid"));
    allow = parser.rules("routing.allow", list("allow"));
    escape = parser.channels("routing.escape", list("escape"));
    // An exception to an entry that was not understood is not dead.
    parser.finish();
    parser.find_dead(forbid, allow);
    parser.finish();
  }
  std::vector<TurnRule> forbid;
  std::vector<TurnRule> allow;
  ChannelSet escape;
};

std::vector<std::string> class_names(unsigned classes) {
  std::vector<std::string> names;
  for (unsigned c = 0; c < classes; ++c) names.push_back(std::to_string(c));
  return names;
}

/// State: the channel taken last, see TurnPaths.
class TurnTable final : public RoutingRelation {
 public:
  TurnTable(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : topology_(std::move(topology)),
        classes_(parameters.get<unsigned>("classes")),
        fields_{{{"class", class_names(classes_)}}},
        rules_(*topology_, classes_, parameters),
        paths_(*topology_, classes_, rules_.forbid, rules_.allow),
        has_escape_(std::ranges::any_of(rules_.escape, [](ClassSet set) { return set != 0; })) {}

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link&) const override { return classes_; }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return std::to_string(index(vc_class));
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return index(vc_class) < classes_ && (paths_.used(link.id) >> index(vc_class) & 1) != 0;
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    for (std::size_t p = 0; p < topology_->ports(here); ++p)
      if (const Link* link = topology_->outgoing(here, PortId(p))) offer(list, *link, destination, state);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState state,
                                      Candidate taken) const override {
    if (!has_state()) return state;
    return 1 + index(topology_->outgoing(here, taken.port)->in) * classes_ + index(taken.vc_class);
  }
  [[nodiscard]] bool has_state() const override { return paths_.has_state(); }
  [[nodiscard]] unsigned header_bits() const override {
    return has_state() ? static_cast<unsigned>(std::bit_width(topology_->most_ports() * classes_)) : 0;
  }

  [[nodiscard]] RoutingClaims claims() const override {
    return {true, paths_.fully_adaptive(), has_escape_ ? "escape" : "none"};
  }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return topology_->distance(source, destination);
  }
  [[nodiscard]] bool is_escape(RouterId here, RouterId, RouteState, Candidate candidate) const override {
    return !has_escape_ ||
           (rules_.escape[topology_->direction(here, candidate.port)] >> index(candidate.vc_class) & 1) != 0;
  }

 private:
  void offer(CandidateList& list, const Link& link, RouterId destination, RouteState state) const {
    for (unsigned offered = paths_.offered(state, link, destination); offered != 0; offered &= offered - 1)
      list.add(link.out, VcClass(static_cast<std::uint16_t>(std::countr_zero(offered))));
  }

  std::shared_ptr<const Topology> topology_;
  unsigned classes_;
  std::array<VcField, 1> fields_;
  Rules rules_;
  TurnPaths paths_;
  bool has_escape_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "your own: shortest paths on any topology, without the turns between channels that you forbid",
      {Parameter::integer("classes", 1, 1, kMostTurnClasses, "VCs",
                          "VC classes of every link, named 0, 1, ..."),
       Parameter::list(
           "forbid", Json::array(),
           Parameter::text("turn", nullptr, "FROM -> TO [on wrap | on inner] [at ROUTER]"), 0, kMostRules,
           "turns that no worm takes: FROM -> TO [on wrap | on inner] [at ROUTER]; TO is DIRECTION or "
           "DIRECTION.CLASS, FROM too, or injection, or any; globs allowed, as in 'y_* -> x_minus'"),
       Parameter::list("allow", Json::array(), Parameter::text("turn", nullptr, "as in forbid"), 0,
                       kMostRules, "exceptions to forbid, written alike"),
       Parameter::list(
           "escape", Json::array(), Parameter::text("channels", nullptr, "DIRECTION or DIRECTION.CLASS"), 0,
           kMostRules,
           "channels of the escape network (Duato), DIRECTION.CLASS each, as in '*.0'; []: all are alike")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<TurnTable>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
