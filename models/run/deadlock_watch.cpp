#include "run/deadlock_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/fabric.h"

namespace noctule {

bool DeadlockWatch::due() const {
  return fabric_.cycles() >= next_;
}

std::optional<std::string> DeadlockWatch::look() {
  while (next_ <= fabric_.cycles()) next_ += interval_;
  look_for_moves();
  if (fabric_.packets().live() == 0) return std::nullopt;
  if (rtl_) {
    if (auto found = silent_rtl()) return found;
  } else if (autopsy_ = noctule::autopsy(fabric_); autopsy_.deadlocked) {
    return fmt::format(
        "deadlocked: found at cycle {}, {} worms wait, in all their alternatives, for each other and can "
        "never move again.",
        fabric_.cycles(), autopsy_.worms.size());
  }
  // Has nothing moved for so long that nothing ever will?
  if (fabric_.cycles() - moved_at_ < kStill || !fabric_.waits_for_itself()) return std::nullopt;
  autopsy_ = standstill(fabric_);
  return fmt::format(
      "deadlocked: found at cycle {}, nothing has moved since cycle {}, and nothing will: {} packets wait, "
      "{} of them in source queues, for {}.",
      fabric_.cycles(), moved_at_, fabric_.packets().live(), fabric_.queued(),
      rtl_ ? "terminals that take no more, or routers in hardware that do not send on what they hold"
           : "terminals that take no more until they have sent");
}

std::optional<std::string> DeadlockWatch::silent_rtl() const {
  const auto silent = fabric_.silent_routers(kSilent);
  if (silent.empty()) return std::nullopt;
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t n = 0; n < std::min(silent.size(), kNamed); ++n)
    names += fmt::format("{}{} since cycle {}", n == 0 ? "" : ", ",
                         fabric_.plan().topology->router_name(silent[n].router), silent[n].since);
  return fmt::format(
      "deadlocked: found at cycle {}, routers in hardware hold flits and send none: {}{}. The first of them, "
      "or one that it sends to, does not do its work; or the fabric can deadlock.",
      fabric_.cycles(), names,
      silent.size() > kNamed ? fmt::format(", and {} more", silent.size() - kNamed) : "");
}

void DeadlockWatch::look_for_moves() {
  const std::uint64_t moves = fabric_.moves();
  if (moves == moves_ && fabric_.waits_for_itself()) return;
  moves_ = moves;
  moved_at_ = fabric_.cycles();
}

}  // namespace noctule
