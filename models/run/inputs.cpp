#include "run/inputs.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/json.h"
#include "core/rng.h"
#include "core/version.h"
#include "run/build_id.h"
#include "run/resume.h"

namespace noctule {
namespace {

/// Digest of a file's bytes; of nothing if it cannot be read (whoever needs the file says so). By words:
/// files may be large, and every run starts with this.
std::string file_digest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t digest = 0;
  std::uint64_t bytes = 0;
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto got = static_cast<std::size_t>(file.gcount());
    std::fill(block.begin() + static_cast<std::ptrdiff_t>(got), block.end(), '\0');
    for (std::size_t i = 0; i < got; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, block.data() + i, sizeof(word));
      digest = mix64(digest ^ word) + 0x9e3779b97f4a7c15ULL;
    }
    bytes += got;
  }
  return fmt::format("{:016x}/{};", digest, bytes);
}

/// So that nobody has to read all of a program that says itself what it is.
std::string digest_of(const void* address, const std::string& file) {
  const std::string id = build_id(address);
  return id.empty() ? file_digest(file) : id + ';';
}

void add_files(const Json& json, std::vector<std::string>& files) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) add_files(value, files);
    if (!value.is_string()) continue;
    // Paths of files are absolute once they are resolved (Parameter::file), whatever their key is called.
    const auto text = value.get<std::string>();
    std::error_code ignored;
    if (text.starts_with('/') && std::filesystem::is_regular_file(text, ignored)) files.push_back(text);
  }
}

}  // namespace

std::string program_digest(const std::vector<std::string>& plug_ins) {
  std::string digests = kVersion + digest_of(nullptr, "/proc/self/exe");
  const auto* const here = reinterpret_cast<const void*>(&stable_hash);
  Dl_info library{};
  if (dladdr(here, &library) != 0 && library.dli_fname != nullptr)
    digests += digest_of(here, library.dli_fname);
  for (const auto& plug_in : plug_ins) digests += file_digest(plug_in);
  return stable_hash(digests);
}

std::vector<std::string> named_files(const Json& resolved) {
  std::vector<std::string> files;
  add_files(resolved, files);
  return files;
}

std::string input_digest(const Json& resolved) {
  std::string digests;
  for (const auto& file : named_files(resolved)) digests += file_digest(file);
  return digests.empty() ? digests : stable_hash(digests);
}

}  // namespace noctule
