#include "core/data_files.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace noctule {

std::filesystem::path find_data(const std::filesystem::path& relative) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> homes{fs::read_symlink("/proc/self/exe", error)};
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&find_data), &library) != 0 && library.dli_fname != nullptr)
    homes.emplace_back(fs::absolute(library.dli_fname, error));
  for (const fs::path& home : homes)
    // BUILD is build/PRESET; installed: bin/, lib/ or lib/ARCHITECTURE/.
    for (const char* up : {"../../../..", "../../share/noctule", "../../../share/noctule"}) {
      fs::path found = fs::weakly_canonical(home / up / relative, error);
      if (!error && fs::exists(found, error)) return found;
    }
  return {};
}

std::filesystem::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::filesystem::path(cache) / "noctule";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".cache" / "noctule";
}

}  // namespace noctule
