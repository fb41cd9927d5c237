#pragma once
// How long a packet takes that meets no other, in closed form.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "nodes/router_plan.h"

namespace noctule {

/// Cycles that a flit takes on a link of the fabric before the next one of its VC may follow: with fixed
/// slots the VCs of the link (the largest number in the fabric), else 1.
[[nodiscard]] std::uint64_t slot_cycles(const FabricPlan& plan);

/// From the birth of a packet to the consumption of its tail. The header passes the stages of every router
/// and every link; the other flits follow as fast as the slowest stage lets them: a buffer of D places whose
/// places come free R cycles after they were taken passes D flits every R cycles. For a link R is the credit
/// round trip: the flit's way to the next buffer, and the credit's way back.
/// Speculation is taken to succeed, as it does for a lone header whose candidates are all on one port.
class ZeroLoad {
 public:
  /// Delays in cycles.
  ZeroLoad(const FabricPlan& plan, std::uint64_t flit_delay, std::uint64_t credit_delay);

  /// `hops`: links on the way, `length`: flits, >= 1; cycles.
  [[nodiscard]] std::uint64_t latency(std::uint64_t hops, std::uint64_t length) const {
    return ends_ + hops * per_hop() +
           (length < kTabulated ? body_[hops > 0][length] : body(hops > 0, length));
  }

  /// Cycles from the sending of a flit (without output buffers: from the grant of the switch) until it is in
  /// the next buffer.
  [[nodiscard]] std::uint64_t flight() const { return flight_; }
  /// Cycles between the bids of a header for a VC at two routers that follow each other.
  [[nodiscard]] std::uint64_t per_hop() const { return router_ + link_; }
  /// Cycles from the sending of a flit until the credit for its place counts: an input buffer of fewer places
  /// does not let one worm have the whole link.
  [[nodiscard]] std::uint64_t credit_round_trip() const { return links_.cycles; }
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
  /// Cycles by which the tail follows the header, over links or to the own router.
  [[nodiscard]] std::uint64_t body(bool over_links, std::uint64_t length) const;

  static constexpr std::size_t kTabulated = 64;
  std::uint64_t router_ = 0;  ///< header: stages of a router
  std::uint64_t link_ = 0;    ///< one link
  std::uint64_t flight_ = 0;  ///< one link, and the stages of the router that no output buffer cuts off
  std::uint64_t ends_ = 0;    ///< injection, and from the last link to consumption
  std::uint64_t slot_ = 1;
  Stage injection_;
  Stage links_;
  Stage output_;
  Stage consumption_;
  std::array<std::array<std::uint64_t, kTabulated>, 2> body_{};
};

}  // namespace noctule
