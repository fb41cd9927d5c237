#pragma once
// Shared by the tests of tables of turns: a table by its rules, and what is said where it is refused.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "routing/routing_support.h"

namespace noctule::routing_test {

using Texts = std::vector<std::string>;

inline Network table(const Shape& shape, const Texts& forbid, unsigned classes = 1, const Texts& escape = {},
                     const Texts& allow = {}) {
  return network("turn_table", shape,
                 {{"forbid", forbid}, {"classes", classes}, {"escape", escape}, {"allow", allow}});
}

inline std::string refusal(const Shape& shape, const Texts& forbid, unsigned classes = 1,
                           const Texts& escape = {}, const Texts& allow = {}) {
  try {
    table(shape, forbid, classes, escape, allow);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "accepted";
}
inline void expect_refusal(const std::string& text, const Texts& parts) {
  for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

inline const Texts kWestFirst{"y_* -> x_minus"};

}  // namespace noctule::routing_test
