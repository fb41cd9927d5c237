#pragma once
// All paths of bounded length that a set of turn rules leaves, and the hops from which there is still one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/turn_rule.h"

namespace noctule {

/// Computed once, for all destinations: time and memory grow with routers^2 times channels per router times
/// (detours + 1). The state of a worm is the channel that it came by: 0 for none (just injected), else 1 + in
/// port * classes + class.
///
/// Detours are hops beyond the distance. A worm to D has as many at every router as it was injected with,
/// less those that it has made: a hop from A to B costs 1 + distance(B, D) - distance(A, D) of them, which is
/// never less than 0. With detours a worm could turn back: no path goes to a router and straight back to the
/// one before, by whatever link.
class TurnPaths {
 public:
  static constexpr std::size_t kMostRouters = 4096;
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  static constexpr unsigned kMostDetours = 255;

  /// Forbidden is what a rule of `forbid` matches and none of `allow`. ConfigError (key "routing.forbid") if
  /// that leaves a source and a destination without a path of at most distance + detours hops;
  /// ("topology.radix", "routing.classes", "routing.detour") if the tables would be too large. `detours`: 0
  /// to kMostDetours; 0: shortest paths. Keeps a reference to the topology.
  TurnPaths(const Topology& topology, unsigned classes, const std::vector<TurnRule>& forbid,
            const std::vector<TurnRule>& allow, unsigned detours = 0);

  /// ConfigError if the tables would be too large; the constructor calls it, too.
  static void check_size(const Topology& topology, unsigned classes, unsigned detours = 0);

  /// Classes of the link that a worm may take that has so many detours left: the turn is allowed and its
  /// destination can be reached after it, the link included, with these. With 0 none of a link that does not
  /// lead closer. `left`: 0 to detours; the worm is not at its destination.
  [[nodiscard]] ClassSet offered(std::size_t state, unsigned left, const Link& link,
                                 RouterId destination) const {
    if (detours_ > 0 && turns_back(state, link)) return 0;
    return static_cast<ClassSet>(allowed(link.from, state, link.out) &
                                 onward(left, destination, link.to, link.in));
  }
  /// Detours that a worm makes by taking the link, which is offered to it. Not to be asked where there are
  /// none.
  [[nodiscard]] unsigned cost(const Link& link, RouterId destination) const {
    const std::uint16_t* const to = &distance_[index(destination) * topology_.routers()];
    return 1U + to[index(link.to)] - to[index(link.from)];
  }
  /// Classes of a link that some worm takes.
  [[nodiscard]] ClassSet used(LinkId link) const { return used_[index(link)]; }
  /// Do all worms take shortest paths? Always so without detours.
  [[nodiscard]] bool minimal() const { return minimal_; }
  /// Is every hop that leads closer on offer, in whatever class, to every worm wherever it can be?
  [[nodiscard]] bool fully_adaptive() const { return fully_adaptive_; }
  /// Does what is offered depend on the state? Always so with detours.
  [[nodiscard]] bool has_state() const { return has_state_; }

 private:
  struct Reach;  // what is needed for one destination at a time

  [[nodiscard]] ClassSet allowed(RouterId router, std::size_t state, PortId out) const {
    return allowed_[(kind_[index(router)] * states_ + state) * topology_.most_ports() + index(out)];
  }
  /// Does the link lead to where the worm comes from?
  [[nodiscard]] bool turns_back(std::size_t state, const Link& link) const {
    return state != 0 && topology_.incoming(link.from, PortId((state - 1) / classes_))->from == link.to;
  }
  /// Classes of the link that enters `router` at `in` from which the destination can be reached with so many
  /// detours, those of the link included.
  [[nodiscard]] ClassSet onward(unsigned detours, RouterId destination, RouterId router, PortId in) const {
    const auto bit = bit_of(detours, destination, router, in);
    return static_cast<ClassSet>(onward_[bit / 64] >> (bit % 64) & all_classes_);
  }
  [[nodiscard]] std::size_t bit_of(unsigned detours, RouterId destination, RouterId router, PortId in) const {
    const auto row = (detours * topology_.routers() + index(destination)) * topology_.routers();
    return ((row + index(router)) * topology_.most_ports() + index(in)) * stride_;
  }
  void set_onward(unsigned detours, RouterId destination, RouterId router, PortId in, ClassSet classes) {
    const auto bit = bit_of(detours, destination, router, in);
    onward_[bit / 64] |= std::uint64_t{classes} << (bit % 64);
  }

  void tabulate_turns(const std::vector<TurnRule>& forbid, const std::vector<TurnRule>& allow);
  void apply(const TurnRule& rule, RouterId router, ClassSet* table, bool allow) const;
  void find_state();
  void look_back(Reach& reach);
  void follow_worms(Reach& reach);
  void reach_back_from(Reach& reach, const Link& link, ClassSet classes, unsigned hops) const;
  void follow_from(Reach& reach, RouterId here, unsigned made);
  /// `named`: some rule names a class.
  [[noreturn]] void refuse_pairs(const Reach& reach, const std::vector<bool>& consumes, bool named) const;
  /// Hops of the shortest path without a forbidden turn, of whatever length; 0: there is none.
  [[nodiscard]] unsigned hops_of_any_path(RouterId source, RouterId destination) const;

  const Topology& topology_;
  unsigned classes_;
  unsigned detours_;
  ClassSet all_classes_;
  std::size_t states_;
  std::size_t stride_;             ///< bits per entry of onward_: a power of two, so that none crosses a word
  std::vector<std::size_t> kind_;  ///< by router: routers of a kind have the same turns
  std::vector<ClassSet> allowed_;  ///< by kind, state, port
  std::vector<std::uint64_t> onward_;    ///< by detours, destination, router, port
  std::vector<std::uint16_t> distance_;  ///< by destination, router; empty without detours
  std::vector<ClassSet> used_;           ///< by link
  std::vector<bool> injects_;            ///< by router
  bool minimal_ = true;
  bool fully_adaptive_ = true;
  bool has_state_ = false;
};

}  // namespace noctule
