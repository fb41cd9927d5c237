#pragma once
// Random but legal surroundings of one router, at its pins: neighbours that send it worms and take its own, a
// terminal. For tests of a router alone.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "rtl/pin_map.h"

namespace noctule {

struct PinTrafficOptions {
  std::uint64_t seed = 1;
  double load = 0.5;  ///< probability that a link or terminal that could send a flit does so, per cycle
  std::vector<std::uint32_t> lengths{1, 2, 5, 16};  ///< of worms, in flits; one is drawn for each
  double prompt = 0.5;             ///< probability that a flit leaves the buffer behind a link at once
  std::uint32_t longest_wait = 8;  ///< cycles that the others wait there at most once they are foremost; >= 1
  /// Probability that the terminal is not ready, per cycle; that of an input-queued router always is.
  double stall = 0.25;
  std::uint32_t walks = 20000;  ///< worms that are followed through the fabric to learn what can arrive
};

/// The router broke the rules of the pins.
class IllegalPins : public InternalError {
 public:
  using InternalError::InternalError;
};

/// All neighbours follow the rules of the pins: credits are respected (of injection buffers too), a link
/// carries one flit per cycle, a VC one worm at a time. Headers are such as can arrive: destination and state
/// are those of a worm that went from a random source to a random destination, hop by hop along what the
/// relation offers to its message class, and came by on the same link and VC class. Buffers behind outbound
/// links have the depth that the router counts on. Deterministic in the options.
class PinTraffic {
 public:
  /// Throws InternalError where the options make no sense.
  PinTraffic(std::shared_ptr<const PinMap> map, const FabricPlan& fabric, RouterId router,
             PinTrafficOptions options);

  /// As before the first cycle; `in`: the input pins in it.
  void reset(std::uint64_t* in);
  /// A reset in mid-run: all worms and credits are as before the first cycle, the draws go on. Loads, lengths
  /// and waits are drawn anew, from hardly anything to as much as there is room for.
  void restart(std::uint64_t* in);
  /// A clock edge. `out`: the router's output pins in the cycle that ends; `in`: its input pins in the one
  /// that begins. Throws IllegalPins where the router breaks the rules of the pins: a flit without a credit
  /// or on a VC that is not there, a worm out of order, a credit too many.
  void step(const std::uint64_t* out, std::uint64_t* in);

  /// From now on other draws, with the same state.
  void redraw(std::uint64_t number) { rng_ = Rng(options_.seed + number, "other"); }
  /// From now on no worm begins; those that have go on. Until the next reset.
  void drain() { draining_ = true; }
  /// No worm is under way, and all credits are home, here and at the router.
  [[nodiscard]] bool idle() const;
  /// Flits given to the router, and those that came out.
  [[nodiscard]] std::uint64_t flits_in() const { return flits_in_; }
  [[nodiscard]] std::uint64_t flits_out() const { return flits_out_; }
  /// Inputs of the plan on which worms can arrive, as far as the walks have shown; injection included.
  [[nodiscard]] const std::vector<bool>& usable() const { return usable_; }

 private:
  /// Destination and routing state of a header on an input.
  struct Arrival {
    RouterId destination{};
    RouteState state = 0;
  };
  /// What sends on an input VC.
  struct Sender {
    unsigned credits = 0;
    Packet packet{};
    PacketHandle handle{};
    std::uint32_t next = 0;  ///< number of the next flit; packet.length: no worm is under way
  };
  /// What takes the flits of an output VC.
  struct Receiver {
    unsigned held = 0;       ///< flits in the buffer
    std::uint32_t wait = 0;  ///< cycles until the foremost one leaves it
    bool in_worm = false;
    PacketHandle handle{};
  };

  void clear(std::uint64_t* in);
  void learn_classes(const FabricPlan& fabric);
  void learn_arrivals(const FabricPlan& fabric);
  void walk(const FabricPlan& fabric, RouterId source, RouterId destination, std::uint8_t message_class);
  /// What arrives on an input of a link, of a message class.
  [[nodiscard]] std::vector<Arrival>& arrivals(PortId port, VcClass vc_class, std::uint8_t message_class) {
    return arrivals_[(index(port) * plan_->classes + index(vc_class)) * classes_ + message_class];
  }
  [[nodiscard]] bool chance(double probability);
  [[nodiscard]] RouterId other_router(RouterId than);
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination, std::uint8_t message_class);
  [[nodiscard]] std::uint8_t one_of(const std::vector<std::uint8_t>& classes) {
    return classes.size() == 1 ? classes.front() : classes[rng_.below(classes.size())];
  }
  [[nodiscard]] std::uint32_t draw_wait();
  [[nodiscard]] bool can_send(std::size_t input) const;
  void begin_worm(std::size_t input);
  void send(const std::vector<std::size_t>& inputs, std::uint64_t* in);
  void take_credits(const std::uint64_t* out);
  void take_flit(const LinkPins& pins, const std::uint64_t* out, const std::vector<std::uint16_t>& output_at);
  void give_credits(std::uint64_t* in);
  [[noreturn]] void illegal(const std::string& what) const;

  static constexpr std::size_t kArrivals = 256;  ///< kept per link and class

  std::shared_ptr<const PinMap> map_;
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const RoutingRelation> relation_;
  std::shared_ptr<const RouterPlan> plan_;
  RouterId id_;
  PinTrafficOptions options_;
  unsigned depth_;  ///< of the router's input buffers
  RouterPins pins_;
  std::vector<RouterId> terminals_at_;               ///< routers that packets come from and go to
  std::vector<std::vector<std::size_t>> inputs_of_;  ///< [inbound channel, then injection]: its inputs
  std::vector<std::uint16_t> consumption_at_;        ///< [bit]: the output
  std::size_t classes_;                              ///< message classes of the fabric
  std::vector<std::vector<Arrival>> arrivals_;       ///< [(port * VC classes + VC class) * classes + class]
  std::vector<std::vector<std::uint8_t>> may_hold_;  ///< [input]: message classes
  std::vector<bool> usable_;

  Rng rng_;
  std::vector<Sender> senders_;      ///< [input]
  std::vector<bool> drained_reuse_;  ///< [input]: a worm begins only when the buffer is empty
  std::vector<Receiver> receivers_;  ///< [output]
  std::uint32_t next_handle_ = 0;
  bool ready_ = true;  ///< the terminal, in the cycle that is on the pins
  bool draining_ = false;
  bool can_stall_ = true;  ///< the terminal need not take a flit in every cycle
  std::uint64_t flits_in_ = 0;
  std::uint64_t flits_out_ = 0;
};

}  // namespace noctule
