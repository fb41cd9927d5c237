#pragma once
// What a result depends on besides its configuration: the program, its plug-ins, the files that the
// configuration names. An interrupted run is only taken up again if all of that is unchanged.

#include <string>
#include <vector>

#include "core/parameters.h"

namespace noctule {

/// Digest of the contents of the program, the library and the plug-ins.
std::string program_digest(const std::vector<std::string>& plug_ins);

/// Files that a resolved configuration, or a part of one, names, as they stand in it.
std::vector<std::string> named_files(const Json& resolved);

/// Digest of the contents of all of them.
std::string input_digest(const Json& resolved);

}  // namespace noctule
