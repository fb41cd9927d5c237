#pragma once
// Fills a topology: routers, then links and terminals, then names and what is known of it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/registry.h"
#include "topology/network_size.h"
#include "topology/topology.h"

namespace noctule {

/// One object makes one topology. What does not fit together is found by `build`, or earlier: ConfigError
/// with the key "topology.kind".
class TopologyBuilder {
 public:
  /// A port has a 16-bit number, and no more than so many make sense.
  static constexpr std::size_t kMostPorts = 4096;

  /// Routers whose ports have these names, in their order. Returns the first of `count` new ones.
  RouterId add_routers(std::size_t count, const std::vector<std::string>& ports);
  /// From an out port of a router to an in port of another one.
  LinkId connect(RouterId from, PortId out, RouterId to, PortId in, LinkKind kind = LinkKind::kPlain);
  /// Of a link that is there; within the ranges of the keys of `link`.
  void set_attributes(LinkId link, const LinkAttributes& attributes);
  TerminalId add_terminal(RouterId router) { return add_terminal(router, router); }
  TerminalId add_terminal(RouterId injection, RouterId consumption);
  /// Where each terminal, by number, is attached as well; once all terminals are there.
  void attach(const std::vector<Attachment>& terminals);

  /// "router_0", ... if nothing is said.
  void name_routers(std::function<std::string(RouterId)> names) {
    topology_.router_names_ = std::move(names);
  }
  /// Which part of a picture a router lies in (Topology::plane); what other parts hold has other positions.
  /// One if nothing is said.
  void divide_picture(std::function<std::string(RouterId)> planes) { topology_.planes_ = std::move(planes); }
  /// On a circle if nothing is said.
  void place_routers(std::function<Position(RouterId)> positions) {
    topology_.positions_ = std::move(positions);
    topology_.placed_ = true;
  }
  void add_geometry(std::shared_ptr<const Geometry> geometry);
  /// What is stated is taken to be right: a distance above 0, a capacity.
  void know(ClosedForms closed);

  [[nodiscard]] std::size_t routers() const { return topology_.routers(); }
  [[nodiscard]] std::size_t terminals() const { return topology_.terminals(); }

  /// Throws ConfigError: fewer than two terminals, two routers of one name, a name that is no identifier.
  Topology build() &&;

 private:
  std::uint16_t scheme(const std::vector<std::string>& ports);
  std::uint32_t& place(std::vector<std::uint32_t>& table, RouterId router, PortId port, const char* what);
  void check_names() const;

  Topology topology_;
  std::vector<std::vector<std::string>> schemes_;
};

/// Letters, digits and underscores: safe in SystemC, in CSV and in globs.
[[nodiscard]] bool is_identifier(const std::string& name);

/// Why a router cannot be called so, be it that something else in a fabric is; empty: it can.
[[nodiscard]] std::string name_fault(const std::string& router);

/// How a kind of topology is registered.
struct TopologyKind {
  /// Throws ConfigError of one of its keys where they do not describe a network.
  std::function<void(const Parameters&, TopologyBuilder&)> fill;
  /// How large it will be; may be absent.
  std::function<NetworkSize(const Parameters&)> size = nullptr;
};

struct TopologyTraits {
  static constexpr const char* kind = "topology";
  using Factory = TopologyKind;
};
using TopologyRegistry = Registry<TopologyTraits>;
template <>
TopologyRegistry& TopologyRegistry::instance();

/// The topology of a registered kind. Throws ConfigError.
[[nodiscard]] std::shared_ptr<const Topology> make_topology(const std::string& kind, const Parameters& keys);

}  // namespace noctule
