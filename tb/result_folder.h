#pragma once
// Where a command leaves its results.

#include <filesystem>
#include <string>
#include <string_view>

#include "tb/options.h"

namespace noctule {

/// --out, or out/<name of the file>. Need not exist.
std::filesystem::path result_folder(const Options& options);

/// Makes the folder and those above it; a ConfigError under the key --out says why it cannot.
void make_result_folder(const std::filesystem::path& folder);

/// A label as part of a file's name: what is neither letter, digit nor in `keep` becomes '-'.
std::string file_name_of(std::string label, std::string_view keep = "-_");

}  // namespace noctule
