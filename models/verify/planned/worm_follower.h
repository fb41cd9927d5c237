#pragma once
// What a planned worm acquires, in which order, as edges of the dependency graph (Boppana et al. 1998, 3).

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "multicast/planned_worm.h"
#include "verify/graph/consumption_choice.h"
#include "verify/graph/header_graph.h"

namespace noctule {

/// The fabric as worms of this relation find it between two stops.
[[nodiscard]] FabricPlan with_relation(FabricPlan plan, std::shared_ptr<const RoutingRelation> relation);

/// Follows worms through every choice that the relation leaves them between their stops. Remembers what it
/// found: most worms do what others do.
class WormFollower {
 public:
  /// A part of what a worm does, the same for all that do it: edges, and what the caller notes on it.
  struct Part {
    std::vector<std::pair<ChannelId, ChannelId>> edges;
    bool added = false;
    unsigned tries = 0;
  };

  WormFollower(const FabricPlan& plan, const ChannelIndex& channels,
               std::shared_ptr<const RoutingRelation> relation);

  /// Calls f(Part&) for all that the worm does. `behind_first`: from the last channel before its first
  /// destination on only; where the order of acquisition makes this depend on what is before that, from the
  /// destination on. ConfigError where the relation offers a channel that is none, or a class of consumption
  /// channels is missing.
  template <class F>
  void follow(RouterId source, const PlannedWorm& worm, F&& f, bool behind_first = false);

  /// The first channel that the worm may take; kNoChannel: none.
  [[nodiscard]] ChannelId first_channel(RouterId source, const PlannedWorm& worm);
  /// Has every worm so far had one candidate at each hop?
  [[nodiscard]] bool single() const { return single_; }
  /// Did a worm go on from a stop, in a router of several crossbars? Then not all edges may be real ones.
  [[nodiscard]] bool crossed_stops() const { return crossed_stops_; }
  /// Header states explored.
  [[nodiscard]] std::uint64_t states() const { return states_; }

 private:
  /// What a worm acquired last, and by which port it came to where it is.
  using Held = std::pair<ChannelId, std::uint16_t>;
  using HeldSet = std::vector<Held>;
  using HeldId = std::uint32_t;  ///< 0: none
  /// A channel that a leg may begin with.
  struct First {
    ChannelId channel;
    bool arrives;                                    ///< it is the only one
    std::vector<ChannelId> next;                     ///< that may follow it there
    auto operator<=>(const First&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14
  };
  using Entry = std::vector<First>;
  struct Leg {
    std::uint32_t entry = 0;  ///< index into entries_ + 1
    HeldId last = 0;
    HeldId last_behind = 0;  ///< without channels that are the only ones
    Part inner;              ///< without the edges from the first channels
  };
  /// At a router: from what is held on arrival, over consumption channels, to the first channels behind.
  struct Step {
    Part part;
    HeldSet arrived;  ///< where first channels are the only ones: held at the next router instead of them
  };
  struct StepKey {
    std::uint64_t held_and_entry;
    std::uint64_t rest;
    friend bool operator==(const StepKey&, const StepKey&) = default;
  };
  struct StepHash {
    std::size_t operator()(const StepKey& key) const { return mix64(key.held_and_entry ^ mix64(key.rest)); }
  };
  struct Visiting {
    std::uint8_t group;
    bool several;
    bool absorbed;
    std::uint32_t entry;
  };

  Leg& leg(RouterId from, RouterId to);
  Leg explore(RouterId from, RouterId to);
  Step& step(HeldId held, const Visiting& visiting, std::uint32_t served);
  Step make_step(HeldId held, const Visiting& visiting, const std::vector<TerminalId>& served);
  void consume(Step& step, HeldSet& held, unsigned consumption_class, const Visiting& visiting,
               const std::vector<TerminalId>& served) const;
  void output_first(Step& step, const Held& held, unsigned consumption_class, const Visiting& visiting,
                    const std::vector<TerminalId>& served) const;
  std::uint32_t terminal_list(const PlannedWorm& worm, std::size_t from, std::size_t to);
  std::uint32_t entry_id(Entry entry);
  HeldId held_id(HeldSet held);
  HeldId merged(const Step& step, HeldId others);
  HeldId unknown(const Leg& leg);
  [[nodiscard]] std::uint16_t port_into(ChannelId c) const;

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  FabricPlan between_stops_;
  HeaderGraph legs_between_;
  const ConsumptionRule& rule_;
  std::vector<ConsumptionChoice> choices_;  ///< [class * 2 + several]
  bool absorbs_;
  bool output_first_;
  std::unordered_map<std::uint64_t, Leg> legs_;
  std::unordered_map<StepKey, Step, StepHash> steps_;
  std::map<HeldSet, HeldId> held_ids_;
  std::vector<HeldSet> held_;
  std::map<Entry, std::uint32_t> entry_ids_;
  std::vector<Entry> entries_;
  std::map<std::vector<TerminalId>, std::uint32_t> list_ids_;
  std::vector<std::vector<TerminalId>> lists_;
  bool single_ = true;
  bool crossed_stops_ = false;
  std::uint64_t states_ = 0;
};

template <class F>
void WormFollower::follow(RouterId source, const PlannedWorm& worm, F&& f, bool behind_first) {
  constexpr std::size_t kMostLegs = 400'000;
  if (legs_.size() > kMostLegs) legs_.clear();
  const auto& stops = worm.stops;
  const bool several = destinations(stops) > 1;
  bool silent = behind_first;
  HeldId held = 0;
  RouterId here = source;
  for (std::size_t at = 0;;) {
    std::size_t end = at;
    bool served = false;
    while (end < stops.size() && stops[end].router == here && !(absorbs_ && served))
      served = stops[end++].serves() || served;
    const bool more = end < stops.size();
    Visiting visiting{worm.group, several, absorbs_ && more && served, 0};
    Leg* leg_behind = more && !visiting.absorbed ? &leg(here, stops[end].router) : nullptr;
    if (leg_behind != nullptr) visiting.entry = leg_behind->entry;
    if (leg_behind != nullptr && held != 0 && channels_.partitioned()) crossed_stops_ = true;
    if (served) silent = false;
    Step& now = step(held, visiting, terminal_list(worm, at, end));
    if (!silent) f(now.part);
    at = end;
    if (!more) return;
    if (visiting.absorbed) {
      held = held_id({{channels_.retransmission(stops[at - 1].terminal), rule_.no_port()}});
      continue;
    }
    if (!silent) f(leg_behind->inner);
    held = now.arrived.empty() ? leg_behind->last : merged(now, leg_behind->last_behind);
    if (silent && output_first_ && leg_behind->last != leg_behind->last_behind) held = unknown(*leg_behind);
    here = stops[at].router;
  }
}

}  // namespace noctule
