// A relation of the user's own, as a table of turns: shortest paths, or such as are a few hops longer, on any
// topology in any VC class, but for the turns that are forbidden, and but for the hops after which the
// forbidden turns would leave no way to the destination. Turn models (Glass and Ni 1992), datelines (Dally
// and Seitz 1987) and escape channels (Duato 1993) can be written so. The grammar is in routing/turn_rule.h.
// Nothing is claimed of deadlocks unless escape channels are named: whether the table is sound is for the
// verifier to find out.

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
  Rules(const Topology& topology, unsigned classes, unsigned detours, const Parameters& parameters) {
    TurnPaths::check_size(topology, classes, detours);
    const auto list = [&](const char* key) { return parameters.get<std::vector<std::string>>(key); };
    TurnParser parser(topology, classes);
    forbid = parser.rules("routing.forbid", list("forbid"));
    allow = parser.rules("routing.allow", list("allow"));
    escape = parser.channels("routing.escape", list("escape"));
    // An exception to an entry that was not understood is not dead.
    parser.finish();
    parser.find_dead(forbid, allow, detours);
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

/// State: the channel taken last, see TurnPaths; above it the detours that the worm has made.
class TurnTable final : public RoutingRelation {
 public:
  TurnTable(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : topology_(std::move(topology)),
        classes_(parameters.get<unsigned>("classes")),
        detours_(parameters.get<unsigned>("detour")),
        channel_bits_(static_cast<unsigned>(std::bit_width(topology_->most_ports() * classes_))),
        fields_{{{"class", class_names(classes_)}}},
        rules_(*topology_, classes_, detours_, parameters),
        paths_(*topology_, classes_, rules_.forbid, rules_.allow, detours_),
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
    // The shortest ways first.
    for (unsigned more = 0; more <= detours_ - made(state); ++more)
      for (std::size_t p = 0; p < topology_->ports(here); ++p)
        if (const Link* link = topology_->outgoing(here, PortId(p)))
          offer(list, *link, destination, channel(state), more);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override {
    if (!has_state()) return state;
    const Link& link = *topology_->outgoing(here, taken.port);
    const RouteState came_by = 1 + index(link.in) * classes_ + index(taken.vc_class);
    if (detours_ == 0) return came_by;
    return came_by | RouteState{made(state) + paths_.cost(link, destination)} << channel_bits_;
  }
  [[nodiscard]] bool has_state() const override { return paths_.has_state(); }
  [[nodiscard]] unsigned header_bits() const override {
    return has_state() ? channel_bits_ + static_cast<unsigned>(std::bit_width(detours_)) : 0;
  }

  [[nodiscard]] RoutingClaims claims() const override {
    return {paths_.minimal(), paths_.fully_adaptive(), has_escape_ ? "escape" : "none"};
  }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return paths_.minimal() ? topology_->distance(source, destination) : kHopsVary;
  }
  [[nodiscard]] bool is_escape(RouterId here, RouterId, RouteState, Candidate candidate) const override {
    return !has_escape_ ||
           (rules_.escape[topology_->direction(here, candidate.port)] >> index(candidate.vc_class) & 1) != 0;
  }

 private:
  [[nodiscard]] std::size_t channel(RouteState state) const {
    return static_cast<std::size_t>(state & ((RouteState{1} << channel_bits_) - 1));
  }
  [[nodiscard]] unsigned made(RouteState state) const {
    return static_cast<unsigned>(state >> channel_bits_);
  }
  /// The classes by which the shortest way on takes so many detours.
  void offer(CandidateList& list, const Link& link, RouterId destination, std::size_t channel,
             unsigned detours) const {
    unsigned offered = paths_.offered(channel, detours, link, destination);
    if (detours > 0) offered &= ~unsigned{paths_.offered(channel, detours - 1, link, destination)};
    for (; offered != 0; offered &= offered - 1)
      list.add(link.out, VcClass(static_cast<std::uint16_t>(std::countr_zero(offered))));
  }

  std::shared_ptr<const Topology> topology_;
  unsigned classes_;
  unsigned detours_;
  unsigned channel_bits_;
  std::array<VcField, 1> fields_;
  Rules rules_;
  TurnPaths paths_;
  bool has_escape_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "your own: shortest paths on any topology, or such as are a few hops longer, without the turns between "
      "channels that you forbid",
      {Parameter::integer("classes", 1, 1, kMostTurnClasses, "VCs",
                          "VC classes of every link, named 0, 1, ..."),
       Parameter::list(
           "forbid", Json::array(),
           Parameter::text("turn", nullptr, "FROM -> TO [on wrap | on inner] [at ROUTER]"), 0, kMostRules,
           "turns that no worm takes: FROM -> TO [on wrap | on inner] [at ROUTER]; TO is DIRECTION or "
           "DIRECTION.CLASS, FROM too, or injection, or any; globs (*, ?, [05]) allowed, as in 'y_* -> "
           "x_minus'. Words of turn models are no directions here: for west write x_minus, for east x_plus, "
           "for "
           "north y_minus, for south y_plus; as y grows upwards in pictures, north is at their lower edge, "
           "here and in north_last"),
       Parameter::list("allow", Json::array(), Parameter::text("turn", nullptr, "as in forbid"), 0,
                       kMostRules, "exceptions to forbid, written alike"),
       Parameter::list(
           "escape", Json::array(), Parameter::text("channels", nullptr, "DIRECTION or DIRECTION.CLASS"), 0,
           kMostRules,
           "channels of the escape network (Duato), DIRECTION.CLASS each, as in '*.0'; []: all are alike"),
       Parameter::integer("detour", 0, 0, TurnPaths::kMostDetours, "hops",
                          "hops that a worm may take at most beyond a shortest path of the topology; never "
                          "straight back to the router before; shorter ways are preferred")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<TurnTable>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
