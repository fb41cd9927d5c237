#pragma once
// Which output each of a few inputs leads to, such that nobody has to ask input by input.

#include <cstddef>
#include <cstdint>

namespace noctule {

/// Up to 8 inputs and up to 8 outputs, in one word: byte i is input i, with the bit of the output.
class LeadTable {
 public:
  static constexpr std::size_t kMost = 8;

  /// Input i leads to output o, and to no other.
  void lead(std::size_t i, std::size_t o) {
    const std::size_t byte = 8 * i;
    bytes_ = (bytes_ & ~(0xffULL << byte)) | 1ULL << (byte + o);
  }
  /// Inputs that lead to one of `outputs`, as bits; without a loop and without a branch. Of outputs beyond
  /// kMost it matters not whether they are among them.
  [[nodiscard]] std::uint64_t inputs_to(std::uint64_t outputs) const {
    const std::uint64_t met = bytes_ & (outputs & 0xff) * 0x0101010101010101U;
    // No byte has two bits: none carries into the next one. Then the highest bits are brought side by side.
    const std::uint64_t high = (met + 0x7f7f7f7f7f7f7f7fU) & 0x8080808080808080U;
    return high * 0x0002040810204081U >> 56;
  }

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace noctule
