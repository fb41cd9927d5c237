#pragma once
// The journal of a result folder: every point that is finished, on disk the moment it is, so that a sweep
// goes on after an interruption where it was.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/json.h"
#include "core/unique_fd.h"

namespace noctule {

/// FNV-1a of 128 bits, as 32 hexadecimal digits: the same on every machine, for ever.
[[nodiscard]] std::string stable_hash(std::string_view bytes);

/// What a point's result depends on, in short: its configuration with every default filled in, and the
/// version of the program. Neither the order of the keys counts nor whether a whole number is written 1 or
/// 1.0, nor the sections that change no result (name, plots, limits, ...); anything else gives another key.
[[nodiscard]] std::string point_key(const Json& resolved_point, const std::string& version);

/// A text file with one line {"key", "index", "point"} per finished point. A last line cut short by a crash
/// is taken off; damaged lines elsewhere are passed over; of several lines with one key the last counts. One
/// program at a time has a journal open. Errors are ConfigErrors under the key "out".
class Journal {
 public:
  /// Opens the file, or makes it; its folder exists.
  explicit Journal(std::string path);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Points that can be found.
  [[nodiscard]] std::size_t size() const noexcept { return lines_.size(); }
  /// Lines passed over.
  [[nodiscard]] std::size_t damaged() const noexcept { return damaged_; }

  [[nodiscard]] std::optional<Json> find(const std::string& key) const;
  /// On disk when it returns; if it throws, the file is as it was. Bytes of strings that are no UTF-8 are
  /// replaced, numbers that are not finite become null.
  void append(const std::string& key, std::size_t index, const Json& point);
  /// Leaves the points with these keys, in this order, and nothing else; the file is replaced as a whole.
  void keep(const std::vector<std::string>& keys);
  /// Takes a file without a line away; nothing can be appended then.
  void remove_if_empty();

 private:
  struct Extent {
    off_t offset = 0;
    std::size_t size = 0;  ///< without the line's end
  };
  static void lock(const UniqueFd& file, const std::string& path);
  void load();
  void finish_last_line(std::string_view rest);
  [[nodiscard]] std::string read_all() const;
  [[nodiscard]] std::string read(Extent extent) const;
  void write_at_end(std::string_view bytes);
  [[noreturn]] void fail(const std::string& what) const;  ///< with errno

  std::string path_;
  UniqueFd file_;
  off_t end_ = 0;
  std::unordered_map<std::string, Extent> lines_;
  std::size_t damaged_ = 0;
};

}  // namespace noctule
