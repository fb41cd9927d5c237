#pragma once
// What a routing relation has said before: in a network of few routers headers ask the same things again and
// again, and a byte says what it takes a relation tens of instructions to find.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/ids.h"

namespace noctule {

/// By router and destination, which differ: the outputs that a header with routing state 0 may take, as bits
/// of the router's outputs. Not for the first time: the relation is asked then.
class KnownRoutes {
 public:
  /// Routers of a network that is remembered: their bytes fit into the first-level cache, or nearly so.
  static constexpr std::size_t kMostRouters = 256;

  /// None is known, and none will be, of more than kMostRouters.
  explicit KnownRoutes(std::size_t routers = 0)
      : routers_(routers <= kMostRouters ? routers : 0), number_(routers_ * routers_), outputs_{0} {}

  /// Is it worth while to ask?
  [[nodiscard]] bool kept() const { return routers_ != 0; }
  /// 0: not known.
  [[nodiscard]] std::uint64_t outputs(RouterId here, RouterId destination) const {
    return outputs_[number_[at(here, destination)]];
  }
  /// Only if kept(). Forgets it where there are too many different ones.
  void note(RouterId here, RouterId destination, std::uint64_t outputs) {
    const auto known = std::ranges::find(outputs_, outputs);
    const auto n = static_cast<std::size_t>(known - outputs_.begin());
    if (n > std::numeric_limits<std::uint8_t>::max()) return;
    if (known == outputs_.end()) outputs_.push_back(outputs);
    number_[at(here, destination)] = static_cast<std::uint8_t>(n);
  }

 private:
  [[nodiscard]] std::size_t at(RouterId here, RouterId destination) const {
    return index(here) * routers_ + index(destination);
  }

  std::size_t routers_;
  std::vector<std::uint8_t> number_;    ///< [here][destination]: index into outputs_
  std::vector<std::uint64_t> outputs_;  ///< all different; the first: not known
};

}  // namespace noctule
