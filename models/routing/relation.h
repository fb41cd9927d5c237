#pragma once
// Routing as a relation: from (router, destination, what the header carries) to the set of virtual-channel
// classes that the worm may take next. Pure, plain C++: what is simulated is what is verified.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/registry.h"
#include "topology/topology.h"

namespace noctule {

/// What a header carries for the routing relation besides its destination (wrapped bits, class, level,
/// hops, direction of arrival, ...). The relation alone gives it a meaning.
using RouteState = std::uint64_t;

/// Candidate::lane of a candidate that any lane will do for.
inline constexpr std::uint16_t kAnyLane = 0xffff;

/// A class of virtual channels on the link that leaves by `port`. Lanes and parallel links replicate it:
/// the relation never sees them and leaves `lane` alone. Prescribed routes alone name a lane. Aligned so that
/// it is copied as one word.
struct alignas(8) Candidate {
  PortId port{};
  VcClass vc_class{};
  std::uint16_t lane = kAnyLane;
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Result list of a relation; keeps its storage between calls. Order is the relation's preference.
class CandidateList {
 public:
  void clear() noexcept { list_.clear(); }
  void add(PortId port, VcClass vc_class) { list_.push_back({port, vc_class}); }
  void add(Candidate candidate) { list_.push_back(candidate); }
  /// Changes those from number `first` on, in place.
  template <class F>
  void change_from(std::size_t first, F&& f) {
    for (std::size_t i = first; i < list_.size(); ++i) f(list_[i]);
  }
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  [[nodiscard]] auto begin() const noexcept { return list_.begin(); }
  [[nodiscard]] auto end() const noexcept { return list_.end(); }
  [[nodiscard]] const Candidate& operator[](std::size_t i) const { return list_[i]; }

 private:
  std::vector<Candidate> list_;
};

/// A named property of VC classes with its possible values: {"prefix", {"0", "1"}}. Node models select
/// the inputs and outputs of their crossbars by these fields.
struct VcField {
  std::string name;
  std::vector<std::string> values;
};

/// Values of the fields, in their order: `label[f]` indexes `fields()[f].values`.
using VcLabel = std::vector<std::uint8_t>;

/// What a relation claims; tests and the verifier hold it to that.
struct RoutingClaims {
  bool minimal = true;          ///< every path is a shortest one
  bool fully_adaptive = false;  ///< every shortest path is on offer
  /// "acyclic": the channel dependency graph is acyclic (Dally and Seitz 1987);
  /// "escape": only that of the escape channels is (see `is_escape`);
  /// "none": no claim.
  std::string deadlock_free = "none";
};

/// RoutingRelation::hops where paths of several lengths are on offer.
inline constexpr unsigned kHopsVary = ~0U;

class RoutingRelation {
 public:
  virtual ~RoutingRelation() = default;

  // --- virtual channels -------------------------------------------------------------------------------
  /// Fields of the VC classes; may be empty.
  [[nodiscard]] virtual std::span<const VcField> fields() const { return {}; }
  /// Number of VC classes on a link, 0 if it is never used.
  [[nodiscard]] virtual unsigned classes(const Link& link) const = 0;
  /// Name of a class for waveforms and reports, e.g. "star0", "X+Y-.1".
  [[nodiscard]] virtual std::string class_name(const Link& link, VcClass vc_class) const = 0;
  /// Is this class ever used on this link? Classes that are not are not built. Must never say no to a
  /// class that `candidates` offers; tests compare it with an enumeration.
  [[nodiscard]] virtual bool exists(const Link& link, VcClass vc_class) const {
    return index(vc_class) < classes(link);
  }
  /// Label of a VC as output of its sender and as input of its receiver. They may differ (on wrap links).
  [[nodiscard]] virtual VcLabel output_label(const Link& link, VcClass vc_class) const = 0;
  [[nodiscard]] virtual VcLabel input_label(const Link& link, VcClass vc_class) const {
    return output_label(link, vc_class);
  }

  // --- the relation -----------------------------------------------------------------------------------
  /// Is the relation for packets from `source` to `destination`? What is proved, is proved of these pairs,
  /// and a fabric refuses packets of others. The functions below give ways for all pairs none the less.
  [[nodiscard]] virtual bool serves(RouterId source, RouterId destination) const {
    (void)source;
    (void)destination;
    return true;
  }
  /// False: of some pair `serves` says no.
  [[nodiscard]] virtual bool serves_all() const { return true; }
  /// How many states a header may carry when it is injected at `source`, which is not `destination`; at least
  /// 1. The network interface draws one of them uniformly.
  [[nodiscard]] virtual std::uint64_t initial_states(RouterId source, RouterId destination) const {
    (void)source;
    (void)destination;
    return 1;
  }
  /// The n-th of them, 0 <= n < initial_states(source, destination); no two are the same.
  [[nodiscard]] virtual RouteState initial_state(RouterId source, RouterId destination,
                                                 std::uint64_t n) const {
    (void)source;
    (void)destination;
    (void)n;
    return 0;
  }
  /// Does the relation look at the message class of a packet? Then what a header starts with depends on it:
  /// the two functions behind this one are asked in place of the two before it, and the state carries as much
  /// of the class as the relation wants to know under way. `hops`, `serves` and the VC classes are those of
  /// all classes together. False costs nothing.
  [[nodiscard]] virtual bool sees_message_classes() const { return false; }
  /// Of packets of message class `message_class`, its number in the order in which a configuration names
  /// them; 0 where it names none. There may be any number of classes.
  [[nodiscard]] virtual std::uint64_t initial_states_of_class(RouterId source, RouterId destination,
                                                              unsigned message_class) const {
    (void)message_class;
    return initial_states(source, destination);
  }
  [[nodiscard]] virtual RouteState initial_state_of_class(RouterId source, RouterId destination,
                                                          unsigned message_class, std::uint64_t n) const {
    (void)message_class;
    return initial_state(source, destination, n);
  }
  /// The channels that the worm may take from `here`, which is not `destination`; never none. `list` comes
  /// cleared. Depends on the arguments alone: what has been said once is proved of, and may be remembered.
  virtual void candidates(RouterId here, RouterId destination, RouteState state,
                          CandidateList& list) const = 0;
  /// What the header carries once it has taken one of its candidates.
  [[nodiscard]] virtual RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                              Candidate taken) const {
    (void)here;
    (void)destination;
    (void)taken;
    return state;
  }
  /// Does `next_state` ever change anything? Spares the call per hop.
  [[nodiscard]] virtual bool has_state() const { return false; }
  /// A header has come to `here`, not `destination`, and is asked for its candidates cycles later: a relation
  /// with large tables has what it reads then fetched now. Does nothing else; called where `has_tables`.
  virtual void fetch(RouterId here, RouterId destination, RouteState state) const {
    (void)here;
    (void)destination;
    (void)state;
  }
  /// Does `fetch` do anything? Spares the call per hop.
  [[nodiscard]] virtual bool has_tables() const { return false; }
  /// Bits of the routing state in a header flit.
  [[nodiscard]] virtual unsigned header_bits() const { return 0; }

  /// What the relation has chosen by itself, for reports: "up*/down* with the root router_2_2"; may be empty.
  [[nodiscard]] virtual std::string remark() const { return {}; }

  // --- claims -----------------------------------------------------------------------------------------
  [[nodiscard]] virtual RoutingClaims claims() const { return {}; }
  /// Hops of a worm, if the same for every path the relation offers; zero-load latency follows from it. Else
  /// kHopsVary.
  [[nodiscard]] virtual unsigned hops(RouterId source, RouterId destination) const = 0;
  /// Is taking this candidate, in this state, taking an escape channel? For claims "escape".
  [[nodiscard]] virtual bool is_escape(RouterId here, RouterId destination, RouteState state,
                                       Candidate candidate) const {
    (void)here;
    (void)destination;
    (void)state;
    (void)candidate;
    return true;
  }
};

struct RoutingTraits {
  static constexpr const char* kind = "routing";
  /// Throws ConfigError where the relation is not defined on the topology; says why.
  using Factory =
      std::function<std::unique_ptr<RoutingRelation>(std::shared_ptr<const Topology>, const Parameters&)>;
};
using RoutingRegistry = Registry<RoutingTraits>;
template <>
RoutingRegistry& RoutingRegistry::instance();

}  // namespace noctule
