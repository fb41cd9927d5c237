#include "rtl/toggles.h"

#include <fmt/format.h>

#include <bit>

namespace noctule {
namespace {

std::uint64_t low_bits(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

}  // namespace

void Toggles::add(const std::string& signal, unsigned first_bit, unsigned width, std::uint64_t ones,
                  std::uint64_t zeros) {
  Piece& piece = signals_[signal][first_bit];
  piece.width = width;
  piece.ones |= ones & low_bits(width);
  piece.zeros |= zeros & low_bits(width);
}

std::uint64_t Toggles::bits() const {
  std::uint64_t sum = 0;
  for (const auto& [name, pieces] : signals_)
    for (const auto& [first, piece] : pieces) sum += piece.width;
  return sum;
}

std::uint64_t Toggles::toggled() const {
  std::uint64_t sum = 0;
  for (const auto& [name, pieces] : signals_)
    for (const auto& [first, piece] : pieces)
      sum += static_cast<unsigned>(std::popcount(piece.ones & piece.zeros));
  return sum;
}

std::vector<std::string> Toggles::never() const {
  std::vector<std::string> list;
  for (const auto& [name, pieces] : signals_) {
    std::vector<bool> moved;
    for (const auto& [first, piece] : pieces)
      for (unsigned b = 0; b < piece.width; ++b) moved.push_back((piece.ones & piece.zeros) >> b & 1);
    for (std::size_t low = 0; low < moved.size();) {
      std::size_t end = low;
      while (end < moved.size() && !moved[end]) ++end;
      if (end - low == moved.size())
        list.push_back(name);
      else if (end - low == 1)
        list.push_back(fmt::format("{}[{}]", name, low));
      else if (end > low)
        list.push_back(fmt::format("{}[{}:{}]", name, end - 1, low));
      low = end + 1;
    }
  }
  return list;
}

}  // namespace noctule
