#pragma once
// Objects that come and go, named by numbers that are used again.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace noctule {

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
