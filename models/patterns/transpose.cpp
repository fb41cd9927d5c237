// Matrix transpose: (x, y) -> (y, x) on a 2-dimensional network of equal radices; elsewhere the halves of the
// terminal number exchanged, d_i = s_(i + b/2 mod b) (Dally and Towles 2004, table 3.1).

#include <fmt/format.h>

#include "patterns/permutation.h"

namespace noctule {
namespace {

std::vector<std::uint32_t> half_swap_table(const Topology& topology) {
  const unsigned bits = address_bits(topology, "transpose");
  if (bits % 2 != 0)
    throw ConfigError(kPatternKey,
                      fmt::format("transpose needs two equal radices, or an even number of bits in terminal "
                                  "numbers; this network has {} terminals, {} bits",
                                  topology.terminals(), bits));
  const unsigned half = bits / 2;
  const std::uint32_t mask = (std::uint32_t{1} << half) - 1;
  return permutation_table(topology.terminals(),
                           [=](std::uint32_t s) { return (s & mask) << half | s >> half; });
}

const Registration<PatternRegistry> kTransposeRegistered{
    {{"transpose", "x and y exchanged, or the halves of the terminal number", permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       const CubeGeometry* cube = square_cube(*topology);
       if (cube == nullptr) return make_permutation("transpose", half_swap_table(*topology), keys);
       return make_permutation(
           "transpose",
           router_table(*topology, "transpose",
                        [&](RouterId router) {
                          const unsigned to[]{cube->coordinate(router, 1), cube->coordinate(router, 0)};
                          return cube->router_at(to);
                        }),
           keys);
     }}};

}  // namespace
}  // namespace noctule
