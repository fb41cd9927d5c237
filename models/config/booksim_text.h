#pragma once
// A configuration file of BookSim2, as it stands.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace noctule {

/// Keys that have a counterpart here, with BookSim2's defaults (src/booksim_config.cpp, June 2017).
[[nodiscard]] const std::map<std::string, std::string>& booksim_keys();

/// What to know of a key that has no counterpart; nothing where its value is what routers and runs are here,
/// or where results do not depend on it.
[[nodiscard]] std::optional<std::string> remark_on_booksim(const std::string& key, const std::string& value);

/// Without blanks at both ends.
[[nodiscard]] std::string trimmed(std::string_view text);

/// `key = value;`, comments from // to the end of the line; the last one of a key counts.
class BooksimText {
 public:
  struct Given {
    std::string value;
    int line = 0;
  };
  /// `name`: of the file, for messages. Throws ConfigError for a line that is no such thing, and for a key
  /// that BookSim2 does not have.
  BooksimText(std::string_view text, std::string name);
  [[nodiscard]] const std::map<std::string, Given>& given() const { return given_; }
  /// Throws ConfigError with the place; line 0: of the whole file.
  [[noreturn]] void fail(int line, const std::string& text) const;

 private:
  void take(const std::string& statement, int line);

  std::string name_;
  std::map<std::string, Given> given_;
};

}  // namespace noctule
