#pragma once
// What an algorithm may need of a network beyond its graph: coordinates, levels of a tree, ... Who needs it
// asks for it by type. Reports ask every geometry alike for the words that it has for the network.

#include <cstddef>
#include <string>
#include <vector>

namespace noctule {

struct Link;

/// A way of speaking of the routers of a network. Each kind is a class of its own, plain and immutable, with
///   static constexpr const char* kWhat: what a network with it is called, for messages: "k-ary n-cube";
///   static constexpr const char* kRemedy: topologies that have it.
class Geometry {
 public:
  virtual ~Geometry() = default;

  /// Names of the groups of links that a report takes together: {"dimension 0", "dimension 1"}. Empty: it has
  /// no such groups.
  [[nodiscard]] virtual std::vector<std::string> link_groups() const { return {}; }
  /// Number of the link's group among these.
  [[nodiscard]] virtual std::size_t link_group(const Link&) const { return 0; }
  /// What the network is called above a picture: "8 x 8 torus". Empty: it has no name for it.
  [[nodiscard]] virtual std::string title() const { return {}; }

 protected:
  Geometry() = default;
  Geometry(const Geometry&) = default;
  Geometry(Geometry&&) = default;
  Geometry& operator=(const Geometry&) = default;
  Geometry& operator=(Geometry&&) = default;
};

}  // namespace noctule
