#include "core/number_lines.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace noctule {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;  ///< characters, and its end

void find_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  line = line.substr(0, line.find('#'));
  constexpr std::string_view kBlanks = " \t\r\v\f";
  for (auto from = line.find_first_not_of(kBlanks); from != std::string_view::npos;
       from = line.find_first_not_of(kBlanks, from)) {
    const auto to = std::min(line.find_first_of(kBlanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    from = to;
  }
}

/// One number, or where several are allowed a list of them. False: something else.
bool parse(std::string_view word, bool several, std::vector<std::uint64_t>& numbers) {
  const char* at = word.data();
  const char* const end = at + word.size();
  for (;; ++at) {
    const auto result = std::from_chars(at, end, numbers.emplace_back());
    if (result.ec != std::errc{}) return false;
    at = result.ptr;
    if (at == end) return true;
    if (!several || *at != ',') return false;
  }
}

std::string described(const std::vector<std::string>& columns, const std::string& more) {
  std::string text;
  for (const auto& c : columns) text += (text.empty() ? "" : " ") + c;
  if (!more.empty()) text += " " + more;
  return text;
}

}  // namespace

void require_regular_file(const std::string& path, const std::string& key) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    throw ConfigError(key, "'" + path + "' is a directory; a text file is needed");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw ConfigError(key, "'" + path + "' is a device or a pipe; a text file is needed");
}

void each_text_line(const std::string& path, const std::string& key, const std::string& shape,
                    const std::function<bool(std::string_view, std::size_t)>& f) {
  require_regular_file(path, key);
  std::ifstream file(path);
  if (!file) throw ConfigError(key, "cannot read '" + path + "': " + std::strerror(errno));

  std::string text;
  text.resize(kLongestLine);
  for (std::size_t number = 1; file.getline(text.data(), static_cast<std::streamsize>(text.size()));
       ++number) {
    std::string_view line(text.data(), static_cast<std::size_t>(file.gcount()) - (file.eof() ? 0 : 1));
    if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (line.substr(0, line.empty() ? 0 : line.size() - 1).find('\r') != std::string_view::npos)
      throw ConfigError(key, path + ":" + std::to_string(number) +
                                 ": a carriage return within the line; end lines with a line feed");
    if (line.find('\0') != std::string_view::npos)
      throw ConfigError(key, path + ":" + std::to_string(number) +
                                 ": a byte 0 within the line; a text file with lines '" + shape +
                                 "' is needed");
    if (!f(line, number)) return;
  }
  if (file.bad()) throw ConfigError(key, "reading '" + path + "' failed");
  if (!file.eof())
    throw ConfigError(key, "'" + path + "' has a line of more than " + std::to_string(kLongestLine - 1) +
                               " characters; a text file with lines '" + shape + "' is needed");
}

void each_word_line(const std::string& path, const std::string& key, const std::string& shape,
                    const std::function<bool(const WordLine&)>& f) {
  WordLine line;
  each_text_line(path, key, shape, [&](std::string_view text, std::size_t number) {
    find_words(text, line.words);
    if (line.words.empty()) return true;
    line.place = path + ":" + std::to_string(number);
    return f(line);
  });
}

void each_number_line(const std::string& path, const std::vector<std::string>& columns,
                      const std::string& key, const std::string& more,
                      const std::function<void(NumberLine&)>& f) {
  const std::string shape = described(columns, more);
  LineFaults faults(key);
  NumberLine line;
  std::vector<std::uint64_t> numbers;
  each_word_line(path, key, shape, [&](const WordLine& text) {
    const auto& words = text.words;
    line.values.clear();
    line.list.clear();
    line.words.clear();
    line.place = text.place;
    if (words.size() < columns.size() || (more.empty() && words.size() > columns.size())) {
      faults.add(line.place, (words.size() == 1 ? "1 word" : std::to_string(words.size()) + " words") +
                                 "; a line is '" + shape + "', with blanks between");
      return true;
    }
    for (std::size_t c = columns.size(); c < words.size(); ++c) line.words.emplace_back(words[c]);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool several = columns[c].ends_with(kSeveral);
      numbers.clear();
      if (!parse(words[c], several, numbers))
        faults.add(line.place, columns[c].substr(0, columns[c].find('[')) + " is '" + std::string(words[c]) +
                                   "'; a whole number from 0 to 2^64-1 is needed" +
                                   (several ? ", or several with commas between them" : ""));
      line.values.push_back(numbers.empty() ? 0 : numbers.front());
      if (several) line.list = numbers;
    }
    if (faults.none()) f(line);
    return true;
  });
  faults.raise();
}

std::vector<NumberLine> read_number_lines(const std::string& path, const std::vector<std::string>& columns,
                                          const std::string& key, const std::string& more) {
  std::vector<NumberLine> lines;
  each_number_line(path, columns, key, more, [&](NumberLine& line) { lines.push_back(line); });
  return lines;
}

}  // namespace noctule
