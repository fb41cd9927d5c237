// The ports of a module against the pins that a fabric needs.

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "rtl/dut_shim.h"

namespace noctule {
namespace {

constexpr const char* kKey = "nodes";

/// What is wrong with the ports of a module: of each kind the first, and how many more there are.
class PortFaults {
 public:
  /// `cause`: what decides such ports, once for all of the kind; may be empty.
  void add(const std::string& kind, std::string text, const std::string& cause = {}) {
    const auto known = std::ranges::find(kinds_, kind + cause, &Kind::name);
    if (known != kinds_.end())
      ++known->more;
    else
      kinds_.push_back({kind + cause, std::move(text), cause, 0});
  }
  void raise(const std::string& top) const {
    std::vector<Diagnostic> wrong;
    for (const Kind& kind : kinds_) {
      std::string text = fmt::format("module {}: {}", top, kind.first);
      if (kind.more > 0) text += fmt::format(", and {} more {} so", kind.more, kind.more == 1 ? "is" : "are");
      if (!kind.cause.empty()) text += "; " + kind.cause;
      wrong.push_back({kKey, std::move(text), {}});
    }
    if (wrong.empty()) return;
    wrong.push_back(
        {kKey,
         fmt::format("module {}: `noctule cosim FILE --pins` prints all pins that the fabric needs", top),
         {}});
    throw ConfigError(std::move(wrong));
  }

 private:
  struct Kind {
    std::string name;
    std::string first;
    std::string cause;
    std::size_t more;
  };
  std::vector<Kind> kinds_;
};

/// What of a configuration decides how wide a pin is.
std::string width_cause(const PinMap& map, const std::string& pin) {
  const NodeDescription& node = map.node();
  constexpr const char* kRemedy = "give the module the width by its parameters, where it has such, or change";
  if (pin.ends_with("_flit_i") || pin.ends_with("_flit_o"))
    return "the width of a flit follows from the network, the routing relation and the longest packet; give "
           "the module the width by its parameters, where it has such";
  if (pin.starts_with("injection_"))
    return fmt::format("that is node.injection_vcs, {}; {} that key", node.injection_vcs, kRemedy);
  if (pin.starts_with("consumption_"))
    return fmt::format("that is node.consumption_vcs, {}; {} that key", node.consumption_vcs, kRemedy);
  const auto is_of_vcs = [&](const LinkPins& link) { return pin.starts_with(link.name + "_"); };
  const bool vcs =
      std::ranges::any_of(map.inbound(), is_of_vcs) || std::ranges::any_of(map.outbound(), is_of_vcs);
  if (!vcs || pin.find("_valid_") != std::string::npos) return "";
  return fmt::format(
      "one bit for each VC of the link: node.lanes, {}, for every VC class of the routing relation; "
      "{} these",
      node.lanes, kRemedy);
}

}  // namespace

void check_ports(const PortList& ports, const PinMap& map, const std::string& top) {
  PortFaults faults;
  PortList known{{"clk_i", {}}, {"rst_ni", {}}};
  const auto expect = [&](const std::string& name, unsigned width, bool input, bool optional) {
    known[name] = {width, input};
    const auto it = ports.find(name);
    const char* const direction = input ? "input" : "output";
    if (it == ports.end()) {
      if (!optional)
        faults.add("missing", fmt::format("{} {} of {} bit(s) is missing", direction, name, width));
    } else if (it->second.both || it->second.input != input) {
      faults.add("direction", fmt::format("{} has to be an {}", name, direction));
    } else if (it->second.array) {
      faults.add("array", fmt::format("{} is an array; give it as one vector of {} bit(s)", name, width));
    } else if (it->second.width != width) {
      faults.add("width", fmt::format("{} has {} bit(s), {} are needed here", name, it->second.width, width),
                 width_cause(map, name));
    }
  };
  expect("clk_i", 1, true, false);
  expect("rst_ni", 1, true, false);
  for (std::size_t i = 0; i < map.inputs().size(); ++i)
    expect(map.inputs()[i].name, map.inputs()[i].width, true, i < 2 * map.format().dimensions());
  for (const Pin& pin : map.outputs()) expect(pin.name, pin.width, false, false);
  for (const auto& [name, port] : ports)
    if ((port.input || port.both) && known.count(name) == 0)
      faults.add("unknown", fmt::format("{} {} is not one of the interface, and nothing would drive it; tie "
                                        "it in a wrapper",
                                        port.both ? "inout" : "input", name));
  faults.raise(top);
}

}  // namespace noctule
