#include "topology/topology.h"

namespace noctule {

template <>
TopologyRegistry& TopologyRegistry::instance() {
  static TopologyRegistry registry;
  return registry;
}

}  // namespace noctule
