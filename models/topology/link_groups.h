#pragma once
// Links that a report takes together, in the words of the network's geometry.

#include <string>
#include <vector>

#include "topology/topology.h"

namespace noctule {

/// Groups of the links of a topology, which outlives them: those of its first geometry that has some, else
/// all links as one group without a name.
class LinkGroups {
 public:
  explicit LinkGroups(const Topology& topology) {
    for (const auto& geometry : topology.geometries()) {
      names_ = geometry->link_groups();
      by_ = geometry.get();
      if (!names_.empty()) return;
    }
    names_ = {""};
    by_ = nullptr;
  }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  /// "dimension 0"
  [[nodiscard]] const std::string& name(std::size_t group) const { return names_[group]; }
  /// Number of the link's group.
  [[nodiscard]] std::size_t of(const Link& link) const { return by_ == nullptr ? 0 : by_->link_group(link); }

 private:
  std::vector<std::string> names_;
  const Geometry* by_ = nullptr;
};

}  // namespace noctule
