#include "trace/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace noctule {

OutputFile::OutputFile(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {
  file_ = std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr)
    throw ConfigError(key_, fmt::format("cannot create '{}': {}; the folder must exist and be writable",
                                        path_, std::strerror(errno)));
  std::setvbuf(file_, nullptr, _IONBF, 0);
  buffer_.reserve(kBuffer);
}

OutputFile::~OutputFile() {
  finish();
}

void OutputFile::flush() {
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
