#include "nodes/link_description.h"

namespace noctule {

LinkDescription with(LinkDescription description, const LinkAttributes& given) {
  if (given.flit_delay) description.flit_delay = *given.flit_delay;
  if (given.credit_delay) description.credit_delay = *given.credit_delay;
  if (given.cycles_per_flit) description.cycles_per_flit = *given.cycles_per_flit;
  return description;
}

LinkShape with(LinkShape shape, const LinkShape& given) {
  if (given.lanes) shape.lanes = given.lanes;
  if (given.parallel_links) shape.parallel_links = given.parallel_links;
  if (given.sharing) shape.sharing = given.sharing;
  return shape;
}

LinkDescriptions links_of(const Topology& topology, const LinkDescription& otherwise) {
  LinkDescriptions all(otherwise);
  for (const Link& link : topology.links()) {
    const LinkAttributes own = topology.attributes(link.id);
    if (own != LinkAttributes{}) all.set(link.id, with(otherwise, own), topology.links().size(), "links");
  }
  all.settle();
  return all;
}

}  // namespace noctule
