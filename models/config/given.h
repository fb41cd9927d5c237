#pragma once
// Describes and converts values that a user gave.

#include <optional>
#include <string>
#include <vector>

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
/// "6x10" as "6, 10"; what is no such size stays.
std::string with_commas(const std::string& text);
/// A list of numbers in which ranges may stand, "0-11,20" or [0-11, 20], as a list of numbers of at most
/// `most` elements. What is neither number nor range stays in it as it is. `wrong`: why there is none; empty:
/// there is.
ConfigNode without_ranges(const ConfigNode& node, double most, std::string& wrong);
/// What may be meant by something that is no number, to be said behind it; empty: nothing is near. `words`:
/// what is allowed besides numbers.
std::string about_no_number(const std::string& text, const std::vector<std::string>& words);
/// A number with letters or a sign of per cent behind it: "64B", "10 %".
bool has_unit(const std::string& text);
/// Numbers with colons or dots between them: "0.1:0.5", "0.1..0.5", "1:10:2".
bool is_range(const std::string& text);
/// A path is meant relative to the file in which it stands; on the command line, to the working directory.
std::string file_path(const ConfigNode& node);

}  // namespace noctule
