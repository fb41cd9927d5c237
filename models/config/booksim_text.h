#pragma once
// A configuration file of BookSim2, as it stands.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace noctule {

/// Without blanks at both ends.
[[nodiscard]] std::string trimmed(std::string_view text);

/// A word of BookSim2, as islip(3) or hotspot({1,2}): the name, and what stands in parentheses behind it, if
/// something does.
[[nodiscard]] std::string name_in(std::string_view word);
[[nodiscard]] std::optional<std::string> parameters_in(std::string_view word);

/// The elements of "{a,{b,c}}": "a", "{b,c}"; of what is no list: itself.
[[nodiscard]] std::vector<std::string> elements_of(std::string_view value);

/// The first of them: lists give a value for each of BookSim2's classes.
[[nodiscard]] std::string of_first_class(std::string_view value);

/// `key = value;`, comments from // to the end of the line; the last one of a key counts.
class BooksimText {
 public:
  static constexpr int kCommandLine = -1;
  struct Given {
    std::string value;
    int line = 0;  ///< or kCommandLine
  };
  /// `name`: of the file, for messages. `overrides`: "key=value" of the command line, which count instead of
  /// what the file says. Throws ConfigError for a line that is no such thing, for a key that BookSim2 does
  /// not have, and for a word that the key does not take there.
  BooksimText(std::string_view text, std::string name, const std::vector<std::string>& overrides);
  [[nodiscard]] const std::map<std::string, Given>& given() const { return given_; }
  /// Throws ConfigError with the place; line 0: of the whole file.
  [[noreturn]] void fail(int line, const std::string& text) const;

 private:
  void read(std::string_view text);
  void take(const std::string& statement, int line);

  std::string name_;
  std::map<std::string, Given> given_;
};

}  // namespace noctule
