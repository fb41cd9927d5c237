// Perfect shuffle: d_i = s_(i-1 mod b), the terminal number rotated left (Dally and Towles 2004, table 3.1).

#include "patterns/permutation.h"

namespace noctule {
namespace {

const Registration<PatternRegistry> kShuffleRegistered{
    {{"shuffle", "the bits of the terminal number rotated left by one", permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       const unsigned bits = address_bits(*topology, "shuffle");
       const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
       return make_permutation(
           "shuffle",
           permutation_table(topology->terminals(),
                             [=](std::uint32_t s) { return (s << 1U & mask) | s >> (bits - 1); }),
           keys);
     }}};

}  // namespace
}  // namespace noctule
