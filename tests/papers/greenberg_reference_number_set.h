#pragma once
// Which switches and processors are busy? A set that visits its members in order, for the bare loop of
// greenberg_reference.h.

#include <bit>
#include <cstdint>
#include <vector>

namespace noctule::greenberg {

/// A set of small numbers, visited in rising order.
class NumberSet {
 public:
  explicit NumberSet(unsigned size) : words_((size + 63) / 64) {}
  void insert(unsigned n) { words_[n / 64] |= std::uint64_t{1} << n % 64; }
  void erase(unsigned n) { words_[n / 64] &= ~(std::uint64_t{1} << n % 64); }
  /// `visit` may insert and erase. A number that it inserts is visited, too, if it is above the present one.
  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0;) {
        const auto bit = static_cast<unsigned>(std::countr_zero(rest));
        visit(64 * w + bit);
        rest = words_[w] & ~std::uint64_t{1} << bit;
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace noctule::greenberg
