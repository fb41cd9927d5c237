#pragma once
// Reads a value change dump: an independent judge of what the product writes. Strict: what the standard (IEEE
// 1364-2005, clause 18) or the product's promises do not allow is an error.

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace noctule::test {

struct VcdSignal {
  std::string kind;
  unsigned bits = 1;
  std::vector<std::pair<std::uint64_t, std::string>> changes;  ///< (time, value without leading zeros)

  [[nodiscard]] const std::string& text_at(std::uint64_t t) const {
    static const std::string kNothing = "(no value yet)";
    const std::string* value = &kNothing;
    for (const auto& [at, text] : changes) {
      if (at > t) break;
      value = &text;
    }
    return *value;
  }
  /// Nothing: undriven.
  [[nodiscard]] static std::optional<std::uint64_t> number(const std::string& text) {
    if (text == "z") return std::nullopt;
    return std::stoull(text, nullptr, 2);
  }
  [[nodiscard]] std::optional<std::uint64_t> at(std::uint64_t t) const { return number(text_at(t)); }
  /// Values at times first, ..., last-1.
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> dense(std::uint64_t first,
                                                                std::uint64_t last) const {
    std::vector<std::optional<std::uint64_t>> values;
    std::size_t next = 0;
    std::optional<std::uint64_t> value;
    for (std::uint64_t t = first; t < last; ++t) {
      while (next < changes.size() && changes[next].first <= t) value = number(changes[next++].second);
      values.push_back(value);
    }
    return values;
  }
};

class VcdFile {
 public:
  explicit VcdFile(const std::string& path) : in_(path) {
    if (!in_) throw std::runtime_error("no file " + path);
    read_header();
    read_changes();
  }
  std::map<std::string, VcdSignal> signals;
  std::string timescale;
  std::vector<std::uint64_t> times;
  std::uint64_t dumped_at = 0;  ///< time of the $dumpvars section

  [[nodiscard]] const VcdSignal& operator[](const std::string& name) const {
    const auto it = signals.find(name);
    if (it == signals.end()) throw std::runtime_error("no signal " + name);
    return it->second;
  }
  [[nodiscard]] std::uint64_t end() const { return times.empty() ? 0 : times.back(); }

 private:
  std::string word() {
    std::string w;
    if (!(in_ >> w)) throw std::runtime_error("the file ends in the middle of something");
    return w;
  }
  std::vector<std::string> until_end() {
    std::vector<std::string> words;
    for (std::string w = word(); w != "$end"; w = word()) words.push_back(w);
    return words;
  }
  void read_header() {
    std::vector<std::string> scopes;
    for (;;) {
      const std::string section = word();
      const auto words = until_end();
      if (section == "$scope") {
        if (words.size() != 2 || words[0] != "module") throw std::runtime_error("bad $scope");
        scopes.push_back(words[1]);
      } else if (section == "$upscope") {
        if (scopes.empty()) throw std::runtime_error("$upscope without $scope");
        scopes.pop_back();
      } else if (section == "$var") {
        read_variable(words, scopes);
      } else if (section == "$timescale") {
        for (const auto& w : words) timescale += timescale.empty() ? w : " " + w;
      } else if (section == "$enddefinitions") {
        if (!scopes.empty()) throw std::runtime_error("a scope is still open");
        return;
      }
    }
  }
  void read_variable(const std::vector<std::string>& words, const std::vector<std::string>& scopes) {
    if (words.size() < 4) throw std::runtime_error("bad $var");
    std::string name;
    for (const auto& s : scopes) name += s + ".";
    VcdSignal signal;
    signal.kind = words[0];
    signal.bits = static_cast<unsigned>(std::stoul(words[1]));
    if (words.size() == 5 && words[4] != "[" + std::to_string(signal.bits - 1) + ":0]")
      throw std::runtime_error("range and width differ: " + name);
    name += words[3];
    if (!signals.emplace(name, signal).second) throw std::runtime_error("declared twice: " + name);
    if (!by_id_.emplace(words[2], &signals[name]).second) throw std::runtime_error("identifier used twice");
  }
  void read_changes() {
    std::string token;
    bool dumping = false;
    std::size_t dumped = 0;
    while (in_ >> token) {
      if (token[0] == '#') {
        const auto t = std::stoull(token.substr(1));
        if (!times.empty() && t <= times.back())
          throw std::runtime_error("time does not advance at " + token);
        times.push_back(t);
      } else if (token == "$dumpvars") {
        if (times.size() != 1) throw std::runtime_error("$dumpvars is not at the first time");
        dumping = true;
        dumped_at = times.back();
      } else if (token == "$end") {
        if (!dumping || dumped != signals.size()) throw std::runtime_error("$dumpvars is not complete");
        dumping = false;
      } else {
        read_change(token);
        ++dumped;
      }
    }
  }
  void read_change(const std::string& token) {
    const bool vector = token[0] == 'b';
    const std::string value = vector ? token.substr(1) : token.substr(0, 1);
    const auto it = by_id_.find(vector ? word() : token.substr(1));
    if (it == by_id_.end()) throw std::runtime_error("value of nothing: " + token);
    VcdSignal& signal = *it->second;
    if (times.empty()) throw std::runtime_error("value without a time");
    if (vector != (signal.bits > 1) || value.size() > signal.bits)
      throw std::runtime_error("wrong width: " + token);
    if (value.empty() || (value != "z" && value.find_first_not_of("01") != std::string::npos))
      throw std::runtime_error("no value: " + token);
    if (!signal.changes.empty() && signal.changes.back().second == value)
      throw std::runtime_error("a value that did not change: " + token);
    if (!signal.changes.empty() && signal.changes.back().first == times.back())
      throw std::runtime_error("two values at one time: " + token);
    signal.changes.emplace_back(times.back(), value);
  }

  std::ifstream in_;
  std::map<std::string, VcdSignal*> by_id_;
};

}  // namespace noctule::test
