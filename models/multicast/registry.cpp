#include "multicast/planner.h"

namespace noctule {

template <>
PlannerRegistry& PlannerRegistry::instance() {
  static PlannerRegistry registry;
  return registry;
}

namespace {

const Registration<PlannerRegistry> kNone{{{"none", "every message has one destination", {}},
                                           [](std::shared_ptr<const Topology>, const Parameters&) {
                                             return std::shared_ptr<const MulticastPlanner>();
                                           }}};

}  // namespace
}  // namespace noctule
