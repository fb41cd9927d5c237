#include "tb/inputs.h"

#include <dlfcn.h>

#include <fstream>
#include <iterator>

#include "core/version.h"
#include "run/resume.h"

namespace noctule {
namespace {

/// Digest of a file's bytes; of nothing if it cannot be read (whoever needs the file says so).
std::string file_digest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return stable_hash(std::string(std::istreambuf_iterator<char>(file), {}));
}

void add_files(const Json& json, std::string& digests) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) add_files(value, digests);
    if (key == "file" && value.is_string()) digests += file_digest(value.get<std::string>());
  }
}

}  // namespace

std::string program_digest(const std::vector<std::string>& plug_ins) {
  std::string digests = kVersion + file_digest("/proc/self/exe");
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&stable_hash), &library) != 0 && library.dli_fname != nullptr)
    digests += file_digest(library.dli_fname);
  for (const auto& plug_in : plug_ins) digests += file_digest(plug_in);
  return stable_hash(digests);
}

std::string input_digest(const Json& resolved) {
  std::string digests;
  add_files(resolved, digests);
  return digests.empty() ? digests : stable_hash(digests);
}

}  // namespace noctule
