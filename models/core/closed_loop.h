#pragma once
// Transactions that terminals keep open: what is known of them before anything is simulated.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace noctule {

/// Each requester has the same number of transactions open. A transaction is a chain of messages, each sent
/// by the terminal that took the one before: the first one and those in between to where the traffic pattern
/// says, the last one back to the requester.
struct ClosedLoop {
  /// A message of the chain.
  struct Step {
    std::uint8_t message_class = 0;
    std::vector<std::pair<std::uint32_t, double>> lengths;  ///< flits, and share of the messages
    /// Messages of the step that a terminal holds, from taking the header to sending the next one of the
    /// chain; absent: any number. Steps of one message class share these places.
    std::optional<std::uint32_t> places;

    [[nodiscard]] double mean_length() const {
      double flits = 0;
      for (const auto& [length, share] : lengths) flits += length * share;
      return flits;
    }
  };
  std::vector<Step> chain;       ///< two at least
  std::vector<bool> requesters;  ///< by TerminalId
  std::uint64_t outstanding = 1;
  double service = 1;         ///< cycles from taking a message to sending the next one, mean
  std::uint64_t servers = 0;  ///< messages that a terminal works on at a time; 0: all
  double think = 1;           ///< cycles from the end of a transaction to the start of the next one
};

}  // namespace noctule
