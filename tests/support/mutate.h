#pragma once
// Mutations of configurations with their expected verdict, drawn from the declarations.

#include <cstdint>
#include <string>
#include <vector>

#include "core/rng.h"

namespace noctule {

enum class Legality : std::uint8_t {
  kLegal,         ///< decodes
  kUnknownKey,    ///< a key that does not exist
  kMistyped,      ///< a value of another type, or a word that is none of the choices
  kOutOfRange,    ///< a number or a number of elements outside its range
  kContradictory  ///< keys that are each legal, but not together
};
const char* to_string(Legality verdict) noexcept;

/// A mutated configuration, in block style.
struct Mutation {
  std::string yaml;
  Legality verdict = Legality::kLegal;
  std::string key;         ///< the dotted key that was mutated
  std::vector<int> lines;  ///< lines one of which the error must name; the mutated ones if legal
  /// Legal, and only values changed that leave the fabric as it is: then it can also be built and run.
  bool buildable = false;
};

/// Mutates a legal configuration (its text, without `base`).
Mutation mutate(const std::string& yaml, Rng& rng);

}  // namespace noctule
