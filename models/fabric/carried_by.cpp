#include "fabric/carried_by.h"

#include <utility>

namespace noctule {

Carried carried_by(std::shared_ptr<const Topology> topology, std::shared_ptr<const RoutingRelation> relation,
                   const NodeDescriptions& nodes, MessageClasses message_classes, bool planned) {
  Carried carried{longest_packet(nodes), planned, {}};
  if (relation->serves_all()) return carried;
  carried.serves = [topology = std::move(topology), relation = std::move(relation),
                    classes = std::move(message_classes)](TerminalId source, TerminalId destination,
                                                          std::size_t message_class) {
    const auto attachment = classes[message_class].attachment;
    return relation->serves(topology->injection_router(source, attachment),
                            topology->consumption_router(destination, attachment));
  };
  return carried;
}

}  // namespace noctule
