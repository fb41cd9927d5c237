#pragma once
// The butterfly fat-tree of Greenberg and Oh 1997 ("Universal Wormhole Routing"), as a bare loop over steps
// that visits only the switches that hold flits. A second opinion on the model, packet by packet, and the
// yardstick of its speed. Needs nothing but the standard library and shares no code with the model.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "papers/greenberg_reference_number_set.h"
#include "papers/greenberg_reference_rules.h"
#include "papers/greenberg_reference_tree.h"

namespace noctule::greenberg {

/// One run. `kPlain`: Options::readings are not looked at, and cost nothing. Draws that come from streams,
/// one for each switch, have a member kEveryHead: then a switch draws for every head that waits, in the order
/// of service, whether it matters or not.
template <class Draws, bool kPlain = true>
class Simulation {
 public:
  /// `destinations`: by source; kNone: it sends nothing.
  Simulation(const Tree& tree, const Options& options, std::vector<unsigned> destinations, const Draws& draws)
      : tree_(tree),
        options_(options),
        draws_(draws),
        destinations_(std::move(destinations)),
        worms_per_packet_(options.unit == Unit::kSplit ? options.flits : 1),
        flits_per_worm_(options.unit == Unit::kWorm ? options.flits : 1),
        links_(tree.link_numbers()),
        units_(std::size_t{options.queue} * tree.link_numbers()),
        sources_(tree.processors()),
        occupied_(tree.switches()),
        busy_switches_(tree.switches()),
        busy_sinks_(tree.processors()),
        busy_sources_(tree.processors()) {
    if (destinations_.size() != tree.processors() || options.queue == 0 || options.queue > 255 ||
        options.flits == 0)
      throw std::invalid_argument(
          "greenberg::Simulation: needs one destination per processor, queues of 1 to 255 units, packets of "
          "flits");
    if (kPlain && options.readings != 0)
      throw std::invalid_argument("greenberg::Simulation: readings need kPlain = false");
    if (!kPlain) popped_.assign(tree.link_numbers(), kNone);
    if (!kPlain) last_send_.assign(tree.switches() + tree.processors(), kNone);
    if (!kPlain) last_receipt_.assign(tree.switches() + tree.processors(), kNone);
    result_.delivered.assign(tree.processors(), kNone);
    for (unsigned p = 0; p < tree.processors(); ++p)
      if (destinations_[p] != kNone) add_packet(p);
  }

  Result run() {
    const std::uint64_t hops = result_.packets * std::uint64_t{worms_per_packet_} * flits_per_worm_;
    for (now_ = 0; consumed_ < hops; ++now_) {
      if (kPlain || !serve_in_another_order()) {
        busy_switches_.for_each([&](Switch s) { serve(s); });  // the top level first
        busy_sources_.for_each([&](unsigned p) { serve_source(p); });
        busy_sinks_.for_each([&](unsigned p) { serve_sink(p); });
      }
    }
    return finish();
  }

 private:
  static constexpr bool kEveryHead = requires { Draws::kEveryHead; };

  struct LinkState {
    Step carried = kNone;  ///< the last step in which a unit crossed the link, and so entered its queue
    Link route = kNone;    ///< where the worm at the front of the queue goes; kNone: a head is at the front
    std::uint32_t crossed = 0;          ///< worms so far
    std::uint8_t count = 0, front = 0;  ///< of the queue
    bool owned = false;                 ///< by a worm whose head has crossed and whose tail has not
  };
  struct QueuedUnit {
    Worm worm = 0;
    unsigned flit = 0;
  };
  struct Source {
    Worm worm = 0, end = 0;  ///< the worms that are still to be sent
    unsigned flit = 0;       ///< of the first of them
    Step start = 0;
    unsigned turning_level = 0;
  };
  enum Direction { kBoth, kOnlyDown, kOnlyUp };

  bool reads(unsigned readings) const {
    if constexpr (kPlain) return false;
    return (options_.readings & readings) != 0;
  }

  bool holds_to_far_end(Link link) const { return reads(kFarRelease) && !tree_.ends_in_processor(link); }

  unsigned packet_of(Worm worm) const { return worm / worms_per_packet_; }
  bool is_tail(const QueuedUnit& unit) const { return unit.flit + 1 == flits_per_worm_; }
  QueuedUnit& unit_at(Link link, unsigned position) {
    return units_[std::size_t{link} * options_.queue + position];
  }
  const QueuedUnit& front(Link link) { return unit_at(link, links_[link].front); }

  void add_packet(unsigned p) {
    ++result_.packets;
    unsigned delay = options_.delay_range > 1 ? draws_.delay(p, options_.delay_range) : 0;
    if (options_.unit == Unit::kWorm) delay *= options_.flits * 2 * tree_.height();  // L log2 N steps each
    sources_[p] = {p * worms_per_packet_, (p + 1) * worms_per_packet_, 0, delay,
                   tree_.turning_level(p, destinations_[p])};
    busy_sources_.insert(p);
  }

  /// The test of fullness. Levels are served from the top, so an up link sees the slot that was
  /// freed in this step, and a down link the fullness at the start of the step.
  bool has_room(Link link) const {
    unsigned count = links_[link].count;
    if (!kPlain) {
      if (reads(kTwoPhase)) count = count - (links_[link].carried == now_) + (popped_[link] == now_);
      if (reads(kOneIn) && last_receipt_[tree_.end(link)] == now_) return false;
      if (reads(kOneOut) && last_send_[tree_.end(tree_.opposite(link))] == now_) return false;
      if (reads(kSharedPair) && links_[tree_.opposite(link)].carried == now_) return false;
    }
    return count < options_.queue;
  }
  /// To a head.
  bool is_available(Link link) const {
    if (reads(kEmptyQueue) && links_[link].count != 0) return false;
    if (holds_to_far_end(link) && popped_[link] == now_) return false;
    return !links_[link].owned && links_[link].carried != now_ && has_room(link);
  }

  /// The output a head asks for, or kNone if it cannot move in this step.
  Link output_of(Switch s, Worm worm) {
    const unsigned destination = destinations_[packet_of(worm)];
    const bool down = tree_.is_below(s, destination);
    if (down || options_.up == Up::kFixed) {
      const unsigned port = down ? tree_.child_port(s, destination)
                                 : Tree::kChildren + draws_.fixed_up(worm, tree_.node(s).level);
      const Link out = tree_.out_of(s, port);
      return is_available(out) ? out : kNone;
    }
    const std::array parents{tree_.out_of(s, Tree::kChildren), tree_.out_of(s, Tree::kChildren + 1)};
    const std::array available{is_available(parents[0]), is_available(parents[1])};
    if (!kEveryHead && !available[0] && !available[1]) return kNone;
    unsigned choice = available[0] ? 0 : 1;
    const bool draw = !reads(kAmongFree) || (available[0] && available[1]);
    if (options_.up == Up::kRandom && draw) choice = draws_.up(tree_.node(s), worm, now_);
    if (!available[choice]) awake_ = true;  // the next draw may be the other one
    return available[choice] ? parents[choice] : kNone;
  }

  /// Serves the inputs of a switch, each once. Body flits own their output, so their
  /// turn does not matter: they go first, and heads compete for what no worm owns.
  void serve(Switch s, Direction direction = kBoth) {
    awake_ = false;
    unsigned waiting = 0;
    for (unsigned rest = occupied_[s]; rest != 0; rest &= rest - 1) {
      const unsigned port = static_cast<unsigned>(std::countr_zero(rest));
      const Link in = tree_.into(s, port);
      const LinkState& queue = links_[in];
      if (queue.count == 1 && queue.carried == now_) {  // the one unit arrived in this step
        awake_ = true;
        continue;
      }
      if (!kPlain && skips(s, in, direction)) continue;
      if (queue.route == kNone || reads(kOneIn | kOneOut | kSharedPair))
        waiting |= 1U << port;
      else if (has_room(queue.route))
        move(in, queue.route);
    }
    if (waiting != 0) serve_in_order(s, waiting);
    if (kEveryHead && waiting != 0) awake_ = true;
    if (kPlain ? !awake_ : occupied_[s] == 0) busy_switches_.erase(s);
  }

  void serve_in_order(Switch s, unsigned waiting) {
    if (!kEveryHead && (waiting & (waiting - 1)) == 0)
      return serve_input(tree_.into(s, static_cast<unsigned>(std::countr_zero(waiting))));
    std::array<Link, Tree::kPorts> inputs;
    unsigned count = 0;
    const auto append = [&](unsigned ports) {
      for (unsigned rest = ports; rest != 0; rest &= rest - 1)
        inputs[count++] = tree_.into(s, static_cast<unsigned>(std::countr_zero(rest)));
    };
    if (!kPlain && reads(kSeparateStarts | kFixedStart | kInterleaved)) {
      for (const unsigned port : ports_in_another_order(s)) append(waiting & 1U << port);
    } else {
      const unsigned start =
          options_.order == Order::kFixed ? 0 : draws_.start(tree_.node(s), now_, tree_.ports(s));
      const unsigned before = (1U << start) - 1;
      append(waiting & ~before);
      append(waiting & before);
    }
    if (options_.order == Order::kFarthest) {
      const auto level = [&](Link in) { return sources_[packet_of(front(in).worm)].turning_level; };
      std::stable_sort(inputs.begin(), inputs.begin() + count,
                       [&](Link a, Link b) { return level(a) > level(b); });
    }
    for (unsigned i = 0; i < count; ++i) serve_input(inputs[i]);
  }

  void serve_input(Link in) {
    const Link route = links_[in].route;  // kNone: a head
    const Link out = route == kNone ? output_of(in / 8, front(in).worm) : has_room(route) ? route : kNone;
    if (out != kNone) move(in, out);
  }

  void move(Link in, Link out) {
    awake_ = true;
    const QueuedUnit unit = front(in);
    links_[in].route = is_tail(unit) ? kNone : out;
    pop(in);
    push(out, unit);
  }

  void pop(Link link) {
    LinkState& queue = links_[link];
    if (!kPlain) popped_[link] = now_;
    if (holds_to_far_end(link) && is_tail(front(link))) queue.owned = false;
    if (++queue.front == options_.queue) queue.front = 0;
    --queue.count;
    if (queue.count == 0 && !tree_.ends_in_processor(link))
      occupied_[link / 8] &= static_cast<std::uint8_t>(~(1U << link % 8));
    // Who sends over the link has room for its next unit.
    const Link back = tree_.opposite(link);
    if (tree_.ends_in_processor(back))
      busy_sources_.insert(back - tree_.into_processor(0));
    else
      busy_switches_.insert(back / 8);
  }

  void push(Link link, const QueuedUnit& unit) {
    LinkState& queue = links_[link];
    queue.carried = now_;
    queue.crossed += unit.flit == 0;
    queue.owned = !is_tail(unit) || holds_to_far_end(link);
    ++result_.unit_hops;
    if (!kPlain) last_receipt_[tree_.end(link)] = last_send_[tree_.end(tree_.opposite(link))] = now_;
    if (tree_.ends_in_processor(link)) {
      if (is_tail(unit))
        result_.delivered[packet_of(unit.worm)] = now_;  // the last worm of a packet is what stays
      if (reads(kSinkAtOnce)) {
        ++consumed_;
        return;
      }
      busy_sinks_.insert(link - tree_.into_processor(0));
    } else {
      occupied_[link / 8] |= static_cast<std::uint8_t>(1U << link % 8);
      busy_switches_.insert(link / 8);
    }
    unsigned back = queue.front + queue.count++;
    if (back >= options_.queue) back -= options_.queue;
    unit_at(link, back) = unit;
  }

  /// A source that finds a full queue is asked again when a unit has left that queue.
  void serve_source(unsigned p) {
    Source& source = sources_[p];
    const Link out = tree_.out_of_processor(p);
    if (source.worm == source.end) return busy_sources_.erase(p);
    if (now_ < source.start) return;
    if (source.flit == 0 ? is_available(out) : has_room(out)) {
      push(out, {source.worm, source.flit});
      if (++source.flit == flits_per_worm_) {
        source.flit = 0;
        ++source.worm;
      }
    }
    if (links_[out].count == options_.queue) busy_sources_.erase(p);
  }

  /// A destination consumes at most one unit a step, after all switches: that makes room for the next step.
  void serve_sink(unsigned p) {
    const Link in = tree_.into_processor(p);
    if (links_[in].count == 1 && links_[in].carried == now_) return;  // it arrived in this step
    pop(in);
    ++consumed_;
    if (links_[in].count == 0) busy_sinks_.erase(p);
  }

  Result finish() {
    for (const Step step : result_.delivered)
      if (step != kNone) result_.latency = std::max(result_.latency, step);
    if (reads(kCountFromOne)) {
      ++result_.latency;
      for (Step& step : result_.delivered) step += step != kNone;
    }
    if (options_.unit == Unit::kStore) result_.latency *= options_.flits;
    result_.steps = now_;
    for (const LinkState& link : links_) result_.congestion = std::max(result_.congestion, link.crossed);
    return std::move(result_);
  }

  // Only for readings, which the paper's tables reject.

  bool serve_in_another_order() {
    const auto sources = [&] { busy_sources_.for_each([&](unsigned p) { serve_source(p); }); };
    const auto sinks = [&] { busy_sinks_.for_each([&](unsigned p) { serve_sink(p); }); };
    std::vector<unsigned> nodes;  // switches from the top, then processors, as Tree::end numbers them
    busy_switches_.for_each([&](Switch s) { nodes.push_back(s); });
    if (reads(kConsumerFirst)) {
      for (auto s = nodes.rbegin(); s != nodes.rend(); ++s) serve(*s, kOnlyDown);
      for (const Switch s : nodes) serve(s, kOnlyUp);
      sources();
      sinks();
    } else if (reads(kBottomUp)) {
      sinks();
      sources();
      for (auto s = nodes.rbegin(); s != nodes.rend(); ++s) serve(*s);
    } else if (reads(kSinkFirst)) {
      sinks();
      for (const Switch s : nodes) serve(s);
      sources();
    } else if (reads(kRandomNodes)) {
      for (unsigned p = 0; p < tree_.processors(); ++p) nodes.push_back(tree_.switches() + p);
      std::vector<std::pair<unsigned, unsigned>> turns;
      for (const unsigned node : nodes) turns.emplace_back(draws_.turn(node, now_), node);
      std::sort(turns.begin(), turns.end());
      for (const auto& [turn, node] : turns) {
        if (node < tree_.switches()) {
          serve(node);
          continue;
        }
        const unsigned p = node - tree_.switches();
        serve_source(p);
      }
      sinks();
    } else {
      return false;
    }
    return true;
  }

  bool skips(Switch s, Link in, Direction direction) {
    if (popped_[in] == now_) return true;
    const bool down = tree_.is_below(s, destinations_[packet_of(front(in).worm)]);
    return direction != kBoth && down != (direction == kOnlyDown);
  }

  std::array<unsigned, Tree::kPorts> ports_in_another_order(Switch s) const {
    const unsigned ports = tree_.ports(s);
    const Step step = reads(kFixedStart) ? 0 : now_;
    std::array<unsigned, Tree::kPorts> order{0, 1, 2, 3, 4, 5};
    if (reads(kInterleaved) && ports == Tree::kPorts) order = {0, 1, 4, 2, 3, 5};
    if (options_.order == Order::kFixed) return order;
    const auto turn = [&](unsigned first, unsigned count) {
      const unsigned start = draws_.start(tree_.node(s), step, count);
      std::rotate(order.begin() + first, order.begin() + first + start, order.begin() + first + count);
    };
    if (reads(kSeparateStarts)) {
      turn(0, Tree::kChildren);
      if (ports == Tree::kPorts) turn(Tree::kChildren, ports - Tree::kChildren);
    } else {
      turn(0, ports);
    }
    return order;
  }

  const Tree& tree_;
  Options options_;
  Draws draws_;
  std::vector<unsigned> destinations_;
  unsigned worms_per_packet_, flits_per_worm_;
  std::vector<LinkState> links_;
  std::vector<QueuedUnit> units_;  ///< of all queues, options.queue each
  std::vector<Source> sources_;
  std::vector<std::uint8_t> occupied_;  ///< by switch: bit p is set while the queue of input p holds a unit
  /// Switches in which a unit may move: until a visit moves none, again when a unit arrives or an output gets
  /// room. With readings: which hold a unit.
  NumberSet busy_switches_;
  NumberSet busy_sinks_, busy_sources_;
  bool awake_ = false;  ///< the switch that is served stays in busy_switches_
  std::vector<Step> popped_, last_send_, last_receipt_;  ///< only with readings
  std::uint64_t consumed_ = 0;
  Step now_ = 0;
  Result result_;
};

template <class Draws>
Result simulate(const Tree& tree, const Options& options, std::vector<unsigned> destinations,
                const Draws& draws) {
  if (options.readings == 0) return Simulation<Draws>(tree, options, std::move(destinations), draws).run();
  return Simulation<Draws, false>(tree, options, std::move(destinations), draws).run();
}
/// With SplitMixDraws; compiled in greenberg_reference.cpp.
Result simulate(const Tree& tree, const Options& options, Pattern pattern, std::uint64_t seed);

}  // namespace noctule::greenberg
