#include "traffic/source.h"

namespace noctule {

template <>
SourceRegistry& SourceRegistry::instance() {
  static SourceRegistry registry;
  return registry;
}

}  // namespace noctule
