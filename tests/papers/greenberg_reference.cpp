#include "papers/greenberg_reference.h"

namespace noctule::greenberg {

Result simulate(const Tree& tree, const Options& options, Pattern pattern, std::uint64_t seed) {
  const SplitMixDraws draws(seed);
  return simulate(tree, options, destinations_of(pattern, tree.processors(), draws), draws);
}

}  // namespace noctule::greenberg
