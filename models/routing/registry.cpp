#include "routing/relation.h"

namespace noctule {

template <>
RoutingRegistry& RoutingRegistry::instance() {
  static RoutingRegistry registry;
  return registry;
}

}  // namespace noctule
