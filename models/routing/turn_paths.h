#pragma once
// All shortest paths that a set of turn rules leaves, and the hops from which there is still one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/turn_rule.h"

namespace noctule {

/// Computed once, for all destinations: time and memory grow with routers^2 times channels per router.
/// The state of a worm is the channel that it came by: 0 for none (just injected), else 1 + in port * classes
/// + class.
class TurnPaths {
 public:
  static constexpr std::size_t kMostRouters = 4096;
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

  /// Forbidden is what a rule of `forbid` matches and none of `allow`. ConfigError (key "routing.forbid") if
  /// that leaves a source and a destination without a path; ("topology.radix", "routing.classes") if the
  /// tables would be too large. Keeps a reference to the topology.
  TurnPaths(const Topology& topology, unsigned classes, const std::vector<TurnRule>& forbid,
            const std::vector<TurnRule>& allow);

  /// ConfigError if the tables would be too large; the constructor calls it, too.
  static void check_size(const Topology& topology, unsigned classes);

  /// Classes of the link that a worm may take: the turn is allowed and its destination can be reached after
  /// it. None of a link that does not lead closer.
  [[nodiscard]] ClassSet offered(std::size_t state, const Link& link, RouterId destination) const {
    return static_cast<ClassSet>(allowed(link.from, state, link.out) & onward(destination, link.to, link.in));
  }
  /// Classes of a link that some worm takes.
  [[nodiscard]] ClassSet used(LinkId link) const { return used_[index(link)]; }
  /// Is every hop that leads closer on offer, in whatever class, to every worm wherever it can be?
  [[nodiscard]] bool fully_adaptive() const { return fully_adaptive_; }
  /// Does what is offered depend on the state?
  [[nodiscard]] bool has_state() const { return has_state_; }

 private:
  struct Reach;  // what is needed for one destination at a time

  [[nodiscard]] ClassSet allowed(RouterId router, std::size_t state, PortId out) const {
    return allowed_[(kind_[index(router)] * states_ + state) * topology_.most_ports() + index(out)];
  }
  /// Classes of the link that enters `router` at `in` from which the destination can be reached.
  [[nodiscard]] ClassSet onward(RouterId destination, RouterId router, PortId in) const {
    const auto bit = bit_of(destination, router, in);
    return static_cast<ClassSet>(onward_[bit / 64] >> (bit % 64) & all_classes_);
  }
  [[nodiscard]] std::size_t bit_of(RouterId destination, RouterId router, PortId in) const {
    return ((index(destination) * topology_.routers() + index(router)) * topology_.most_ports() + index(in)) *
           stride_;
  }
  void set_onward(RouterId destination, RouterId router, PortId in, ClassSet classes) {
    const auto bit = bit_of(destination, router, in);
    onward_[bit / 64] |= std::uint64_t{classes} << (bit % 64);
  }

  void tabulate_turns(const std::vector<TurnRule>& forbid, const std::vector<TurnRule>& allow);
  void apply(const TurnRule& rule, RouterId router, ClassSet* table, bool allow) const;
  void find_state();
  void look_back(Reach& reach);
  void follow_worms(Reach& reach);
  [[nodiscard]] ClassSet arrivals_that_go_on(const Reach& reach, RouterId here, PortId in) const;
  void follow_from(Reach& reach, RouterId here);

  const Topology& topology_;
  unsigned classes_;
  ClassSet all_classes_;
  std::size_t states_;
  std::size_t stride_;             ///< bits per entry of onward_: a power of two, so that none crosses a word
  std::vector<std::size_t> kind_;  ///< by router: routers of a kind have the same turns
  std::vector<ClassSet> allowed_;  ///< by kind, state, port
  std::vector<std::uint64_t> onward_;
  std::vector<ClassSet> used_;  ///< by link
  std::vector<bool> injects_;   ///< by router
  bool fully_adaptive_ = true;
  bool has_state_ = false;
};

}  // namespace noctule
