#pragma once
// Where a command leaves its results.

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/decode.h"
#include "tb/options.h"

namespace noctule {

/// --out, or out/<name of the file>. Need not exist.
std::filesystem::path result_folder(const Options& options);

/// Makes the folder and those above it; a ConfigError under the key --out says why it cannot.
void make_result_folder(const std::filesystem::path& folder);

/// Throws ConfigError where one of `files`, which `option` says are to be written, is one that the points are
/// read from: a configuration, or a file that it names.
void check_not_read(const std::string& option, std::span<const std::string> files,
                    std::span<const PointConfig> points);

/// The same of the files `names` in the result folder, and of those there that an earlier command of this
/// kind (FolderRecord) left, which go. `also`: other files that are read.
void check_results_not_read(const std::filesystem::path& folder, const std::string& kind,
                            const std::vector<std::string>& names, std::span<const PointConfig> points,
                            std::span<const std::string> also = {});

/// A label as part of a file's name: what is neither letter, digit nor in `keep` becomes '-'.
std::string file_name_of(std::string label, std::string_view keep = "-_");
/// `name`; if it is in `taken`, with a number behind it, `number` or the next one that makes it another name.
/// It is taken then.
std::string free_name(std::set<std::string>& taken, const std::string& name, std::size_t number);

}  // namespace noctule
