#include "fabric/autopsy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "fabric/buffer_snapshot.h"
#include "routing/prescribed_routes.h"

namespace noctule {
namespace {

constexpr std::uint32_t kNone = ~0U;

/// Who waits for whom, and who is left when everyone that can move has moved.
class Examiner {
 public:
  Examiner(const Fabric& fabric, bool nothing_moves)
      : fabric_(fabric),
        snapshot_(fabric),
        prescribed_(dynamic_cast<const PrescribedRoutes*>(fabric.plan().relation.get())) {
    owner_.assign(snapshot_.buffers(), kNone);
    find_headers();
    if (fabric.plan().multicast) find_absorbed();
    for (std::uint32_t w = 0; w < worms_.size(); ++w) worms_[w].moves = !is_packed(w);
    for (std::uint32_t w = 0; w < worms_.size(); ++w)
      if (!worms_[w].moves) find_waits(w);
    if (nothing_moves)
      for (Worm& worm : worms_) worm.moves = false;
    else
      set_free();
  }
  [[nodiscard]] Autopsy result() const;

 private:
  /// A worm whose header is in a buffer.
  struct Worm {
    PacketHandle packet;
    std::uint32_t buffer = 0;
    std::uint32_t position = 0;
    bool moves = false;
    bool absorbed = false;        ///< is in consumption channel `buffer`, all of it
    std::uint32_t first_way = 0;  ///< into ways_
    std::uint32_t ways = 0;
  };
  /// An alternative of a waiting header: closed until all of its blockers have moved.
  struct Way {
    std::uint32_t worm;
    std::uint32_t channel;  ///< buffer that names it
    std::uint32_t first;    ///< into blockers_
    std::uint32_t count;
    std::uint32_t closed;
  };

  void find_headers() {
    for (std::uint32_t b = 0; b < snapshot_.buffers(); ++b) {
      const auto flits = snapshot_.flits(b);
      for (std::size_t p = 0; p < flits.size(); ++p) {
        if (!flits[p].head()) continue;
        const std::size_t handle = index(flits[p].packet);
        if (worm_of_.size() <= handle) worm_of_.resize(2 * handle + 1, kNone);
        worm_of_[handle] = static_cast<std::uint32_t>(worms_.size());
        worms_.push_back({flits[p].packet, b, static_cast<std::uint32_t>(p), false, false, 0, 0});
      }
    }
  }
  /// Messages that wait in consumption channels for a retransmission buffer.
  void find_absorbed() {
    for (std::size_t r = 0; r < fabric_.plan().routers.size(); ++r)
      for (const TerminalEnd& end : fabric_.plan().consuming[r])
        for (const Absorbed& message : fabric_.absorbed(end.terminal)) {
          const std::uint32_t b = snapshot_.output_of(RouterId(r), message.output);
          owner_[b] = static_cast<std::uint32_t>(worms_.size());
          worms_.push_back({message.packet, b, 0, false, true, 0, 0});
        }
  }
  /// Who has a consumption channel, and must move before another worm can have it.
  [[nodiscard]] std::uint32_t consumer(std::uint32_t out) const {
    const auto i = snapshot_.view(out).connected_input(snapshot_.place(out));
    if (i == kNoSlot) return owner_[out];
    const auto flits = snapshot_.flits(snapshot_.input_beside(out, i));
    return flits.empty() ? kNone : worm(flits.front());
  }

  /// The worm that a flit belongs to; kNone if its header is on a link or consumed: it moves.
  [[nodiscard]] std::uint32_t worm(Flit flit) const {
    const std::size_t handle = index(flit.packet);
    return handle < worm_of_.size() ? worm_of_[handle] : kNone;
  }

  /// Follows a worm from its header back, f(buffer) for each buffer, until its tail or its source is found.
  /// False: it has a gap, so that some flit of it can move up. While the tail has not been met, the
  /// connections on the way back are the worm's own.
  template <class F>
  bool walk(std::uint32_t w, F&& f) const {
    const PacketHandle packet = worms_[w].packet;
    for (std::uint32_t b = worms_[w].buffer;;) {
      f(b);
      const bool input = snapshot_.is_input(b);
      const auto flits = snapshot_.flits(b);
      if (std::any_of(flits.begin(), flits.end(),
                      [&](Flit flit) { return flit.tail() && flit.packet == packet; }))
        return true;
      if (!snapshot_.full(b)) return false;  // if full, nothing is on the link to it
      if (input) {
        if (snapshot_.peer(b) == kNoBuffer) return true;
        b = snapshot_.peer(b);
      } else {
        const auto i = snapshot_.view(b).connected_input(snapshot_.place(b));
        if (i == kNoSlot) return false;
        b = snapshot_.input_beside(b, i);
      }
    }
  }

  /// Has the worm no gap to close? Notes which outputs are connected for it.
  bool is_packed(std::uint32_t w) {
    if (worms_[w].absorbed) return true;
    const std::uint32_t head = worms_[w].buffer;
    const bool input = snapshot_.is_input(head);
    if (!input && snapshot_.peer(head) == kNoBuffer) return false;  // is being consumed
    if (input && worms_[w].position == 0) each_link(head, [&](std::uint32_t out) { owner_[out] = w; });
    std::uint32_t before = kNoBuffer;
    return walk(w, [&](std::uint32_t b) {
      if (before != kNoBuffer && snapshot_.is_input(b)) owner_[before] = w;
      before = b;
    });
  }

  void find_waits(std::uint32_t w) {
    Worm& worm_w = worms_[w];
    worm_w.first_way = static_cast<std::uint32_t>(ways_.size());
    const std::uint32_t b = worm_w.buffer;
    const std::size_t place = snapshot_.place(b);
    if (worm_w.absorbed) {
      wait_for_retransmission(w);
    } else if (worm_w.position > 0) {
      add_way(w, b, {worm(snapshot_.flits(b)[worm_w.position - 1])});
    } else if (!snapshot_.is_input(b)) {
      const std::uint32_t behind = snapshot_.peer(b);
      if (!snapshot_.full(behind))
        worm_w.moves = true;
      else
        add_way(w, b, {worm(snapshot_.flits(behind).front())});
    } else if (const auto o = snapshot_.view(b).connected_output(place); o != kNoSlot) {
      const std::uint32_t out = snapshot_.output_beside(b, o);
      const std::uint32_t next = snapshot_.next_buffer(out);
      if (snapshot_.peer(out) == kNoBuffer || !snapshot_.full(next))
        worm_w.moves = true;
      else
        add_way(w, out, {worm(snapshot_.flits(next).front())});
    } else if (snapshot_.waiting(b)) {
      find_feasible(b, snapshot_.flits(b).front().packet);
      for (const std::uint16_t candidate : feasible_) {
        add_alternative(w, snapshot_.output_beside(b, candidate));
        if (worm_w.moves) break;
      }
    } else {
      worm_w.moves = true;
    }
    worm_w.ways = static_cast<std::uint32_t>(ways_.size()) - worm_w.first_way;
  }

  /// Any of the terminal's retransmission buffers will do; each is free once its message has left it.
  void wait_for_retransmission(std::uint32_t w) {
    const std::uint32_t b = worms_[w].buffer;
    const RouterPlan& plan = snapshot_.plan_of(b);
    const unsigned buffers = fabric_.plan().common_node().retransmission_buffers;
    const std::size_t slot = (snapshot_.place(b) - plan.link_outputs()) / plan.consumption_vcs;
    const std::size_t end = plan.injection(slot) + plan.injection_vcs;
    for (std::size_t i = end - buffers; i < end && !worms_[w].moves; ++i) {
      const std::uint32_t buffer = snapshot_.input_beside(b, i);
      const auto flits = snapshot_.flits(buffer);
      add_way(w, buffer, {flits.empty() ? kNone : worm(flits.front())});
    }
  }

  /// Outputs that a header waiting at the front of input `b` may take. One that is held only by a prescribed
  /// route is judged by what the relation would offer it: stuck is who has no way on without prescription.
  void find_feasible(std::uint32_t b, PacketHandle handle) {
    const std::size_t place = snapshot_.place(b);
    const RouterId here = snapshot_.router(b);
    const Packet& packet = fabric_.packets()[handle];
    if (prescribed_ == nullptr || !PrescribedRoutes::is_prescribed(packet.route_state) ||
        packet.destination_router == here) {
      snapshot_.feasible(b, feasible_);
      return;
    }
    candidates_.clear();
    prescribed_->candidates(here, packet.destination_router, prescribed_->unprescribed(packet.route_state),
                            candidates_);
    const RouterPlan& plan = snapshot_.plan_of(b);
    const std::int32_t crossbar = plan.inputs[place].crossbar;
    feasible_.clear();
    for (const Candidate& candidate : candidates_)
      for (const auto o : plan.outputs_of[index(candidate.port) * plan.classes + index(candidate.vc_class)])
        if (crossbar < 0 || plan.outputs[o].crossbar == crossbar) feasible_.push_back(o);
  }

  /// A waiting header may take output `out` once nothing of earlier worms is left where the release rule
  /// looks, and moves into it once there is room. A consumption channel comes free once the worm that has it
  /// is through: at once, unless that one waits for something else as well.
  void add_alternative(std::uint32_t w, std::uint32_t out) {
    const std::uint32_t behind = snapshot_.peer(out);
    if (behind == kNoBuffer) {
      if (fabric_.plan().multicast)
        add_way(w, out, {consumer(out)});
      else
        worms_[w].moves = true;
      return;
    }
    std::array<std::uint32_t, 3> blockers{};
    std::size_t n = 0;
    const VcRelease release = snapshot_.node_of(out).release;
    const auto inside = snapshot_.flits(out);
    const bool busy = snapshot_.view(out).connected_input(snapshot_.place(out)) != kNoSlot;
    if (busy) blockers[n++] = owner_[out];
    if (release == VcRelease::kTailCrossed) {
      // Also if it has been granted meanwhile: whoever has it cannot use it either while it is full.
      const std::uint32_t next = snapshot_.next_buffer(out);
      if (snapshot_.full(next)) blockers[n++] = worm(snapshot_.flits(next).front());
    } else if (!inside.empty()) {
      blockers[n++] = worm(inside.back());
    }
    if (release == VcRelease::kNextBufferEmpty)
      if (const auto next = snapshot_.flits(behind); !next.empty()) blockers[n++] = worm(next.back());
    add_way(w, out, std::span<const std::uint32_t>(blockers.data(), n));
  }

  void add_way(std::uint32_t w, std::uint32_t channel, std::initializer_list<std::uint32_t> blockers) {
    add_way(w, channel, std::span<const std::uint32_t>(blockers.begin(), blockers.size()));
  }
  void add_way(std::uint32_t w, std::uint32_t channel, std::span<const std::uint32_t> blockers) {
    const auto first = static_cast<std::uint32_t>(blockers_.size());
    for (const std::uint32_t other : blockers) {
      if (other == kNone || worms_[other].moves) continue;
      if (std::find(blockers_.begin() + first, blockers_.end(), other) == blockers_.end())
        blockers_.push_back(other);
    }
    const auto count = static_cast<std::uint32_t>(blockers_.size()) - first;
    if (count == 0)
      worms_[w].moves = true;
    else
      ways_.push_back({w, channel, first, count, count});
  }

  /// Whoever moves opens the ways that it alone still closed; a worm with an open way moves.
  void set_free() {
    std::vector<std::uint32_t> start(worms_.size() + 1);
    std::vector<std::uint32_t> closes(blockers_.size());
    for (const std::uint32_t other : blockers_) ++start[other];
    for (std::size_t w = 1; w < start.size(); ++w) start[w] += start[w - 1];
    for (std::uint32_t n = 0; n < ways_.size(); ++n)
      for (std::uint32_t e = ways_[n].first; e < ways_[n].first + ways_[n].count; ++e)
        closes[--start[blockers_[e]]] = n;
    std::vector<std::uint32_t> moving;
    for (std::uint32_t w = 0; w < worms_.size(); ++w)
      if (worms_[w].moves) moving.push_back(w);
    while (!moving.empty()) {
      const std::uint32_t other = moving.back();
      moving.pop_back();
      for (std::uint32_t e = start[other]; e < start[other + 1]; ++e) {
        Way& way = ways_[closes[e]];
        if (--way.closed != 0 || worms_[way.worm].moves) continue;
        worms_[way.worm].moves = true;
        moving.push_back(way.worm);
      }
    }
  }

  /// f(other) for every stuck worm that `w` waits for.
  template <class F>
  void each_wait(std::uint32_t w, F&& f) const {
    const Worm& waiting = worms_[w];
    for (std::uint32_t n = waiting.first_way; n < waiting.first_way + waiting.ways; ++n)
      for (std::uint32_t e = ways_[n].first; e < ways_[n].first + ways_[n].count; ++e)
        if (!worms_[blockers_[e]].moves) f(blockers_[e]);
  }

  /// f(output) for the link output that the header at the front of input `b` has, if it has one; it may still
  /// wait for something else.
  template <class F>
  void each_link(std::uint32_t b, F&& f) const {
    const RouterView& view = snapshot_.view(b);
    const auto connected = view.connected_output(snapshot_.place(b));
    if (connected != kNoSlot) {
      f(snapshot_.output_beside(b, connected));
    } else if (fabric_.plan().multicast) {
      for (std::size_t o = 0; o < snapshot_.plan_of(b).link_outputs(); ++o)
        if (view.connected_input(o) == snapshot_.place(b)) f(snapshot_.output_beside(b, o));
    }
  }
  /// f(output) for every consumption channel that a worm whose flits are in input `b` has there.
  template <class F>
  void each_consumption(std::uint32_t b, F&& f) const {
    const RouterPlan& plan = snapshot_.plan_of(b);
    for (std::size_t o = plan.link_outputs(); o < plan.outputs.size(); ++o)
      if (snapshot_.view(b).connected_input(o) == snapshot_.place(b)) f(snapshot_.output_beside(b, o));
  }
  [[nodiscard]] std::vector<std::uint32_t> shortest_circle(const std::vector<std::uint32_t>& stuck) const;
  [[nodiscard]] StuckWorm describe(std::uint32_t w, const std::vector<std::size_t>& number) const;

  const Fabric& fabric_;
  BufferSnapshot snapshot_;
  const PrescribedRoutes* prescribed_;  ///< null: the relation is none
  std::vector<Worm> worms_;
  std::vector<std::uint32_t> worm_of_;  ///< [packet handle]
  std::vector<std::uint32_t> owner_;    ///< [output buffer]: worm that it is connected for
  std::vector<Way> ways_;
  std::vector<std::uint32_t> blockers_;
  std::vector<std::uint16_t> feasible_;
  CandidateList candidates_;
};

/// Breadth first from each worm, no deeper than the best circle so far.
std::vector<std::uint32_t> Examiner::shortest_circle(const std::vector<std::uint32_t>& stuck) const {
  std::vector<std::uint32_t> best;
  std::vector<std::uint32_t> seen(worms_.size(), kNone);
  std::vector<std::uint32_t> parent(worms_.size(), kNone);
  std::vector<std::uint32_t> level;
  std::vector<std::uint32_t> next;
  for (const std::uint32_t root : stuck) {
    level.assign(1, root);
    bool found = false;
    for (std::size_t depth = 1; !level.empty() && !found && (best.empty() || depth < best.size()); ++depth) {
      next.clear();
      for (const std::uint32_t from : level)
        each_wait(from, [&](std::uint32_t to) {
          if (found) return;
          if (to == root) {
            found = true;
            best.clear();
            for (std::uint32_t at = from; at != root; at = parent[at]) best.push_back(at);
            best.push_back(root);
            std::reverse(best.begin(), best.end());
          } else if (seen[to] != root) {
            seen[to] = root;
            parent[to] = from;
            next.push_back(to);
          }
        });
      level.swap(next);
    }
    if (best.size() == 1) break;
  }
  return best;
}

StuckWorm Examiner::describe(std::uint32_t w, const std::vector<std::size_t>& number) const {
  const Worm& worm = worms_[w];
  const Packet& packet = fabric_.packets()[worm.packet];
  StuckWorm stuck;
  stuck.source = packet.source;
  if (packet.worm == kNoWorm) {
    stuck.destinations.push_back(packet.destination);
  } else {
    const auto& planned = fabric_.worms()[packet.worm];
    for (std::size_t n = 0; n < planned.stops.size(); ++n)
      if (planned.stops[n].serves() && !planned.served[n])
        stuck.destinations.push_back(planned.stops[n].terminal);
  }
  stuck.number = packet.number;
  stuck.length = packet.length;
  stuck.router = snapshot_.router(worm.buffer);
  stuck.router_name = fabric_.plan().topology->router_name(stuck.router);
  stuck.buffer = snapshot_.buffer_name(worm.buffer);
  const auto holds = [&](std::uint32_t b) {
    auto name = snapshot_.channel_name(b);
    if (stuck.holds.empty() || stuck.holds.back() != name) stuck.holds.push_back(std::move(name));
  };
  if (snapshot_.is_input(worm.buffer) && worm.position == 0) each_link(worm.buffer, holds);
  if (worm.absorbed)
    holds(worm.buffer);
  else
    walk(w, [&](std::uint32_t b) {
      if (snapshot_.is_input(b)) each_consumption(b, holds);
      holds(b);
    });
  for (std::uint32_t n = worm.first_way; n < worm.first_way + worm.ways; ++n) {
    StuckWorm::Wait wait{snapshot_.channel_name(ways_[n].channel), {}};
    for (std::uint32_t e = ways_[n].first; e < ways_[n].first + ways_[n].count; ++e)
      if (!worms_[blockers_[e]].moves) wait.owners.push_back(number[blockers_[e]]);
    stuck.waits_for.push_back(std::move(wait));
  }
  return stuck;
}

Autopsy Examiner::result() const {
  Autopsy autopsy;
  autopsy.cycle = fabric_.cycles();
  std::vector<std::uint32_t> stuck;
  std::vector<std::size_t> number(worms_.size());
  for (std::uint32_t w = 0; w < worms_.size(); ++w) {
    if (worms_[w].moves) continue;
    number[w] = stuck.size();
    stuck.push_back(w);
  }
  autopsy.deadlocked = !stuck.empty();
  for (const std::uint32_t w : stuck) autopsy.worms.push_back(describe(w, number));
  for (const std::uint32_t w : shortest_circle(stuck)) autopsy.circle.push_back(number[w]);
  return autopsy;
}

}  // namespace

Autopsy autopsy(const Fabric& fabric) {
  return Examiner(fabric, false).result();
}

Autopsy standstill(const Fabric& fabric) {
  Autopsy all = Examiner(fabric, true).result();
  const auto& classes = fabric.plan().message_classes;
  for (const auto& end : fabric.refusing_ends())
    all.ends.push_back(
        fmt::format("terminal {} takes no more {}", index(end.terminal),
                    classes.named() ? classes[end.message_class].name + " packets" : "packets"));
  return all;
}

}  // namespace noctule
