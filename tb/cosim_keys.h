#pragma once
// Keys of a configuration as `cosim` takes them.

#include <optional>
#include <vector>

#include "config/decode.h"
#include "rtl/dut.h"
#include "topology/topology.h"

namespace noctule {

/// The router that cosim.record names; null: none. `rtl`: by RouterId, those that the configuration has as
/// RTL; empty: a cosimulation has all. Throws ConfigError, with the place, where the name is that of none.
std::optional<RouterId> recorded_router(const PointConfig& point, const Topology& topology,
                                        const std::vector<std::optional<RtlSource>>& rtl);

/// A cosimulation measures nothing, draws no plots and leaves traces of its own kind. Throws ConfigError for
/// options of the command line that ask for something else; of such keys in files it warns, unless `quiet`.
void check_cosim_keys(const Configuration& configuration, const std::vector<PointConfig>& points, bool quiet);
/// The same of a run, which compares nothing.
void check_keys_of_cosim_alone(const Configuration& configuration, const std::vector<PointConfig>& points,
                               bool quiet);

}  // namespace noctule
