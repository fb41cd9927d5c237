// Tornado: d = s + ceil(k/2) - 1 mod k in every dimension (Dally and Towles 2004, table 3.1): just short of
// half way round each ring, all in the same direction.

#include "patterns/permutation.h"

namespace noctule {
namespace {

const Registration<PatternRegistry> kTornadoRegistered{
    {{"tornado", "to the terminal just less than half way around, in every dimension",
      permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       return make_permutation(
           "tornado",
           coordinate_table(*topology, "tornado",
                            [](unsigned at, unsigned k) { return (at + (k + 1) / 2 - 1) % k; }),
           keys);
     }}};

}  // namespace
}  // namespace noctule
