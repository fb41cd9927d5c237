#pragma once
// The values of a configuration of BookSim2, with its defaults, and what becomes of them.

#include <string>

#include "config/booksim_text.h"
#include "config/imported.h"

namespace noctule {

class BooksimValues {
 public:
  /// Both outlive it.
  BooksimValues(const BooksimText& text, ImportedConfiguration& out) : text_(text), out_(out) {}

  /// As given, or BookSim2's default; of a list for its classes that of the first one.
  [[nodiscard]] std::string value(const std::string& key) const;
  /// As given, with the other classes.
  [[nodiscard]] std::string whole_value(const std::string& key) const;
  [[nodiscard]] bool is_given(const std::string& key) const { return text_.given().contains(key); }
  /// The comment behind a key: "k = 8, BookSim2's default"; `unit` stands behind the value.
  [[nodiscard]] std::string from(const std::string& key, const std::string& unit = "") const;
  /// Throws ConfigError with the place for what is no number, or not within.
  [[nodiscard]] double number(const std::string& key) const { return number_in(key, value(key)); }
  [[nodiscard]] long whole(const std::string& key, long least, long most) const {
    return whole_in(key, value(key), least, most);
  }
  /// The same for a part of the value.
  [[nodiscard]] double number_in(const std::string& key, const std::string& text) const;
  [[nodiscard]] long whole_in(const std::string& key, const std::string& text, long least, long most) const;
  /// Throws ConfigError with the place of the key.
  [[noreturn]] void fail(const std::string& key, const std::string& text) const;
  /// Something else is written instead.
  void no_counterpart(const std::string& key, const std::string& instead);

 protected:
  const BooksimText& text_;
  ImportedConfiguration& out_;
};

/// The section traffic.
void write_booksim_traffic(const BooksimText& text, ImportedConfiguration& out);

}  // namespace noctule
