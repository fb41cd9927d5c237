#pragma once
// What waits in unlimited injection channels, for observers.

#include <cstdint>
#include <vector>

#include "core/flit.h"

namespace noctule {

/// The buffer of an unlimited injection channel whose worm has no output. Its flits are among those of input
/// `input`, the waiting input of its terminal.
struct OutsideBuffer {
  std::uint16_t input = 0;
  bool bids = false;  ///< the header at its front waits for one of `feasible`
  std::vector<std::uint16_t> feasible;
  std::vector<Flit> flits;  ///< oldest first
};

}  // namespace noctule
