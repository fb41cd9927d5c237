#pragma once
// Which consumption channels of a destination a worm may take (Boppana et al. 1998, 3.2).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nodes/node_description.h"

namespace noctule {

/// What the class of a worm at a destination depends on.
struct Visit {
  std::uint8_t group = 0;    ///< of MulticastPlanner::groups; the number behind the last: unicast
  std::uint16_t incoming{};  ///< port that it arrives by; ports(): it starts here
  std::uint16_t outgoing{};  ///< port that it goes on by; ports(): it ends here
  bool several = false;      ///< does the worm have more than one destination?
};

/// The rules of a node, or else those of the planner, in a table.
class ConsumptionRule {
 public:
  /// Throws ConfigError (node.consumption_...) where a rule names what does not exist, or there are fewer
  /// channels than classes.
  ConsumptionRule(const Topology& topology, const MulticastPlanner& planner, const NodeDescription& node);

  [[nodiscard]] unsigned classes() const { return classes_; }
  [[nodiscard]] std::uint8_t unicast_group() const { return static_cast<std::uint8_t>(groups_.size() - 1); }
  [[nodiscard]] std::uint16_t no_port() const { return static_cast<std::uint16_t>(ports_.size() - 1); }
  /// Throws ConfigError if no rule fits.
  [[nodiscard]] unsigned class_of(const Visit& visit) const {
    const std::uint8_t found = table_[place(visit)];
    if (found == kNone) [[unlikely]]
      refuse(visit);
    return found;
  }
  /// Channels of a terminal as bits, channel 0 the lowest.
  struct Channels {
    std::uint64_t own = 0;      ///< taken before the others, if free
    std::uint64_t allowed = 0;  ///< own ones included
  };
  [[nodiscard]] const Channels& channels(unsigned consumption_class, bool several) const {
    return channels_[2 * consumption_class + (several ? 1 : 0)];
  }
  /// Does a worm choose one of its channels as it arrives, to wait for that alone?
  [[nodiscard]] bool waits_committed() const { return committed_; }

 private:
  static constexpr std::uint8_t kNone = 0xff;
  [[nodiscard]] std::size_t place(const Visit& v) const {
    return ((v.group * ports_.size() + v.incoming) * ports_.size() + v.outgoing) * 2 + (v.several ? 1 : 0);
  }
  [[noreturn]] void refuse(const Visit& visit) const;
  void check(const std::vector<ConsumptionClassRule>& rules) const;
  void tabulate(const std::vector<ConsumptionClassRule>& rules);

  std::vector<std::string> groups_;  ///< "unicast" behind those of the planner
  std::vector<std::string> ports_;   ///< and one more, for none
  unsigned classes_ = 1;
  bool committed_ = false;
  std::vector<std::uint8_t> table_;
  std::vector<Channels> channels_;  ///< [class * 2 + several]
};

}  // namespace noctule
