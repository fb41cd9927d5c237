#pragma once
// Packets of a network at the levels at which no flit moves: when they arrive. Plain C++.

#include <optional>
#include <vector>

#include "analytic/link_bookings.h"
#include "analytic/link_utilisation.h"
#include "analytic/packet_routes.h"
#include "transactions/settings.h"

namespace noctule::tlm {

class Transit {
 public:
  /// Keeps references to all. Of level cycle there is none. `seed`: the fabric's, for headers that draw their
  /// way: the n-th packet of a terminal draws the same as in the fabric.
  Transit(const FabricPlan& plan, const ZeroLoad& zero_load, const TlmSettings& settings,
          std::uint8_t request_class, std::uint8_t response_class, std::uint64_t seed,
          const std::optional<WaitWeights>& calibration = {});

  struct Times {
    Cycle injected = 0;        ///< the header enters the injection channel
    Cycle arrived = 0;         ///< the tail is consumed
    Cycle alone = 0;           ///< the same, if it need not keep its order
    std::uint64_t number = 0;  ///< of the packet (LinkBookings); 0: it cannot be put off
    std::uint64_t turn = 0;    ///< in order: among those of its pair
    bool outside = false;      ///< links are busier than those of the calibration
  };
  /// A packet, and who has it carried.
  struct Load {
    InitiatorId initiator{};
    TargetId target{};
    bool request = true;
    std::uint32_t flits = 1;
  };
  /// Of a packet that is born in cycle `born`, told for good; no later one is born before `now`.
  Times carry(const Load& load, Cycle born, Cycle now) { return carry(load, born, now, true); }
  /// Of one that later packets may put off until `settle`.
  Times carry_until_settled(const Load& load, Cycle born, Cycle now) { return carry(load, born, now, false); }
  /// When it arrives, told for good.
  [[nodiscard]] Cycle settle(const Times& times);
  /// Of one that may be put off: it has to ask `put_off` as it arrives, which it does not before `earliest`.
  /// `in_order`: it does not overtake what was carried in order before, of its pair and class.
  Times carry_until_due(const Load& load, bool in_order, Cycle born, Cycle earliest, Cycle now);
  /// Asked in cycle `times.arrived`: when it has to be asked again, which may be at once, behind what else is
  /// due; nothing: it has arrived.
  [[nodiscard]] std::optional<Cycle> put_off(const Load& load, bool in_order, Times& times);
  /// Cycles of a packet that meets no other, from its birth on; of several ways the first.
  [[nodiscard]] std::uint64_t zero_load(InitiatorId initiator, TargetId target, bool request,
                                        std::uint32_t flits) {
    Pair& pair = pair_of(initiator, target, request);
    return routes_.zero_load(*pair.route, pair.from, flits);
  }
  /// Nothing is under way.
  void reset();

 private:
  struct Pair {
    PacketRoute* route = nullptr;
    TerminalId from{};
    TerminalId to{};
    std::uint64_t states = 1;   ///< that a header may start with
    Cycle last = 0;             ///< arrival of the last one that was carried in order
    Cycle put_off = 0;          ///< until then one of these was put off
    std::uint64_t carried = 0;  ///< in order
    std::uint64_t arrived = 0;  ///< of these
  };
  Times carry(const Load& load, Cycle born, Cycle now, bool final);
  [[nodiscard]] Pair& pair_of(InitiatorId initiator, TargetId target, bool request) {
    Pair& pair =
        pairs_[(index(initiator) * settings_.targets.size() + index(target)) * 2 + (request ? 0 : 1)];
    if (pair.route == nullptr) [[unlikely]]
      begin(pair, initiator, target, request);
    return pair;
  }
  void begin(Pair& pair, InitiatorId initiator, TargetId target, bool request);
  /// Of the next packet of its terminal.
  [[nodiscard]] PacketRoute& way_of(Pair& pair) {
    const std::uint64_t number = sent_[index(pair.from)]++;
    return pair.states == 1 ? *pair.route : drawn_way(pair, number);
  }
  [[nodiscard]] PacketRoute& drawn_way(const Pair& pair, std::uint64_t number);

  const TlmSettings& settings_;
  std::uint8_t request_class_;
  std::uint8_t response_class_;
  PacketRoutes routes_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> sent_;  ///< packets, by terminal
  std::vector<Pair> pairs_;          ///< by initiator, target, request or response
  std::optional<LinkBookings> bookings_;
  std::optional<LinkUtilisation> utilisation_;
};

}  // namespace noctule::tlm
