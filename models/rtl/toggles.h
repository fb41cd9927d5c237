#pragma once
// Which bits of pins and of what is inside a router have been both 0 and 1.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace noctule {

class Toggles {
 public:
  /// `ones`, `zeros`: bits that have been 1, and 0; they belong to bits first_bit on, so many as `width`, of
  /// the signal. Adds to what is known of it.
  void add(const std::string& signal, unsigned first_bit, unsigned width, std::uint64_t ones,
           std::uint64_t zeros);
  [[nodiscard]] std::uint64_t bits() const;
  [[nodiscard]] std::uint64_t toggled() const;
  /// What never did, signal by signal: "x_plus_vc_o[3]", "x_plus_flit_o[46:32]"; without a range: no bit did.
  [[nodiscard]] std::vector<std::string> never() const;

 private:
  struct Piece {
    unsigned width = 0;
    std::uint64_t ones = 0;
    std::uint64_t zeros = 0;
  };
  std::map<std::string, std::map<unsigned, Piece>> signals_;  ///< [name][first bit]
};

}  // namespace noctule
