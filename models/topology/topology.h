#pragma once
// Pure graphs: which routers there are, which directed links join them, which terminals hang where.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ids.h"
#include "topology/geometry.h"

namespace noctule {

/// A directed physical direction between two routers. A flit that leaves `from` by port `out` arrives at
/// `to` on port `in`. Ports are numbers of these routers; what leaves by a port and what comes in by it need
/// not lead to the same router. In a k-ary n-cube both are the direction of travel, so `out == in`.
struct Link {
  LinkId id;
  RouterId from;
  PortId out;
  RouterId to;
  PortId in;
};

/// What a link is in the eyes of its kind of topology.
enum class LinkKind : std::uint8_t {
  kPlain,
  kWrap,  ///< closes a row of routers to a ring
  kUp,    ///< of a tree: away from the leaves
  kDown
};

/// "plain", "wrap", "up", "down".
[[nodiscard]] const char* to_string(LinkKind kind);

/// What a topology may say of a link's wires; what it does not say, the fabric does (LinkDescription).
/// Cycles.
struct LinkAttributes {
  std::optional<std::uint16_t> flit_delay = {};
  std::optional<std::uint16_t> credit_delay = {};
  std::optional<std::uint16_t> cycles_per_flit = {};
  friend bool operator==(const LinkAttributes&, const LinkAttributes&) = default;
};

/// Each of these at most.
inline constexpr std::uint16_t kMostLinkCycles = 64;

/// Of a router in a picture; neighbours are about 1 apart, y grows upwards.
struct Position {
  double x = 0;
  double y = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// Where a terminal's packets enter the network and where they leave it: the same router in most networks,
/// the first and the last stage of a multistage one.
struct Attachment {
  RouterId injection{};
  RouterId consumption{};
};

/// Length of a path that does not exist.
inline constexpr unsigned kUnreachable = ~0U;

/// What a kind of topology knows of itself without a look at the graph. What is absent is computed.
struct ClosedForms {
  std::function<unsigned(RouterId, RouterId)> distance = nullptr;
  std::optional<unsigned> diameter = {};
  std::optional<double> mean_distance = {};
  std::optional<unsigned> bisection = {};
  std::optional<double> capacity = {};  ///< where the bisection is not what limits it
};

/// The cheapest split of a network into halves that was found (find_bisection).
struct Bisection {
  /// Across the cheapest split, in the direction that has fewer; in which nobody sends to anybody does not
  /// count.
  unsigned links = 0;
  /// Flits per terminal and cycle of uniform traffic, self included, that fill a split, links carrying one
  /// flit per cycle: the least of all splits that were looked at. Infinite: no packet crosses any.
  double capacity = 0;
};

/// A network as a graph. Routers, terminals and links are dense index ranges. Immutable; made by a
/// TopologyBuilder. May be read from several threads.
class Topology {
 public:
  static constexpr std::size_t kMostRouters = std::size_t{1} << 24;

  [[nodiscard]] std::size_t routers() const { return first_port_.size() - 1; }
  [[nodiscard]] std::size_t terminals() const { return attachments_.size(); }
  /// Ports of a router are 0 .. ports(router)-1; one may have a link out, a link in, both or neither.
  [[nodiscard]] std::size_t ports(RouterId router) const {
    return first_port_[index(router) + 1] - first_port_[index(router)];
  }
  /// The largest of these.
  [[nodiscard]] std::size_t most_ports() const { return most_ports_; }
  /// All links; `links()[index(id)].id == id`.
  [[nodiscard]] std::span<const Link> links() const { return links_; }
  [[nodiscard]] LinkKind kind(LinkId id) const { return kinds_[index(id)]; }
  [[nodiscard]] LinkAttributes attributes(LinkId id) const {
    return attributes_.empty() ? LinkAttributes{} : attributes_[index(id)];
  }
  /// The link that leaves / enters a router at one of its ports, or null.
  [[nodiscard]] const Link* outgoing(RouterId router, PortId port) const {
    return link_at(out_, router, port);
  }
  [[nodiscard]] const Link* incoming(RouterId router, PortId port) const {
    return link_at(in_, router, port);
  }
  /// The first link, by port, from one router to another one, or null.
  [[nodiscard]] const Link* link_between(RouterId from, RouterId to) const;
  /// Attachments of each terminal: one, but in a network of several planes (Planes), or where they are named
  /// for message classes (NamedAttachments).
  [[nodiscard]] std::size_t attachments() const {
    return attachments_.empty() ? 1 : 1 + further_.size() / attachments_.size();
  }
  /// Of the terminal's attachment with this number.
  [[nodiscard]] RouterId injection_router(TerminalId terminal, std::size_t attachment = 0) const {
    return at(terminal, attachment).injection;
  }
  [[nodiscard]] RouterId consumption_router(TerminalId terminal, std::size_t attachment = 0) const {
    return at(terminal, attachment).consumption;
  }
  /// By router: does a terminal inject / consume there?
  [[nodiscard]] std::vector<bool> injects() const;
  [[nodiscard]] std::vector<bool> consumes() const;

  /// "router_3_4": letters, digits and underscores, one of a kind. Random streams depend on it.
  [[nodiscard]] std::string router_name(RouterId router) const { return router_names_(router); }
  /// For pictures. Where nobody has said it, on a circle, by number.
  [[nodiscard]] Position position(RouterId router) const { return positions_(router); }
  /// The part of a picture where it lies, beside others: "z = 1". Empty where a picture is in one part.
  [[nodiscard]] std::string plane(RouterId router) const { return planes_ ? planes_(router) : ""; }
  /// Has somebody said where routers are?
  [[nodiscard]] bool placed() const { return placed_; }
  /// "x_plus"; ports of different routers may have one name.
  [[nodiscard]] const std::string& port_name(RouterId router, PortId port) const {
    return directions_[direction(router, port)];
  }
  /// "router_3_4.x_plus": where it leaves.
  [[nodiscard]] std::string link_name(const Link& link) const;
  /// All names of ports, each once, and the number among them of a port's name.
  [[nodiscard]] std::span<const std::string> directions() const { return directions_; }
  [[nodiscard]] std::size_t direction(RouterId router, PortId port) const {
    return port_directions_[scheme_[index(router)]][index(port)];
  }

  /// Length of a shortest path in links; kUnreachable where there is none. Where the kind has no closed form,
  /// the distances to `to` are computed at the first question and kept.
  [[nodiscard]] unsigned distance(RouterId from, RouterId to) const;
  /// The same of many pairs, from and to, found many at once; nothing is kept.
  [[nodiscard]] std::vector<unsigned> distances(std::span<const std::pair<RouterId, RouterId>> pairs) const;
  /// Largest distance from the injection router of a terminal to the consumption router of one. Of first
  /// attachments, here and in what follows, unless the kind knows better.
  [[nodiscard]] unsigned diameter() const;
  /// Mean distance over all ordered pairs of different terminals (uniform traffic, self excluded).
  [[nodiscard]] double mean_distance() const;
  /// The same of uniform traffic, self included: links that a flit takes.
  [[nodiscard]] double mean_hops() const;
  /// B of Gravano et al. 1994, equation (1): bidirectional channels cut by the cheapest straight split of the
  /// routers into halves whose sizes differ by at most one row of routers. For a k-ary n-cube the split lies
  /// across one dimension (of largest radix, if all dimensions wrap alike) and cuts two channels per row of a
  /// wrapped dimension (the wrap link is the other one), one per row of an unwrapped one.
  /// Directed links that cross: B in each direction. Other networks: see find_bisection.
  [[nodiscard]] unsigned bisection() const;
  /// Does the kind know it? Else it is what a search has found, which may be too large.
  [[nodiscard]] bool bisection_is_exact() const { return closed_.bisection.has_value(); }
  /// Flits per terminal and cycle that the network bears of uniform traffic, links carrying one flit per
  /// cycle. Cubes with links both ways: those that fill the bisection. Of the N terminals' flits the fraction
  /// c = 1/2 crosses it, half of that in each direction, where B links are: N load c / 2 = B, so 2 B / (N c)
  /// = 4 B / N. The exact c of odd radices is not used. Other kinds: those that fill the busiest link, self
  /// included, every link of equal distance used alike. Networks without closed forms: what the narrowest
  /// split found, and what all links together bear at the mean distance; no routing does better, some do
  /// worse. 1, where no packet takes a link.
  [[nodiscard]] double capacity() const;
  /// Is it 4 B / N?
  [[nodiscard]] bool bisection_limits() const { return closed_.bisection.has_value() && !closed_.capacity; }

  /// "8 x 8 torus"; "network of 12 routers" where no geometry has a name for it.
  [[nodiscard]] std::string title() const;
  /// The link that runs back beside it: from its end to its start, by the port of the opposite direction
  /// where several do. Null: none does.
  [[nodiscard]] const Link* back(const Link& link) const;

  /// All that the kind tells of the network beyond the graph.
  [[nodiscard]] std::span<const std::shared_ptr<const Geometry>> geometries() const { return geometries_; }
  /// That of one type, or null.
  template <class G>
  [[nodiscard]] const G* geometry() const {
    for (const auto& known : geometries_)
      if (const auto* found = dynamic_cast<const G*>(known.get())) return found;
    return nullptr;
  }

 private:
  friend class TopologyBuilder;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// What is computed when somebody asks.
  struct Computed {
    std::mutex mutex;
    std::vector<std::unique_ptr<const std::vector<std::uint16_t>>> to;  ///< distances by destination
    bool surveyed = false;
    unsigned diameter = 0;
    double mean_distance = 0;
    std::optional<Bisection> bisection;
  };
  Topology() = default;
  [[nodiscard]] const Link* link_at(const std::vector<std::uint32_t>& table, RouterId router,
                                    PortId port) const {
    const auto link = table[first_port_[index(router)] + index(port)];
    return link == kNone ? nullptr : &links_[link];
  }
  [[nodiscard]] const Attachment& at(TerminalId terminal, std::size_t attachment) const {
    return attachment == 0 ? attachments_[index(terminal)]
                           : further_[(attachment - 1) * attachments_.size() + index(terminal)];
  }
  void survey(Computed& computed) const;
  [[nodiscard]] const Bisection& found_bisection() const;

  std::vector<Link> links_;
  std::vector<LinkKind> kinds_;               ///< by link
  std::vector<LinkAttributes> attributes_;    ///< by link; empty: none has any
  std::vector<std::uint32_t> first_port_{0};  ///< by router, and one behind the last
  std::vector<std::uint32_t> out_;            ///< by port of a router: the link, or kNone
  std::vector<std::uint32_t> in_;
  std::size_t most_ports_ = 0;
  std::vector<Attachment> attachments_;  ///< by terminal: the first one
  std::vector<Attachment> further_;      ///< the second ones of all terminals, then the third ones, ...
  std::function<std::string(RouterId)> router_names_;
  std::function<Position(RouterId)> positions_;
  std::function<std::string(RouterId)> planes_;  ///< null: one
  bool placed_ = false;
  std::vector<std::string> directions_;
  std::vector<std::uint16_t> scheme_;  ///< by router: entry of
  std::vector<std::vector<std::uint16_t>> port_directions_;
  ClosedForms closed_;
  std::vector<std::shared_ptr<const Geometry>> geometries_;
  std::shared_ptr<Computed> computed_ = std::make_shared<Computed>();
};

class MissingGeometry final : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// The geometry of a topology; without it, a MissingGeometry of `key`: "USER needs a ...".
template <class G>
const G& require_geometry(const Topology& topology, const std::string& key, const std::string& user) {
  if (const G* geometry = topology.geometry<G>()) return *geometry;
  throw MissingGeometry(key, user + " needs a " + G::kWhat + "; the topology given is something else. Use " +
                                 G::kRemedy + ", or choose something made for this topology");
}

}  // namespace noctule
