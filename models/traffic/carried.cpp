#include "traffic/carried.h"

#include <fmt/format.h>

#include "core/error.h"

namespace noctule {

std::string Carried::refuses_length(std::uint64_t flits) const {
  if (flits <= longest) return {};
  return fmt::format(
      "packet of {} flits, but routers with node.forwarding store_and_forward hold {} flits of a "
      "packet: send shorter packets, or give node.input_depth at least {}",
      flits, longest, flits);
}

std::string Carried::refuses_pair(TerminalId source, TerminalId destination,
                                  std::size_t message_class) const {
  if (!serves || serves(source, destination, message_class)) return {};
  return fmt::format(
      "packet from terminal {} to terminal {}, a pair that the routing relation is not for; give "
      "routing.algorithm one that serves all pairs (routing.pairs all), or send to others",
      index(source), index(destination));
}

std::string Carried::refuses_planned(std::uint64_t source, std::size_t destinations,
                                     Cycle preparation) const {
  if (planned || (destinations < 2 && preparation == 0)) return {};
  return fmt::format("a message of terminal {} {}; that needs a multicast.planner", source,
                     destinations > 1 ? "has several destinations" : "takes time to prepare");
}

std::string Carried::refuses(std::uint64_t source, std::span<const std::uint64_t> destinations,
                             std::size_t message_class) const {
  if (auto wrong = refuses_planned(source, destinations.size(), 0); !wrong.empty()) return wrong;
  const auto terminal = [](std::uint64_t number) { return TerminalId{static_cast<std::uint32_t>(number)}; };
  for (const std::uint64_t destination : destinations)
    if (auto wrong = refuses_pair(terminal(source), terminal(destination), message_class); !wrong.empty())
      return wrong;
  return {};
}

void require_length(const Carried& carried, std::uint64_t flits, const std::string& key) {
  if (auto wrong = carried.refuses_length(flits); !wrong.empty()) throw ConfigError(key, std::move(wrong));
}

void require_lengths(const Carried& carried,
                     const std::vector<std::pair<std::uint32_t, std::uint64_t>>& lengths) {
  const auto* key = lengths.size() == 1 ? "traffic.packet_length" : "traffic.packet_lengths";
  for (const auto& [length, probability] : lengths) require_length(carried, length, key);
}

}  // namespace noctule
