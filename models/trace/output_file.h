#pragma once
// A text file that is written in large pieces. What goes wrong on the way is kept until the file is closed,
// so that nothing is thrown out of the middle of a simulation.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace noctule {

class OutputFile {
 public:
  static constexpr std::size_t kBuffer = std::size_t{512} * 1024;

  /// Creates the file, or opens it: what it holds goes as the first of the new text is written. Throws
  /// ConfigError under `key` if that is impossible.
  OutputFile(std::string path, std::string key);
  /// Writes what is left; errors go unreported here, `close` reports them.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  OutputFile& operator<<(std::string_view text) {
    if (buffer_.size() + text.size() > kBuffer) flush();
    buffer_ += text;
    return *this;
  }
  OutputFile& operator<<(char c) { return *this << std::string_view(&c, 1); }
  OutputFile& operator<<(std::uint64_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
  }

  /// Hands everything to the system.
  void flush();
  /// There is nothing to write after all. As long as nothing has been, the file stays as it was, or goes if
  /// there was none. Takes no more text.
  void discard() noexcept;
  /// Writes what is left. Throws ConfigError with the file's name and the cause if anything was lost. May be
  /// called again.
  void close();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void finish() noexcept;
  void begin() noexcept;

  std::string path_;
  std::string key_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  bool fresh_ = false;  ///< was not there
  bool begun_ = false;
  int error_ = 0;  ///< errno of the first failure
};

}  // namespace noctule
