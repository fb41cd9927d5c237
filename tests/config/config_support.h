#pragma once
// Helpers for tests of bad and good configurations.

#include <algorithm>
#include <string>
#include <vector>

#include "config/decode.h"
#include "core/error.h"

namespace noctule::testing {

/// What is wrong with a configuration called "file"; empty: nothing.
inline std::vector<Diagnostic> faults_of(const std::string& yaml, const DecodeOptions& options = {}) {
  try {
    (void)expand(decode_text(yaml, "file", options));
  } catch (const ConfigError& e) {
    return e.diagnostics();
  }
  return {};
}

inline std::string all_text(const std::vector<Diagnostic>& faults) {
  return faults.empty() ? "no fault" : ConfigError(faults).what();
}

inline bool has(const std::vector<Diagnostic>& faults, const std::string& place, const std::string& key,
                const std::string& words = {}) {
  return std::ranges::any_of(faults, [&](const Diagnostic& d) {
    return d.place == place && d.key == key && d.message.find(words) != std::string::npos;
  });
}

}  // namespace noctule::testing

/// Exactly one fault, with this place, key and words.
#define EXPECT_ONE_FAULT(yaml, place, key, words)                                         \
  do {                                                                                    \
    const auto found_faults = noctule::testing::faults_of(yaml);                          \
    EXPECT_EQ(found_faults.size(), 1U) << noctule::testing::all_text(found_faults);       \
    EXPECT_TRUE(noctule::testing::has(found_faults, place, key, words))                   \
        << "expected " << (place) << ": " << (key) << ": ..." << (words) << "... among\n" \
        << noctule::testing::all_text(found_faults);                                      \
  } while (false)
