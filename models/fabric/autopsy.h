#pragma once
// Which worms can never move again? Looks at a fabric between two cycles and computes the greatest fixed
// point: the largest set of worms each of which waits, in all its alternatives, for what the set holds.
// Everything else may flow on.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/parameters.h"

namespace noctule {

class Fabric;

/// A worm that can never move again.
struct StuckWorm {
  /// One way on, and who is in it. All of `owners` must move before the way is open.
  struct Wait {
    std::string channel;              ///< "router_1_0.x_plus.class0": the VC that leaves there
    std::vector<std::size_t> owners;  ///< indices into Autopsy::worms
  };
  TerminalId source{};
  std::vector<TerminalId> destinations;  ///< that do not have all of it, in the order of its visits
  std::uint64_t number = 0;              ///< of the packet at its source
  std::uint32_t length = 0;              ///< flits
  RouterId router{};                     ///< where its header is
  std::string router_name;
  std::string buffer;  ///< and in which buffer there: "input x_plus.class0"; a message that was absorbed to
                       ///< be sent on: its consumption channel
  /// VCs, consumption channels and injection channel that it occupies, from header to tail.
  std::vector<std::string> holds;
  std::vector<Wait> waits_for;  ///< its alternatives; none is open
};

struct Autopsy {
  Cycle cycle = 0;  ///< state at the start of this cycle
  bool deadlocked = false;
  std::vector<StuckWorm> worms;     ///< all that can never move again, victims outside any cycle included
  std::vector<std::size_t> circle;  ///< a shortest cycle: each waits for the next, the last for the first
  /// Nothing moves any more, because of terminals: "terminal 3 takes no request". The circle goes through
  /// them and what they would send, so there may be none of worms alone.
  std::vector<std::string> ends;
};

/// Looks at the whole fabric; time and memory linear in its buffers and waiting headers. Sound: a worm that
/// is reported never moves again. A worm is found once it is packed: while one of its flits can still close
/// up, or is on a link, it counts as moving, so a deadlock shows some tens of cycles after it happens. A
/// header on a prescribed route is judged by all that the relation would offer it there.
/// Call it between cycles: outside sc_start, or from a process at an instant without a cycle.
Autopsy autopsy(const Fabric& fabric);
/// Of a fabric in which nothing moves any more (Fabric::waits_for_itself): all worms are stuck.
Autopsy standstill(const Fabric& fabric);

/// For people: the cycle in full, then at most `limit` of the other worms and how many more there are.
std::string to_text(const Autopsy& autopsy, std::size_t limit = 20);
/// {"cycle", "worms", "circle": [...], "waiting": [...], "not_listed"}; at most `limit` worms under
/// "waiting".
Json to_json(const Autopsy& autopsy, std::size_t limit = 100);

}  // namespace noctule
