#include "verify/certificate.h"

namespace noctule {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProved:
      return "proved";
    case Verdict::kDeadlockPossible:
      return "deadlock_possible";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

bool Certificate::only_ends_close_cycles() const {
  return plan->message_classes.ends_wait() && !facts.cyclic_inside;
}

unsigned RoutingFacts::used_on(const ChannelIndex& channels, LinkId link) const {
  unsigned sum = 0;
  const ChannelId end = channels.of(LinkId(static_cast<std::uint32_t>(index(link) + 1)), VcClass{0});
  for (ChannelId c = channels.of(link, VcClass{0}); c < end; c += channels.groups()) {
    bool any = false;
    for (unsigned group = 0; group < channels.groups(); ++group) any = any || used[c + group] != 0;
    sum += any ? 1 : 0;
  }
  return sum;
}

unsigned RoutingFacts::used_on_bidirectional(const ChannelIndex& channels, const Topology& topology,
                                             const Link& link) const {
  const Link* const back = topology.back(link);
  return used_on(channels, link.id) + (back != nullptr ? used_on(channels, back->id) : 0);
}

unsigned RoutingFacts::used_driven_by(const ChannelIndex& channels, const Topology& topology,
                                      RouterId router) const {
  unsigned sum = 0;
  for (std::size_t p = 0; p < topology.ports(router); ++p)
    if (const auto* l = topology.outgoing(router, PortId(p))) sum += used_on(channels, l->id);
  return sum;
}

unsigned RoutingFacts::used_at(const ChannelIndex& channels, const Topology& topology,
                               RouterId router) const {
  unsigned sum = used_driven_by(channels, topology, router);
  for (std::size_t p = 0; p < topology.ports(router); ++p)
    if (const auto* l = topology.incoming(router, PortId(p))) sum += used_on(channels, l->id);
  return sum;
}

}  // namespace noctule
