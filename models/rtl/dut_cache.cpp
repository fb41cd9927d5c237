#include "rtl/dut_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/data_files.h"
#include "core/error.h"
#include "core/private_files.h"
#include "core/rng.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLists = "1";  ///< version of the files that `remember` writes

/// For a process that can share no folder, and its children.
struct OwnFolder {
  fs::path path;
  pid_t made_by = 0;
};

OwnFolder& own_folder() {
  static OwnFolder own;
  return own;
}

fs::path make_own_folder() {
  OwnFolder& own = own_folder();
  if (!own.path.empty()) return own.path;
  std::string name = (fs::temp_directory_path() / "noctule-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return {};
  own = {name, ::getpid()};
  return own.path;
}

fs::path chosen_folder() {
  const char* const own = std::getenv("NOCTULE_CACHE");
  if (own != nullptr && *own != '\0') return own;
  return cache_folder();
}

std::uint64_t parse_hash(const std::string& text) {
  std::uint64_t hash = 0;
  std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  return hash;
}

/// Names of the module or file that Verilator would take as well, in its order.
std::vector<fs::path> spellings(const fs::path& file) {
  std::vector<fs::path> names{file};
  const auto extension = file.extension();
  if (extension != ".sv" && extension != ".v") return names;
  for (const char* other : {"", ".v", ".sv"})
    if (extension != other) names.push_back(fs::path(file).replace_extension(other));
  return names;
}

}  // namespace

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

DutDependencies DutDependencies::of(const fs::path& list, const fs::path& own,
                                    const std::vector<fs::path>& folders) {
  DutDependencies all;
  std::ifstream lines(list);
  // S  size inode  ctime ctime_ns  mtime mtime_ns "path"
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (line.compare(0, 2, "S ") != 0 || open == std::string::npos || close == open) continue;
    const fs::path named = line.substr(open + 1, close - open - 1);
    if (named.filename() == "verilator_bin" || named.parent_path() == own) continue;
    const fs::path path = fs::absolute(named).lexically_normal();
    // Verilator also lists what it takes for a file: a path up to its first blank.
    if (std::error_code error; !fs::is_regular_file(path, error)) continue;
    if (named.is_relative()) all.working_folder = fs::current_path();
    all.read.push_back({path, hash_name(read_text(path))});
    std::vector<fs::path> bases = folders;
    if (named.is_relative()) bases.push_back(fs::current_path());
    for (const fs::path& base : bases) {
      const fs::path below = path.lexically_relative(fs::absolute(base).lexically_normal());
      if (below.empty() || *below.begin() == "..") continue;
      for (const fs::path& other : folders)
        for (const fs::path& name : spellings(below))
          if (const fs::path candidate = fs::absolute(other / name).lexically_normal();
              !fs::exists(candidate))
            all.absent.push_back(candidate);
    }
  }
  std::ranges::sort(all.absent);
  all.absent.erase(std::unique(all.absent.begin(), all.absent.end()), all.absent.end());
  return all;
}

bool DutDependencies::hold() const {
  std::error_code error;
  if (!working_folder.empty() && working_folder != fs::current_path(error)) return false;
  return std::ranges::none_of(absent, [&](const fs::path& path) { return fs::exists(path, error); }) &&
         std::ranges::all_of(read, [&](const File& file) {
           return fs::is_regular_file(file.path, error) && hash_name(read_text(file.path)) == file.hash;
         });
}

DutCache::DutCache() {
  const fs::path chosen = chosen_folder();
  if (!chosen.empty()) {
    folder_ = chosen / "routers";
    if (!make_private_folder(folder_) || access(folder_.c_str(), W_OK) != 0)
      throw ConfigError(
          "nodes", fmt::format("{} cannot be written, or is not yours: compiled routers are kept there; set "
                               "NOCTULE_CACHE to another folder",
                               folder_.string()));
    return;
  }
  folder_ = fs::temp_directory_path() / fmt::format("noctule-{}", ::geteuid());
  if (make_private_folder(folder_) && access(folder_.c_str(), W_OK) == 0) return;
  folder_ = make_own_folder();
  if (folder_.empty())
    throw ConfigError("nodes",
                      fmt::format("{} cannot be written: compiled routers go there where HOME is not "
                                  "set; set NOCTULE_CACHE to a folder",
                                  fs::temp_directory_path().string()));
}

void DutCache::clear_own() {
  const OwnFolder& own = own_folder();
  std::error_code error;
  if (!own.path.empty() && own.made_by == ::getpid()) fs::remove_all(own.path, error);
}

std::optional<fs::path> DutCache::file(const std::string& name) const {
  fs::path file = folder_ / name;
  const auto sum = read_private_file(folder_ / (name + ".sum"));
  const auto content = read_private_file(file);
  if (!sum || !content || fmt::format("{:016x}", hash_name(*content)) != *sum) return std::nullopt;
  return file;
}

fs::path DutCache::keep(const std::string& name, const fs::path& file) const {
  fs::path kept = folder_ / name;
  const std::string sum = fmt::format("{:016x}", hash_name(read_text(file)));
  std::error_code error;
  fs::permissions(file, fs::perms::owner_all, error);
  fs::rename(file, kept, error);
  if (error || !write_private_file(folder_ / (name + ".sum"), sum))
    throw ConfigError("nodes", fmt::format("{} cannot be written ({}); set NOCTULE_CACHE to another folder",
                                           kept.string(), error.message()));
  return kept;
}

std::optional<std::string> DutCache::known(const std::string& sources) const {
  const auto text = read_private_file(folder_ / (sources + ".list"));
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  DutDependencies files;
  std::string name;
  std::string end;
  for (std::string line; std::getline(lines, line);) {
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    switch (line.empty() ? ' ' : line[0]) {
      case 'K':
        name = rest;
        break;
      case 'R':
        if (rest.size() > 17) files.read.push_back({rest.substr(17), parse_hash(rest.substr(0, 16))});
        break;
      case 'A':
        files.absent.emplace_back(rest);
        break;
      case 'W':
        files.working_folder = rest;
        break;
      case 'E':
        end = rest;
        break;
      default:
        return std::nullopt;
    }
  }
  if (end != kLists || name.empty() || files.read.empty() || !files.hold()) return std::nullopt;
  return name;
}

void DutCache::remember(const std::string& sources, const std::string& name,
                        const DutDependencies& files) const {
  std::string text = fmt::format("K {}\n", name);
  for (const auto& file : files.read) text += fmt::format("R {:016x} {}\n", file.hash, file.path.string());
  for (const auto& path : files.absent) text += fmt::format("A {}\n", path.string());
  if (!files.working_folder.empty()) text += fmt::format("W {}\n", files.working_folder.string());
  (void)write_private_file(folder_ / (sources + ".list"), text + fmt::format("E {}\n", kLists));
}

}  // namespace noctule
