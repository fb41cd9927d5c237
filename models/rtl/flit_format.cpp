#include "rtl/flit_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "topology/cube_geometry.h"

namespace noctule {

FlitFormat::FlitFormat(const FabricPlan& plan) {
  const auto* cube = plan.topology->geometry<CubeGeometry>();
  if (cube == nullptr)
    throw MissingGeometry(
        "topology.kind",
        "routers in hardware know their position by coordinates: they need a mesh, a torus or "
        "another k-ary n-cube");
  dimensions_ = cube->dimensions();
  unsigned largest = 0;
  for (unsigned d = 0; d < dimensions_; ++d) largest = std::max(largest, cube->radix(d) - 1);
  coordinate_bits_ = std::max(5U, static_cast<unsigned>(std::bit_width(largest)));
  class_bits_ = static_cast<unsigned>(std::bit_width(plan.message_classes.size() - 1));
  if (plan.relation->header_bits() > kStateBits)
    throw ConfigError(
        "routing.algorithm",
        fmt::format("its header carries {} bits of state; the flits of routers in hardware have "
                    "{}: use another relation",
                    plan.relation->header_bits(), kStateBits));
  if (flit_bits() > kMostBits)
    throw ConfigError(
        "topology.radix",
        fmt::format("a flit would have {} bits on the pins of a router in hardware; at most {} are "
                    "possible: use fewer dimensions, routers or message classes",
                    flit_bits(), static_cast<unsigned>(kMostBits)));
  for (std::size_t r = 0; r < cube->size(); ++r) {
    std::uint64_t field = 0;
    for (unsigned d = 0; d < dimensions_; ++d)
      field |= std::uint64_t{cube->coordinate(RouterId(r), d)} << (d * coordinate_bits_);
    destination_.push_back(field);
  }
}

std::string FlitFormat::describe(std::uint64_t flit) const {
  const auto handle = static_cast<std::uint32_t>(packet(flit));
  if (!head(flit))
    return fmt::format("{} of packet {:#x}, flit {}", tail(flit) ? "tail" : "body", handle,
                       body(flit) & ((std::uint64_t{1} << (data_bits() - kTagBits)) - 1));
  std::string to;
  for (unsigned d = 0; d < dimensions_; ++d)
    to += fmt::format("{}{}", d == 0 ? "" : ",", destination(flit, d));
  const std::string of_class = class_bits_ == 0 ? "" : fmt::format(", class {}", message_class(flit));
  return fmt::format("head{} of packet {:#x} to ({}), state {}{}", tail(flit) ? " and tail" : "", handle, to,
                     state(flit), of_class);
}

}  // namespace noctule
