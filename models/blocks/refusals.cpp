#include "blocks/refusals.h"

#include <algorithm>
#include <tuple>

namespace noctule {

void Refusals::tell(Cycle t) {
  std::sort(taken_.begin(), taken_.end(), [](const TakenFlit& a, const TakenFlit& b) {
    return std::tuple(a.terminal, a.source, a.number, b.head, a.tail) <
           std::tuple(b.terminal, b.source, b.number, a.head, b.tail);
  });
  for (const TakenFlit& flit : taken_) sink_.took(flit, t);
  taken_.clear();
}

void Refusals::reset() {
  std::fill(asked_.begin(), asked_.end(), Asked{});
  std::fill(due_.begin(), due_.end(), std::uint16_t{0});
  taken_.clear();
  sink_.reset();
}

}  // namespace noctule
