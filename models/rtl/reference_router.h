#pragma once
// The rules of a router told once more, in terms of its pins and without regard to speed: what routers in
// hardware are held against where no fabric is simulated. Shares nothing with the blocks of the simulator.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rtl/pin_map.h"

namespace noctule {

/// Decisions of a cycle are functions of the state at its start alone. What they say to the outside is on the
/// output pins in the same cycle: the flits that leave on links, the places that become free. At the edge
/// that ends the cycle they take effect, together with what the input pins bring.
///
/// Two kinds (hardware_rules.h):
/// - Buffered: an output buffer of one flit per VC; a header that gets a VC crosses in the same cycle; of the
///   outputs of a link that hold a flit and have a credit, one sends.
/// - Input-queued: a header that gets a VC in one cycle bids for the switch from the next one on, together
/// with
///   the flits behind it, as long as there is a credit; what crosses in one cycle is on the link in the next.
///
/// A terminal that is not ready keeps the flit in the consumption buffer of a buffered router on the pins. An
/// input-queued one has no room for that: its terminal is always ready, consumption_ready_i is not looked at.
class ReferenceRouter final : public PinRouter {
 public:
  /// Throws ConfigError where the router cannot be in hardware (hardware_obstacle).
  ReferenceRouter(std::shared_ptr<const PinMap> map, const FabricPlan& fabric, RouterId router);

  void reset(const std::uint64_t* in, std::uint64_t* out) override;
  /// Throws InternalError where the input pins break the rules of the pins: a flit without room or on a VC
  /// that is not there, a credit too many, a worm out of order.
  void step(const std::uint64_t* in, std::uint64_t* out) override;

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  struct Input {
    std::vector<std::uint64_t> flits;  ///< foremost first
    std::uint16_t output = kNone;      ///< that the worm at the front has got
    bool in_worm = false;              ///< the last flit that arrived was not a tail
  };
  struct Output {
    std::vector<std::uint64_t> flits;  ///< behind the crossbar; of consumption outputs see consumption_
    std::uint16_t input = kNone;       ///< whose worm has got it
    unsigned credits = 0;              ///< free places behind the link
  };
  /// A flit that waits for the terminal.
  struct Consumed {
    std::uint8_t vc;
    std::uint64_t flit;
  };
  /// Where the next search begins; all of them 0 after reset.
  struct Pointers {
    std::vector<std::size_t> scan;        ///< [crossbar]: input behind the one served last
    std::vector<std::size_t> selection;   ///< [crossbar]: output behind the one chosen last
    std::size_t crossbar = 0;             ///< the one behind that which gave a worm the consumption last
    std::vector<std::size_t> link;        ///< [outbound channel]: output behind the one that sent last
    std::vector<std::size_t> vc_input;    ///< [input]: output behind the one it got last
    std::vector<std::size_t> vc_output;   ///< [output]: input behind the one that got it last
    std::vector<std::size_t> switch_in;   ///< [input port]: input behind the one that crossed last
    std::vector<std::size_t> switch_out;  ///< [output port]: input port behind the one that crossed last
  };
  struct Connection {
    std::size_t input;
    std::size_t output;
  };
  struct Decisions {
    std::vector<Connection> connections;  ///< headers that get an output
    std::vector<std::size_t> crossing;    ///< inputs whose foremost flit crosses
    std::vector<std::size_t> sending;     ///< outputs whose flit is on the link in this cycle
    Pointers pointers;                    ///< as they are afterwards
  };

  [[nodiscard]] Decisions decide() const;
  void scan(std::size_t crossbar, std::vector<bool>& waiting, std::vector<bool>& free, Decisions& d) const;
  void match_vcs(const std::vector<bool>& waiting, const std::vector<bool>& free, Decisions& d) const;
  void cross_connected(Decisions& d) const;
  void match_ports(Decisions& d) const;
  void choose_senders(Decisions& d) const;

  void apply(const Decisions& d, const std::uint64_t* in);
  void cross(Input& input);
  void take_arrivals(const std::uint64_t* in);
  void take_credits(const std::uint64_t* in);
  void arrive(const LinkPins& pins, const std::uint64_t* in, const std::vector<std::uint16_t>& input_at);
  void show(std::uint64_t* out) const;

  [[nodiscard]] bool is_link(std::size_t output) const { return output < plan_->link_outputs(); }
  /// Places of the buffer behind a link.
  [[nodiscard]] unsigned depth_behind(std::size_t output) const {
    return plan_->outbound[plan_->outputs[output].channel].depth;
  }
  [[nodiscard]] bool in_crossbar(const VcPlan& vc, std::size_t crossbar) const;
  /// Is there a header at the front of this input that has no output yet?
  [[nodiscard]] bool waiting(std::size_t input) const;
  /// May the next worm have this output?
  [[nodiscard]] bool is_free(std::size_t output) const;
  /// Could a flit cross to this output, by the state at the start of the cycle?
  [[nodiscard]] bool has_room(std::size_t output) const;
  [[nodiscard]] RouterId destination_of(std::uint64_t header) const;
  /// Outputs that the header at the front of the input may take, ascending.
  [[nodiscard]] std::vector<std::size_t> feasible(std::size_t input, const std::vector<bool>& among) const;
  [[nodiscard]] std::size_t input_port(std::size_t input) const;
  [[nodiscard]] std::size_t output_port(std::size_t output) const;
  [[noreturn]] void illegal(const std::string& what) const;

  std::shared_ptr<const PinMap> map_;
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const RoutingRelation> relation_;
  std::shared_ptr<const RouterPlan> plan_;
  NodeDescription node_;
  RouterId id_;
  RouterPins pins_;

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Consumed> consumption_;  ///< at most one
  Pointers pointers_;
  Decisions decisions_;  ///< of the cycle that is on the pins
};

}  // namespace noctule
