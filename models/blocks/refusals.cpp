#include "blocks/refusals.h"

#include <algorithm>
#include <tuple>

namespace noctule {

bool Refusals::takes_home(Share& share) {
  share.home_waits = share.room == 0;
  if (share.home_waits) return false;
  if (share.room != TerminalSink::kAll) --share.room;
  share.home_was_last = true;
  return true;
}

void Refusals::tell(Cycle t) {
  std::sort(taken_.begin(), taken_.end(), [](const TakenFlit& a, const TakenFlit& b) {
    return std::tuple(a.terminal, a.source, a.number, b.head, a.tail) <
           std::tuple(b.terminal, b.source, b.number, a.head, b.tail);
  });
  for (const TakenFlit& flit : taken_) sink_.took(flit, t);
  taken_.clear();
}

void Refusals::reset() {
  std::fill(shares_.begin(), shares_.end(), Share{});
  std::fill(due_.begin(), due_.end(), std::uint16_t{0});
  std::fill(channel_turns_.begin(), channel_turns_.end(), std::uint16_t{0});
  taken_.clear();
  sink_.reset();
}

}  // namespace noctule
