#include "tb/result_folder.h"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <utility>

#include "core/error.h"
#include "run/inputs.h"

namespace noctule {

namespace fs = std::filesystem;

fs::path result_folder(const Options& options) {
  return options.out.empty() ? fs::path("out") / fs::path(options.file).stem() : fs::path(options.out);
}

void make_result_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw ConfigError("--out", fmt::format("folder {} cannot be made: {}", folder.string(), error.message()));
}

void check_not_read(const std::string& option, std::span<const std::string> files,
                    std::span<const PointConfig> points) {
  std::set<std::string> read;
  for (const PointConfig& point : points) {
    read.insert(point.file);
    for (auto& name : named_files(point.resolved)) read.insert(std::move(name));
    if (point.places)
      for (const auto& [key, place] : *point.places)
        if (place.source) read.insert(*place.source);
  }
  std::error_code ignored;
  for (const std::string& file : files) {
    if (!fs::exists(file, ignored)) continue;
    for (const std::string& name : read)
      if (fs::equivalent(file, name, ignored))
        throw ConfigError(fmt::format("{} {}", option, file),
                          "the configuration is read from this file; give the name of another one");
  }
}

std::string file_name_of(std::string label, std::string_view keep) {
  for (char& c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && keep.find(c) == std::string_view::npos) c = '-';
  return label;
}

}  // namespace noctule
