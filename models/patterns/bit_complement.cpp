// Bit complement: d_i = not s_i on the bits of the terminal number (Dally and Towles 2004, table 3.1).

#include "patterns/permutation.h"

namespace noctule {
namespace {

const Registration<PatternRegistry> kBitComplementRegistered{
    {{"bit_complement", "every bit of the terminal number inverted", permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       const unsigned bits = address_bits(*topology, "bit_complement");
       const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
       return make_permutation(
           "bit_complement",
           permutation_table(topology->terminals(), [mask](std::uint32_t s) { return ~s & mask; }), keys);
     }}};

}  // namespace
}  // namespace noctule
