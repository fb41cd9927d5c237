#include "arbitration/allocator.h"

namespace noctule {

template <>
AllocatorRegistry& AllocatorRegistry::instance() {
  static AllocatorRegistry registry;
  return registry;
}

}  // namespace noctule
