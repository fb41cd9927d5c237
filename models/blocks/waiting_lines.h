#pragma once
// Headers that wait to be served first come, first served, any number of them. Who is next is found without
// looking at all: headers that may take the same outputs form a line, and only the first of a line can be
// next.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.h"

namespace noctule {

/// An unlimited injection channel whose header bids.
struct Waiting {
  std::uint32_t slot = 0;  ///< of the terminal
  std::uint32_t channel = 0;
};

template <class M>
class WaitingLines {
 public:
  void clear() { lines_.clear(); }
  /// `ticket`: place in the order of service, higher than all before.
  void add(const M& feasible, Waiting who, std::uint64_t ticket) {
    auto line = line_of(feasible);
    if (line == lines_.end()) {
      lines_.push_back({feasible, 0, {}, {}});
      line = lines_.end() - 1;
    }
    line->who.push_back(who);
    line->tickets.push_back(ticket);
  }
  /// The first one, before place `before`, that may take one of the outputs. False: there is none.
  bool first(const M& available, std::uint64_t before, Waiting& who) const {
    const Line* best = nullptr;
    for (const Line& line : lines_)
      if (line.ticket() < before && (line.feasible & available).any()) {
        before = line.ticket();
        best = &line;
      }
    if (best == nullptr) return false;
    who = best->who[best->head];
    return true;
  }
  /// The one with this ticket, which is the first of its line, waits no longer.
  void leave(const M& feasible, std::uint64_t ticket) {
    const auto line = line_of(feasible);
    if (line == lines_.end() || line->ticket() != ticket)
      throw InternalError("a header that waits for injection is not the first of its line");
    ++line->head;
    if (line->head == line->who.size()) {
      std::swap(*line, lines_.back());
      lines_.pop_back();
    } else if (2 * line->head > line->who.size() + kSpare) {
      const auto gone = static_cast<std::ptrdiff_t>(line->head);
      line->who = std::vector<Waiting>(line->who.begin() + gone, line->who.end());
      line->tickets = std::vector<std::uint64_t>(line->tickets.begin() + gone, line->tickets.end());
      line->head = 0;
    }
  }
  /// Bytes that are in use, apart from this object.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = lines_.capacity() * sizeof(Line);
    for (const Line& line : lines_)
      sum += line.who.capacity() * sizeof(Waiting) + line.tickets.capacity() * sizeof(std::uint64_t);
    return sum;
  }

 private:
  static constexpr std::size_t kSpare = 16;

  struct Line {
    M feasible;
    std::size_t head = 0;
    std::vector<Waiting> who;
    std::vector<std::uint64_t> tickets;
    [[nodiscard]] std::uint64_t ticket() const { return tickets[head]; }
  };

  typename std::vector<Line>::iterator line_of(const M& feasible) {
    return std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) { return l.feasible == feasible; });
  }

  std::vector<Line> lines_;
};

}  // namespace noctule
