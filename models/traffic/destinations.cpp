#include "traffic/destinations.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {

std::string wrong_destination(const Topology& topology, std::uint64_t source,
                              std::span<const std::uint64_t> destinations) {
  const auto router = [&](std::uint64_t terminal) {
    return topology.consumption_router(TerminalId{static_cast<std::uint32_t>(terminal)});
  };
  for (auto d = destinations.begin(); d != destinations.end(); ++d) {
    if (*d == source)
      return fmt::format("terminal {} is the source of this message, and a destination", source);
    if (std::find(destinations.begin(), d, *d) != d)
      return fmt::format("destination {} is given twice in this message", *d);
    if (destinations.size() > 1 && router(*d) == router(source))
      return fmt::format("destination {} of this multicast is at the router of its source", *d);
  }
  return {};
}

}  // namespace noctule
