#pragma once
// Terminals that wait with what they take until they have sent something, and lock up: what would make them
// safe?

#include <string>
#include <vector>

#include "config/decode.h"
#include "core/json.h"
#include "verify/certificate.h"

namespace noctule {

/// The smallest change in each dimension after which the fabric of the point is proved, as keys with their
/// values: the buffers of terminals (as few classes as do, unlimited), VCs (as few lanes as do), and
/// networks (as few planes as do, each like the one that there is). Each has been verified. Empty where the
/// cycle is not one of terminals, or where none helps.
[[nodiscard]] std::vector<Json> end_remedies(const Certificate& certificate, const PointConfig& point);

/// One of these as words of the command line and as sections of a file, in lines of a report.
[[nodiscard]] std::string remedy_text(const Json& remedy);

}  // namespace noctule
