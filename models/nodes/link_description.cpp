#include "nodes/link_description.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace noctule {

void LinkDescriptions::set(LinkId link, const LinkDescription& description, std::size_t links) {
  const auto known = std::find(kinds_.begin(), kinds_.end(), description);
  const auto kind = static_cast<std::size_t>(known - kinds_.begin());
  if (kind == 0 && kind_.empty()) return;
  if (known == kinds_.end()) {
    if (kinds_.size() > std::numeric_limits<std::uint16_t>::max())
      throw ConfigError("links", "more than 65,536 different kinds of links; let more of them be alike");
    kinds_.push_back(description);
  }
  if (kind_.empty()) kind_.resize(links);
  kind_[index(link)] = static_cast<std::uint16_t>(kind);
}

LinkDescription with(LinkDescription description, const LinkAttributes& given) {
  if (given.flit_delay) description.flit_delay = *given.flit_delay;
  if (given.credit_delay) description.credit_delay = *given.credit_delay;
  if (given.cycles_per_flit) description.cycles_per_flit = *given.cycles_per_flit;
  return description;
}

LinkDescriptions links_of(const Topology& topology, const LinkDescription& otherwise) {
  LinkDescriptions all(otherwise);
  for (const Link& link : topology.links()) {
    const LinkAttributes own = topology.attributes(link.id);
    if (own != LinkAttributes{}) all.set(link.id, with(otherwise, own), topology.links().size());
  }
  return all;
}

}  // namespace noctule
