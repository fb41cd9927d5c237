#pragma once
// How the worms of a picture are told apart.

#include <array>
#include <cstddef>

namespace noctule::style {

/// Okabe and Ito's colours, told apart by the colour-blind, without the yellow; and the ink that is read on
/// them.
struct Colour {
  const char* paint;
  const char* ink;
};
inline constexpr std::array<Colour, 7> kColours{{{"#0072b2", "#fff"},
                                                 {"#d55e00", "#fff"},
                                                 {"#009e73", "#fff"},
                                                 {"#cc79a7", "#000"},
                                                 {"#e69f00", "#000"},
                                                 {"#56b4e9", "#000"},
                                                 {"#000000", "#fff"}}};
/// Of the thick lines, for more worms than colours.
inline constexpr std::array<const char*, 4> kDashes{"", "14 4", "5 3", "14 4 4 4"};

[[nodiscard]] inline const char* paint(std::size_t worm) {
  return kColours[worm % kColours.size()].paint;
}
[[nodiscard]] inline const char* ink(std::size_t worm) {
  return kColours[worm % kColours.size()].ink;
}
/// Empty: a solid line.
[[nodiscard]] inline const char* dash(std::size_t worm) {
  return kDashes[worm / kColours.size() % kDashes.size()];
}

}  // namespace noctule::style
