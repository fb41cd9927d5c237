#pragma once
// How much rates that share capacities come to at most.

#include <cstddef>
#include <vector>

namespace noctule {

/// Rates of 0 or more, by number. Each uses some of every capacity: the sum over all rates of rate times
/// `used` is at most `most`.
struct SharedCapacities {
  struct Capacity {
    double most = 0;           ///< above 0
    std::vector<double> used;  ///< by rate, per unit of it; 0 or more
  };
  std::vector<double> gain;  ///< by rate, of a unit of it; each rate with a gain uses some capacity
  std::vector<Capacity> capacities;
};

/// No rates gain more than `value`, in all. Prices of the capacities, which are 0 or more, show that: what
/// all capacities cost, and what each rate alone may gain beyond the price of what it uses (weak duality).
struct LinearBound {
  double value = 0;
  std::vector<double> cost;  ///< by capacity: its price times `most`
};

/// The least such bound, up to rounding: prices are found by the simplex method (Dantzig 1963). Takes
/// capacities x rates numbers of memory, and as many operations for each of its steps, of which there are
/// about as many as rates. Where it is stopped at too many steps the bound is valid, and not the least.
[[nodiscard]] LinearBound linear_bound(const SharedCapacities& shared);
/// What each rate is at most while all others are 0.
[[nodiscard]] std::vector<double> rates_alone(const SharedCapacities& shared);
/// The bound of one capacity, while each rate is at most what it is alone.
[[nodiscard]] double linear_bound(const SharedCapacities& shared, std::size_t capacity,
                                  const std::vector<double>& alone);

}  // namespace noctule
