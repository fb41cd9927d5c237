#pragma once
// Turns written as text, such as "y_* -> x_minus.0 on wrap at router_3_*": the grammar of a turn table.
//
//   TURN    = FROM "->" CHANNEL ["on" ("wrap" | "inner")] ["at" ROUTER]
//   FROM    = "injection" | "any" (injection or whatever channel) | CHANNEL
//   CHANNEL = DIRECTION ["." CLASS]
//
// DIRECTION is a port name or a glob of port names, that of the router in which the turn is made, CLASS a
// number or "*" (as if left out), ROUTER a router name or a glob. "on" is about the link that the turn leads
// to, "at" about the router in which it is made.

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "topology/topology.h"

namespace noctule {

/// VC classes of one link: bit c for class c.
using ClassSet = std::uint16_t;
inline constexpr unsigned kMostTurnClasses = 16;
/// Channels by direction (Topology::directions): the classes of each.
using ChannelSet = std::vector<ClassSet>;

/// A set of turns. All its channels before a turn go with all those after it.
struct TurnRule {
  enum class Where : std::uint8_t { kAnywhere, kWrap, kInner };
  std::string key;   ///< where it is written, for messages: "routing.forbid[2]"
  std::string text;  ///< as written
  bool from_injection = false;
  ChannelSet from;
  ChannelSet to;  ///< empty for what is no turn but a set of channels
  Where where = Where::kAnywhere;
  std::vector<bool> at;  ///< by router

  /// Is a turn into this link meant, as far as router and link go?
  [[nodiscard]] bool leads_onto(const Topology& topology, const Link& link) const {
    return to[topology.direction(link.from, link.out)] != 0 && at[index(link.from)] &&
           (where == Where::kAnywhere ||
            (topology.kind(link.id) == LinkKind::kWrap) == (where == Where::kWrap));
  }
};

/// Reads turns and channels for one topology. What is wrong is collected, so that the user sees all of it.
class TurnParser {
 public:
  TurnParser(const Topology& topology, unsigned classes) : topology_(topology), classes_(classes) {}

  /// The rules of a list at `key`; faulty ones are left out and recorded.
  std::vector<TurnRule> rules(const std::string& key, const std::vector<std::string>& texts);
  /// The union of a list of CHANNEL patterns.
  ChannelSet channels(const std::string& key, const std::vector<std::string>& texts);
  /// Records rules without effect: those that match no turn of any path that is at most `detours` hops longer
  /// than a shortest one, and exceptions to nothing.
  void find_dead(const std::vector<TurnRule>& forbid, const std::vector<TurnRule>& allow, unsigned detours);
  /// Throws a ConfigError of all that was recorded, if anything was.
  void finish() const;

 private:
  bool parse(TurnRule& rule);
  bool parse_condition(TurnRule& rule, const std::string& word, const std::string& value);
  bool parse_channel(const TurnRule& rule, const std::string& text, ChannelSet& set);
  bool parse_class(const TurnRule& rule, const std::string& text, ClassSet& set);
  /// Always false.
  bool refuse(const TurnRule& rule, const std::string& why);
  [[nodiscard]] std::string channel_example() const;
  [[nodiscard]] std::string turn_example() const;

  const Topology& topology_;
  unsigned classes_;
  std::vector<Diagnostic> faults_;
};

}  // namespace noctule
