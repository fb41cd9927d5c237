#pragma once
// The pins of a router in hardware (rtl/README.md, "The pins of a router"): their names, widths and places,
// and what each means in terms of a plan. Values of pins are arrays of 64-bit words, one word per pin.

#include <cstdint>
#include <string>
#include <vector>

#include "nodes/router_plan.h"
#include "rtl/flit_format.h"

namespace noctule {

struct Pin {
  std::string name;
  unsigned width = 1;  ///< bits, at most 64
};

/// A physical link, or the injection or consumption channel, as pins: places in the arrays of input values
/// (inbound: valid, vc, flit; outbound: credit) and output values (the others).
struct LinkPins {
  static constexpr std::uint16_t kAbsent = 0xffff;
  std::string name;
  PortId port{};
  std::uint16_t replica = 0;
  std::uint16_t vcs = 1;
  std::uint16_t valid = kAbsent;
  std::uint16_t vc = kAbsent;  ///< one-hot; absent at injection and consumption channels of one VC
  std::uint16_t flit = kAbsent;
  std::uint16_t credit = kAbsent;  ///< pulses; of the consumption channel: ready
};

/// The same for all routers of one node; where a router stands is in the values of its position pins.
class PinMap {
 public:
  /// Of routers like this one, whose links are such as hardware_obstacle accepts. Throws ConfigError where
  /// there are no pins in this scheme: several injection channels, links that carry classes apart, more than
  /// 64 VCs on a link.
  PinMap(const FabricPlan& plan, RouterId router);

  [[nodiscard]] const std::vector<Pin>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<Pin>& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<LinkPins>& inbound() const { return inbound_; }
  [[nodiscard]] const std::vector<LinkPins>& outbound() const { return outbound_; }
  [[nodiscard]] const LinkPins& injection() const { return injection_; }
  [[nodiscard]] const LinkPins& consumption() const { return consumption_; }
  [[nodiscard]] const FlitFormat& format() const { return format_; }
  /// What the routers are like.
  [[nodiscard]] const NodeDescription& node() const { return node_; }
  /// Lanes that a message class may take on some link of the router, as bits, by number of the class; empty:
  /// each may take all.
  [[nodiscard]] const std::vector<std::uint64_t>& lanes_of_class() const { return lanes_of_class_; }

  /// Input values of a router at rest: position pins set, consumption ready, all others 0.
  [[nodiscard]] std::vector<std::uint64_t> at_rest(RouterId router) const;

 private:
  std::uint16_t add(std::vector<Pin>& pins, const std::string& name, unsigned width);
  LinkPins add_link(const std::string& name, PortId port, std::uint16_t replica, unsigned vcs, bool inbound,
                    bool vc_pin);

  FlitFormat format_;
  NodeDescription node_;
  std::vector<std::uint64_t> lanes_of_class_;
  std::vector<Pin> inputs_;
  std::vector<Pin> outputs_;
  std::vector<LinkPins> inbound_;
  std::vector<LinkPins> outbound_;
  LinkPins injection_;
  LinkPins consumption_;
  std::vector<std::vector<std::uint64_t>> positions_;  ///< [router]: values of the first input pins
};

/// Where the channels and VCs of one router's plan are on the pins.
struct RouterPins {
  RouterPins(const PinMap& map, const RouterPlan& plan);

  std::vector<const LinkPins*> inbound;   ///< [inbound channel of the plan]
  std::vector<const LinkPins*> outbound;  ///< [outbound channel]
  std::vector<const LinkPins*> input;     ///< [input]: the pins that it is reached by
  std::vector<const LinkPins*> output;    ///< [output]
  std::vector<std::uint8_t> input_bit;    ///< [input]: its bit in the VC vectors of those pins
  std::vector<std::uint8_t> output_bit;   ///< [output]
  /// [link of PinMap::inbound][bit], [link of PinMap::outbound][bit]: the input / output, or kNoSlot.
  std::vector<std::vector<std::uint16_t>> input_at;
  std::vector<std::vector<std::uint16_t>> output_at;
};

/// Anything that has the pins of a router.
class PinRouter {
 public:
  virtual ~PinRouter() = default;
  /// As after reset; `in`: the input pins (position pins matter), `out`: the outputs in the first cycle.
  virtual void reset(const std::uint64_t* in, std::uint64_t* out) = 0;
  /// A clock edge. `in`: the input pins in the cycle that ends; `out`: the output pins in the one that
  /// begins.
  virtual void step(const std::uint64_t* in, std::uint64_t* out) = 0;
};

}  // namespace noctule
