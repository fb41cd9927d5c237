#pragma once
// How long a packet takes that meets no other, in closed form.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

/// From the birth of a packet to the consumption of its tail. The header passes the stages of every router
/// and every link; the other flits follow as fast as the slowest stage lets them: a buffer of D places whose
/// places come free R cycles after they were taken passes D flits every R cycles. For a link R is the credit
/// round trip: the flit's way to the next buffer, and the credit's way back.
/// Speculation is taken to succeed, as it does for a lone header whose candidates are all on one port.
class ZeroLoad {
 public:
  explicit ZeroLoad(const FabricPlan& plan);

  /// Are all links alike? Then the number of hops says it all, and else the path does.
  [[nodiscard]] bool by_hops() const { return plan_links_.alike(); }
  /// `hops`: links on the way, `length`: flits, >= 1; cycles. Where links differ: over links of the first
  /// kind.
  [[nodiscard]] std::uint64_t latency(std::uint64_t hops, std::uint64_t length) const {
    return ends_ + hops * per_hop() +
           (length < kTabulated ? body_[hops > 0][length] : body(hops > 0, length));
  }
  /// Over these links, one behind the other, whatever they are like.
  [[nodiscard]] std::uint64_t latency(std::span<const LinkId> path, std::uint64_t length) const;

  /// Cycles that a flit occupies a link before the next one of its VC may follow: with fixed slots the
  /// serialiser's share of each of the VCs of a link (the largest number in the fabric), else the serialiser.
  [[nodiscard]] std::uint64_t slot_cycles(const LinkDescription& link) const {
    return slots_ * link.cycles_per_flit;
  }
  /// Cycles from the sending of a flit (without output buffers: from the grant of the switch) until it is in
  /// the next buffer.
  [[nodiscard]] std::uint64_t flight(const LinkDescription& link) const {
    return behind_ + slot_cycles(link) - 1 + link.flit_delay;
  }
  /// Cycles between the bids of a header for a VC at two routers that follow each other.
  [[nodiscard]] std::uint64_t per_hop() const { return router_ + link_; }
  /// Cycles from the sending of a flit until the credit for its place counts: an input buffer of fewer places
  /// does not let one worm have the whole link.
  [[nodiscard]] std::uint64_t credit_round_trip(const LinkDescription& link) const {
    return flight(link) + link.credit_delay;
  }
  /// "T0 = (d + 1) 4 + d 1 + L", for people; d: hops, L: flits.
  [[nodiscard]] std::string formula() const;

 private:
  /// `places` flits pass every `cycles`.
  struct Stage {
    std::uint64_t places = 1;
    std::uint64_t cycles = 1;
    /// Cycles until `flits` more have passed, no two of them closer than `apart`.
    [[nodiscard]] std::uint64_t behind_header(std::uint64_t flits, std::uint64_t apart = 1) const {
      return cycles <= places * apart ? flits * apart : flits / places * cycles + flits % places * apart;
    }
  };
  /// A buffer on the way of a worm, by the cycles in which flits enter it.
  struct Buffer {
    std::uint64_t header;    ///< cycles from the entry into the buffer before it to this one, for the header
    std::uint64_t follower;  ///< likewise for flits behind it
    std::uint64_t apart;     ///< cycles between two entries
    std::uint64_t places;    ///< 0: any number
    std::uint64_t again;  ///< cycles from the entry into the next buffer until the place can be taken again
  };
  /// Cycles by which the tail follows the header, over links or to the own router.
  [[nodiscard]] std::uint64_t body(bool over_links, std::uint64_t length) const;
  [[nodiscard]] std::vector<Buffer> buffers(std::span<const LinkId> path) const;

  static constexpr std::size_t kTabulated = 64;
  LinkDescriptions plan_links_;
  std::uint64_t slots_ = 1;     ///< VCs with a share of a link of their own
  std::uint64_t header_ = 0;    ///< stages of a router before the switch, for a header
  std::uint64_t crossing_ = 0;  ///< and behind it
  std::uint64_t behind_ = 0;    ///< those of them that no output buffer cuts off from the link
  std::uint64_t birth_ = 0;     ///< from the birth to the injection buffer
  bool direct_ = false;
  bool consumption_waits_ = true;
  std::uint64_t router_ = 0;  ///< header: stages of a router
  std::uint64_t link_ = 0;    ///< one link
  std::uint64_t ends_ = 0;    ///< injection, and from the last link to consumption
  std::uint64_t slot_ = 1;
  Stage injection_;
  Stage links_;
  Stage output_;
  Stage consumption_;
  std::array<std::array<std::uint64_t, kTabulated>, 2> body_{};
};

}  // namespace noctule
