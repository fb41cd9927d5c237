// A topology of one's own: a hub and routers around it, one terminal at each of these.

#include <string>
#include <vector>

#include "topology/builder.h"

namespace {

using namespace noctule;

void fill_star(const Parameters& keys, TopologyBuilder& builder) {
  const auto arms = static_cast<std::uint16_t>(keys.get<unsigned>("arms"));
  std::vector<std::string> ports;
  for (unsigned arm = 0; arm < arms; ++arm) ports.push_back("arm_" + std::to_string(arm));
  const RouterId hub = builder.add_routers(1, ports);
  for (std::uint16_t arm = 0; arm < arms; ++arm) {
    const RouterId end = builder.add_routers(1, {"hub"});
    builder.connect(hub, PortId{arm}, end, PortId{0}, LinkKind::kDown);
    builder.connect(end, PortId{0}, hub, PortId{arm}, LinkKind::kUp);
    builder.add_terminal(end);
  }
}

const Registration<TopologyRegistry> kStar{
    {{"star",
      "a hub and routers around it",
      {Parameter::integer("arms", 4, 2, 100, "routers", "around the hub")}},
     {fill_star}}};

}  // namespace
