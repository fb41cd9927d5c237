#pragma once
// The states that a header may start with, one after the other; none is stored.

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/rng.h"
#include "routing/relation.h"

namespace noctule {

/// A range of RouteState, in the order of their numbers; empty if the relation breaks its contract and gives
/// none. The relation must outlive it.
class InitialStates {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = RouteState;
    using difference_type = std::ptrdiff_t;
    using pointer = const RouteState*;
    using reference = RouteState;

    Iterator() = default;
    Iterator(const InitialStates& states, std::uint64_t number) : states_(&states), number_(number) {}
    RouteState operator*() const { return (*states_)[number_]; }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++number_;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.number_ == b.number_; }

   private:
    const InitialStates* states_ = nullptr;
    std::uint64_t number_ = 0;
  };

  InitialStates(const RoutingRelation& relation, RouterId source, RouterId destination,
                unsigned message_class)
      : relation_(relation),
        source_(source),
        destination_(destination),
        class_(message_class),
        count_(relation.initial_states_of_class(source, destination, message_class)) {}

  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, count_}; }
  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] RouteState operator[](std::uint64_t n) const {
    return relation_.initial_state_of_class(source_, destination_, class_, n);
  }

 private:
  const RoutingRelation& relation_;
  RouterId source_;
  RouterId destination_;
  unsigned class_;
  std::uint64_t count_;
};

/// Of packets of one message class (RoutingRelation::sees_message_classes).
[[nodiscard]] inline InitialStates initial_states_of(const RoutingRelation& relation, RouterId source,
                                                     RouterId destination, unsigned message_class = 0) {
  return {relation, source, destination, message_class};
}

/// Which of several states (states >= 1) a header draws: that of packet `number` of terminal `source`, for
/// copy `copy` of a multicast. The same worm makes the same choice in every fabric, and where no flits move.
[[nodiscard]] inline std::uint64_t drawn_state(std::uint64_t seed, TerminalId source, std::uint64_t number,
                                               std::uint64_t copy, std::uint64_t states) {
  Rng rng(Rng(seed, "route").next() + index(source), number + (copy << 40));
  return rng.below(states);
}

}  // namespace noctule
