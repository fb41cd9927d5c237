#pragma once
// The physical links of a fabric: how long flits and credits are on their way, and how wide the wires are.

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"
#include "topology/topology.h"

namespace noctule {

/// A directed link between two routers. All in cycles.
struct LinkDescription {
  unsigned flit_delay = 1;    ///< from the sender to the receiver, for a flit that goes over at once; >= 1
  unsigned credit_delay = 1;  ///< back; 0: immediate, see check_link
  /// A serialiser: a flit goes over in so many parts. The next one may start as many cycles later, and the
  /// receiver has the flit with its last part. >= 1.
  unsigned cycles_per_flit = 1;
  friend bool operator==(const LinkDescription&, const LinkDescription&) = default;
};

/// The links of a fabric by LinkId. In most fabrics they are alike; memory follows what differs.
class LinkDescriptions {
 public:
  LinkDescriptions() : LinkDescriptions(LinkDescription{}) {}
  LinkDescriptions(LinkDescription all)  // NOLINT(google-explicit-constructor): links that are alike
      : kinds_{all} {}

  [[nodiscard]] const LinkDescription& operator[](LinkId link) const {
    return kinds_[kind_.empty() ? 0 : kind_[index(link)]];
  }
  /// Every description that some link has; the first is the one of links that were not set.
  [[nodiscard]] std::span<const LinkDescription> kinds() const { return kinds_; }
  [[nodiscard]] bool alike() const { return kinds_.size() == 1; }
  /// `links`: number of links of the topology.
  void set(LinkId link, const LinkDescription& description, std::size_t links);

 private:
  std::vector<LinkDescription> kinds_;
  std::vector<std::uint16_t> kind_;  ///< by link; empty: all are of the first kind
};

/// The description with what is given in its place.
[[nodiscard]] LinkDescription with(LinkDescription description, const LinkAttributes& given);

/// What the topology says of its links, and `otherwise` where it is silent.
[[nodiscard]] LinkDescriptions links_of(const Topology& topology, const LinkDescription& otherwise = {});

}  // namespace noctule
