#pragma once
// YAML text as a tree that knows where everything stands. Knows nothing of the meaning of keys.

#include <memory>
#include <string>
#include <vector>

namespace noctule {

/// Where something was written: a file with line and column (from 1), or a command line option (line 0).
struct Place {
  std::shared_ptr<const std::string> source;
  int line = 0;
  int column = 0;
  /// "file:line:column", or the option; empty if unknown.
  [[nodiscard]] std::string text() const;
};

/// Something wrong, not yet in words for the user.
struct Fault {
  std::string key;
  std::string message;
  Place place;
};
using Faults = std::vector<Fault>;

/// One value of a document.
struct ConfigNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Entry;

  Kind kind = Kind::kNull;
  bool quoted = false;  ///< scalar in quotes: always text
  std::string scalar;
  std::vector<ConfigNode> items;
  std::vector<Entry> entries;  ///< in the order of the text; keys differ
  Place place;

  static ConfigNode of_scalar(std::string text, Place place, bool quoted = false);
  static ConfigNode of_map(Place place);
  [[nodiscard]] const Entry* find(const std::string& key) const;
  [[nodiscard]] Entry* find(const std::string& key);
  void erase(const std::string& key);
};

struct ConfigNode::Entry {
  std::string key;
  Place place;
  ConfigNode value;
  bool implied = false;  ///< by a node model's preset, not by the user
};

struct DocumentLimits {
  std::size_t bytes = 1 << 20;
  std::size_t values = 100'000;  ///< aliases count as what they stand for
  const char* remedy = "";       ///< for messages: "; do this"
  static constexpr unsigned kDepth = 64;
};

/// Parses one YAML (or JSON) document. What is wrong is added to `faults`: duplicate keys and keys that are
/// no text do not stop it, anything else does and gives a null node.
ConfigNode parse_yaml(const std::string& text, std::shared_ptr<const std::string> source, Faults& faults,
                      const DocumentLimits& limits = {});

/// The text of a file; adds a fault under `key` at `place` and returns nothing if it cannot be read or is no
/// text. `kind`: what it should be, for messages.
std::string read_text_file(const std::string& path, const std::string& key, const Place& place,
                           Faults& faults, const std::string& kind = "a YAML file",
                           const DocumentLimits& limits = {});

}  // namespace noctule
