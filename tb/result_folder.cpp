#include "tb/result_folder.h"

#include <fmt/format.h>

#include <cctype>

#include "core/error.h"

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

std::string file_name_of(std::string label, std::string_view keep) {
  for (char& c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && keep.find(c) == std::string_view::npos) c = '-';
  return label;
}

}  // namespace noctule
