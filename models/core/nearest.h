#pragma once
// The nearest legal spelling of a misspelt word.

#include <string>
#include <vector>

namespace noctule {

/// Edits from a to b: insertion, deletion, substitution, exchange of neighbours (optimal string alignment).
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The candidate nearest to `word`, if near enough that it was probably meant; else empty. Hyphens, blanks
/// and capitals count for nothing, and a candidate that starts with the word is near.
std::string nearest_spelling(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace noctule
