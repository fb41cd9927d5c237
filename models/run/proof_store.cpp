#include "run/proof_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "core/json.h"
#include "run/resume.h"
#include "run/unique_fd.h"
#include "verify/recheck.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// Ours, and nobody else may change it?
bool is_private(const struct stat& about) {
  return about.st_uid == ::geteuid() && (about.st_mode & kOthersMayWrite) == 0;
}

/// Makes the folder, or closes one that is ours to others, whatever the umask. False: it is not to be used.
bool make_private(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat about {};
  return fd.valid() && ::fstat(fd.get(), &about) == 0 && about.st_uid == ::geteuid() &&
         ::fchmod(fd.get(), S_IRWXU) == 0;
}

/// The content of a regular file that only its owner, this user, may change; nothing for any other.
std::optional<std::string> read_private(const fs::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (!fd.valid() || ::fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode) || !is_private(about) ||
      static_cast<std::size_t>(about.st_size) > kMostBytes)
    return std::nullopt;
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::read(fd.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return text;
}

/// All or nothing: under another name first.
void write_private(const fs::path& file, const std::string& text) {
  std::string other = file.string() + ".XXXXXX";
  const UniqueFd fd(::mkstemp(other.data()));  // mode 0600
  if (!fd.valid()) return;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd.get(), text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (done < text.size() || std::rename(other.c_str(), file.c_str()) != 0) ::unlink(other.c_str());
}

}  // namespace

ProofStore::ProofStore(fs::path folder, std::string program)
    : folder_(std::move(folder)), program_(std::move(program)) {}

fs::path ProofStore::file_of(const std::string& key) const {
  return folder_ / fmt::format("{}.json", stable_hash(key + program_));
}

bool ProofStore::holds(const std::string& key, const FabricPlan& plan) const {
  if (folder_.empty()) return false;
  struct stat about {};
  if (::lstat(folder_.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || !is_private(about)) return false;
  const auto text = read_private(file_of(key));
  if (!text) return false;
  const Json proof = Json::parse(*text, nullptr, false);
  if (!proof.is_object() || proof.value("fabric", Json()) != key ||
      proof.value("program", Json()) != program_ || !proof.contains("method") ||
      !proof["method"].is_string() || !proof.contains("numbering") || !proof["numbering"].is_array())
    return false;
  std::vector<std::uint32_t> numbering;
  numbering.reserve(proof["numbering"].size());
  for (const Json& number : proof["numbering"]) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > Certificate::kUnnumbered) return false;
    numbering.push_back(number.get<std::uint32_t>());
  }
  return recheck(plan, proof["method"].get<std::string>(), numbering);
}

void ProofStore::keep(const std::string& key, const Certificate& certificate) const {
  if (folder_.empty() || !can_recheck(certificate) || !make_private(folder_)) return;
  const Json proof{{"fabric", key},
                   {"program", program_},
                   {"method", certificate.method},
                   {"numbering", certificate.numbering}};
  write_private(file_of(key), proof.dump() + "\n");
}

}  // namespace noctule
