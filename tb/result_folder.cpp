#include "tb/result_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/rng.h"
#include "run/inputs.h"
#include "tb/folder_record.h"

namespace noctule {

namespace fs = std::filesystem;

namespace {

/// Files that the points are read from, as they are named.
std::set<std::string> read_by(std::span<const PointConfig> points) {
  std::set<std::string> read;
  std::set<const std::string*> known;  // points share their sources
  for (const PointConfig& point : points) {
    read.insert(point.file);
    for (auto& name : named_files(point.resolved)) read.insert(std::move(name));
    if (point.places)
      for (const auto& [key, place] : *point.places)
        if (place.source && known.insert(place.source.get()).second) read.insert(*place.source);
  }
  return read;
}

bool is_one_of(const fs::path& file, const std::set<std::string>& read) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return false;
  return std::ranges::any_of(read,
                             [&](const std::string& name) { return fs::equivalent(file, name, ignored); });
}

}  // namespace

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
  const auto read = read_by(points);
  for (const std::string& file : files)
    if (is_one_of(file, read))
      throw ConfigError(fmt::format("{} {}", option, file),
                        "the configuration is read from this file; give the name of another one");
}

void check_results_not_read(const fs::path& folder, const std::string& kind,
                            const std::vector<std::string>& names, std::span<const PointConfig> points,
                            std::span<const std::string> also) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return;
  auto read = read_by(points);
  read.insert(also.begin(), also.end());
  const auto refuse = [&](const std::string& name, const char* why) {
    if (is_one_of(folder / name, read))
      throw ConfigError(fmt::format("--out {}", folder.string()),
                        fmt::format("the configuration is read from {}, {}; give another folder",
                                    (folder / name).string(), why));
  };
  for (const std::string& name : names) refuse(name, "and results are written to this file");
  const FolderRecord record(folder, kind);
  for (const std::string& name : record.earlier())
    refuse(name, "and what earlier runs left there is removed");
}

std::string file_name_of(std::string label, std::string_view keep) {
  constexpr std::size_t kMost = 100;  // file systems allow 255, endings included
  const std::uint64_t hash = hash_name(label);
  for (char& c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && keep.find(c) == std::string_view::npos) c = '-';
  return label.size() <= kMost ? label : fmt::format("{}-{:016x}", label.substr(0, kMost - 17), hash);
}

std::string free_name(std::set<std::string>& taken, const std::string& name, std::size_t number) {
  std::string free = name;
  for (; !taken.insert(free).second; ++number) free = fmt::format("{}-{}", name, number);
  return free;
}

}  // namespace noctule
