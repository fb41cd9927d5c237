// A permutation drawn once, uniformly from all N! (fixed points may occur), the same for a whole run.

#include <limits>
#include <numeric>

#include "core/json.h"
#include "patterns/permutation.h"

namespace noctule {
namespace {

const Registration<PatternRegistry> kPermutationRandomRegistered{
    {{"permutation_random", "a permutation drawn at random, fixed for the run",
      permutation_parameters(
          {Parameter::integer("permutation_seed", "run", 0, std::numeric_limits<std::int64_t>::max(), "",
                              "seed of the permutation; run: the run's own seed")
               .or_word("run")})},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t seed) {
       if (keys.has("permutation_seed") && keys.json().at("permutation_seed").is_number())
         seed = keys.get<std::uint64_t>("permutation_seed");
       std::vector<std::uint32_t> partner(topology->terminals());
       std::iota(partner.begin(), partner.end(), 0U);
       Rng rng(seed, "permutation_random");
       for (std::size_t left = partner.size(); left > 1; --left)
         std::swap(partner[left - 1], partner[rng.below(left)]);
       return make_permutation("permutation_random", std::move(partner), keys);
     }}};

}  // namespace
}  // namespace noctule
