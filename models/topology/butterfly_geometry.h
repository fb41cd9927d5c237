#pragma once
// Stages of butterflies, the k-ary n-flies.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace noctule {

/// n stages of k^(n-1) routers of k inputs and k outputs; router s * k^(n-1) + r is number r of stage s.
/// Terminal t injects at router t / k of the first stage, and consumes at router t / k of the last one. The
/// output port that a packet takes at stage s is digit n - 1 - s of its destination, to the base k.
class ButterflyGeometry : public Geometry {
 public:
  static constexpr const char* kWhat = "butterfly (k-ary n-fly)";
  static constexpr const char* kRemedy = "topology.kind butterfly";

  /// arity >= 2, stages >= 1.
  ButterflyGeometry(unsigned arity, unsigned stages) : arity_(arity), stages_(stages) {
    for (unsigned s = 1; s < stages; ++s) width_ *= arity;
  }
  [[nodiscard]] unsigned arity() const { return arity_; }
  [[nodiscard]] unsigned stages() const { return stages_; }
  /// Routers of a stage.
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] unsigned stage(RouterId router) const {
    return static_cast<unsigned>(index(router) / width_);
  }
  [[nodiscard]] std::uint32_t number(RouterId router) const {
    return static_cast<std::uint32_t>(index(router) % width_);
  }
  /// Of a router of the last stage as destination: the output port at a stage before it.
  [[nodiscard]] PortId port_at(unsigned stage, RouterId destination) const {
    std::uint32_t rest = number(destination);
    for (unsigned s = stage + 2; s < stages_; ++s) rest /= arity_;
    return PortId(static_cast<std::uint16_t>(rest % arity_));
  }

  /// "stages 0 and 1", and so on.
  [[nodiscard]] std::vector<std::string> link_groups() const override {
    std::vector<std::string> names;
    for (unsigned s = 0; s + 1 < stages_; ++s) names.push_back(fmt::format("stages {} and {}", s, s + 1));
    return names;
  }
  [[nodiscard]] std::size_t link_group(const Link& link) const override { return stage(link.from); }
  [[nodiscard]] std::string title() const override { return fmt::format("{}-ary {}-fly", arity_, stages_); }

 private:
  unsigned arity_;
  unsigned stages_;
  std::uint32_t width_ = 1;
};

}  // namespace noctule
