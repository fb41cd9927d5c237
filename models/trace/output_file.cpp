#include "trace/output_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace noctule {

OutputFile::OutputFile(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {
  std::error_code ignored;
  fresh_ = !std::filesystem::exists(path_, ignored);
  file_ = std::fopen(path_.c_str(), "ab");  // what is there goes with the first flush
  if (file_ == nullptr)
    throw ConfigError(key_, fmt::format("cannot create '{}': {}; the folder must exist and be writable",
                                        path_, std::strerror(errno)));
  std::setvbuf(file_, nullptr, _IONBF, 0);
  buffer_.reserve(kBuffer);
}

OutputFile::~OutputFile() {
  finish();
}

void OutputFile::begin() noexcept {
  if (std::exchange(begun_, true)) return;
  struct stat status = {};
  const int file = ::fileno(file_);
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && ::ftruncate(file, 0) != 0) error_ = errno;
}

void OutputFile::discard() noexcept {
  if (file_ == nullptr || begun_) return;
  buffer_.clear();
  (void)std::fclose(file_);
  file_ = nullptr;
  if (fresh_) (void)std::remove(path_.c_str());
}

void OutputFile::flush() {
  if (file_ != nullptr) begin();
  if (file_ != nullptr && error_ == 0 && !buffer_.empty()) {
    errno = 0;
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size())
      error_ = errno == 0 ? EIO : errno;
  }
  buffer_.clear();
}

void OutputFile::finish() noexcept {
  if (file_ == nullptr) return;
  flush();
  if (std::fclose(file_) != 0 && error_ == 0) error_ = errno;
  file_ = nullptr;
}

void OutputFile::close() {
  finish();
  if (error_ != 0)
    throw ConfigError(key_,
                      fmt::format("'{}' could not be written completely: {}", path_, std::strerror(error_)));
}

}  // namespace noctule
