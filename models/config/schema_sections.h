#pragma once
// Sections of the configuration file that are declared in files of their own, and what declarations share.

#include <cstdint>
#include <string>

#include "core/parameters.h"

namespace noctule {

constexpr std::int64_t kMostCycles =
    1'000'000'000'000;                      ///< about a year of simulation of the smallest fabric
constexpr std::int64_t kMostFlits = 65535;  ///< of a packet

/// A description of a list of globs, with what a glob may be.
[[nodiscard]] std::string with_globs(const std::string& description);

// The network, schema_network.cpp:
[[nodiscard]] Parameter nodes_list();
[[nodiscard]] Parameter without_section();
[[nodiscard]] Parameter message_classes_section();
[[nodiscard]] Parameter depends_section();
[[nodiscard]] Parameter planes_section();
[[nodiscard]] Parameter link_section();
[[nodiscard]] Parameter links_list();

/// TLM-2.0 sockets, schema_tlm.cpp.
[[nodiscard]] Parameter tlm_section();

}  // namespace noctule
