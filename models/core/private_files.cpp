#include "core/private_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/unique_fd.h"

namespace noctule {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// Ours, and nobody else may change it?
bool is_private(const struct stat& about) {
  return about.st_uid == ::geteuid() && (about.st_mode & kOthersMayWrite) == 0;
}

}  // namespace

bool is_private_folder(const fs::path& folder) {
  struct stat about {};
  return ::lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && is_private(about);
}

bool make_private_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat about {};
  return fd.valid() && ::fstat(fd.get(), &about) == 0 && about.st_uid == ::geteuid() &&
         ::fchmod(fd.get(), S_IRWXU) == 0;
}

std::optional<std::string> read_private_file(const fs::path& file) {
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

bool write_private_file(const fs::path& file, const std::string& text) {
  std::string other = file.string() + ".XXXXXX";
  const UniqueFd fd(::mkstemp(other.data()));  // mode 0600
  if (!fd.valid()) return false;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd.get(), text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (done == text.size() && std::rename(other.c_str(), file.c_str()) == 0) return true;
  ::unlink(other.c_str());
  return false;
}

}  // namespace noctule
