#pragma once
// Text files with one record per line: words, or whole numbers (permutations, traces).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace noctule {

/// Calls f(line, its number) for each line of a file, without its end, until f says false. `shape`: what a
/// line should be, for messages. Throws ConfigError under `key` where the file cannot be read.
void each_text_line(const std::string& path, const std::string& key, const std::string& shape,
                    const std::function<bool(std::string_view, std::size_t)>& f);

/// A line of words and where it stands ("file:line"). Valid until the next one is read.
struct WordLine {
  std::vector<std::string_view> words;
  std::string place;
};

/// The same for words: without comments ("#") and empty lines.
void each_word_line(const std::string& path, const std::string& key, const std::string& shape,
                    const std::function<bool(const WordLine&)>& f);

/// A line of numbers and where it stands ("file:line"), for messages about its meaning.
struct NumberLine {
  std::vector<std::uint64_t> values;  ///< of each column; of the one that may hold several, the first
  std::vector<std::uint64_t> list;    ///< all of the column that may hold several
  std::string place;
  std::vector<std::string> words;  ///< what follows the numbers, where the file may have that
};

/// What some editors put in front of a text in UTF-8; readers of text files leave it out.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline constexpr const char* kSeveral = "[,...]";

/// Reads a file whose lines hold one number per column, separated by blanks; "#" starts a comment, empty
/// lines count for nothing. A relative path is taken as given, from the current directory. Throws
/// ConfigError under `key`: every malformed line (at most 20) with its place, or why the file is unreadable.
/// A column whose name ends in kSeveral may hold several numbers, separated by commas.
/// `more`: what any words behind the columns are, for messages ("[hop ...]"); empty: there are none.
std::vector<NumberLine> read_number_lines(const std::string& path, const std::vector<std::string>& columns,
                                          const std::string& key, const std::string& more = "");

/// The same for files of any length: calls f(line) for each, and keeps none. `f` may take from the line. What
/// is malformed is thrown at the end of the file.
void each_number_line(const std::string& path, const std::vector<std::string>& columns,
                      const std::string& key, const std::string& more,
                      const std::function<void(NumberLine&)>& f);

/// Throws ConfigError under `key` unless this is a file that can be read to its end: no folder, no device.
void require_regular_file(const std::string& path, const std::string& key);

/// Collects what is wrong with the lines of a file; 20 findings are enough.
class LineFaults {
 public:
  explicit LineFaults(std::string key) : key_(std::move(key)) {}
  void add(const std::string& place, std::string message) {
    if (found_.size() < kMost) found_.push_back({key_, std::move(message), place});
  }
  [[nodiscard]] bool none() const { return found_.empty(); }
  /// Throws what was collected, if anything.
  void raise() {
    if (!found_.empty()) throw ConfigError(std::move(found_));
  }

 private:
  static constexpr std::size_t kMost = 20;
  std::string key_;
  std::vector<Diagnostic> found_;
};

}  // namespace noctule
