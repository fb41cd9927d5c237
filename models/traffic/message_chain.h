#pragma once
// Which messages a transaction is made of.

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/source.h"

namespace noctule {

/// The message classes of a chain: as named, or as they depend on each other from the first one on, or
/// from the only one that begins a chain. Throws
/// ConfigError for a class that there is not, and a chain that depends contradicts.
std::vector<std::uint8_t> chain_of(const SourceContext& context, const std::vector<std::string>& names);

}  // namespace noctule
