#include "fabric/pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace noctule {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::size_t alignment_of(std::size_t bytes, std::size_t alignment) {
  return std::max(alignment, bytes >= kLargePage ? kLargePage : kLine);
}

}  // namespace

Pages& Pages::instance() {
  static Pages pages;
  return pages;
}

void* Pages::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* const place = ::operator new (bytes, std::align_val_t{alignment_of(bytes, alignment)});
#ifdef MADV_HUGEPAGE
  // A request: where it is refused the pages are small, and everything else is as it was.
  if (bytes >= kLargePage) static_cast<void>(madvise(place, bytes / kLargePage * kLargePage, MADV_HUGEPAGE));
#endif
  return place;
}

void Pages::do_deallocate(void* place, std::size_t bytes, std::size_t alignment) {
  ::operator delete (place, std::align_val_t{alignment_of(bytes, alignment)});
}

}  // namespace noctule
