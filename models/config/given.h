#pragma once
// Describes and converts values that a user gave.

#include <optional>
#include <string>

#include "config/document.h"

namespace noctule {

/// true, yes, on and their opposites, in any case and without quotes.
std::optional<bool> as_boolean(const ConfigNode& node);
/// Text of the user's for a message: on one line, and not too long.
std::string shown(const std::string& text);
/// "; did you mean 'x'?", or nothing if there is nothing near.
std::string with_hint(const std::string& nearest);
/// What was given: "the text 'abc'", "a list of 3".
std::string describe_given(const ConfigNode& node);

}  // namespace noctule
