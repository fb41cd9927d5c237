#pragma once
// Objects with numbers that are used again, and with tokens that are not.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace noctule::tlm {

/// T is made once for a slot and used again as it was left. Addresses stay.
template <class T>
class Slots {
 public:
  [[nodiscard]] std::uint32_t take() {
    std::uint32_t number = 0;
    if (free_.empty()) {
      number = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back(std::make_unique<Slot>());
    } else {
      number = free_.back();
      free_.pop_back();
    }
    slots_[number]->used = true;
    return number;
  }
  void give_back(std::uint32_t number) {
    slots_[number]->used = false;
    ++slots_[number]->generation;
    free_.push_back(number);
  }
  [[nodiscard]] T& operator[](std::uint32_t number) { return slots_[number]->object; }
  /// Names this use of the slot; never 0.
  [[nodiscard]] std::uint64_t token(std::uint32_t number) const {
    return std::uint64_t{slots_[number]->generation} << 32 | (number + 1U);
  }
  /// Is this use of the slot still going on?
  [[nodiscard]] bool alive(std::uint64_t token) const {
    const std::size_t number = number_of(token);
    return number < slots_.size() && slots_[number]->used && slots_[number]->generation == token >> 32;
  }
  [[nodiscard]] static std::uint32_t number_of(std::uint64_t token) {
    return static_cast<std::uint32_t>(token) - 1;
  }
  [[nodiscard]] std::size_t live() const { return slots_.size() - free_.size(); }
  /// Calls f(number) for all in use.
  template <class F>
  void each(F&& f) {
    for (std::uint32_t n = 0; n < slots_.size(); ++n)
      if (slots_[n]->used) f(n);
  }

 private:
  struct Slot {
    T object{};
    std::uint32_t generation = 0;
    bool used = false;
  };
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace noctule::tlm
