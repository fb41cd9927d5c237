#pragma once
// The resources that worms hold and wait for, numbered: the vertices of the dependency graph.

#include <cstdint>
#include <string>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

/// Index of a resource: first all virtual channels, then what each terminal has: consumption channels; if it
/// sends messages on, its retransmission buffers; if it waits with what it takes until it has sent something
/// (MessageClasses::ends_wait), its injection channels.
using ChannelId = std::uint32_t;
inline constexpr ChannelId kNoChannel = ~ChannelId{0};

/// A virtual channel stands for all lanes of its class as long as the partition treats these alike: then a
/// worm that may take one lane may take any, every dependency between two lanes is one between all of them,
/// and a cycle through lanes is a cycle through classes (project it) as well as the reverse (take lane 0
/// throughout). Where a crossbar is chosen by lane, every lane is a vertex of its own.
///
/// The consumption channels of a terminal are one vertex. Where there are multicasts (FabricPlan::multicast),
/// those that every worm treats alike are (ConsumptionRule): one for each class, "consumption_1", and one for
/// those that are no class's own, "consumption_shared". Where messages have classes, each interface of a
/// terminal is a vertex: "consumption_request", "injection_response".
class ChannelIndex {
 public:
  explicit ChannelIndex(const FabricPlan& plan);

  [[nodiscard]] std::size_t size() const {
    return first_consumption_ + plan_->topology->terminals() * at_terminal_.size();
  }
  [[nodiscard]] std::size_t virtual_channels() const { return first_consumption_; }
  /// Or another resource of a terminal.
  [[nodiscard]] bool is_consumption(ChannelId c) const { return c >= first_consumption_; }
  [[nodiscard]] bool is_retransmission(ChannelId c) const {
    return retransmits_ && is_consumption(c) && c == first_at(terminal(c)) + at_terminal_.size() - 1;
  }
  /// Lanes of a virtual channel.
  [[nodiscard]] unsigned lanes(ChannelId c) const { return plan_->lanes(link(c)); }
  /// Lanes that are vertices of their own: 1, or the most lanes of a node.
  [[nodiscard]] unsigned groups() const { return groups_; }

  /// Also for the link after the last one, class 0: where the virtual channels end.
  [[nodiscard]] ChannelId of(LinkId link, VcClass vc_class, unsigned group = 0) const {
    return (first_[index(link)] + static_cast<ChannelId>(index(vc_class))) * groups_ + group;
  }
  /// What stands for this consumption channel of a terminal.
  [[nodiscard]] ChannelId consumption(TerminalId terminal, unsigned channel = 0) const {
    return first_at(terminal) + vertex_of_[channel];
  }
  /// What stands for the retransmission buffers of a terminal, which must have some.
  [[nodiscard]] ChannelId retransmission(TerminalId terminal) const {
    return first_at(terminal) + static_cast<ChannelId>(at_terminal_.size()) - 1;
  }
  /// What stands for the consumption and injection channels by which packets of a message class leave and
  /// enter at a terminal; injection only where ends wait.
  [[nodiscard]] ChannelId consumption_of(TerminalId terminal, unsigned message_class) const {
    return consumption(terminal, plan_->message_classes[message_class].interface);
  }
  [[nodiscard]] ChannelId injection_of(TerminalId terminal, unsigned message_class) const {
    return first_at(terminal) + plan_->message_classes.interfaces() +
           plan_->message_classes[message_class].interface;
  }
  [[nodiscard]] bool is_injection(ChannelId c) const {
    return ends_wait_ && is_consumption(c) &&
           c >= first_at(terminal(c)) + plan_->message_classes.interfaces();
  }
  /// Is each interface of a terminal a vertex?
  [[nodiscard]] bool by_message_class() const { return plan_->message_classes.named(); }
  /// May packets of the message class take this virtual channel?
  [[nodiscard]] bool takes(unsigned message_class, ChannelId c) const {
    return of_message_class_.empty() || of_message_class_[message_class][c];
  }
  /// At whose terminal, and router, this consumption channel or other resource of one is.
  [[nodiscard]] TerminalId terminal(ChannelId c) const {
    return TerminalId(static_cast<std::uint32_t>((c - first_consumption_) / at_terminal_.size()));
  }
  [[nodiscard]] RouterId router(ChannelId c) const {
    return is_injection(c) ? plan_->topology->injection_router(terminal(c), vertex(c).attachment)
                           : plan_->topology->consumption_router(terminal(c), vertex(c).attachment);
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

  /// "router_1_0.x_plus.class0", "router_2_3.consumption", "router_2_3.consumption_1".
  [[nodiscard]] std::string name(ChannelId c) const;
  /// The same without the router: "x_plus.class0", as routes of trace files name it.
  [[nodiscard]] std::string hop_name(ChannelId c) const;
  /// The same with the lane, where there are several: "x_plus.class0.1".
  [[nodiscard]] std::string hop_name(ChannelId c, unsigned lane) const;

 private:
  [[nodiscard]] ChannelId first_at(TerminalId terminal) const {
    return first_consumption_ + static_cast<ChannelId>(index(terminal) * at_terminal_.size());
  }
  void number_consumption();
  void number_interfaces();
  void restrict_message_classes();

  const FabricPlan* plan_;
  std::vector<ChannelId> first_;  ///< by link, without lanes; one more element at the end
  std::vector<LinkId> link_;      ///< by class of a link
  std::vector<std::int32_t> before_;
  std::vector<std::int32_t> behind_;
  std::vector<ChannelId> vertex_of_ = {0};  ///< by consumption channel, within a terminal
  /// The vertices of a terminal: what is behind its number in their names.
  struct AtTerminal {
    const char* what;
    std::string suffix;
    std::size_t attachment = 0;
  };
  [[nodiscard]] const AtTerminal& vertex(ChannelId c) const {
    return at_terminal_[(c - first_consumption_) % at_terminal_.size()];
  }
  std::vector<AtTerminal> at_terminal_ = {{"consumption", ""}};
  bool retransmits_ = false;
  bool ends_wait_ = false;
  std::vector<std::vector<bool>> of_message_class_;  ///< [class][VC]; empty: each may take all
  unsigned groups_ = 1;
  ChannelId first_consumption_ = 0;
  bool partitioned_ = false;
};

}  // namespace noctule
