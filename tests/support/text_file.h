#pragma once
// A text file that lives as long as the object.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace noctule {

class TextFile {
 public:
  /// `name`: part of its name, which is the process's own.
  TextFile(const std::string& name, const std::string& text)
      : path_(testing::TempDir() + "noctule_" + name + "_" + std::to_string(::getpid()) + ".txt") {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace noctule
