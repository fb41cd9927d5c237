#include "cosim/reset_line.h"

#include <algorithm>
#include <set>

#include "core/rng.h"

namespace noctule {

std::vector<Cycle> draw_resets(std::uint64_t seed, std::uint64_t count, Cycle cycles) {
  if (cycles < 2) return {};
  Rng rng(seed, "resets");
  std::set<Cycle> drawn;
  while (drawn.size() < std::min<std::uint64_t>(count, cycles - 1)) drawn.insert(1 + rng.below(cycles - 1));
  return {drawn.begin(), drawn.end()};
}

const bool& ResetLine::read() const {
  const Cycle t = sc_core::sc_time_stamp().value() / period_.value();
  level_ = !std::binary_search(cycles_.begin(), cycles_.end(), t);
  return level_;
}

}  // namespace noctule
