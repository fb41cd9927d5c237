#pragma once
// Who waits for whom in a fabric, between two cycles: the worms whose headers lie in buffers, the ways on
// that each has, and the worms that must move before a way is open. Who can move moves; what is left is
// stuck.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "fabric/buffer_snapshot.h"
#include "routing/relation.h"

namespace noctule {

class PrescribedRoutes;

class Waits {
 public:
  static constexpr std::uint32_t kNone = ~0U;

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

  /// `nothing_moves`: all worms are stuck. Not `with_outside`: without those in unlimited injection channels
  /// that have no output. They hold nothing that others wait for: with them, or without, the same of the
  /// others are stuck, and there may be very many of them. Keeps a reference.
  Waits(const Fabric& fabric, bool nothing_moves, bool with_outside = true);

  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] bool none_stuck() const {
    return std::all_of(worms_.begin(), worms_.end(), [](const Worm& worm) { return worm.moves; });
  }
  [[nodiscard]] const BufferSnapshot& snapshot() const { return snapshot_; }
  [[nodiscard]] const std::vector<Worm>& worms() const { return worms_; }
  [[nodiscard]] std::span<const Way> ways(const Worm& worm) const {
    return std::span(ways_).subspan(worm.first_way, worm.ways);
  }
  /// f(other) for every stuck worm that must move before the way is open.
  template <class F>
  void each_blocker(const Way& way, F&& f) const {
    for (std::uint32_t e = way.first; e < way.first + way.count; ++e)
      if (!worms_[blockers_[e]].moves) f(blockers_[e]);
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

 private:
  void find_headers();
  /// Messages that wait in consumption channels for a retransmission buffer.
  void find_absorbed();
  /// Who has a consumption channel, and must move before another worm can have it.
  [[nodiscard]] std::uint32_t consumer(std::uint32_t out) const;
  /// The worm that a flit belongs to; kNone if its header is on a link or consumed: it moves.
  [[nodiscard]] std::uint32_t worm(Flit flit) const;
  /// Has the worm no gap to close? Notes which outputs are connected for it.
  bool is_packed(std::uint32_t w);
  void find_waits(std::uint32_t w);
  /// Any of the terminal's retransmission buffers will do; each is free once its message has left it.
  void wait_for_retransmission(std::uint32_t w);
  /// Outputs that a header waiting at the front of input `b` may take. One that is held only by a prescribed
  /// route is judged by what the relation would offer it: stuck is who has no way on without prescription.
  void find_feasible(std::uint32_t b, PacketHandle handle);
  /// A waiting header may take output `out` once nothing of earlier worms is left where the release rule
  /// looks, and moves into it once there is room. A consumption channel comes free once the worm that has it
  /// is through: at once, unless that one waits for something else as well.
  void add_alternative(std::uint32_t w, std::uint32_t out);
  void add_way(std::uint32_t w, std::uint32_t channel, std::initializer_list<std::uint32_t> blockers);
  void add_way(std::uint32_t w, std::uint32_t channel, std::span<const std::uint32_t> blockers);
  /// Whoever moves opens the ways that it alone still closed; a worm with an open way moves.
  void set_free();

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

}  // namespace noctule
