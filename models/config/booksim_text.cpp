#include "config/booksim_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/booksim_keys.h"
#include "config/given.h"
#include "config/spelling.h"
#include "core/error.h"

namespace noctule {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string name_in(std::string_view word) {
  return std::string(word.substr(0, word.find('(')));
}

std::optional<std::string> parameters_in(std::string_view word) {
  const auto open = word.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  return trimmed(word.substr(open + 1, word.rfind(')') - open - 1));
}

std::vector<std::string> elements_of(std::string_view value) {
  if (value.size() < 2 || value.front() != '{' || value.back() != '}') return {std::string(value)};
  value = value.substr(1, value.size() - 2);
  std::vector<std::string> all;
  std::string element;
  int depth = 0;
  for (const char c : value) {
    depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      all.push_back(trimmed(std::exchange(element, "")));
    else
      element += c;
  }
  all.push_back(trimmed(element));
  return all;
}

std::string of_first_class(std::string_view value) {
  return elements_of(value).front();
}

BooksimText::BooksimText(std::string_view text, std::string name, const std::vector<std::string>& overrides)
    : name_(std::move(name)) {
  read(text);
  for (const std::string& override : overrides) take(override, kCommandLine);
}

void BooksimText::read(std::string_view text) {
  std::string statement;
  int begun = 1;
  int line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80 || (byte < 0x20 && text.find_first_of("\t\r\n", i) != i))
      fail(line, "is no text; BookSim2's files are ASCII");
    const bool apart = i == 0 || std::string_view(" \t\r\n;").find(text[i - 1]) != std::string_view::npos;
    if (apart && (text[i] == '#' || text.substr(i, 2) == "/*"))
      fail(line, fmt::format("'{}' begins no comment in BookSim2's files; write // at the start of each",
                             text[i] == '#' ? "#" : "/*"));
    if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
    const char c = i < text.size() ? text[i] : '\n';
    if (c == ';') {
      take(statement, begun);
      statement.clear();
    } else {
      if (trimmed(statement).empty()) begun = line;
      statement += c;
    }
    if (c == '\n') ++line;
  }
  if (const auto rest = trimmed(statement); !rest.empty())
    fail(begun, fmt::format("'{}' is not ended; write 'key = value;'", rest.substr(0, 40)));
}

void BooksimText::fail(int line, const std::string& text) const {
  throw ConfigError({Diagnostic{"import booksim", text,
                                line == kCommandLine ? "command line"
                                : line == 0          ? name_
                                                     : fmt::format("{}:{}", name_, line)}});
}

void BooksimText::take(const std::string& statement, int line) {
  const auto equals = statement.find('=');
  const std::string key = trimmed(statement.substr(0, equals));
  if (equals == std::string::npos || key.empty())
    fail(line, fmt::format("'{}' is no 'key = value;'", trimmed(statement).substr(0, 40)));
  if (const auto next = statement.find('=', equals + 1); next != std::string::npos)
    if (const auto end = statement.find_last_of('\n', next); end != std::string::npos && end > equals) {
      const std::string first = trimmed(statement.substr(0, end));
      fail(line + static_cast<int>(std::ranges::count(first, '\n')),
           fmt::format("'{}' is not ended; write ';' behind it", first.substr(0, 40)));
    }
  std::string value = trimmed(statement.substr(equals + 1));
  if (value.size() > 1 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  std::ranges::replace_if(
      value, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  const auto names = booksim_key_names();
  if (std::ranges::find(names, key) == names.end())
    fail(line, fmt::format("BookSim2 has no key '{}'{}", key, with_hint(nearest_spelling(key, names))));
  for (const auto& word : elements_of(value))
    if (const auto wrong = wrong_booksim_word(key, word); !wrong.empty()) fail(line, wrong);
  given_[key] = {value, line};
}

}  // namespace noctule
