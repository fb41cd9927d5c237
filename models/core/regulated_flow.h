#pragma once
// Traffic of which it is stated how much may come, at most: what a bound on latency needs.

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ids.h"

namespace noctule {

/// Cycles from one token of a bucket to the next, 1 or more: a multiple of 2^-20.
class TokenPeriod {
 public:
  constexpr TokenPeriod(std::uint64_t cycles)  // NOLINT(google-explicit-constructor): whole ones are numbers
      : parts_(cycles << kBits) {}
  /// Not shorter than `cycles`, which are 1e12 at most; what is a whole number but for rounding is that.
  [[nodiscard]] static TokenPeriod of(double cycles) {
    constexpr double kRounding = 1e-9;
    if (std::abs(cycles - std::round(cycles)) < kRounding) cycles = std::round(cycles);
    TokenPeriod period(1);
    if (cycles > 1) period.parts_ = static_cast<std::uint64_t>(std::ceil(cycles * kOne));
    return period;
  }
  /// The cycle of token `number` after cycle 0, which has token 0; kNever: beyond 2^44 cycles.
  [[nodiscard]] constexpr Cycle at(std::uint64_t number) const {
    if (number > (std::numeric_limits<std::uint64_t>::max() - kOne) / parts_) return kNever;
    return (number * parts_ + (kOne - 1)) >> kBits;
  }
  /// Tokens that come in so many cycles in a row, fewer than 2^44, but for one in the first of them.
  [[nodiscard]] constexpr std::uint64_t within(std::uint64_t cycles) const {
    return ((cycles << kBits) - 1) / parts_;
  }
  [[nodiscard]] constexpr double cycles() const { return static_cast<double>(parts_) / kOne; }
  [[nodiscard]] constexpr bool whole() const { return parts_ % kOne == 0; }
  constexpr bool operator==(const TokenPeriod&) const = default;

 private:
  static constexpr unsigned kBits = 20;
  static constexpr std::uint64_t kOne = 1ULL << kBits;
  std::uint64_t parts_;
};

/// Packets of one source to one destination. In any x cycles in a row, x >= 1, at most burst +
/// period.within(x) of them are born: a token bucket that gets a token every `period` cycles, in the next
/// whole one, and holds `burst` of them (Cruz, A calculus for network delay, part I, IEEE Trans. Information
/// Theory 37(1), 1991).
struct RegulatedFlow {
  TerminalId source{};
  TerminalId destination{};
  std::uint8_t message_class = 0;
  std::uint32_t length = 1;  ///< flits of a packet, at most
  TokenPeriod period = 1;
  std::uint64_t burst = 1;  ///< packets, >= 1
};

}  // namespace noctule
