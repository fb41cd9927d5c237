#pragma once
// Terminals that stall: in a share of the cycles, drawn for each, they take no flit.

#include <cstdint>
#include <memory>

#include "core/terminal_sink.h"

namespace noctule {

/// `stall`: share of the cycles, in (0, 1), drawn from (seed, terminal, cycle). In the others the terminals
/// take what `otherwise` takes; null: all that comes.
[[nodiscard]] std::unique_ptr<TerminalSink> drawn_sink(double stall, std::uint64_t seed,
                                                       std::shared_ptr<TerminalSink> otherwise = nullptr);

}  // namespace noctule
