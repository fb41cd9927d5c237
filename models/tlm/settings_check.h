#pragma once
// Do settings fit each other and the fabric?

#include <string>
#include <vector>

#include "nodes/router_plan.h"
#include "tlm/sockets.h"
#include "transactions/settings.h"

namespace noctule::tlm {

/// Throws ConfigError with all that is wrong.
void check_settings(const TlmSettings& settings, const AddressMap& map, const FabricPlan& plan);
/// Does none of the requests, nor of the responses, of a pair overtake another? Throws ConfigError
/// "tlm.reorder" where one may, and nothing puts them in order again.
[[nodiscard]] bool keeps_order(const TlmSettings& settings, const FabricPlan& plan);
/// " Sockets at these terminals: ...", for the terminals that a text names; else empty.
[[nodiscard]] std::string sockets_text(const TlmSettings& settings, const std::string& text);
/// 8, 16, 32, ... 1024 bits.
[[nodiscard]] std::vector<BusWidth> usual_widths();

}  // namespace noctule::tlm
