#pragma once
// The section `tlm` of a configuration, in types.

#include "core/parameters.h"
#include "transactions/settings.h"

namespace noctule {

/// Of a complete configuration that has the section. Throws ConfigError with all that is wrong: numbers of
/// addresses that are none, names of targets that are not there, and what AddressMap and Packetizer refuse.
[[nodiscard]] TlmSettings tlm_from_json(const Json& resolved);

}  // namespace noctule
