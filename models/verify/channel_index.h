#pragma once
// The resources that worms hold and wait for, numbered: the vertices of the dependency graph.

#include <cstdint>
#include <string>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

/// Index of a resource: first all virtual channels, then the consumption channels, one per terminal.
using ChannelId = std::uint32_t;
inline constexpr ChannelId kNoChannel = ~ChannelId{0};

/// A virtual channel stands for all lanes of its class as long as the partition treats these alike: then a
/// worm that may take one lane may take any, every dependency between two lanes is one between all of them,
/// and a cycle through lanes is a cycle through classes (project it) as well as the reverse (take lane 0
/// throughout). Where a crossbar is chosen by lane, every lane is a vertex of its own.
class ChannelIndex {
 public:
  explicit ChannelIndex(const FabricPlan& plan);

  [[nodiscard]] std::size_t size() const { return first_consumption_ + plan_->topology->terminals(); }
  [[nodiscard]] std::size_t virtual_channels() const { return first_consumption_; }
  [[nodiscard]] bool is_consumption(ChannelId c) const { return c >= first_consumption_; }
  /// Lanes that are vertices of their own: 1, or the lanes of the node.
  [[nodiscard]] unsigned groups() const { return groups_; }

  /// Also for the link after the last one, class 0: where the virtual channels end.
  [[nodiscard]] ChannelId of(LinkId link, VcClass vc_class, unsigned group = 0) const {
    return (first_[index(link)] + static_cast<ChannelId>(index(vc_class))) * groups_ + group;
  }
  [[nodiscard]] ChannelId consumption(TerminalId terminal) const {
    return first_consumption_ + static_cast<ChannelId>(index(terminal));
  }
  [[nodiscard]] LinkId link(ChannelId c) const { return link_[c / groups_]; }
  [[nodiscard]] VcClass vc_class(ChannelId c) const {
    return VcClass(static_cast<std::uint16_t>(c / groups_ - first_[index(link(c))]));
  }
  [[nodiscard]] unsigned group(ChannelId c) const { return c % groups_; }

  /// Crossbar of the router that sends on the channel, and of the one that receives; -1: the channel does
  /// not exist. Routers with one crossbar say 0.
  [[nodiscard]] std::int32_t crossbar_before(ChannelId c) const { return before_[c]; }
  [[nodiscard]] std::int32_t crossbar_behind(ChannelId c) const { return behind_[c]; }
  /// Has any router more than one crossbar?
  [[nodiscard]] bool partitioned() const { return partitioned_; }

  /// "router_1_0.x_plus.class0", "router_2_3.consumption".
  [[nodiscard]] std::string name(ChannelId c) const;
  /// "x_plus.class0", as routes of trace files name it.
  [[nodiscard]] std::string hop_name(ChannelId c) const;
  /// The same with the lane, where there are several: "x_plus.class0.1".
  [[nodiscard]] std::string hop_name(ChannelId c, unsigned lane) const;

 private:
  const FabricPlan* plan_;
  std::vector<ChannelId> first_;  ///< by link, without lanes; one more element at the end
  std::vector<LinkId> link_;      ///< by class of a link
  std::vector<std::int32_t> before_;
  std::vector<std::int32_t> behind_;
  unsigned groups_ = 1;
  ChannelId first_consumption_ = 0;
  bool partitioned_ = false;
};

}  // namespace noctule
