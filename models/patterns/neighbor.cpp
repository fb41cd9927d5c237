// Neighbor: d = s + 1 mod k in every dimension (Dally and Towles 2004, table 3.1).

#include "patterns/permutation.h"

namespace noctule {
namespace {

const Registration<PatternRegistry> kNeighborRegistered{
    {{"neighbor", "one step in the + direction of every dimension", permutation_parameters()},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       return make_permutation(
           "neighbor",
           coordinate_table(*topology, "neighbor", [](unsigned at, unsigned k) { return (at + 1) % k; }),
           keys);
     }}};

}  // namespace
}  // namespace noctule
