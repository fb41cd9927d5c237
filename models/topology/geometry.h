#pragma once
// What an algorithm may need of a network beyond its graph: coordinates, levels of a tree, ... Who needs it
// asks for it by type.

namespace noctule {

/// A way of speaking of the routers of a network. Each kind is a class of its own, plain and immutable, with
///   static constexpr const char* kWhat: what a network with it is called, for messages: "k-ary n-cube";
///   static constexpr const char* kRemedy: topologies that have it.
class Geometry {
 public:
  virtual ~Geometry() = default;

 protected:
  Geometry() = default;
  Geometry(const Geometry&) = default;
  Geometry(Geometry&&) = default;
  Geometry& operator=(const Geometry&) = default;
  Geometry& operator=(Geometry&&) = default;
};

}  // namespace noctule
