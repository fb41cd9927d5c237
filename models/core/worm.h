#pragma once
// Where a worm with several destinations goes.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.h"

namespace noctule {

inline constexpr TerminalId kNoTerminal{0xffff'ffffU};

/// A place that a worm visits.
struct Stop {
  RouterId router{};
  TerminalId terminal = kNoTerminal;  ///< is served there; kNoTerminal: the worm is only routed via here
  [[nodiscard]] constexpr bool serves() const { return terminal != kNoTerminal; }
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// Destinations among stops.
[[nodiscard]] inline std::uint32_t destinations(const std::vector<Stop>& stops) {
  return static_cast<std::uint32_t>(
      std::count_if(stops.begin(), stops.end(), [](const Stop& s) { return s.serves(); }));
}

/// A copy of a message, and the places that it visits in this order: at least one, the last with a terminal.
struct PlannedWorm {
  std::vector<Stop> stops;
  std::uint8_t group = 0;  ///< what kind of copy it is (MulticastPlanner::groups)
  friend bool operator==(const PlannedWorm&, const PlannedWorm&) = default;
};

inline constexpr std::uint32_t kNoWorm = ~0U;
class RoutingRelation;

/// A planned worm under way, or waiting to be injected.
struct Worm {
  std::vector<Stop> stops;
  std::vector<bool> served;  ///< [stop]: its terminal has taken the tail
  std::uint32_t next = 0;    ///< stop that the header goes to; behind the last one: it needs nothing more
  std::uint32_t left = 0;    ///< destinations that have not taken the tail yet
  std::uint32_t message = 0;
  std::uint8_t group = 0;
  bool several = false;  ///< has more than one destination
  const RoutingRelation* relation = nullptr;
};

/// A message with any number of destinations, from generation until each of them has all of it.
struct Message {
  Cycle birth = 0;
  Cycle injected = kNever;  ///< cycle in which the header of its first copy entered the injection channel
  std::uint64_t hops = 0;   ///< links taken by the headers of the copies that are through
  std::uint32_t copies = 0;
  std::uint32_t destinations = 0;
  std::uint32_t left = 0;  ///< destinations that do not have all of it yet
};

/// Objects with handles that are used again.
template <class T>
class Pool {
 public:
  [[nodiscard]] std::uint32_t add(T object) {
    if (free_.empty()) {
      objects_.push_back(std::move(object));
      return static_cast<std::uint32_t>(objects_.size() - 1);
    }
    const std::uint32_t handle = free_.back();
    free_.pop_back();
    objects_[handle] = std::move(object);
    return handle;
  }
  void remove(std::uint32_t handle) { free_.push_back(handle); }
  [[nodiscard]] T& operator[](std::uint32_t handle) { return objects_[handle]; }
  [[nodiscard]] const T& operator[](std::uint32_t handle) const { return objects_[handle]; }
  [[nodiscard]] std::size_t live() const { return objects_.size() - free_.size(); }
  void clear() {
    objects_.clear();
    free_.clear();
  }

 private:
  std::vector<T> objects_;
  std::vector<std::uint32_t> free_;
};

}  // namespace noctule
