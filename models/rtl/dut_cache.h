#pragma once
// Where compiled routers are kept, and when one may be used again: while every file that Verilator read for
// it is as it was, and the library is as it was written.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// What Verilator read, by its own list (Vdut__verFiles.dat), and what would be read instead if it existed.
struct DutDependencies {
  struct File {
    std::filesystem::path path;
    std::uint64_t hash = 0;  ///< of the content
    friend bool operator==(const File&, const File&) = default;
  };
  std::vector<File> read;
  std::vector<std::filesystem::path> absent;
  std::filesystem::path working_folder;  ///< empty: nothing was found there
  friend bool operator==(const DutDependencies&, const DutDependencies&) = default;

  /// Of a list that Verilator has just written. Files in `own` are left out. `folders`: where modules and
  /// included files were looked for.
  static DutDependencies of(const std::filesystem::path& list, const std::filesystem::path& own,
                            const std::vector<std::filesystem::path>& folders);
  /// Is all still as it was?
  [[nodiscard]] bool hold() const;
};

/// A folder of this user alone.
class DutCache {
 public:
  /// In $NOCTULE_CACHE, $XDG_CACHE_HOME/noctule or ~/.cache/noctule; without these in the folder for
  /// temporary files, or for this process alone where that cannot be had. Throws ConfigError (key "nodes")
  /// where it cannot be written or belongs to somebody else.
  DutCache();

  /// Of what this process made for itself alone nothing stays; for programs that end without destructors.
  static void clear_own();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// The library or object that is kept under this name, if it is as it was written.
  [[nodiscard]] std::optional<std::filesystem::path> file(const std::string& name) const;
  /// Takes over a file that was just written. Throws ConfigError where it cannot.
  std::filesystem::path keep(const std::string& name, const std::filesystem::path& file) const;
  /// The name of the library that was made of sources in these places, if they are as they were.
  [[nodiscard]] std::optional<std::string> known(const std::string& sources) const;
  void remember(const std::string& sources, const std::string& name, const DutDependencies& files) const;

 private:
  std::filesystem::path folder_;
};

[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace noctule
