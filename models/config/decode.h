#pragma once
// From a file and the command line to a complete, checked configuration; everything that is wrong at once.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/decoder.h"
#include "config/document.h"
#include "core/error.h"
#include "core/json.h"

namespace noctule {

/// What the command line adds to the file.
struct DecodeOptions {
  std::vector<std::string> set;        ///< each as given to --set: "key.path=value", the value in YAML
  std::vector<std::string> axes;       ///< each as given to --axis: "key=list" or "key=from:to:step"
  std::optional<std::string> seed;     ///< as given to --seed
  std::vector<std::string> over = {};  ///< as `set`, over all of these: they may take the effect from them
};

/// A complete configuration.
struct Configuration {
  std::string file;
  /// Every key with its value. Decodes again to itself, and to the same points.
  Json resolved;
  PlaceMap places;
  /// What was given: base, file and options merged, shorthands written out, without presets and defaults.
  ConfigNode document;
  /// Files that noctule wrote itself, of the file and its bases: they have every key, whether it counts or
  /// not.
  std::vector<std::string> echoes;

  /// The same findings, each with the place where its key, or the nearest section around it, was given.
  [[nodiscard]] ConfigError annotate(const ConfigError& error) const;
};

/// One simulation: a series of the comparison at one combination of the sweep's axes.
struct PointConfig {
  std::string label;  ///< of the series; without comparison the name of the node model
  Json set;           ///< dotted keys in which the points differ, with this point's values
  Json resolved;      ///< complete; has no sweep and no comparison of its own
  std::uint64_t seed = 1;
  std::shared_ptr<const PlaceMap> places;
  std::string file;
  /// Which point this is, for messages: "series 'a', node.lanes=2"; empty if it is the only one.
  std::string which;

  /// As Configuration::annotate; says also which point it is about.
  [[nodiscard]] ConfigError annotate(const ConfigError& error) const;
};

/// Throws ConfigError with everything that is wrong.
Configuration decode_file(const std::string& path, const DecodeOptions& options = {});
/// `name` stands for the file in messages; `folder` is where `base` is looked for.
Configuration decode_text(const std::string& text, const std::string& name, const DecodeOptions& options = {},
                          const std::string& folder = ".");

/// All points, series by series, the last axis fastest; each decoded and checked. Throws ConfigError with
/// everything that is wrong in any of them. All points share the seed (common random numbers) unless it is
/// itself an axis.
std::vector<PointConfig> expand(const Configuration& configuration);

inline constexpr std::size_t kMostPoints = 100'000;

/// For expand: presets, defaults and rules applied to a document with its shorthands written out. Rules about
/// entries that its sweep or comparison chooses are left to the points.
Decoded complete(const ConfigNode& document);
/// Faults as a ConfigError: sorted by place, each once, at most 100.
ConfigError to_error(Faults faults);

}  // namespace noctule
