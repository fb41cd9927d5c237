// Bit reversal. On a 2-dimensional network of equal radices: Gravano et al. 1994, V.C, the indices reversed
// in ceil(log2 k) bits and exchanged, ((x_p..x_0),(y_p..y_0)) -> ((y_0..y_p),(x_0..x_p)). It is a permutation
// wherever no reversed index is k or more (all powers of two, and k = 31: 31 is the only index missing from
// 5 bits and its own reversal). Elsewhere the plain reversal of the terminal number, which is the same map
// where both are defined.

#include <fmt/format.h>

#include <bit>

#include "patterns/permutation.h"

namespace noctule {
namespace {

std::uint32_t reversed(std::uint32_t value, unsigned bits) {
  std::uint32_t result = 0;
  for (unsigned b = 0; b < bits; ++b) result |= (value >> b & 1U) << (bits - 1 - b);
  return result;
}

std::vector<std::uint32_t> square_table(const Topology& topology, const CubeGeometry& cube) {
  const unsigned k = cube.radix(0);
  const auto bits = static_cast<unsigned>(std::bit_width(k - 1));
  for (unsigned x = 0; x < k; ++x)
    if (const unsigned image = reversed(x, bits); image >= k) {
      const unsigned at[]{x, 0};
      const auto node = cube.router_at(at);
      throw ConfigError(
          kPatternKey,
          fmt::format("bit_reversal is not defined on this network of radix {}: index {} reversed "
                      "in {} bits is {}, so terminal {} ({}) would send outside; use a power of "
                      "two, or 31",
                      k, x, bits, image, static_cast<std::uint32_t>(node), cube.name_of(node)));
    }
  return router_table(topology, "bit_reversal", [&](RouterId router) {
    const unsigned to[]{reversed(cube.coordinate(router, 1), bits),
                        reversed(cube.coordinate(router, 0), bits)};
    return cube.router_at(to);
  });
}

const Registration<PatternRegistry> kBitReversalRegistered{
    {{"bit_reversal", "the bits of the position reversed, the most significant last",
      permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       if (const CubeGeometry* cube = square_cube(*topology))
         return make_permutation("bit_reversal", square_table(*topology, *cube), keys);
       const unsigned bits = address_bits(*topology, "bit_reversal");
       return make_permutation(
           "bit_reversal",
           permutation_table(topology->terminals(), [&](std::uint32_t s) { return reversed(s, bits); }),
           keys);
     }}};

}  // namespace
}  // namespace noctule
