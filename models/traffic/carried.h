#pragma once
// What the fabric carries of what a source would send. A source refuses the rest when it is made, and names
// the key or the line of a file that asks for it.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/flit.h"
#include "core/ids.h"

namespace noctule {

struct Carried {
  std::uint32_t longest =
      Flit::kNumber;    ///< packet, in flits; less: routers store whole packets of it at most
  bool planned = true;  ///< there is a multicast planner
  /// Is the routing relation for packets of the message class between them? Empty: for all.
  std::function<bool(TerminalId source, TerminalId destination, std::size_t message_class)> serves = {};

  // Why it does not carry that; empty: it does.
  [[nodiscard]] std::string refuses_length(std::uint64_t flits) const;
  [[nodiscard]] std::string refuses_pair(TerminalId source, TerminalId destination,
                                         std::size_t message_class) const;
  /// Of one message, which asks for a planner where it has several destinations or takes time to prepare.
  [[nodiscard]] std::string refuses_planned(std::uint64_t source, std::size_t destinations,
                                            Cycle preparation) const;
  /// Of one message that takes no time to prepare, by TerminalId.
  [[nodiscard]] std::string refuses(std::uint64_t source, std::span<const std::uint64_t> destinations,
                                    std::size_t message_class) const;
};

/// Lengths of packets and their weights, as `traffic` gives them. Throws ConfigError under its key.
void require_lengths(const Carried& carried,
                     const std::vector<std::pair<std::uint32_t, std::uint64_t>>& lengths);
/// Throws ConfigError under `key` where packets of so many flits are not carried.
void require_length(const Carried& carried, std::uint64_t flits, const std::string& key);

}  // namespace noctule
