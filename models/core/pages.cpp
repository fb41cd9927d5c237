#include "core/pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace noctule {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Bytes in large pages: down to whole pages, or up where that adds no more than an eighth.
std::size_t in_large_pages(std::size_t bytes) {
  const std::size_t up = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  return up - bytes <= bytes / 8 ? up : bytes / kLargePage * kLargePage;
}
std::size_t alignment_of(std::size_t bytes, std::size_t alignment) {
  return std::max(alignment, in_large_pages(bytes) > 0 ? kLargePage : kLine);
}

}  // namespace

Pages& Pages::instance() {
  static Pages pages;
  return pages;
}

void* Pages::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t large = in_large_pages(bytes);
  void* const place =
      ::operator new (std::max(bytes, large), std::align_val_t{alignment_of(bytes, alignment)});
#ifdef MADV_HUGEPAGE
  // A request: where it is refused the pages are small, and everything else is as it was.
  if (large > 0) static_cast<void>(madvise(place, large, MADV_HUGEPAGE));
#endif
  return place;
}

void Pages::do_deallocate(void* place, std::size_t bytes, std::size_t alignment) {
  ::operator delete (place, std::align_val_t{alignment_of(bytes, alignment)});
}

}  // namespace noctule
