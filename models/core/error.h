#pragma once
// The two ways in which things go wrong: the user's input, and ourselves.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace noctule {

/// One thing that is wrong with what the user handed in.
struct Diagnostic {
  std::string key;      ///< dotted path of the key, e.g. "routing.vc_rule"; empty if none applies
  std::string message;  ///< what was given, what is allowed, what to do
  std::string place;    ///< "file:line:column", filled in where the text of the file is known
};

/// Bad configuration, option or file: exit code 2. Carries every finding, not only the first.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string key, std::string message)
      : ConfigError(std::vector<Diagnostic>{{std::move(key), std::move(message), {}}}) {}
  explicit ConfigError(std::vector<Diagnostic> diagnostics)
      : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

 private:
  static std::string join(const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const auto& d : diagnostics) {
      if (!text.empty()) text += '\n';
      if (!d.place.empty()) text += d.place + ": ";
      if (!d.key.empty()) text += d.key + ": ";
      text += d.message;
    }
    return text;
  }
  std::vector<Diagnostic> diagnostics_;
};

/// A broken invariant of the simulation itself (lost flit, interleaved worm): exit code 3.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace noctule
