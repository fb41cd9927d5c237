#pragma once
// Memory of large fabrics, and of large tables that are read here and there, in large pages where the system
// gives them: a visit of a router then costs few entries of the address cache. Elsewhere, and for what is
// small, as any memory.

#include <cstddef>
#include <memory_resource>

namespace noctule {

inline constexpr std::size_t kLine = 64;  ///< of the cache

/// Aligned to cache lines, and to large pages from a size on at which that matters.
class Pages : public std::pmr::memory_resource {
 public:
  static Pages& instance();

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace noctule
