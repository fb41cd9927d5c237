#pragma once
// Configurations of other simulators as YAML of this one. What has a counterpart is written with the key that
// it comes from; what has none, with a remark.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace noctule {

/// The YAML that comes of it, line by line.
class ImportedConfiguration {
 public:
  /// `key`: dotted, of one or two parts; `value`: YAML of one line; `from`: the key it comes from, and what
  /// is to be known of the difference. A later value of a key takes the place of an earlier one.
  void set(const std::string& key, const std::string& value, const std::string& from);
  /// A key of the other simulator that has no counterpart, or one that differs: what to know of it.
  void remark(const std::string& text) { remarks_.push_back(text); }
  /// Something else stands there instead; such remarks come first.
  void replaced(const std::string& text) {
    remarks_.insert(remarks_.begin() + static_cast<std::ptrdiff_t>(replaced_++), text);
  }

  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
  /// The whole file, with `heading` as its first comment.
  [[nodiscard]] std::string yaml(const std::string& heading) const;

 private:
  struct Entry {
    std::string section;  ///< empty: at the top
    std::string key;
    std::string value;
    std::string from;
  };
  std::vector<Entry> entries_;
  std::vector<std::string> remarks_;
  std::size_t replaced_ = 0;  ///< of the remarks, the first ones
};

/// A file of BookSim2: lines `key = value;`, with its defaults for what is not given. `name`: of the file,
/// for messages. Throws ConfigError with line, and what is expected, for what is no such file: a line that
/// does not parse, a key or a word that BookSim2 does not have, a value that is no number where one is
/// wanted. `overrides`: "key=value", as on BookSim2's command line, which count instead of what the file
/// says.
[[nodiscard]] ImportedConfiguration import_booksim(std::string_view text, const std::string& name,
                                                   const std::vector<std::string>& overrides = {});

/// A file of Noxim: YAML; likewise.
[[nodiscard]] ImportedConfiguration import_noxim(std::string_view text, const std::string& name);

}  // namespace noctule
