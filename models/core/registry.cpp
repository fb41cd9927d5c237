#include "core/registry.h"

namespace noctule {

Catalog& Catalog::instance() {
  static Catalog catalog;
  return catalog;
}

}  // namespace noctule
