// Bit rotation: d_i = s_(i+1 mod b), the terminal number rotated right (Dally and Towles 2004, table 3.1).

#include "patterns/permutation.h"

namespace noctule {
namespace {

const Registration<PatternRegistry> kBitRotationRegistered{
    {{"bit_rotation", "the bits of the terminal number rotated right by one", permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       const unsigned bits = address_bits(*topology, "bit_rotation");
       return make_permutation(
           "bit_rotation",
           permutation_table(topology->terminals(),
                             [=](std::uint32_t s) { return s >> 1U | (s & 1U) << (bits - 1); }),
           keys);
     }}};

}  // namespace
}  // namespace noctule
