#pragma once
// How long a packet takes that meets no other, in closed form.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

/// From the birth of a packet to the consumption of its tail. The header passes the stages of every router
/// and every link; the other flits follow as fast as the slowest stage lets them: a buffer of D places whose
/// places come free R cycles after they were taken passes D flits every R cycles. For a link R is the credit
/// round trip: the flit's way to the next buffer, and the credit's way back.
/// A router that stores packets sends one on over a link once it is in as a whole.
/// Speculation is taken to succeed, as it does for a lone header whose candidates are all on one port
/// (LonePath::late). Keeps a reference to the plan. Cycles.
class ZeroLoad {
 public:
  explicit ZeroLoad(const FabricPlan& plan);

  /// Are all routers and all links alike? Then the number of hops says it all, and else the path does.
  [[nodiscard]] bool by_hops() const { return plan_.links.alike() && plan_.nodes.alike(); }
  /// `hops`: links on the way, `length`: flits, >= 1. Of routers and links of the first kind.
  [[nodiscard]] std::uint64_t latency(std::uint64_t hops, std::uint64_t length) const {
    if (stores_ && hops > 1) return stored(hops, length);
    const auto& known = body_[hops > 0];
    return ends_ + hops * per_hop() + (length < known.size() ? known[length] : body(hops > 0, length));
  }
  /// From a router over these links, one behind the other, whatever they are like. Found flit by flit, once
  /// for all ways over routers and links of the same kinds.
  [[nodiscard]] std::uint64_t latency(RouterId source, std::span<const LinkId> path,
                                      std::uint64_t length) const;

  /// What a header takes from one router to the next, part by part. Cycles. Flits behind it pass all but the
  /// first two parts.
  struct HopParts {
    std::uint64_t routing = 0;        ///< 0 where the router before has computed the route
    std::uint64_t vc_allocation = 0;  ///< 0 where it bids for VC and switch at once
    std::uint64_t switch_allocation = 0;
    std::uint64_t traversal = 0;   ///< of the crossbar
    std::uint64_t serialiser = 0;  ///< what a flit takes longer to start than in one cycle
    std::uint64_t wire = 0;        ///< flit_delay
    [[nodiscard]] std::uint64_t sum() const {
      return routing + vc_allocation + switch_allocation + traversal + serialiser + wire;
    }
    friend bool operator==(const HopParts&, const HopParts&) = default;
  };
  /// Over a link, and through the router that sends on it.
  [[nodiscard]] HopParts hop(LinkId link) const;
  /// What a header takes besides its hops: into the first router, and through the last one to its terminal.
  struct EndParts {
    std::uint64_t injection = 0;
    std::uint64_t router = 0;
    std::uint64_t consumption = 0;
    [[nodiscard]] std::uint64_t sum() const { return injection + router + consumption; }
    friend bool operator==(const EndParts&, const EndParts&) = default;
  };
  [[nodiscard]] EndParts ends(RouterId source, RouterId destination) const;

  /// Cycles that a flit occupies a link before the next one of its VC may follow: FabricPlan::slots times
  /// what the serialiser takes.
  [[nodiscard]] std::uint64_t slot_cycles(LinkId link) const { return slot_cycles(kind(link)); }
  /// Cycles from the sending of a flit (without output buffers: from the grant of the switch) until it is in
  /// the next buffer.
  [[nodiscard]] std::uint64_t flight(LinkId link) const { return flight(kind(link)); }
  /// Of the links of the first kind behind routers of the first kind.
  [[nodiscard]] std::uint64_t usual_flight() const { return flight(Kind{}); }
  /// Of any link.
  [[nodiscard]] std::uint64_t longest_flight() const;
  /// Cycles between the bids of a header for a VC at two routers that follow each other.
  [[nodiscard]] std::uint64_t per_hop() const { return router_ + link_; }
  /// Cycles from the sending of a flit until the credit for its place counts: an input buffer of fewer places
  /// does not let one worm have the whole link.
  [[nodiscard]] std::uint64_t credit_round_trip(LinkId link) const {
    return flight(link) + plan_.links[link].credit_delay;
  }
  /// "T0 = 2 + 2 d + (L - 1) cycles", for people; d: hops, L: flits.
  [[nodiscard]] std::string formula() const;

 private:
  /// A link by what it and its sender are like.
  struct Kind {
    std::size_t sender = 0;
    std::size_t link = 0;
  };
  /// A buffer on the way of a worm, by the cycles in which flits enter it.
  struct Buffer {
    std::uint64_t header;    ///< cycles from the entry into the buffer before it to this one, for the header
    std::uint64_t follower;  ///< likewise for flits behind it
    std::uint64_t apart;     ///< cycles between two entries
    std::uint64_t places;    ///< 0: any number
    std::uint64_t again;  ///< cycles from the entry into the next buffer until the place can be taken again
  };
  /// Cycles by which the tail follows the header, over links or to the own router. Found once for each
  /// length.
  std::uint64_t body(bool over_links, std::uint64_t length) const;
  /// Over alike routers that store packets, and two hops or more.
  [[nodiscard]] std::uint64_t stored(std::uint64_t hops, std::uint64_t length) const;
  static EndParts ends_of(const NodeDescription& first, const NodeDescription& last);
  /// Of a packet that has been stored: it is all there.
  static Buffer stored_buffer() { return {0, 0, 0, 0, 0}; }
  /// What `latency` is of a way, whatever is known.
  [[nodiscard]] std::uint64_t follow(RouterId source, std::span<const LinkId> path,
                                     std::uint64_t length) const;
  /// Until the last of so many flits is at the end of the last buffer, and `flown` cycles on.
  static std::uint64_t until_stored(std::vector<Buffer> way, std::uint64_t length, std::uint64_t flown);
  /// Of an injection channel.
  static Buffer first_buffer(const NodeDescription& node) {
    return {node.injection_delay, 0, 1, node.input_depth,
            node.injection_delay == 0 || node.refill_same_cycle ? 1U : 2U};
  }
  class Train;
  /// Cycle in which the last of so many flits leaves the last buffer, from the birth of the packet on.
  static std::uint64_t through(const std::vector<Buffer>& way, std::uint64_t length);
  /// Over one link of the first kind, or to the own router.
  [[nodiscard]] std::vector<Buffer> short_way(bool over_links) const;
  /// A router, from the buffer before it, after `flown` cycles, to the one behind `link`.
  static void add_hop(std::vector<Buffer>& all, const NodeDescription& node, std::uint64_t flown,
                      const Buffer& link);
  static void add_end(std::vector<Buffer>& all, const NodeDescription& node, std::uint64_t flown);
  /// From the beginning of a link until the last part of the flit is at its end.
  [[nodiscard]] std::uint64_t wire_cycles(Kind kind) const {
    return slot_cycles(kind) - 1 + plan_.links.kinds()[kind.link].flit_delay;
  }
  [[nodiscard]] std::uint64_t slot_cycles(Kind kind) const {
    return slots_[kind.sender * plan_.links.kinds().size() + kind.link] *
           plan_.links.kinds()[kind.link].cycles_per_flit;
  }
  [[nodiscard]] std::uint64_t flight(Kind kind) const {
    const NodeDescription& sender = plan_.nodes.kinds()[kind.sender];
    return (sender.direct() ? sender.pipeline.behind_switch_allocation() : 0) + wire_cycles(kind);
  }
  [[nodiscard]] const Link& link_of(LinkId link) const { return plan_.topology->links()[index(link)]; }
  [[nodiscard]] Kind kind(LinkId link) const {
    return {plan_.nodes.kind(link_of(link).from), plan_.links.kind(link)};
  }

  const FabricPlan& plan_;
  std::vector<std::uint64_t> slots_;  ///< by kind: VCs with a share of a link of their own, or 1
  std::uint64_t router_ = 0;          ///< header: stages of a router
  std::uint64_t link_ = 0;            ///< one link
  std::uint64_t ends_ = 0;            ///< injection, and from the last link to consumption
  mutable std::array<std::vector<std::uint64_t>, 2> body_;                             ///< by length
  mutable std::array<std::unordered_map<std::uint64_t, std::uint64_t>, 2> long_body_;  ///< of long packets
  bool stores_ = false;  ///< the first kind of router
  /// Cycles until a packet has been stored for the first time; from there to the next router; and from the
  /// last one that stores it to the end. 0: not asked for.
  struct Stored {
    std::uint64_t first = 0;
    std::uint64_t next = 0;
    std::uint64_t last = 0;
  };
  mutable std::unordered_map<std::uint64_t, Stored> stored_;  ///< by length
  /// Latencies by length, kinds of sender and link of every hop, and kind of the last router.
  mutable std::map<std::vector<std::uint64_t>, std::uint64_t> by_way_;
  mutable std::size_t kept_ = 0;                                  ///< numbers in by_way_,
  static constexpr std::size_t kMostKept = std::size_t{1} << 14;  ///< and when they are forgotten
  mutable std::vector<std::uint64_t> way_;                        ///< scratch
};

}  // namespace noctule
